"""Records the dispatches of ordinary Python code as a Program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from . import dtypes
from .buffer import Buffer, Tensor, check_copy
from .device import GpuDevice
from .errors import ValidationError
from .heap import Heap, Planned, check_written, lifetimes_of, needed, placed
from .launch import Launch
from .process_bound import ProcessBound
from .program import Program
from .steps import check_launch, compile_shaders, steps_of
from .webgpu.failures import translated

# Takes what was recorded so far and the outputs, and returns the launches to run instead.
Pass = Callable[["Recorder", Sequence[Tensor]], list[Launch]]


class Recorder(ProcessBound):
    """Collects dispatches and the memory they need, without knowing what they compute.

    With a heap, intermediate results share memory according to their lifetimes: only inputs and outputs can be read
    later.
    """

    def __init__(self, device: GpuDevice, heap: Heap | None = None) -> None:
        self.device, self._heap = device, heap
        self.launches: list[Launch] = []
        self.inputs: dict[str, Tensor] = {}
        self._transient: list[Buffer] = []
        self._layer: int | None = None
        self._passes: list[Pass] = []
        self._observers: list[Callable[[Program], None]] = []

    def tensor(self, shape: tuple[int, ...], dtype: str = "f32", label: str = "") -> Tensor:
        """Uninitialised memory that lives as long as the Program, or with a heap as long as it is needed."""
        nbytes = math.prod(shape) * dtypes.itemsize(dtype)
        if self._heap is not None:
            return Tensor(Planned(self.device, nbytes, label), tuple(shape), dtype)
        return self._own(tuple(shape), dtype, nbytes, label)

    def _own(self, shape: tuple[int, ...], dtype: str, nbytes: int, label: str) -> Tensor:
        buffer = self.device.pool.take(nbytes, label=label)
        self._transient.append(buffer)
        return Tensor(buffer, shape, dtype)

    def upload(self, array: NDArray[Any], name: str | None = None, dtype: str | None = None) -> Tensor:
        """Copy an array to the GPU now; with a name it becomes an input that replays can rewrite."""
        tensor = self._own(array.shape, dtype or dtypes.dtype_of(array), array.nbytes, name or "upload")
        self.device.write(tensor, array)
        if name is not None:
            self.inputs[name] = tensor
        return tensor

    def launch(self, launch: Launch) -> None:
        check_launch(self.device, launch)
        self.launches.append(launch if self._layer is None else replace(launch, layer=self._layer))

    def optimise(self, run: Pass) -> None:
        """Run a pass over the launches once, when the Program is finished. Requires a heap, which can drop intermediate
        results."""
        if run not in self._passes:
            self._passes.append(run)

    def observe(self, call: Callable[[Program], None]) -> None:
        """Call this with the Program when it is finished, once."""
        if call not in self._observers:
            self._observers.append(call)

    @contextmanager
    def layer(self, number: int | None) -> Iterator[None]:
        """Dispatches recorded within the block belong to this layer of a model, for measurements."""
        outer, self._layer = self._layer, number
        try:
            yield
        finally:
            self._layer = outer

    def copy(self, source: Tensor, target: Tensor) -> None:
        """Record a copy of one tensor to another of the same size."""
        check_copy(source, target)
        self.launch(Launch.copy_of(source, target))

    def put(self, result: Tensor, target: Tensor) -> None:
        """Have a recorded intermediate result computed directly in `target`; use `target` from now on."""
        if result.shape != target.shape or result.dtype != target.dtype or not isinstance(result.buffer, Planned):
            raise ValidationError(f"only a result on the heap can be put elsewhere, as it is: not {result} in {target}")
        places = {id(result.buffer): target.buffer}

        def moved(tensor: Tensor) -> Tensor:
            if tensor.buffer is not result.buffer:
                return tensor
            at = tensor.offset - result.offset
            if at < 0 or at + tensor.nbytes > result.nbytes:
                raise ValidationError(f"{result} cannot be put elsewhere: it is a part of {tensor}")
            return replace(placed(tensor, places), offset=target.offset + at)

        self.launches = [
            replace(launch, bindings=tuple(replace(b, tensor=moved(b.tensor)) for b in launch.bindings))
            for launch in self.launches
        ]

    def finish(self, **outputs: Tensor) -> Program:
        """Compile the remaining shaders and create the Program. The Recorder cannot be used afterwards."""
        device = self.device
        with device.lock, translated("recording a Program"):
            device.check_alive()
            if self._heap is not None:
                outputs = self._place(self._heap, outputs)
        with translated("compiling a Program"):  # without the lock: other work is submitted meanwhile
            compile_shaders(device, self.launches)
        with device.lock, translated("recording a Program"):
            device.check_alive()
            steps, params = steps_of(device, self.launches)
        program = Program(device, self.launches, steps, self.inputs, outputs, self._transient, params)
        self.launches, self._transient = [], []
        for call in self._observers:
            call(program)
        return program

    def _place(self, heap: Heap, outputs: dict[str, Tensor]) -> dict[str, Tensor]:
        """Assign memory to planned tensors, in the launches and the outputs."""
        for run in self._passes:
            self.launches = run(self, list(outputs.values()))
        check_written(self.launches)
        self.launches = needed(self.launches, list(outputs.values()))
        places = heap.place(lifetimes_of(self.launches, list(outputs.values())))
        self.launches = [
            replace(launch, bindings=tuple(replace(b, tensor=placed(b.tensor, places)) for b in launch.bindings))
            for launch in self.launches
        ]
        return {name: placed(tensor, places) for name, tensor in outputs.items()}

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *exc: object) -> None:
        self.discard()  # a finished Recorder holds nothing

    def discard(self) -> None:
        """Free the memory without making a Program."""
        for buffer in self._transient:
            self.device.pool.give(buffer)
        self.launches, self._transient = [], []
