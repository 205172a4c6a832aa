"""`wgpt chat` in a real pseudo-terminal: paste, Ctrl-C, Ctrl-D, backslashes, words at the end of a line."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wgpt.cli import turns
from wgpt.cli.wrapping import WordWrap

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
PASTE, PASTED, CTRL_C, CTRL_D = "\x1b[200~", "\x1b[201~", "\x03", "\x04"

gnu_readline = pytest.mark.skipif(
    "libedit" in (getattr(sys.modules.get("readline"), "__doc__", "") or ""), reason="libedit has no bracketed paste"
)


class NotShown(AssertionError):
    """Timed out while the process still runs."""


class Terminal:
    """A process on a pseudo-terminal: its output, and keys to send."""

    def __init__(self, *args: str) -> None:
        pty = pytest.importorskip("pty")
        import fcntl
        import struct
        import termios

        self.fd, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

        def own_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("COLUMNS", None)
        command = [sys.executable, "-m", "wgpt", *args]
        self.process = subprocess.Popen(
            command, stdin=child, stdout=child, stderr=child, env=environment, preexec_fn=own_terminal
        )
        os.close(child)
        self.output = ""

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """Wait until `text` is shown; returns and consumes the output up to it."""
        deadline = time.monotonic() + seconds
        while text not in self.output:
            if not select.select([self.fd], [], [], max(0, deadline - time.monotonic()))[0]:
                raise NotShown(f"no {text!r} in {self.output!r}")
            self.output += self._read()
        before, _, self.output = self.output.partition(text)
        return before + text

    def _read(self) -> str:
        try:
            return os.read(self.fd, 65536).decode(errors="replace")
        except OSError as e:  # the process has ended
            raise AssertionError(f"it ended with {self.output!r}") from e

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def interrupt(self, answer: str) -> None:
        """Ctrl-C until `answer` is shown, as a person would press it.

        CPython loses a signal that comes between readline's echo of a key and the next select(),
        until another key is pressed; a busy machine stretches that moment.
        """
        for _ in range(30):
            self.type(CTRL_C)
            try:
                self.wait_for(answer, seconds=2)
                return
            except NotShown:
                pass
        raise AssertionError(f"Ctrl-C thirty times, and no {answer!r} in {self.output!r}")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.fd)


@pytest.fixture
def chat() -> Iterator[Terminal]:
    terminal = Terminal("chat", "-m", TINY, "-n", "4", "--ignore-eos")
    try:
        terminal.wait_for("> ")
        yield terminal
    finally:
        terminal.close()


def messages(chat: Terminal, path: Path) -> list[str]:
    """What the user has said so far."""
    import json

    chat.type(f"/save! {path}\r")
    chat.wait_for("messages written to")
    return [m["content"] for m in json.loads(path.read_text()) if m["role"] == "user"]


@pytest.mark.gpu
@gnu_readline
def test_a_pasted_text_is_one_turn(chat: Terminal, tmp_path: Path):
    chat.type(f"{PASTE}one\rtwo\rthree{PASTED}")
    chat.wait_for("three")
    chat.type("\r")
    chat.wait_for("(stopped at")
    chat.wait_for("> ")
    assert messages(chat, tmp_path / "said") == ["one\ntwo\nthree"]


@pytest.mark.gpu
@gnu_readline
def test_the_terminal_is_asked_to_mark_what_is_pasted():
    terminal = Terminal("chat", "-m", TINY)
    try:
        assert "\x1b[?2004h" in terminal.wait_for("> ")
    finally:
        terminal.close()


@pytest.mark.gpu
def test_ctrl_c_drops_what_was_typed_and_ctrl_d_leaves(chat: Terminal, tmp_path: Path):
    chat.type("never sent")
    chat.wait_for("never sent")
    chat.interrupt("(Ctrl-D quits)")
    chat.wait_for("> ")
    chat.type("one\\\r")
    chat.wait_for(". ")
    chat.type("never sent either")
    chat.wait_for("never sent either")  # before that, readline does not listen yet
    chat.interrupt("(Ctrl-D quits)")
    chat.wait_for("> ")
    chat.type("two\\\r")
    chat.wait_for(". ")
    chat.type("lines\r")
    chat.wait_for("(stopped at")
    chat.wait_for("> ")
    assert messages(chat, tmp_path / "said") == ["two\nlines"]
    chat.wait_for("> ")
    chat.type(CTRL_D)
    assert chat.process.wait(60) == 0


def test_bytes_that_are_no_text_do_not_end_it(monkeypatch: pytest.MonkeyPatch):
    """Where there is no readline, input() decodes what is typed."""
    lines, messages = iter([b"\xff", b"next"]), []

    def read(_prompt: str = "") -> str:
        try:
            return next(lines).decode()
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    assert list(turns.typed(messages.append)) == ["next"]
    assert messages == ["not text in utf-8: invalid start byte at byte 0 of the line; nothing was sent", ""]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["one two three"], "one two\nthree"),
        (["on", "e t", "wo th", "ree"], "one two\nthree"),
        (["exactly 10", " more"], "exactly 10\nmore"),
        (["a\n  indented", " b"], "a\n  indented\nb"),
        (["averyveryverylongword next"], "averyveryverylongword next"),
        (["ab 日本語 cd"], "ab 日本語\ncd"),
        (["日本語日本語"], "日本語日本\n語"),
        (["end \n", "\nnew"], "end \n\nnew"),
        (["trailing  "], "trailing"),
    ],
)
def test_lines_break_between_words(pieces: list[str], expected: str):
    output: list[str] = []
    wrapped = WordWrap(output.append, lambda: 10)
    for piece in pieces:
        wrapped(piece)
    wrapped.finish()
    assert "".join(output) == expected


@pytest.mark.gpu
@pytest.mark.full
def test_answers_on_a_terminal_are_wrapped_and_those_in_a_pipe_are_not():
    command = ["run", "Hello", "-m", TINY, "-n", "200", "--ignore-eos", "-t", "3", "--seed", "1"]
    plain = subprocess.run([sys.executable, "-m", "wgpt", *command], capture_output=True).stdout.decode()
    terminal = Terminal(*command)
    try:
        output = terminal.wait_for("prefill ")
    finally:
        terminal.close()
    assert re.sub(r"\s", "", plain) in re.sub(r"\s|\x1b\[[^A-Za-z]*[A-Za-z]|\r", "", output)
    assert output.count("\n") > plain.count("\n")
