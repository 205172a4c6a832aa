"""Help, versions, errors and Ctrl-C: what every command shares."""

from __future__ import annotations

import inspect
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import wgpu
from typer.main import get_command

from wgpt.cli import commands, info
from wgpt.cli.app import make
from wgpt.cli.common import print_json
from wgpt.gpu import NoGpuError

README = Path(__file__).parents[2] / "README.md"

ON_A_GPU = [
    ("run",),
    ("chat",),
    ("info",),
    ("verify",),
    ("tune",),
    ("bench", "decode"),
    ("bench", "prefill"),
    ("bench", "kernels"),
    ("bench", "replay"),
    ("explain",),
]
COMMANDS = [(), ("pull",), ("bench",), ("merge",), ("export-lora",), ("export-web",), *ON_A_GPU]
COMMANDS += [("quantize",), ("convert",), ("compare",), ("imatrix",)]


def module(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "wgpt", *args], capture_output=True, text=True, env={**os.environ, **env}, timeout=120
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_teaches_with_examples(wgpt, command):
    result = wgpt(*command, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert f"wgpt {' '.join(command)}" in result.stdout.split("Examples:")[1]
    assert not set(result.stdout) & set("─│╭╮╰╯━┃")


@pytest.mark.parametrize("command", ON_A_GPU, ids=" ".join)
def test_commands_on_a_gpu_take_its_name(wgpt, command):
    assert "--gpu" in wgpt(*command, "--help").stdout


def leaves(command: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The commands that can be run, with their names."""
    for name, each in getattr(command, "commands", {}).items():
        yield from leaves(each, *names, name)
    if not hasattr(command, "commands") or (names and command.invoke_without_command):
        yield names, command


def test_every_command_has_what_the_readme_says():
    """`--help` with examples, and `--json`."""
    (said,) = (line for line in README.read_text(encoding="utf-8").splitlines() if "lists the commands" in line)
    assert "each has `--help` with examples, and `--json`" in said
    found = dict(leaves(get_command(make())))
    assert {names[0] for names in found} == set(commands.COMMANDS) and len(found) > len(commands.COMMANDS)
    for names, command in found.items():
        assert any("--json" in parameter.opts for parameter in command.params), names
        help_text = inspect.cleandoc(command.help or "")
        assert re.search(rf"Examples?:\n.*\bwgpt {' '.join(names)}\b", help_text, re.DOTALL), names


def test_python_m_wgpt():
    result = module("--help")
    assert result.returncode == 0
    assert result.stdout.startswith("Usage: wgpt ")
    assert result.stderr == ""


def test_version_names_what_matters(wgpt):
    out = wgpt("--version").stdout
    assert all(name in out for name in ("wgpt ", "wgpu ", "wgpu-native ", "python "))


@pytest.mark.parametrize("command", ON_A_GPU, ids=" ".join)
def test_an_unknown_gpu_is_one_line_and_exit_code_2(wgpt, command):
    prompt = ("Hello",) if command == ("run",) else ()
    result = wgpt(*command, *prompt, "--gpu", "no such gpu", "--json")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "wgpt: error: no GPU's name contains 'no such gpu'" in result.stderr
    assert f"wgpt: error: {json.loads(result.stdout)['error']}\n" == result.stderr


def test_no_adapter_says_what_to_install(wgpt, monkeypatch):
    monkeypatch.setattr(wgpu.gpu, "enumerate_adapters_sync", lambda: [])
    result = wgpt("info")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "install" in result.stderr and "mesa-vulkan-drivers" in result.stderr


def test_debug_shows_the_traceback():
    quiet = module("info", "--gpu", "nothing", WGPT_DEBUG="0")
    loud = module("info", "--gpu", "nothing", WGPT_DEBUG="1")
    assert quiet.returncode == loud.returncode == 2
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr and "NoGpuError" in loud.stderr


def test_a_message_of_several_lines_becomes_one(wgpt, monkeypatch):
    def fail(*_args: object, **_kwargs: object) -> None:
        raise NoGpuError("first\n  second [bracketed]")

    monkeypatch.setattr(info, "opened", fail)
    result = wgpt("info")
    assert result.exit_code == 2
    assert result.stderr == "wgpt: error: first second [bracketed]\n"


def test_ctrl_c_exits_130_without_a_traceback(wgpt, monkeypatch):
    def interrupt(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(info, "opened", interrupt)
    result = wgpt("info")
    assert result.exit_code == 130
    assert result.stderr == "interrupted\n"


@pytest.mark.gpu
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child")
def test_ctrl_c_in_a_real_process(home):
    """Interrupted after the first tuning result: exit code 130, and the result is kept."""
    process = subprocess.Popen(
        [sys.executable, "-m", "wgpt", "tune"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 60
        while not list(home.glob("tune/*.json")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()  # nothing, if it has ended
    assert process.returncode == 130, err
    assert "Traceback" not in err and err.endswith("interrupted: the results so far are kept\n")
    assert "best us" in out and list(home.glob("tune/*.json"))


def test_an_unknown_kernel_is_a_usage_error_that_names_the_nearest(wgpt):
    for command in (("tune",), ("bench", "kernels")):
        result = wgpt(*command, "--kernel", "gemvv")
        assert result.exit_code == 2 and len(result.stderr) < 1500
        assert "unknown kernel 'gemvv'; known: gemv, " in result.stderr


def test_json_has_null_where_a_number_is_none(capsys):
    print_json({"loss": float("nan"), "rows": [1.5, float("inf"), (float("-inf"), "nan")], "n": 3})
    assert json.loads(capsys.readouterr().out) == {"loss": None, "rows": [1.5, None, [None, "nan"]], "n": 3}


@pytest.mark.full
def test_ctrl_c_within_a_destructor_is_not_lost():
    """wgpu's objects have destructors, and verify creates and drops thousands of them."""
    script = """
import sys, time
from wgpt import cli

class Dropped:
    def __del__(self):
        raise KeyboardInterrupt

sys.unraisablehook = cli._repeat_lost_ctrl_c
try:
    one = Dropped()
    del one
    time.sleep(5)
except KeyboardInterrupt:
    sys.exit(130)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130 and not done.stderr
