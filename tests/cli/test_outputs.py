"""Outputs that cannot be written are refused before the work, in one line. Needs no GPU."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from wgpt.cli import bench_all, explain
from wgpt.core import atomic
from wgpt.core.atomic import OutputError, new_folder, replacing
from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.formats.peft import write_lora

GOLDEN = Path(__file__).parents[1] / "golden"
LORA = ["-m", str(GOLDEN / "models" / "llama-gqa"), "--lora", "nowhere"]
TRITON = ["triton", "compile", "file.py:kernel", "-s", "n=i32", "--grid", "1", "-o", ""]


@pytest.fixture(autouse=True)
def no_work(monkeypatch):
    """Fail the test if a command opens a GPU, that is, begins to work."""
    for module in (bench_all, explain):
        monkeypatch.setattr(module, "opened", lambda *_: pytest.fail("the work began"))


def commands(path: str) -> list[list[str]]:
    return [["bench", "--html", path], ["bench", "--json", path], ["explain", "mlp", "--trace", path]]


def test_files_are_checked_before_the_work(wgpt, tmp_path):
    (tmp_path / "file").write_text("mine")
    for path, fault in (
        (str(tmp_path), "is a folder"),
        (str(tmp_path / "file" / "inside"), "no such folder|Not a directory"),
        ("/dev/null", "is not a regular file"),
        ("", "is not a path"),
    ):
        for command in commands(path):
            result = wgpt(*command)
            assert result.exit_code == 2 and re.search(fault, result.stderr), (command, result.stderr)
    assert (tmp_path / "file").read_text() == "mine" and not list(tmp_path.glob(".unfinished*"))


def test_empty_names_are_not_the_current_directory(wgpt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["merge", *LORA, "-o", ""], ["export-lora", *LORA, "-o", " "], TRITON):
        result = wgpt(*command)
        assert result.exit_code == 2 and "is not a path" in result.stderr, result.stderr


def test_nor_are_they_in_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    adapter = LoraAdapter({"model.layers.0.self_attn.q_proj": Factors(np.ones((1, 2)), np.ones((2, 1)), 1.0)}, 1, 1.0)
    with pytest.raises(OutputError, match="is not a path"):
        write_lora(adapter, "")
    assert not list(tmp_path.iterdir())


def test_the_system_s_errors_name_what_was_to_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match=r"file/a: cannot be written: .*\(.*file\)"):
        atomic.AtomicFile(tmp_path / "file" / "a")
    with pytest.raises(OutputError, match=r"file/b: cannot be written: "), new_folder(tmp_path / "file" / "b"):
        pass

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", full)
    with pytest.raises(OutputError, match=r"/c: cannot be written: No space left on device"):
        with replacing(tmp_path / "c") as file:
            file.write(b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
