"""Golden folders are in the repository as archives, one file instead of many: NAME.zip is unpacked to NAME beside it.

Importing `tests` unpacks what is missing or outdated. The make_*.py scripts write the folders and pack them again;
by hand: `python -m tests.golden.archives` packs every folder that differs from its archive.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
_DATE = (1980, 1, 1, 0, 0, 0)  # the same for every file, so that the same contents give the same archive


def archives() -> list[Path]:
    return sorted(HERE.glob("*.zip"))


def folder_of(archive: Path) -> Path:
    return archive.with_suffix("")


def _stamp(archive: Path) -> Path:
    """Holds the digest of the archive that the folder came from; outside of it, as tests read whole folders."""
    return archive.with_name(f".{archive.stem}.unpacked")


def _digest(archive: Path) -> str:
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def _is_current(archive: Path) -> bool:
    stamp = _stamp(archive)
    return folder_of(archive).is_dir() and stamp.is_file() and stamp.read_text() == _digest(archive)


def unpack(chosen: Iterable[Path] | None = None) -> None:
    """Unpack what is missing or outdated. Several processes may do so at once."""
    for archive in archives() if chosen is None else chosen:
        if _is_current(archive):
            continue
        folder = folder_of(archive)
        aside = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=archive.parent))
        try:
            with zipfile.ZipFile(archive) as file:
                file.extractall(aside / "new")
            if folder.exists():
                folder.rename(aside / "old")
            (aside / "new").rename(folder)
            _stamp(archive).write_text(_digest(archive))
        except OSError:
            if not folder.is_dir():  # otherwise another process was faster
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def contents(folder: Path) -> dict[str, bytes]:
    """Files by their path inside the folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def packed(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in sorted(file.namelist())}


def pack(folder: Path) -> None:
    """Write the folder's archive, unless that holds the same already."""
    archive = folder.with_name(f"{folder.name}.zip")
    files = contents(folder)
    if not archive.exists() or packed(archive) != files:
        aside = archive.with_name(f".packing-{archive.name}")
        with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for name, data in files.items():
                file.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
        os.replace(aside, archive)
        print(f"packed {archive.relative_to(HERE)}: {len(files)} files, {archive.stat().st_size} bytes")
    _stamp(archive).write_text(_digest(archive))


if __name__ == "__main__":
    for one in archives():
        pack(folder_of(one))
