"""The tensors of a timed problem, in more copies than fit into any cache."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gpu import AllocationError, Buffer, GpuDevice, Tensor
from ..gpu.dtypes import as_words, itemsize, numpy_type
from ..kernels.kernel import Arrays, Kernel, Problem, nbytes_of

_TOTAL = 256 << 20  # bytes of all copies: several times the largest L2 cache
_MOST_COPIES = 512
_LARGE = 1 << 27  # bytes above which random inputs repeat
_STRIDE = 256  # no GPU requires more alignment


@dataclass(frozen=True)
class Workset:
    """`copies` of all bindings. Dispatched one after another, none finds its inputs in a cache."""

    copies: tuple[dict[str, Tensor], ...]
    buffers: tuple[Buffer, ...]

    def release(self) -> None:
        for buffer in self.buffers:
            buffer.release()

    def __enter__(self) -> Workset:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()


def random_inputs(kernel: Kernel, problem: Problem, seed: int = 0) -> Arrays:
    """`kernel.inputs`; large ones repeat the rows of a smaller problem, as generating all would take minutes. (Weights
    repeat by themselves.)"""
    rng = np.random.default_rng(seed)
    if "rows" not in problem or "weight" in problem or kernel.bytes(problem) <= _LARGE:
        return kernel.inputs(rng, problem)
    rows = int(problem["rows"])
    few = min(rows, max(4, rows * _LARGE // kernel.bytes(problem) // 4 * 4))
    arrays = kernel.inputs(rng, {**problem, "rows": few})
    return {
        name: np.resize(array, (rows, *array.shape[1:])) if array.shape[0] == few else array
        for name, array in arrays.items()
    }


def make(device: GpuDevice, kernel: Kernel, problem: Problem, arrays: Arrays | None = None) -> Workset:
    """Upload random inputs; on a GPU, enough copies to fill 256 MiB, or as many as memory allows."""
    arrays = random_inputs(kernel, problem) if arrays is None else arrays
    words = {name: as_words(array).view(np.uint32) for name, array in arrays.items()}
    rooms = {name: _room(array.nbytes) for name, array in words.items()}
    types = {name: out.dtype for name, out in {**kernel.operands(problem), **kernel.outputs(problem)}.items()}
    rooms |= {name: _room(nbytes_of({name: out})) for name, out in kernel.outputs(problem).items()}
    copies = 1 if device.software else min(_MOST_COPIES, math.ceil(_TOTAL / sum(rooms.values())))
    while True:
        try:
            return _allocate(device, types, rooms, words, copies)
        except AllocationError:
            if copies == 1:
                raise
            copies = (copies + 1) // 2


def _room(nbytes: int) -> int:
    return max(1, -(-nbytes // _STRIDE)) * _STRIDE


def _allocate(
    device: GpuDevice,
    types: Mapping[str, str],
    rooms: Mapping[str, int],
    words: Mapping[str, NDArray[np.uint32]],
    copies: int,
) -> Workset:
    windows: dict[str, list[Tensor]] = {}
    buffers: list[Buffer] = []
    total = sum(rooms.values())
    try:
        for name, room in rooms.items():
            # In a model, small inputs come from the previous kernel through the cache: one copy is enough.
            count = copies if 16 * room > total else 1
            buffer = device.buffer(count * room, label=name)
            buffers.append(buffer)
            dtype = types[name]
            size = (words[name].nbytes if name in words else room) // itemsize(dtype)
            windows[name] = [Tensor(buffer, (size,), dtype, offset=i * room) for i in range(count)]
            if name in words:
                for tensor in windows[name]:
                    device.write(tensor, words[name].view(numpy_type(dtype)))
    except BaseException:
        for buffer in buffers:
            buffer.release()
        raise
    rotation = tuple({name: w[i % len(w)] for name, w in windows.items()} for i in range(copies))
    return Workset(rotation, tuple(buffers))
