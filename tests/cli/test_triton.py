"""`wgpt triton`: help and errors without Triton, compile and explain where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from wgpt.ttir.artifact import Artifact

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'triton' / 'vector_add.py'}:add_kernel"
SIGNATURE = ("--signature", "x=*fp32, y=*fp32, out=*fp32, n=i32")
INSTALLED = importlib.util.find_spec("triton") is not None


def test_help_names_both_commands(wgpt):
    help_text = wgpt("triton", "--help").stdout
    assert "compile" in help_text and "explain" in help_text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--signature", "x"), "NAME=TYPE"),
        ((*SIGNATURE, "--constant", "BLOCK"), "NAME=VALUE"),
    ],
)
def test_what_cannot_be_read_is_said(wgpt, arguments, message):
    result = wgpt("triton", "explain", EXAMPLE, *arguments)
    assert result.exit_code == 2 and message in result.stderr


@pytest.mark.parametrize(
    ("out", "message"), [("file", "is a file"), ("file/deep", "cannot be written"), ("", "is not a path")]
)
def test_compile_refuses_an_output_before_it_reads_the_kernel(wgpt, tmp_path, monkeypatch, out, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    result = wgpt("triton", "compile", "nosuch.py:kernel", *SIGNATURE, "-o", out)
    assert result.exit_code == 2 and message in result.stderr and "nosuch" not in result.stderr
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(INSTALLED, reason="Triton is installed: there is nothing to miss")
def test_without_triton_one_line_says_how_to_get_it(wgpt):
    result = wgpt("triton", "explain", EXAMPLE, *SIGNATURE)
    assert result.exit_code == 2
    assert "pip install 'wgpt[triton]'" in result.stderr


@pytest.mark.skipif(not INSTALLED, reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")
@pytest.mark.parametrize("command", ["compile", "explain"])
def test_a_kernel_must_be_in_a_python_file(wgpt, tmp_path, command):
    """`file:kernel` was a traceback: Python has no loader for a file whose name does not end with .py."""
    (tmp_path / "file").write_text("mine")
    out = ("-o", str(tmp_path / "made")) if command == "compile" else ()
    result = wgpt("triton", command, f"{tmp_path / 'file'}:kernel", *SIGNATURE, *out)
    assert result.exit_code == 2 and "FILE is a Python file (.py)" in result.stderr


@pytest.mark.skipif(not INSTALLED, reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")
def test_compile_writes_an_artifact(wgpt, tmp_path):
    grid = ("--grid", "cdiv(n, BLOCK)")
    result = wgpt("triton", "compile", EXAMPLE, *SIGNATURE, "-c", "BLOCK=256", *grid, "-o", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    artifact = Artifact.load(tmp_path / "add_kernel.json")
    assert artifact.arguments == ("x", "y", "out", "n") and artifact.grid == ("cdiv(n, BLOCK)",)


@pytest.mark.skipif(not INSTALLED, reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")
def test_explain_shows_ttir_and_wgsl(wgpt):
    result = wgpt("triton", "explain", EXAMPLE, *SIGNATURE, "-c", "BLOCK=256")
    assert "tt.func public @add_kernel" in result.stdout
    assert "@compute @workgroup_size(" in result.stdout
    missing = wgpt("triton", "explain", EXAMPLE, *SIGNATURE)
    assert missing.exit_code == 2 and "BLOCK is missing" in missing.stderr
