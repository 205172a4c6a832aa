"""JSONL files, line by line: what cannot be used is named by its number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..formats.errors import shown
from ..formats.mapped import impostor, reason
from ..gpu.errors import WgptError

MAX_LINE = 64 << 20
Kind = Literal["messages", "completion", "text", "classify"]


class DataError(WgptError, ValueError):
    """Training data that cannot be used: which file, which line, why."""


@dataclass(frozen=True)
class Line:
    """One object of the file."""

    path: Path
    number: int  # from 1
    value: Mapping[str, Any]

    def error(self, message: str) -> DataError:
        return DataError(f"{self.path}, line {self.number}: {message}")

    def kind(self, classify: bool = False) -> Kind:
        """Which of the forms a line has, by its keys; other keys are nobody's business."""
        if classify:
            if "text" not in self.value or "label" not in self.value:
                raise self.error(f'has {self._keys()}; to classify, a line needs "text" and "label"')
            return "classify"
        forms: dict[Kind, tuple[str, ...]] = {
            "messages": ("messages",),
            "completion": ("prompt", "completion"),
            "text": ("text",),
        }
        found = [kind for kind, keys in forms.items() if all(key in self.value for key in keys)]
        if not found:
            raise self.error(f'has {self._keys()}; it needs "messages", "prompt" and "completion", or "text"')
        if len(found) > 1:
            raise self.error(f"has {self._keys()}, which is more than one form: keep one of them")
        return found[0]

    def text(self, key: str) -> str:
        value = self.value[key]
        if not isinstance(value, str):
            raise self.error(f"{key!r} is {shown(value)}, not a text")
        return value

    def _keys(self) -> str:
        return "no keys" if not self.value else f"the keys {', '.join(shown(key, 30) for key in list(self.value)[:6])}"


def read_lines(path: str | Path) -> Iterator[Line | DataError]:
    """Every line that is not blank: its object, or what is wrong with it. Never more than one line in memory."""
    path = Path(path)
    try:
        file = path.open("rb")
    except (OSError, ValueError) as e:
        raise DataError(f"{path}: cannot be opened: {reason(e)}") from e
    with file:
        try:
            if why := impostor(file.read(4096)):
                raise DataError(f"{path}: {why.replace('a model', 'JSONL')}")
            file.seek(0)
            number = 0
            while raw := file.readline(MAX_LINE + 1):
                number += 1
                if len(raw) > MAX_LINE:
                    raise DataError(f"{path}, line {number}: is longer than {MAX_LINE >> 20} MiB: it is no JSONL file")
                if raw.strip():
                    yield _parsed(path, number, raw)
        except OSError as e:
            raise DataError(f"{path}: cannot be read: {reason(e)}") from e


def given_lines(rows: Iterable[Any]) -> Iterator[Line | DataError]:
    """The same for objects that are already here, numbered from 1."""
    path = Path("the data")
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            yield Line(path, number, row)
        else:
            yield DataError(f'{path}, line {number}: is {shown(row)}, not a dict such as {{"text": "..."}}')


def _parsed(path: Path, number: int, raw: bytes) -> Line | DataError:
    where = f"{path}, line {number}"
    try:
        value = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
    except RecursionError:
        return DataError(f"{where}: is nested too deeply")
    except UnicodeDecodeError as e:
        return DataError(f"{where}: is not UTF-8: byte {raw[e.start]:#04x} at {e.start}: save the file as UTF-8")
    except ValueError as e:
        whole = " (one object for each line is wanted, not one list for all)" if raw.lstrip()[:1] == b"[" else ""
        fault = f"{e.msg} (character {e.pos})" if isinstance(e, json.JSONDecodeError) else shown(str(e), 120)
        return DataError(f"{where}: is not JSON: {fault}{whole}")
    if not isinstance(value, dict):
        return DataError(f'{where}: is {shown(value)}, not an object such as {{"text": "..."}}')
    return Line(path, number, value)
