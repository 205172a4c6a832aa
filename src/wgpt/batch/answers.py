"""The answers file of `wgpt batch`: one write per answer, and continued after a kill."""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.atomic import check_file, writing
from ..core.errors import WgptError
from ..formats.errors import shown
from ..train.lines import MAX_LINE
from .lines import Key, has_failed, key_of_answer


class Answers:
    """Appends answers to a file. `done`: keys of the answers already in it; `failed`: how many of those are errors."""

    def __init__(self, path: Path, file: Any) -> None:
        self._path, self._file = path, file
        self.done: set[Key] = set()
        self.failed = 0

    def read(self, prompts: Path, known: Container[Key]) -> None:
        """Read the existing answers. Cuts off a line that was written only in part; refuses a file that answers other
        prompts."""
        whole = number = 0
        self._file.seek(0)
        while raw := self._file.readline():
            if not raw.endswith(b"\n"):
                self._file.truncate(whole)
                break
            number, whole = number + 1, whole + len(raw)
            answer = self._parsed(raw, number)
            key = key_of_answer(answer)
            if key not in known or key is None:
                what = f"{key[0]} {shown(key[1])}, which is not in {prompts}" if key else f"no line of {prompts}"
                raise self._refused(number, f"answers {what}")
            self.done.add(key)
            self.failed += has_failed(answer)

    def _parsed(self, raw: bytes, number: int) -> dict[str, Any]:
        try:
            answer = json.loads(raw)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._refused(number, "is not an answer of wgpt batch")
        return answer

    def _refused(self, number: int, message: str) -> WgptError:
        return WgptError(f"{self._path}, line {number}: {message}: choose another --out, or overwrite it with --force")

    def write(self, answer: dict[str, Any]) -> None:
        """Append an answer, in one write: a killed process leaves at most one torn line, the last."""
        data = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
        with writing(self._path):
            left = memoryview(data)
            while left:  # on a full disk this writes only a part and then raises
                left = left[self._file.raw.write(left) :]


@contextmanager
def open_answers(path: Path, prompts: Path, known: Container[Key], force: bool) -> Iterator[Answers]:
    """Open the answers file, which only one process may write; an existing one is continued unless `force` is set."""
    if path.exists() and path.samefile(prompts):
        raise WgptError(f"--out {path} is the file with the prompts: choose another path")
    check_file(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", buffering=MAX_LINE)  # noqa: SIM115
    with file:
        _lock(path, file.fileno())
        answers = Answers(path, file)
        if force:
            file.truncate(0)
        else:
            answers.read(prompts, known)
        yield answers


def _lock(path: Path, handle: int) -> None:
    """The system releases the lock when the process ends, however it ends."""
    if sys.platform == "win32":  # on Windows a lock would keep other programs from reading the answers
        return
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WgptError(f"{path}: another process is writing it: wait until it ends, or choose another --out") from None
    except OSError:
        pass  # a file system without locks
