"""Reads values of a model's config, each checked: errors name the key as its file spells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from .errors import FormatError, shown

# Far above any existing model: a larger value comes from a damaged file.
_MOST = {"vocab_size": 1 << 24, "num_hidden_layers": 1 << 12, "num_attention_heads": 1 << 12, "head_dim": 1 << 12}
_MOST |= {"hidden_size": 1 << 20, "intermediate_size": 1 << 22, "max_position_embeddings": 1 << 30}
REQUIRED = object()  # as a default: a config without the key is refused


class _KeyRecorder(dict[str, Any]):
    """A config that notes which keys are read; copies made by {**config} count as reading none."""

    def __init__(self, raw: Mapping[str, Any], asked: set[str]) -> None:
        super().__init__(raw)
        self._asked = asked

    def __getitem__(self, key: str) -> Any:
        self._asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._asked.add(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._asked.add(key)
        return super().get(key, default)


class ConfigReader:
    """Checked access to a config.json, for a family's `read_config`; GGUF metadata is first translated to the same
    keys.

    `spelled`: the file's own names of keys, if they differ. `asked`: the keys read so far, also by readers of changed
    configs.
    """

    def __init__(
        self,
        raw: Mapping[str, Any],
        where: str,
        spelled: Mapping[str, str] | None = None,
        is_gguf: bool = False,
        asked: set[str] | None = None,
    ) -> None:
        self.asked: set[str] = set() if asked is None else asked
        self.raw: Mapping[str, Any] = _KeyRecorder(raw, self.asked)
        self.where, self.spelled, self.is_gguf = where, spelled or {}, is_gguf

    def changed(self, values: Mapping[str, Any], spelled: Mapping[str, str] | None = None) -> ConfigReader:
        """A reader of the same config with changed values."""
        names = {**self.spelled, **(spelled or {})}
        return ConfigReader({**self.raw, **values}, self.where, names, self.is_gguf, self.asked)

    def refuse(self, message: str) -> NoReturn:
        raise FormatError(f"{self.where}: {message}")

    def name(self, key: str) -> str:
        return self.spelled.get(key, key)

    def get(self, key: str, default: Any = REQUIRED) -> Any:
        value = self.raw.get(key)  # null counts as missing
        if value is None and default is REQUIRED:
            self.refuse(f"missing required key {self.name(key)}")
        return default if value is None else value

    def whole(self, key: str, default: Any = REQUIRED, least: int = 1) -> int:
        value = self.get(key, default)
        most = _MOST.get(key, 1 << 30)
        if type(value) is not int or not least <= value <= most:
            self.refuse(f"{self.name(key)} is {shown(value)}, not an integer from {least} to {most}")
        return value

    def number(self, key: str, default: Any = REQUIRED, most: float = 1e15, least: float = 0) -> float:
        value = self.get(key, default)
        if type(value) not in (int, float) or not least <= value <= most or not value > 0:
            low = f"from {least:g} to" if least else "above 0 and at most"
            self.refuse(f"{self.name(key)} is {shown(value)}, not a number {low} {most:g}")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{self.name(key)} is {shown(value)}, not true or false")
        return value

    def only(self, key: str, *allowed: Any) -> None:
        """Refuse a value that would be ignored: the key must be missing or have one of these values."""
        if (value := self.get(key, allowed[0])) not in allowed:
            choices = ", ".join(map(shown, allowed))
            self.refuse(f"unsupported {self.name(key)} {shown(value)}; supported: {choices}")
