"""Every option of every command, as the typer app itself lists them, with values of every kind.

A command runs in this process through its real entry, one in twenty in its own. It must end with one of the exit
codes that `wgpt --help` lists; with 2, there is one line on stderr that begins with "wgpt: error:", and with
--json an object on stdout. Work that takes longer than a moment is interrupted: its arguments were accepted.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from typer.main import get_command

from tests.models.golden import FOLDER
from wgpt.cli import main
from wgpt.cli.app import make
from wgpt.cli.outputs import output_path
from wgpt.core.errors import WgptError
from wgpt.gpu.webgpu.interrupts import raise_kept

from .cases import ACCEPTED, EITHER, REFUSED, Case, Limits, Rng, area, pick
from .worker import MAX_MESSAGE

_MODEL = str(FOLDER / "models" / "llama-gqa")
_LORA = str(FOLDER / "classify" / "llama-gqa")
_PATIENCE = 1.5  # seconds, after which Ctrl-C is pressed
_CODES = (0, 1, 2, 130)
_REFUSED = 2
_NUMBERS = ("0", "-0", "1", "-1", "2", "7", "1.5", "-1.5", "1e-320", "1e300", "-1e300", str(1 << 31), str(1 << 63))
_NOT_NUMBERS = ("nan", "inf", "-inf", "", " ", "x", "1x", "0x10", "١", "1,5", "9" * 5000)
_TEXTS = ("", " ", "x", "-", "--", "é日本😀", "\udcff", "a\nb", "x" * 5000, "../x", "{}", "%s", "=", "a=b", "0", "*")
_NO_PATHS = ("", " ", "/proc/nobody/x", "/dev/full", "/dev/null/x", "file/x", "x" * 300)
_MORE_PATHS = ("missing", "folder", "file", "data.jsonl", ".", "/", "-", "new/deep/x", "link", "é😀")
# Arguments that keep a command short; a new command needs none.
_SHORT: dict[str, tuple[str, ...]] = {
    "run": ("-n", "2"),
    "chat": ("-n", "2"),
    "finetune": ("--data", "data.jsonl", "--out", "run", "--steps", "1", "--rank", "2"),
    "verify": ("--only", "silu"),
    "tune": ("--kernel", "silu", "--quick"),
    "bench all": ("--quick", "--only", "decode"),
    "bench decode": ("--tokens", "2", "--repeats", "1", "--context", "8"),
    "bench prefill": ("--repeats", "1", "--context", "8"),
    "bench train": ("--steps", "1", "--seq", "8", "--batch", "1"),
    "bench kernels": ("--kernel", "silu"),
    "bench replay": ("--dispatches", "4"),
    "explain": ("silu", "--no-profile"),
    "merge": ("--lora", _LORA, "--out", "merged"),
    "export-lora": ("--lora", _LORA, "--out", "out.gguf"),
    "quantize": (_MODEL, "--to", "q8_0", "--out", "out.gguf"),
    "imatrix": (_MODEL, "--text", "data.jsonl", "--out", "imatrix.gguf"),
    "compare": (_MODEL, _MODEL, "--text", "data.jsonl", "--tokens", "8"),
    "convert": (_MODEL, "--out", "out.gguf"),
    "export-web": ("--out", "site"),
    "pull": ("--list",),
    "triton compile": ("file:kernel", "-s", "x=*fp32", "-o", "made"),
    "triton explain": ("file:kernel", "-s", "x=*fp32"),
}


@cache
def commands() -> dict[str, Any]:
    """The commands that do some work, by the words that are typed."""
    by_path: dict[str, Any] = {}

    def collect(command: Any, path: tuple[str, ...]) -> None:
        inner = getattr(command, "commands", {})
        for name, each in inner.items():
            collect(each, (*path, name))
        if not inner:
            by_path[" ".join(path)] = command

    collect(get_command(make()), ())
    return by_path


def _kind(parameter: Any) -> type:
    """What an option's value becomes: int, float, Path, bool or str."""
    described = getattr(parameter, "type_descriptor", None)
    by_name = {"integer": int, "float": float}  # of versions of typer that need click
    annotation = described.annotation if described is not None else by_name.get(parameter.type.name, str)
    return bool if getattr(parameter, "is_flag", False) else annotation if isinstance(annotation, type) else str


def _is_output(parameter: Any) -> bool:
    described = getattr(parameter, "type_descriptor", None)
    info = described.parameter_info if described is not None else parameter.type
    return output_path in (getattr(info, "parser", None), getattr(info, "func", None))


def _value(rng: Rng, parameter: Any) -> tuple[str, bool]:
    """A value as it is typed, and whether the option's own description rules it out."""
    kind = _kind(parameter)
    if kind in (int, float):
        text = pick(rng, (*_NUMBERS, *_NOT_NUMBERS, *_limits(parameter, kind)))
        return text, _out_of_range(text, parameter, kind)
    if _is_output(parameter):
        text = pick(rng, (*_NO_PATHS, *_MORE_PATHS))
        return text, text in _NO_PATHS
    text = pick(rng, (*_TEXTS, *_NO_PATHS, *_MORE_PATHS))
    has_choices = parameter.callback is not None and "one_of" in getattr(parameter.callback, "__qualname__", "")
    return text, has_choices


def _limits(parameter: Any, kind: type) -> list[str]:
    step = 1 if kind is int else 1e-6
    limits = [getattr(parameter, name, None) for name in ("min", "max")]
    return [str(limit + move) for limit in limits if limit is not None for move in (-step, 0, step)]


