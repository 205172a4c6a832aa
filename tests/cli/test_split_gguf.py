"""`wgpt run` of a model in several GGUF files, complete and not."""

from __future__ import annotations

import functools
from pathlib import Path

import gguf
import pytest
from tests.models import golden
from tests.models.gguf_maker import write_gguf

pytestmark = pytest.mark.gpu


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    model = golden.load("llama-gqa")
    with monkeypatch.context() as patch:
        patch.setattr(gguf, "GGUFWriter", functools.partial(gguf.GGUFWriter, split_max_tensors=9))
        write_gguf(tmp_path / "model.gguf", model.config, model.weights)
    return sorted(tmp_path.glob("model-*.gguf"))


def test_all_files_are_read(wgpt, shards: list[Path]) -> None:
    assert len(shards) > 2
    result = wgpt("run", "Hello", "-m", str(shards[0]), "-n", "3")
    assert result.exit_code == 0, result.stderr


def test_a_missing_file_is_named(wgpt, shards: list[Path]) -> None:
    shards[1].unlink()
    result = wgpt("run", "Hello", "-m", str(shards[0]), "-n", "3")
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert shards[1].name in line and "missing" in line


def test_the_first_file_is_asked_for(wgpt, shards: list[Path]) -> None:
    result = wgpt("run", "Hello", "-m", str(shards[1]), "-n", "3")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert f"give the first, '{shards[0].name}'" in line
