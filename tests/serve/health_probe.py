"""Asks a server for /health again and again, from a process of its own, and writes down how long each answer took.

What the machine itself takes is told apart: the kernel knows for how long each thread was ready to run while others had
the processors. So the figures hold on a busy machine, too.

python tests/serve/health_probe.py ADDRESS PID      a line for each answer: began, seconds, of these waited, status
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

PAUSE = 0.01


def waits(*pids: int) -> dict[str, float]:
    """Seconds for which each thread of these processes was ready to run, but others had the processors."""
    seconds = {}
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with suppress(OSError, IndexError):  # it has just ended
                seconds[thread.parent.name] = int(thread.read_text().split()[1]) * 1e-9
    return seconds


def children(pid: int) -> set[int]:
    found: set[int] = set()
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, thread.read_text().split()))
    return found


@dataclass(frozen=True)
class Answer:
    """When /health was asked, in time.monotonic(); how long it took, and for how much of that others had the
    processors."""

    began: float
    seconds: float
    waited: float
    status: int

    @property
    def quiet(self) -> float:
        """Seconds that it would have taken on a machine that does nothing else."""
        return self.seconds - self.waited


def ask(address: str, pid: int) -> Answer:
    url = urlsplit(address)
    known, before, began = children(pid), waits(pid, os.getpid()), time.monotonic()
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=300)
    try:
        connection.request("GET", "/health")
        status = connection.getresponse().status
    finally:
        connection.close()
    # A process that is being started counts: until it runs its own program, the thread that starts it waits for it.
    seconds, after = time.monotonic() - began, waits(pid, os.getpid(), *(children(pid) - known))
    waited = sum(wait - before.get(thread, 0.0) for thread, wait in after.items())  # of threads that have not ended
    return Answer(began, seconds, waited, status)


class Probe:
    """The process; `since` gives the answers from a moment on."""

    def __init__(self, process: subprocess.Popen[bytes], out: Path) -> None:
        self._process, self._out = process, out

    def answers(self) -> list[Answer]:
        assert self._process.poll() is None, "the probe has ended"
        lines = [line.split() for line in self._out.read_text().splitlines(keepends=True) if line.endswith("\n")]
        return [Answer(float(a), float(b), float(c), int(d)) for a, b, c, d in lines]

    def since(self, began: float, wait_for: Callable[[Callable[[], bool]], None]) -> list[Answer]:
        """Those that were asked for since a moment, and one that was asked for now."""
        now = time.monotonic()
        wait_for(lambda: any(answer.began >= now for answer in self.answers()))
        return [answer for answer in self.answers() if answer.began + answer.seconds >= began]


@contextmanager
def probing(address: str, pid: int, out: Path) -> Iterator[Probe]:
    with out.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-I", __file__, address, str(pid)], stdout=file)
    try:
        yield Probe(process, out)
    finally:
        process.kill()
        process.wait()


def main(address: str, pid: int) -> None:
    while True:
        answer = ask(address, pid)
        print(answer.began, answer.seconds, answer.waited, answer.status, flush=True)
        time.sleep(PAUSE)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
