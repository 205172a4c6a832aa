"""Asks a server for /health again and again, from a process of its own, and writes down how long each answer took.

What the machine itself takes is told apart: the kernel knows for how long each thread was ready to run while others had
the processors, and a thread on each processor sees by how much the machine wakes sleepers late. So the figures hold on
a busy machine, and on a virtual one.

python tests/serve/health_probe.py ADDRESS PID      a line for each answer: began, seconds, the machine's share, status
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

PAUSE = 0.01
NAP, LATE = 0.002, 0.002  # seconds for which sleepers sleep, and by which they may be late


def _waited(thread: Path) -> float | None:
    """Seconds for which a thread was ready to run, but others had the processors; None if it has ended."""
    try:
        return int((thread / "schedstat").read_text().split()[1]) * 1e-9
    except (OSError, IndexError):
        return None


def waits(pid: int) -> dict[str, float]:
    """The same of each thread of a process."""
    waited = {thread.name: _waited(thread) for thread in Path(f"/proc/{pid}/task").glob("*")}
    return {name: seconds for name, seconds in waited.items() if seconds is not None}


class Sleeper(threading.Thread):
    """Sleeps on one processor, again and again, and notes when it was woken late.

    On a virtual machine that is what the host takes: what waits for a timer or a packet there is as late.
    """

    def __init__(self, processor: int) -> None:
        super().__init__(daemon=True)
        self._processor = processor
        self._due = 0.0
        self._late: deque[tuple[float, float]] = deque(maxlen=1000)  # (since when, seconds)

    def run(self) -> None:
        os.sched_setaffinity(threading.get_native_id(), {self._processor})
        own = Path(f"/proc/self/task/{threading.get_native_id()}")
        while True:
            waited, due = _waited(own) or 0.0, time.monotonic() + NAP
            self._due = due
            time.sleep(NAP)
            late = time.monotonic() - due - ((_waited(own) or 0.0) - waited)
            if late > LATE:
                self._late.append((due, late))

    def late(self, began: float, ended: float) -> float:
        """Seconds by which it was late between two moments."""
        while self._due < ended:  # it may be late now
            time.sleep(NAP)
        return sum(max(0.0, min(ended, due + late) - max(began, due)) for due, late in list(self._late))


def children(pid: int) -> set[int]:
    found: set[int] = set()
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, thread.read_text().split()))
    return found


@dataclass(frozen=True)
class Answer:
    """When /health was asked, in time.monotonic(); how long it took, and how much of that the machine took."""

    began: float
    seconds: float
    waited: float
    status: int

    @property
    def quiet(self) -> float:
        """Seconds that it would have taken on a machine that does nothing else."""
        return self.seconds - self.waited


def ask(address: str, pid: int, sleepers: Sequence[Sleeper]) -> Answer:
    url = urlsplit(address)
    own = Path(f"/proc/self/task/{os.getpid()}")
    known, before, own_before, began = children(pid), waits(pid), _waited(own) or 0.0, time.monotonic()
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=300)
    try:
        connection.request("GET", "/health")
        status = connection.getresponse().status
    finally:
        connection.close()
    seconds, after = time.monotonic() - began, waits(pid)
    # A process that is being started counts: until it runs its own program, the thread that starts it waits for it.
    for child in children(pid) - known:
        after |= waits(child)
    waited = sum(wait - before.get(thread, 0.0) for thread, wait in after.items())  # of threads that have not ended
    waited += (_waited(own) or 0.0) - own_before
    waited += max(sleeper.late(began, began + seconds) for sleeper in sleepers)
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
    sys.setswitchinterval(0.0005)  # a sleeper that waits for the interpreter would seem late
    sleepers = [Sleeper(processor) for processor in os.sched_getaffinity(0)]
    for sleeper in sleepers:
        sleeper.start()
    while True:
        answer = ask(address, pid, sleepers)
        print(answer.began, answer.seconds, answer.waited, answer.status, flush=True)
        time.sleep(PAUSE)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
