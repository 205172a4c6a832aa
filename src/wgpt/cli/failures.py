"""Errors as one line on stderr, and as JSON, each with its exit code."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

from ..core.errors import WgptError
from ..core.home import home
from ..core.naming import as_options
from . import streams
from .styles import styled

BROKEN_PIPE = 1
REFUSED = 2
INTERRUPTED = 130

# Newer versions of typer bundle a copy of click; this finds the class in either.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_LONG_WORD = re.compile(r"\S{500,}")  # a command-line value of which only the beginning and end are shown

_REMEDIES = {
    errno.EACCES: "check its permissions, or choose another path",
    errno.EPERM: "check its permissions, or choose another path",
    errno.EROFS: "choose a writable path",
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "check the path",
    errno.EISDIR: "give a file name",
    errno.EEXIST: "choose another path, or remove it first",
    errno.ENOSPC: "free some space, or choose another disk",
    errno.EDQUOT: "free some space, or choose another disk",
    errno.EMFILE: "raise the limit with `ulimit -n`",
}


class _Interrupted(Exception):
    """Ctrl-C, which typer would turn into an exit without a message."""


class Commands(TyperGroup):
    """A group of commands that report an error in one line, with exit code 2 (130 for Ctrl-C).

    With --json the line is also an object on stdout: {"error": ...}.
    """

    default = ""  # the command to run if none is named

    def main(self, args: Sequence[str] | None = None, *options: Any, **more: Any) -> Any:
        arguments = list(sys.argv[1:] if args is None else args)
        run = super().main
        with as_options(), _warnings_in_one_line(), _failures_in_one_line(arguments, self._prints_json(arguments)):
            code = run(arguments, *options, **{**more, "standalone_mode": False})
            sys.stdout.flush()  # a full disk must be reported before the exit
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None

    def _prints_json(self, args: list[str]) -> bool:
        """Whether the command named in `args` prints JSON on stdout."""
        command: Any = self
        for arg in args:
            command = getattr(command, "commands", {}).get(arg, command)
        command = getattr(command, "commands", {}).get(getattr(command, "default", ""), command)
        option = next((p for p in command.params if p.name == "json"), None)
        if option is None or "--json" not in args:
            return option is not None and "--json=-" in args
        return bool(option.is_flag) or args[args.index("--json") + 1 :][:1] == ["-"]


@contextmanager
def _failures_in_one_line(args: list[str], as_json: bool) -> Iterator[None]:
    try:
        yield
    except _Interrupted:
        _fail("interrupted", INTERRUPTED, as_json, prefix="")
    except BrokenPipeError:
        streams.fails(sys.stdout)
        sys.exit(BROKEN_PIPE)  # the reader has closed the pipe: no message
    except UsageError as e:
        _fail(usage_line(e, args), REFUSED, as_json)
    except (WgptError, OSError, MemoryError) as e:
        if os.environ.get("WGPT_DEBUG") == "1":
            traceback.print_exc()
        _fail(line(e), REFUSED, as_json)
    except Exception as e:
        if as_json:
            _print_error(f"{type(e).__name__}: {e}")
        raise


def _fail(message: str, code: int, as_json: bool, prefix: str = "wgpt: error:") -> None:
    message = " ".join(message.splitlines())  # of a value or a path that has several lines
    message = _LONG_WORD.sub(lambda word: f"{word[0][:200]}...{word[0][-40:]}", message)
    complain(message, prefix)
    if as_json:
        _print_error(message)
    streams.fails(sys.stdout)
    sys.exit(code)


def _print_error(message: str) -> None:
    try:
        print_error(message)
    except OSError:  # stdout itself may have failed, as the line on stderr says
        streams.fails(sys.stdout)


def print_error(message: str) -> None:
    """Print the JSON object that replaces a result."""
    typer.echo(json.dumps({"error": message}))


def complain(message: str, prefix: str = "wgpt: error:") -> None:
    """Print one line on stderr."""
    typer.echo(f"{styled(prefix, fg='red', bold=True)} {message}" if prefix else message, err=True)


def line(error: BaseException) -> str:
    """The error in one line: what went wrong, where, and what to do about it."""
    if isinstance(error, OSError):
        return _os_line(error)
    message = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"out of memory on the host{f': {message}' if message else ''}"
    return message or type(error).__name__


def _os_line(error: OSError) -> str:
    if error.errno is None:
        message, cause = " ".join(str(error).split()) or type(error).__name__, error.__cause__
        remedy = _REMEDIES.get(cause.errno or 0) if isinstance(cause, OSError) else None
        return f"{message}; {remedy}" if remedy else message
    path = error.filename2 or error.filename
    parts = [_lower(error.strerror or str(error)), *getattr(error, "__notes__", ())]
    if error.errno in _REMEDIES:
        at_home = error.errno in (errno.ENOSPC, errno.EDQUOT) and str(path).startswith(str(home()))
        parts.append(_REMEDIES[error.errno] + (" with WGPT_HOME" if at_home else ""))
    message = " ".join("; ".join(parts).split())
    return f"{os.fsdecode(path) if isinstance(path, bytes) else path}: {message}" if path is not None else message


def usage_line(error: Any, args: Sequence[str]) -> str:
    """The option, its value, what is wrong with it, and where to find help."""
    parameter, ctx = getattr(error, "param", None), getattr(error, "ctx", None)
    if not isinstance(error, typer.BadParameter) or not error.message:  # unknown or missing: click's message names it
        message = _lower(" ".join(error.format_message().split()).removesuffix("."))
        return f"{message} (see `{ctx.command_path} --help`)" if ctx is not None else message
    message = " ".join(error.message.split()).removesuffix(".")
    if parameter is None or parameter.param_type_name == "argument":
        return message
    option = max(parameter.opts, key=len)
    value = _typed_value(parameter, args)
    return f"{option}: {message}" if value is None or value in message else f"{option} {value}: {_lower(message)}"


def _typed_value(parameter: Any, args: Sequence[str]) -> str | None:
    """The value of an option as it was typed; None if the option may be repeated."""
    value = None
    for argument, next_argument in zip(args, [*args[1:], None], strict=True):
        for option in parameter.opts:
            if argument == option:
                value = next_argument
            elif argument.startswith(f"{option}="):
                value = argument.removeprefix(f"{option}=")
            elif len(option) == 2 and argument.startswith(option):
                value = argument.removeprefix(option)
    return None if parameter.multiple else value


def _lower(text: str) -> str:
    """Start with a lower-case letter, as after a colon."""
    return text[:1].lower() + text[1:]


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        yield


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning in one line, without the Python source line it came from."""
    typer.echo(f"{styled('wgpt: warning:', fg='yellow', bold=True)} {' '.join(str(message).split())}", err=True)
