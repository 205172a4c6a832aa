"""Malicious chat templates: each gives a one-line error in seconds, within the limits of the rendering process."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from wgpt.formats import template_process
from wgpt.formats.chat import ChatError, render_chat
from wgpt.formats.template_worker import encoded

from .hostile_templates import TEMPLATES

HELLO = [{"role": "user", "content": "Hello"}]
BUSY = TEMPLATES["lists of lists compared"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_hostile_template(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_process, "MAX_SECONDS", 1.0)  # otherwise they take 8 s each on a busy machine
    start = time.monotonic()
    with pytest.raises(ChatError, match=r"^the chat template (has an error|was stopped|is nested|rejects)") as caught:
        render_chat(TEMPLATES[name], HELLO)
    assert time.monotonic() - start < 10
    message = str(caught.value)
    assert "\n" not in message and len(message) < 500


def test_the_next_chat_is_rendered_as_ever() -> None:
    start = time.monotonic()
    with pytest.raises(ChatError, match="seconds"):
        render_chat(BUSY, HELLO)
    assert time.monotonic() - start < template_process.MAX_SECONDS + 10  # plus the start-up time on a busy machine
    assert render_chat("{{ messages[0].content }}", HELLO) == "Hello"


def test_a_worker_that_dies_is_started_again() -> None:
    assert render_chat("{{ 1 }}", HELLO) == "1"
    first = template_process._worker
    assert first is not None
    first.process.kill()
    first.process.wait()
    assert render_chat("{{ 2 }}", HELLO) == "2"
    assert template_process._worker is not first
    assert first.ended.wait(10) and first.process.stdout is not None and first.process.stdout.closed  # nothing is left


def test_the_same_worker_renders_the_next_chat() -> None:
    render_chat("{{ 1 }}", HELLO)
    first = template_process._worker
    with pytest.raises(ChatError, match="division"):
        render_chat("{{ 1 / 0 }}", HELLO)
    assert render_chat("{{ 2 }}", HELLO) == "2"
    assert template_process._worker is first


def test_a_reply_to_another_request_is_never_taken() -> None:
    render_chat("{{ 1 }}", HELLO)
    worker = template_process._worker
    assert worker is not None
    worker.requests += 5
    stdin = worker.process.stdin
    assert stdin is not None
    stdin.write(encoded({"number": 3, "template": "of another", "variables": {}}))
    with pytest.raises(ChatError, match="its process ended"):
        render_chat("{{ 2 }}", HELLO)
    assert render_chat("{{ 3 }}", HELLO) == "3"


def test_a_number_that_cannot_be_sent() -> None:
    with pytest.raises(ChatError, match="rejects these messages: Exceeds the limit"):
        render_chat("{{ x }}", HELLO, x=10**5000)
    assert render_chat("{{ x }}", HELLO, x=10**50) == str(10**50)


def test_threads_share_a_worker() -> None:
    with ThreadPoolExecutor(4) as pool:
        chats = [[{"role": "user", "content": str(i)}] for i in range(200)]
        texts = list(pool.map(lambda chat: render_chat("{{ messages[0].content }}", chat), chats))
    assert texts == [str(i) for i in range(200)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on Windows")
def test_a_fork_has_a_worker_of_its_own() -> None:
    render_chat("{{ 1 }}", HELLO)
    pid = os.fork()
    if not pid:
        try:
            os._exit(0 if render_chat("{{ 'in the fork' }}", HELLO) == "in the fork" else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    assert render_chat("{{ 3 }}", HELLO) == "3"


def test_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without limits on CPU time, a wall-clock timeout ends it."""
    monkeypatch.setattr(template_process, "MAX_SECONDS", 0.5)
    with pytest.raises(ChatError, match=r"more than 0\.5 seconds"):
        render_chat(BUSY, HELLO)


def test_any_unicode_goes_through() -> None:
    for text in ("\U0001f600", "\ud800", "a\0b", "\u2028"):
        assert render_chat("{{ messages[0].content }}", [{"role": "user", "content": text}]) == text
