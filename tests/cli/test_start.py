"""What is imported before a command runs, and the shells' completion: neither needs a GPU."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from wgpt.cli.commands import COMMANDS

# What takes long to import, or has no business in a list of commands.
HEAVY = {"numpy", "wgpu", "starlette", "uvicorn", "ray", "jinja2", "tokenizers", "gguf", "yaml", "rich", "triton"}
FLOORS = {"gpu", "formats", "kernels", "quant", "ops", "models", "engine", "train", "api", "serve", "batch", "bench"}
FLOORS |= {"processes"}
MOST_SECONDS = 0.4  # of the CPU's time
PRINT_MODULES = """
import atexit, os, sys
atexit.register(lambda: open(os.environ["TEST_MODULES"], "w").write(" ".join(sys.modules)))
from wgpt.cli import main
main()
"""


def imported(folder: Path, *args: str, **env: str) -> tuple[set[str], str]:
    """The modules that `wgpt ARGS` imports, and its output."""
    path = folder / "modules"
    done = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES, *args],
        env={**os.environ, "TEST_MODULES": str(path), "HOME": str(folder), **env},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(path.read_text().split()), done.stdout


def completion(shell: str, *words: str) -> dict[str, str]:
    """The environment in which a shell asks for completions of the last word."""
    asked = {"COMP_WORDS": " ".join(["wgpt", *words]), "COMP_CWORD": str(len(words))}
    if shell != "bash":
        asked = {"_TYPER_COMPLETE_ARGS": " ".join(["wgpt", *words]), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    return {"_WGPT_COMPLETE": f"complete_{shell}", **asked}


def assert_light(modules: set[str]) -> None:
    assert not HEAVY & {name.split(".")[0] for name in modules}
    assert not FLOORS & {name.split(".")[1] for name in modules if name.startswith("wgpt.")}
    commands = {f"wgpt.cli.{name.replace('-', '_')}" for name in COMMANDS}
    assert not commands & modules


@pytest.mark.parametrize("args", [("--help",), ("--version",)], ids=" ".join)
def test_before_a_command_nothing_is_imported(tmp_path, args):
    modules, out = imported(tmp_path, *args)
    assert_light(modules)
    assert "wgpt" in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(tmp_path, shell):
    modules, out = imported(tmp_path, **completion(shell, "e"))
    assert_light(modules - {name for name in modules if name.split(".")[0] == "rich"})  # typer's, for zsh and fish
    names = {name: summary for name, summary in COMMANDS.items() if name.startswith("e")}
    lines = out.strip().splitlines()
    assert len(lines) == len(names)
    for line, (name, summary) in zip(lines, names.items(), strict=True):
        assert name in line and (shell == "bash" or summary[:20] in line)


def test_a_shell_completes_options(tmp_path):
    modules, out = imported(tmp_path, **completion("bash", "merge", "--o"))
    assert out.split() == ["--out"]
    assert "wgpt.cli.merge" in modules and "wgpt.cli.run" not in modules


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_for_the_user(tmp_path, shell):
    home = tmp_path / "home"
    home.mkdir()
    _, shown = imported(tmp_path, "completion", shell)
    _, said = imported(home, "completion", shell, "--install")
    assert f"completion for {shell} installed in {home}" in said
    installed = "".join(path.read_text() for path in home.rglob("*") if path.is_file())
    assert "_WGPT_COMPLETE" in shown and f"complete_{shell}" in shown
    assert f"complete_{shell}" in installed


@pytest.mark.parametrize(("words", "message"), [(["sh"], "the shell 'sh' is unsupported"), (["-c"], "no such option")])
def test_a_shell_without_completion_is_refused(words, message):
    done = subprocess.run([sys.executable, "-m", "wgpt", "completion", *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr.lower()


def test_the_current_shell_is_detected(tmp_path):
    """Under a shell, whatever runs the tests."""
    command = [sys.executable, "-m", "wgpt", "completion", "--json"]
    # `true` keeps bash from replacing itself by its last command.
    done = subprocess.run(["bash", "-c", f"{shlex.join(command)}; true"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["shell"] == "bash"


def test_help_is_quick(tmp_path):
    """The smallest of three: the machine may be busy."""
    code = "import sys, time; sys.argv[1:] = ['--help']\ntry:\n    from wgpt.cli import main; main()\nfinally:\n"
    code += "    print(time.process_time(), file=sys.stderr)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(3)]
    assert min(float(run.stderr) for run in runs) < MOST_SECONDS


def test_a_command_imports_no_other(tmp_path):
    modules, _ = imported(tmp_path, "run", "--help")
    assert "wgpt.cli.run" in modules
    assert "wgpt.bench.everything" not in modules and "wgpt.cli.verify" not in modules
    assert not {"ray", "starlette", "matplotlib"} & modules


def test_a_misspelt_command_names_the_nearest():
    done = subprocess.run([sys.executable, "-m", "wgpt", "rnu"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "no such command 'rnu'" in done.stderr.lower() and "'run'" in done.stderr
