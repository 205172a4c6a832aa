"""JSONL files, line by line: errors name the line number."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..core.errors import WgptError
from ..formats.errors import shown
from ..formats.mapped import impostor, reason

MAX_LINE = 4 << 20  # bytes: more than fits any context
TOO_LONG = f"is longer than {MAX_LINE >> 20} MiB: split the text into examples that fit the context"
Kind = Literal["messages", "completion", "text", "classify"]


class DataError(WgptError, ValueError):
    """Invalid data: names the file, the line and the reason."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line  # from 1; 0 if the error is about no line in particular


@dataclass(frozen=True)
class Line:
    """One object of the file."""

    path: Path
    number: int  # from 1
    value: Mapping[str, Any]

    def error(self, message: str) -> DataError:
        return DataError(f"{self.path}, line {self.number}: {message}", self.number)

    def kind(self, classify: bool = False) -> Kind:
        """The format of a line, by its keys; other keys are ignored."""
        if classify:
            if "text" not in self.value or "label" not in self.value:
                raise self.error(f'has {self._keys()}; classification needs "text" and "label"')
            return "classify"
        formats: dict[Kind, tuple[str, ...]] = {
            "messages": ("messages",),
            "completion": ("prompt", "completion"),
            "text": ("text",),
        }
        matches = [kind for kind, keys in formats.items() if all(key in self.value for key in keys)]
        if not matches:
            raise self.error(f'has {self._keys()}; it needs "messages", "prompt" and "completion", or "text"')
        if len(matches) > 1:
            raise self.error(f"has {self._keys()}, which match more than one format: keep one of them")
        return matches[0]

    def text(self, key: str) -> str:
        value = self.value[key]
        if not isinstance(value, str):
            raise self.error(f"{key!r} is {shown(value)}, not a string")
        return value

    def _keys(self) -> str:
        return "no keys" if not self.value else f"the keys {', '.join(shown(key, 30) for key in list(self.value)[:6])}"


_EXAMPLE = '{"text": "..."}'


def read_lines(path: str | Path, example: str = _EXAMPLE) -> Iterator[Line | DataError]:
    """Every non-blank line as an object, or its error, which shows an example. At most one line is in memory."""
    path = Path(path)
    try:
        file = path.open("rb")
    except (OSError, ValueError) as e:
        raise DataError(f"{path}: cannot be opened: {reason(e)}") from e
    with file:
        try:
            if (head := file.read(4096)) and (why := impostor(head)):
                raise DataError(f"{path}: {why.replace('a model', 'JSONL')}")
            file.seek(0)
            number = 0
            while raw := file.readline(MAX_LINE + 1):
                number += 1
                if len(raw) > MAX_LINE:
                    yield DataError(f"{path}, line {number}: {TOO_LONG}", number)
                    while raw and not raw.endswith(b"\n"):
                        raw = file.readline(MAX_LINE)
                elif raw.strip():
                    yield _parsed(path, number, raw, example)
        except OSError as e:
            raise DataError(f"{path}: cannot be read: {reason(e)}") from e


def lines_of(rows: Iterable[Any], name: str = "the data") -> Iterator[Line | DataError]:
    """The same for objects in memory, numbered from 1. `name`: in errors, instead of a path."""
    path = Path(name)
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            yield Line(path, number, row)
        else:
            yield DataError(f"{path}, line {number}: is {shown(row)}, not a dict such as {_EXAMPLE}", number)


def _parsed(path: Path, number: int, raw: bytes, example: str) -> Line | DataError:
    def bad(message: str) -> DataError:
        return DataError(f"{path}, line {number}: {message}", number)

    try:
        value = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
    except RecursionError:
        return bad("is nested too deeply")
    except UnicodeDecodeError as e:
        return bad(f"is not UTF-8: byte {raw[e.start]:#04x} at {e.start}: save the file as UTF-8")
    except ValueError as e:
        whole = " (each line must be an object; the file must not be one list)" if raw.lstrip()[:1] == b"[" else ""
        fault = f"{e.msg} (character {e.pos})" if isinstance(e, json.JSONDecodeError) else shown(str(e), 120)
        return bad(f"is not JSON: {fault}{whole}")
    if not isinstance(value, dict):
        return bad(f"is {shown(value)}, not an object such as {example}")
    return Line(path, number, value)
