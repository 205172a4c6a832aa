"""Golden folders and the archives that they are kept in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import archives


@pytest.mark.parametrize("archive", archives.archives(), ids=lambda path: path.stem)
def test_folders_are_what_their_archives_hold(archive: Path):
    expected, unpacked = archives.packed(archive), archives.contents(archives.folder_of(archive))
    assert unpacked == expected, "python -m tests.golden.archives packs the changed folders"


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(archives, "HERE", tmp_path)
    folder = tmp_path / "tiny"
    (folder / "inner").mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "inner" / "weights").write_bytes(bytes(range(256)))
    archives.pack(folder)
    (only_archive,) = archives.archives()
    return only_archive


def test_what_is_missing_or_outdated_is_unpacked(archive: Path):
    folder = archives.folder_of(archive)
    expected = archives.contents(folder)
    assert set(expected) == {"config.json", "inner/weights"}
    (folder / "config.json").write_text("changed")
    archives.unpack()  # local changes stay as long as the archive is the same
    assert archives.contents(folder) != expected
    archives._stamp(archive).unlink()
    archives.unpack()
    assert archives.contents(folder) == expected
    assert sorted(path.name for path in folder.parent.iterdir()) == [".tiny.unpacked", "tiny", "tiny.zip"]


def test_packing_the_same_gives_the_same(archive: Path):
    before = archive.read_bytes()
    archive.unlink()
    archives.pack(archives.folder_of(archive))
    assert archive.read_bytes() == before
    (archives.folder_of(archive) / "config.json").write_text("changed")
    archives.pack(archives.folder_of(archive))
    assert archive.read_bytes() != before
