"""What the processes of these tests do."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from wgpt.core.errors import WgptError
from wgpt.processes.child import Link


def answer(link: Link, greeting: str) -> None:
    """Answers calls, in their own thread; `wait` leaves one open, and tells when it is cancelled."""

    def call(number: int, do: str, value: Any = None) -> None:
        if do == "double":
            link.done(number, 2 * value)
        elif do == "refuse":
            link.refuse(number, value)
        elif do == "signal":
            os.kill(os.getpid(), value)
            link.done(number, "goes on")

    link.listen(call, cancel=lambda number: link.tell("cancelled", number))
    link.ready(greeting)
    while True:
        time.sleep(1)


def fail(link: Link) -> None:
    raise WgptError("no such\n model")


def die(link: Link) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_in_the_second_life(link: Link, again: bool) -> None:
    if not again:
        answer(link, "first")
    die(link)
