"""`wgpt verify --jobs N`: several processes share the GPU, as most of the time is spent compiling and in NumPy."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING

from ..api import model_checks as _model_checks  # noqa: F401 - registers the checks of whole models
from ..contracts.contract import Obligation
from ..contracts.plan import Plan
from ..contracts.verify import Report, Row, check_some, joined, planned, report_of, select
from ..core.progress import Progress
from ..gpu import DeviceLostError, GpuDevice
from .common import opened

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

_MOST = 64  # attempts of an obligation per piece of work
_SECONDS = 1.0  # seconds until progress is shown again

Piece = tuple[int, range]  # (number of an obligation, some of its attempts)


def verify_in_processes(jobs: int, gpu: str | None, only: str | None, progress: Progress) -> Report:
    """The report of `verify`, with the attempts spread over `jobs` processes."""
    began = time.perf_counter()
    obligations = select(only)
    with opened(gpu) as device:
        pieces = list(_pieces(Plan(device), obligations))
        rows: dict[int, list[Row]] = {}
        stopped = ""
        processes = multiprocessing.get_context("spawn")
        tried = processes.Value("q", 0)  # attempts done by all processes
        with ProcessPoolExecutor(min(jobs, len(pieces)), processes, _begin, (gpu, only, tried)) as pool:
            try:
                for number, row in _checked(pool, pieces, obligations, tried, progress):
                    rows.setdefault(number, []).append(row)
            except DeviceLostError as e:
                stopped = f"the device was lost: {e}"
            except BrokenProcessPool:
                stopped = "a process ended without a word; without --jobs it can be seen where"
            except BaseException:
                _end(pool)
                raise
            if stopped:
                _end(pool)
        return report_of(device, [joined(rows[number]) for number in sorted(rows)], began, stopped)


def _pieces(plan: Plan, obligations: list[Obligation]) -> Iterator[Piece]:
    for number, obligation in enumerate(obligations):
        count = len(planned(plan, obligation))
        for first in range(0, max(count, 1), _MOST):
            yield number, range(first, min(first + _MOST, count))


def _checked(
    pool: ProcessPoolExecutor,
    pieces: list[Piece],
    obligations: list[Obligation],
    tried: Synchronized[int],
    progress: Progress,
) -> Iterator[tuple[int, Row]]:
    """(number of an obligation, verdict on some of its attempts), as they are finished."""
    running: dict[Future[Row], Piece] = {pool.submit(_check, piece): piece for piece in pieces}
    total = sum(len(some) for _, some in pieces)
    while running:
        oldest, _ = next(iter(running.values()))
        progress(tried.value, total, obligations[oldest].id)
        for future in wait(running, _SECONDS, FIRST_COMPLETED).done:
            number, _ = running.pop(future)
            yield number, future.result()


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes at once, because a piece of work may take minutes."""
    for process in multiprocessing.active_children():
        process.terminate()
    pool.shutdown(cancel_futures=True)


# In each process ------------------------------------------------------------------------------------------------

_chosen: tuple[str | None, str | None]  # --gpu and --only
_tried: Synchronized[int]


def _begin(gpu: str | None, only: str | None, tried: Synchronized[int]) -> None:
    global _chosen, _tried
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C and ends the others
    threading.Thread(target=_end_with_the_first, name="wgpt-parent", daemon=True).start()
    _chosen, _tried = (gpu, only), tried


def _end_with_the_first() -> None:
    """End this process when its parent is gone: after SIGTERM or SIGKILL the parent cannot end it."""
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os._exit(1)


def _check(piece: Piece) -> Row:
    (plan, obligations), (number, some) = _opened(), piece
    counted = 0

    def count(done: int, total: int, name: str) -> None:
        nonlocal counted
        with _tried.get_lock():
            _tried.value += done - counted
        counted = done

    row = check_some(plan, obligations[number], some, count)
    count(len(some), len(some), "")
    return row


@cache
def _opened() -> tuple[Plan, list[Obligation]]:
    """Opened with the first piece of work, so that errors are reported like those of attempts."""
    gpu, only = _chosen
    return Plan(GpuDevice.open(gpu)), select(only)
