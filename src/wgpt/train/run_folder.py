"""The folder of a training run: it overwrites no other files, and only one process uses it at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..core.arguments import refused, usable_path
from ..core.atomic import writing
from ..core.errors import PreconditionError
from ..formats import FormatError
from ..formats.peft import CONFIG, LABELS, WEIGHTS
from . import checkpoint
from .checkpoint import TrainingState
from .corpus import Corpus
from .recipe import Recipe
from .report import CURVE, REPORT

MODEL = "model"  # the model's subfolder in a full run
_OUTPUTS = (CONFIG, WEIGHTS, LABELS, CURVE, REPORT, MODEL)
_UNTRAINED = "checkpoint-0"  # left by a run that failed before its first save: nothing would be lost
_LOCK = ".wgpt-lock"
_NO_LOCKS = (errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS)  # a file system without locks

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def folder_of(out: str | Path) -> Path:
    """The folder that `out` names. An empty name is refused: it would be the current directory."""
    if not isinstance(out, str | Path) or not str(out).strip():
        raise refused("out", out, "the path of a folder")
    folder = Path(out)
    usable_path("out", folder)
    if folder.exists() and not folder.is_dir():
        raise PreconditionError(f"{folder}: is a file: out must be the path of a folder")
    return folder


def latest_state(folder: Path | None, resume: bool, force: bool = False) -> TrainingState | None:
    """The state to `resume` the run in a folder from; None for a new run, which overwrites only with `force`."""
    if resume and force:
        raise PreconditionError("resume continues a run and force overwrites it: use one of them")
    if folder is None:
        if resume:
            raise PreconditionError("resume needs out, the folder with the run's checkpoints")
        return None
    if force:
        return None
    if resume and (state := checkpoint.load_latest(folder)) is not None:
        _check_config(folder, state)
        return state
    folders = checkpoint.folders(folder)
    if folders and folders[-1].name != _UNTRAINED:
        raise PreconditionError(
            f"{folder} already has a run ({folders[-1].name}): continue with --resume (resume=True), choose another "
            "folder, or overwrite it with --force (force=True)"
        )
    if files := [name for name in _OUTPUTS if (folder / name).exists()]:
        raise PreconditionError(
            f"{folder} has {', '.join(files)}, which this run would overwrite: choose another folder, or overwrite "
            "them with --force (force=True)"
        )
    return None


def _check_config(folder: Path, state: TrainingState) -> None:
    """Refuse a state without the settings of its run."""
    try:
        Recipe.from_json(state.config["recipe"])
        Corpus.from_json(state.config["about"]["corpus"])
        state.config["about"]["model"], state.config["about"]["dtype"]
    except (KeyError, TypeError, AttributeError, PreconditionError) as e:
        raise FormatError(
            f"{folder / f'checkpoint-{state.step}'}: is damaged, or from another version: its config does not describe "
            f"a run ({type(e).__name__}: {e}): start a new run in another folder"
        ) from None


@contextmanager
def claimed(folder: Path | None) -> Iterator[None]:
    """Create the folder and lock it. If it is empty at the end, it is removed.

    The system releases the lock whenever the process ends, even after kill -9.
    """
    if folder is None:
        yield
        return
    with writing(folder):
        folder = folder.absolute()  # the current directory may change
        created = _missing(folder)
        folder.mkdir(parents=True, exist_ok=True)
        handle = _locked(folder)
    try:
        yield
    finally:
        if sys.platform != "win32":
            (folder / _LOCK).unlink(missing_ok=True)  # while the lock is held: see _locked
        os.close(handle)
        if sys.platform == "win32":
            with suppress(OSError):
                (folder / _LOCK).unlink()
        with suppress(OSError):
            for path in created:
                path.rmdir()


def _missing(folder: Path) -> list[Path]:
    """The missing folders of this path, the innermost first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def _locked(folder: Path) -> int:
    path = folder / _LOCK
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
        except OSError as e:
            if e.errno in _NO_LOCKS:
                return handle
            process = _holder(handle)
            os.close(handle)
            raise PreconditionError(
                f"{folder}: another process{f' ({process})' if process else ''} is training there: wait until it "
                "ends, or choose another folder"
            ) from None
        if _is_there(handle, path):
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            return handle
        os.close(handle)


def _is_there(handle: int, path: Path) -> bool:
    """Whether the path still refers to the open file: another process may remove it before it is locked."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _holder(handle: int) -> str:
    """The id of the process that holds the lock, if it can be read."""
    with suppress(OSError):
        return os.read(handle, 32).decode("ascii", "replace").strip()
    return ""
