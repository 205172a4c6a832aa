"""Closed and full streams, and Ctrl-C while modules load, in real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
RUN = f"run Hello -m {TINY} -n 3 --ignore-eos"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")


def shell(command: str, **env: str) -> subprocess.CompletedProcess[str]:
    line = command.replace("wgpt", f'"{sys.executable}" -m wgpt', 1)
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env={**os.environ, **env}, timeout=120, errors="replace"
    )


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        (f"wgpt {RUN} >&-", 0, "stopped at --max-tokens 3"),
        (f"wgpt {RUN} 2>&-", 0, ""),
        (f"wgpt {RUN} 2>/dev/full", 0, ""),
        (f"wgpt {RUN} >/dev/full", 2, "wgpt: error: stdout: no space left on device"),
        (f"wgpt run -m {TINY} <&-", 2, "wgpt: error: the prompt is empty"),
        (f"wgpt chat -m {TINY} <&-", 0, ""),
        ("wgpt info --brief >&- 2>&- <&-", 0, ""),
        ("wgpt info --brief --gpu nosuch 2>/dev/full", 2, ""),
        ("wgpt --help >/dev/full", 2, "wgpt: error: stdout: no space left on device"),
        ("wgpt --help >&-", 0, ""),
        ("wgpt info --json >/dev/full", 2, "wgpt: error: stdout: no space left on device"),
    ],
)
def test_closed_and_full_streams(command: str, code: int, message: str):
    if "/dev/full" in command and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    result = shell(command)
    assert result.returncode == code, result.stderr
    assert message in result.stderr and len(result.stderr.splitlines()) == (1 if message else 0)


@pytest.mark.gpu
def test_a_closed_stderr_leaves_the_answer_alone():
    assert shell(f"wgpt {RUN} --json 2>&-").stdout.startswith("{")


def test_a_pipe_that_nobody_reads_is_no_error():
    assert shell("wgpt --help | true").stderr == ""


@pytest.mark.parametrize("entry", [["-m", "wgpt"], ["-c", "import sys; from wgpt.cli import main; sys.exit(main())"]])
@pytest.mark.parametrize("module", ["wgpu", "typer"])
def test_ctrl_c_while_modules_load(tmp_path: Path, entry: list[str], module: str):
    """The signal comes during an import, including one that swallows the exception."""
    (tmp_path / "sitecustomize.py").write_text(
        "import builtins, os, signal\n"
        "imported = builtins.__import__\n"
        "def stop(name, *args, **more):\n"
        f"    if name == {module!r}:\n"
        "        try:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "        except BaseException: pass\n"
        "    return imported(name, *args, **more)\n"
        "builtins.__import__ = stop\n"
    )
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    result = subprocess.run(
        [sys.executable, *entry, "info", "--brief"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        timeout=60,
    )
    assert result.returncode == 130, result.stderr
    assert result.stdout == "" and result.stderr == ""


def test_the_package_loads_nothing_before_it_is_used():
    """Python imports the package before the command line can handle Ctrl-C."""
    code = "import sys, wgpt.cli; print([m for m in sys.modules if m in ('numpy', 'wgpu', 'typer', 'jinja2')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_without_colours_gets_none(variable: str, value: str):
    import pty

    for args in (["info"], ["info", "--gpu", "nosuch"], ["run", "Hello", "-m", TINY, "-n", "3"]):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", variable: value}
        command = [sys.executable, "-m", "wgpt", *args]
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        output = b""
        while True:
            try:
                output += os.read(ours, 65536)
            except OSError:
                break
        os.close(ours)
        process.wait(60)
        assert len(output) > 10
        attributes = [part.split(b"m")[0] for part in output.split(b"\x1b[")[1:]]
        assert not [a for a in attributes if a.replace(b";", b"").isdigit() and variable == "NO_COLOR"], output
        assert variable == "NO_COLOR" or b"\x1b" not in output, output
