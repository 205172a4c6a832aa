"""Hands cases to a worker process, and watches its time and its memory."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cases import EITHER, limits_of

_ROOT = Path(__file__).parents[2]
_WORN_BYTES = 1 << 29  # kept between cases; a worker with more is replaced
_PAGE = 4096
_SILENCE = 30.0  # seconds


@dataclass
class Result:
    area: str
    seed: int
    index: int
    outcome: str  # accepted, refused, or the description of a failure
    expect: str
    description: str
    message: str
    seconds: float
    peak: int  # bytes above the baseline; 0 where the system does not say

    @property
    def failed(self) -> bool:
        if (
            self.outcome not in ("accepted", "refused")
            or self.seconds > limits_of(self.area).seconds
            or self.peak > limits_of(self.area).bytes
        ):
            return True
        return self.expect not in (EITHER, self.outcome)


class Worker:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.fuzz.worker"]
        # stderr is not needed: failures come back as the outcome.
        self.process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.replies: queue.Queue[Any] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        if self.replies.get(timeout=120) != "ready":
            raise RuntimeError("the worker does not start")
        self.baseline = memory(self.process.pid)

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.replies.put(json.loads(line))
        self.replies.put(None)

    def run(self, area: str, seed: int, index: int) -> Result:
        assert self.process.stdin
        reply: dict[str, Any] | None = None
        most, start, killed = 0, time.monotonic(), ""
        limits = limits_of(area)
        with suppress(BrokenPipeError):  # a worker that has died is a result, as one that dies in the case
            self.process.stdin.write(json.dumps([area, seed, index]) + "\n")
            self.process.stdin.flush()
        while True:
            try:
                reply = self.replies.get(timeout=0.02)
                break
            except queue.Empty:
                most = max(most, memory(self.process.pid))
                # Making a case takes time, too, and the machine may be busy.
                if time.monotonic() - start > 3 * limits.seconds:
                    killed = f"takes more than {3 * limits.seconds:g} s"
                elif most - self.baseline > 2 * limits.bytes:
                    killed = f"takes more than {2 * limits.bytes >> 20} MiB"
                if killed:
                    self.process.kill()
        most = max(most, peak(self.process.pid))
        place = (area, seed, index)
        if reply is None:
            outcome = killed or f"the worker ends with code {self.process.wait()}"
            return Result(*place, outcome, EITHER, "", "", time.monotonic() - start, most - self.baseline)
        facts = (reply["outcome"], reply["expect"], reply["description"], reply["message"], reply["seconds"])
        return Result(*place, *facts, max(0, most - self.baseline))

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()


def memory(pid: int) -> int:
    """Resident bytes of a process and of its children; 0 where there is no /proc."""
    try:
        own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return own + sum(memory(int(child)) for child in children)


def peak(pid: int) -> int:
    """The peak memory of the process itself in this case."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)


def run_cases(cases: Iterable[tuple[str, int, int]], jobs: int = 1) -> Iterator[Result]:
    """Run each case in one of `jobs` workers, the next one in the worker that is free first."""
    waiting, lock = iter(cases), threading.Lock()
    under_way: dict[str, tuple[str, int, int]] = {}  # by thread
    results: queue.Queue[Result | BaseException | None] = queue.Queue()
    ended = threading.Event()

    def following() -> tuple[str, int, int] | None:
        name = threading.current_thread().name
        with lock:
            under_way.pop(name, None)
            if not ended.is_set() and (case := next(waiting, None)) is not None:
                under_way[name] = case
            return under_way.get(name)

    def work() -> None:
        try:
            for result in _in_one_worker(iter(following, None)):
                results.put(result)
        except BaseException as e:  # raised again where results are read
            results.put(e)
        else:
            results.put(None)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        running = jobs
        while running:
            try:
                result = results.get(timeout=_SILENCE)
            except queue.Empty:
                names = (f"--area {area} --first {index}" for area, _, index in [*under_way.values()])
                print(f"no result for {_SILENCE:g} s; under way: {', '.join(names)}", file=sys.stderr)
                continue
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
            else:
                yield result
    finally:
        ended.set()
        for thread in threads:  # each ends its worker after the case that it runs
            thread.join()


def _in_one_worker(cases: Iterable[tuple[str, int, int]]) -> Iterator[Result]:
    """One after the other in one worker, which is replaced where it had to be killed."""
    worker = Worker()
    try:
        for case in cases:
            if worker.process.poll() is not None or memory(worker.process.pid) - worker.baseline > _WORN_BYTES:
                worker.end()
                worker = Worker()
            yield worker.run(*case)
    finally:
        worker.end()
