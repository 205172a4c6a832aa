"""The user's turns in a chat: typed at a prompt, or read from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import typer

from .texts import decoded

# Gives input() line editing and a history. Import it before a GPU driver: Mesa loads libedit, whose functions have
# the same names as GNU readline's and would replace them.
with suppress(ImportError):  # not on Windows
    import readline

    readline.parse_and_bind("set enable-bracketed-paste on")  # Python turns it off by default; libedit does not know it


def typed(tell: Callable[[str], object]) -> Iterator[str]:
    """Turns from a terminal, until Ctrl-D. Ctrl-C discards the line being typed; pasted text is one turn."""
    while True:
        try:
            yield _typed_turn()
        except EOFError:
            tell("")
            return
        except KeyboardInterrupt:
            tell("\n(Ctrl-D quits)")
        except UnicodeDecodeError as e:
            tell(f"not text in {e.encoding}: {e.reason} at byte {e.start} of the line; nothing was sent")


def _typed_turn() -> str:
    text = _input("> ")
    while text.endswith("\\"):
        text = text[:-1] + "\n" + _input(". ")
    return text


def _input(prompt: str) -> str:
    if not sys.stdout.isatty():  # the prompt must not go into the file with the answers
        typer.echo(prompt, nl=False, err=True)
        prompt = ""
    return input(prompt)


def piped() -> Iterator[str]:
    """Turns from a pipe or a file: one per line, or several lines of which all but the last end in a backslash."""
    text = ""
    for number, line in enumerate(sys.stdin.buffer, 1):
        text += decoded(line, f"line {number} of stdin").removesuffix("\n")
        if text.endswith("\\"):
            text = text[:-1] + "\n"
        else:
            yield text
            text = ""
    if text:
        yield text
