"""How a function on NumPy arrays becomes sync and async, on the CPU or the GPU."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder
from .engine import CpuEngine, Engine, GpuEngine, Handle
from .where import device_for

P = ParamSpec("P")
R = TypeVar("R")
F32 = NDArray[np.float32]


@dataclass(frozen=True)
class Work(Generic[R]):
    """A checked operation: its size, how to express it on an engine, and what to make of the results."""

    size: int
    body: Callable[[Engine], dict[str, Handle]]
    result: Callable[[dict[str, NDArray[Any]]], R]


def both(describe: Callable[P, Work[R]]) -> tuple[Callable[P, R], Callable[P, Coroutine[Any, Any, R]]]:
    """The sync and the async function of one description."""

    @functools.wraps(describe)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        work = describe(*args, **kwargs)
        device = device_for(work.size)
        if device is None:
            return work.result(work.body(CpuEngine()))
        with _record(work, device) as program:
            return work.result(program.read())

    @functools.wraps(describe)
    async def run_async(*args: P.args, **kwargs: P.kwargs) -> R:
        work = describe(*args, **kwargs)
        device = device_for(work.size)
        if device is None:
            return work.result(work.body(CpuEngine()))
        with _record(work, device) as program:
            return work.result(await program.submit())

    name = describe.__name__.lstrip("_")
    named: dict[str, Any] = {name: run, f"{name}_async": run_async}
    for known_as, function in named.items():
        function.__name__ = function.__qualname__ = known_as
        function.__signature__ = _signature(describe)
    return run, run_async


def _signature(describe: Callable[P, Work[R]]) -> inspect.Signature:
    """What `help()` shows: the caller gets R, not a Work[R]."""
    found = inspect.signature(describe)
    result = str(found.return_annotation).removeprefix("Work[").removesuffix("]")
    return found.replace(return_annotation=result)


def _record(work: Work[R], device: GpuDevice) -> Program:
    with Recorder(device) as recorder:
        return recorder.finish(**work.body(GpuEngine(recorder)))