def _out_of_range(text: str, parameter: Any, kind: type) -> bool:
    try:
        number = kind(text)
    except ValueError:
        return True
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    return not math.isfinite(number) or (least is not None and number < least) or (most is not None and number > most)


@area("cli", Limits(seconds=30, bytes=3 << 30))  # on a GPU, benchmarks upload 256 MiB of copies
def command_line(rng: Rng, folder: Path) -> Case:
    name = pick(rng, sorted(commands()))
    command = commands()[name]
    args = [*name.split(), *_SHORT.get(name, ())]
    wrong = dict[str, bool]()  # by option: the last value counts, unless each of several does
    options = [p for p in command.params if p.param_type_name == "option"]
    if any(p.name == "model" for p in options):
        args += ["--model", _MODEL]
    for _ in range(int(rng.choice([0, 1, 1, 1, 1, 2, 3]))):
        parameter = pick(rng, options)
        option = pick(rng, parameter.opts)
        if _kind(parameter) is bool:
            args += [pick(rng, (option, option, option, f"{option}=x"))]
            wrong[parameter.name] = wrong.get(parameter.name, False) or args[-1].endswith("=x")
            continue
        text, refused = _value(rng, parameter)
        args += pick(rng, ([option, text], [f"{option}={text}"])) if option.startswith("--") else [option, text]
        wrong[parameter.name] = refused or (getattr(parameter, "multiple", False) and wrong.get(parameter.name, False))
    # A server has processes of its own, and handles signals itself.
    as_process = rng.random() < 0.05 or name in ("serve", "bench serve")
    expect = REFUSED if any(wrong.values()) else ACCEPTED if args == ["info"] else EITHER
    prefix = "a process: " if as_process else ""
    description = f"{prefix}wgpt {' '.join(args)}".encode("ascii", "backslashreplace").decode()[:300]
    return Case(description, expect, lambda: _run(args, folder, as_process, expect))


def _run(args: list[str], folder: Path, as_process: bool, expect: str) -> None:
    place = folder / "cli"
    shutil.rmtree(place, ignore_errors=True)
    (place / "work" / "folder").mkdir(parents=True)
    (place / "work" / "file").write_text("x")
    (place / "work" / "link").symlink_to("nowhere")
    (place / "work" / "data.jsonl").write_text("\n".join(json.dumps({"text": f"one two {i}"}) for i in range(4)))
    variables = {"WGPT_HOME": str(place / "home"), "HF_HUB_OFFLINE": "1", "WGPT_DEBUG": ""}
    # With other work beside it, it may take longer than that to start, and to refuse its arguments.
    patience = 10 * _PATIENCE if expect == REFUSED else _PATIENCE + 2 * as_process
    code, out, err = (_in_a_process if as_process else _in_process)(args, place / "work", variables, patience)
    if "\0" in "".join(args) and code is None:
        return
    assert code in _CODES, f"exit code {code}: {err[-2000:]}"
    assert "Traceback" not in err, err[-2000:]
    if code == _REFUSED:
        errors = [line for line in err.splitlines() if line.startswith("wgpt: error: ")]
        assert len(errors) == 1 and err.rstrip("\n").endswith(errors[0]), f"not one line at the end: {err[-2000:]}"
        assert len(errors[0]) <= MAX_MESSAGE, f"a message without end: {errors[0]}"
        if "--json" in args and out:
            assert "error" in json.loads(out), out
        raise WgptError(errors[0])
    if code == 0 and "--json" in args and "bench" not in args and "chat" not in args and out:
        json.loads(out)


def _in_a_process(
    args: list[str], place: Path, variables: dict[str, str], patience: float
) -> tuple[int | None, str, str]:
    command = [sys.executable, "-m", "wgpt", *args]
    with subprocess.Popen(
        command, cwd=place, env=os.environ | variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
    code = 130 if process.returncode == -signal.SIGINT else process.returncode  # as a shell reports it
    return code, out.decode(), err.decode(errors="replace")


def _in_process(
    args: list[str], place: Path, variables: dict[str, str], patience: float
) -> tuple[int | None, str, str]:
    files = [place.parent / name for name in ("stdin", "stdout", "stderr")]
    files[0].write_text("")
    with _surroundings(place, variables, ["wgpt", *args], patience), _streams(files):
        try:
            main()
            code: Any = 0
        except SystemExit as e:
            code = 0 if e.code is None else e.code
    out, err = (file.read_bytes().decode(errors="replace") for file in files[1:])
    return code, out, err


@contextmanager
def _streams(files: list[Path]) -> Iterator[None]:
    """stdin, stdout and stderr in files: by their numbers, which the command line writes to."""
    saved, before = [os.dup(number) for number in range(3)], (sys.stdin, sys.stdout, sys.stderr)
    for number, file in enumerate(files):
        handle = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))  # noqa: SIM115
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        for number, handle in enumerate(saved):
            os.dup2(handle, number)
            os.close(handle)
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _surroundings(place: Path, variables: dict[str, str], argv: list[str], patience: float) -> Iterator[None]:
    """A directory, environment and arguments for one command, and Ctrl-C after a while."""
    before = Path.cwd(), dict(os.environ), sys.argv, sys.unraisablehook
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    alarm = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    os.chdir(place)
    os.environ.update(variables)
    sys.argv = argv
    signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        with warnings.catch_warnings():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, handler)
        with suppress(KeyboardInterrupt):
            raise_kept()  # of a destructor, which would be raised in the next case
        os.chdir(before[0])
        os.environ.clear()
        os.environ.update(before[1])
        sys.argv, sys.unraisablehook = before[2:]
