"""Turns the description of an operation into a sync and an async function, on the CPU or the GPU."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..gpu import AllocationError, GpuDevice, Program, Recorder
from .backend import CpuBackend, GpuBackend
from .pieces import Joined, Piece, Results, Work, pieces
from .where import device_for, is_automatic

P = ParamSpec("P")
R = TypeVar("R")
F32 = NDArray[np.float32]


def both(describe: Callable[P, Work[R]]) -> tuple[Callable[P, R], Callable[P, Coroutine[Any, Any, R]]]:
    """The sync and the async function of a description."""

    @functools.wraps(describe)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return _at_once(_done(describe(*args, **kwargs), _read))

    @functools.wraps(describe)
    async def run_async(*args: P.args, **kwargs: P.kwargs) -> R:
        return await _done(describe(*args, **kwargs), _submit)

    name = describe.__name__.lstrip("_")
    named: dict[str, Any] = {name: run, f"{name}_async": run_async}
    for public_name, function in named.items():
        function.__name__ = function.__qualname__ = public_name
        function.__signature__ = _signature(describe)
    return run, run_async


def _signature(describe: Callable[P, Work[R]]) -> inspect.Signature:
    """The signature for `help()`: the caller gets R, not a Work[R]."""
    signature = inspect.signature(describe)
    result = str(signature.return_annotation).removeprefix("Work[").removesuffix("]")
    return signature.replace(return_annotation=result)


async def _done(work: Work[R], read: Callable[[Program], Awaitable[Results]]) -> R:
    """Run piece by piece on the GPU; or on the CPU, if chosen, or if the GPU is out of memory and not forced."""
    device = device_for(work.size)
    if device is None:
        return _on_cpu(work)
    joined = Joined(work)
    try:
        for piece in pieces(work, device):
            with _record(work, device, piece) as program:
                joined.add(piece, await read(program))
    except AllocationError:
        if not is_automatic():
            raise
        return _on_cpu(work)
    return work.result(joined.result())


def _on_cpu(work: Work[R]) -> R:
    return work.result(work.body(CpuBackend(), *work.whole))


def _record(work: Work[R], device: GpuDevice, piece: Piece) -> Program:
    with Recorder(device) as recorder:
        return recorder.finish(**work.body(GpuBackend(recorder), *piece))


async def _read(program: Program) -> Results:
    return program.read()


async def _submit(program: Program) -> Results:
    return await program.submit()


def _at_once(coroutine: Coroutine[Any, Any, R]) -> R:
    """The result of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: R = done.value
        return result
    raise AssertionError("a synchronous operation waited")
