"""Models in several GGUF files, made by the gguf package's own writer; no GPU."""

from __future__ import annotations

import functools
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.model_digest import model_digest

from . import made

MODEL = made.config("llama")


def written(folder: Path, monkeypatch: pytest.MonkeyPatch, tensors: int = 8, **more: object) -> list[Path]:
    """The files of a tiny model with at most so many tensors each."""
    folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(gguf, "GGUFWriter", functools.partial(gguf.GGUFWriter, split_max_tensors=tensors))
        made.write_gguf(folder / "tiny.gguf", MODEL, made.state(MODEL), **more)
    return sorted(folder.glob("*.gguf"))


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    files = written(tmp_path / "split", monkeypatch)
    assert [file.name for file in files] == [f"tiny-{i}-of-00003.gguf" for i in ("00001", "00002", "00003")]
    return files


def test_it_is_the_same_model_as_in_one_file(shards: list[Path], tmp_path: Path) -> None:
    single = made.write_gguf(tmp_path / "tiny.gguf", MODEL, made.state(MODEL))
    with open_checkpoint(single) as whole, open_checkpoint(shards[0]) as parts:
        assert [file.path for file in parts.files] == shards and parts.path == shards[0]
        assert parts.config == whole.config and parts.tensors.keys() == whole.tensors.keys()
        assert len({stored.source.path for stored in parts.tensors.values()}) == 3
        for name, stored in whole.tensors.items():
            np.testing.assert_array_equal(parts.tensors[name].rows(0, 1), stored.rows(0, 1))
        assert model_digest(parts) == model_digest(whole)


def test_factors_are_read_from_their_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """rope_freqs, the last tensor, is in the last file."""
    factors = np.array([1, 1, 2.5, 8.0])
    files = written(tmp_path / "split", monkeypatch, rope_freqs=factors)
    with open_checkpoint(files[0]) as checkpoint:
        assert checkpoint.config["rope_scaling"] == {"rope_type": "factors", "factors": factors.tolist()}


def missing_one(files: list[Path]) -> Path:
    files[1].unlink()
    return files[0]


def missing_both(files: list[Path]) -> Path:
    files[1].unlink()
    files[2].unlink()
    return files[0]


def renamed(files: list[Path]) -> Path:
    return files[0].rename(files[0].with_name("model.gguf"))


def swapped(files: list[Path]) -> Path:
    shutil.copyfile(files[2], files[1])
    return files[0]


def cut_short(files: list[Path]) -> Path:
    files[2].write_bytes(files[2].read_bytes()[:-40])
    return files[0]


def of_another_model(files: list[Path]) -> Path:
    shutil.copyfile(files[0], files[1])
    return files[0]


REFUSED: dict[str, tuple[Callable[[list[Path]], Path], str]] = {
    "a shard is missing": (
        missing_one,
        "is the first of 3 files, and 'tiny-00002-of-00003.gguf' is missing: download it",
    ),
    "two are missing": (missing_both, "'tiny-00002-of-00003.gguf' and 1 more is missing"),
    "the second is given": (
        lambda files: files[1],
        "is file 2 of 3 of a split model: give the first, 'tiny-00001-of-00003.gguf'",
    ),
    "another name": (renamed, "rename it so that it ends in -00001-of-00003.gguf"),
    "the wrong number": (swapped, "says that it is file 2 of 3, counted from 0, not 1 of 3"),
    "a truncated shard": (cut_short, "the file is truncated or damaged; download it again"),
    "the first file twice": (of_another_model, "says that it is file 0 of 3, counted from 0, not 1 of 3"),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_incomplete_files_are_refused_in_one_line(reason: str, shards: list[Path]) -> None:
    damage, message = REFUSED[reason]
    path = damage(shards)
    with pytest.raises(FormatError, match=re.escape(message)) as e:
        open_checkpoint(path)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("value", [70_000, "3", 2.0])
def test_absurd_counts_are_refused(value: object, tmp_path: Path) -> None:
    path = made.write_gguf(tmp_path / "m.gguf", MODEL, made.state(MODEL), **{"split.count": value})
    with pytest.raises(FormatError, match=r"split\.count is .*, not an integer from 0 to 4096"):
        open_checkpoint(path)


def test_tensors_are_counted(shards: list[Path]) -> None:
    """A shard of another conversion, with a tensor less, would leave a layer out."""
    raw = shards[0].read_bytes()
    key = b"split.tensors.count"
    at = raw.index(key) + len(key) + 4
    count = int.from_bytes(raw[at : at + 4], "little")
    shards[0].write_bytes(raw[:at] + (count + 1).to_bytes(4, "little") + raw[at + 4 :])
    with pytest.raises(FormatError, match=rf"its 3 files have {count + 1} tensors, and they have {count}"):
        open_checkpoint(shards[0])
