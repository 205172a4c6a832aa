"""Ordinary Python runs once against a Recorder; out comes a Program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from . import dtypes
from .bindings import bind_group
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .errors import AllocationError, ValidationError, readable_bytes
from .heap import Heap, Planned, lives_of, needed, placed
from .launch import Launch
from .program import Program
from .webgpu.failures import translated
from .webgpu.interface import UNIFORM, Copy, Step


class Recorder:
    """Collects dispatches and the memory they need; knows nothing of what they compute.

    With a heap, intermediate results share memory as their lives allow: only outputs and inputs can be read later.
    """

    def __init__(self, device: GpuDevice, heap: Heap | None = None) -> None:
        self.device, self._heap = device, heap
        self.launches: list[Launch] = []
        self.inputs: dict[str, Tensor] = {}
        self._transient: list[Buffer] = []
        self._layer: int | None = None

    def tensor(self, shape: tuple[int, ...], dtype: str = "f32", label: str = "") -> Tensor:
        """Uninitialised memory that lives as long as the Program, or on a heap as long as it is needed."""
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
        self._check(launch)
        self.launches.append(launch if self._layer is None else replace(launch, layer=self._layer))

    @contextmanager
    def layer(self, number: int) -> Iterator[None]:
        """What is recorded meanwhile is part of this layer of a model: measurements tell it from the rest."""
        self._layer = number
        try:
            yield
        finally:
            self._layer = None

    def copy(self, source: Tensor, target: Tensor) -> None:
        """Copy one tensor into another of its size when the Program gets here."""
        if source.nbytes != target.nbytes or source.buffer is target.buffer:
            raise ValidationError(f"a copy needs two buffers and equal sizes, not {source} and {target}")
        self.launch(Launch.copy_of(source, target))

    def _check(self, launch: Launch) -> None:
        limits = self.device.limits
        most = limits["max-compute-workgroups-per-dimension"]
        if max(launch.grid) > most:
            raise ValidationError(f"{launch.label}: grid {launch.grid} exceeds {most} workgroups per dimension")
        binding_limit = limits["max-storage-buffer-binding-size"]
        alignment = limits["min-storage-buffer-offset-alignment"]
        modes: dict[int, tuple[str, str]] = {}
        for b in launch.bindings:
            if b.tensor.nbytes > binding_limit and not launch.is_copy:
                size = readable_bytes(b.tensor.nbytes)
                raise AllocationError(
                    f"{launch.label}: {b.name} {b.tensor.shape} is {size}, but {self.device.info.name} binds at most "
                    f"{readable_bytes(binding_limit)} at once: split the tensor, or use a smaller data type"
                )
            if b.tensor.offset % alignment:
                raise ValidationError(
                    f"{launch.label}: {b.name} starts at byte {b.tensor.offset}, not at a multiple of {alignment}"
                )
            if b.tensor.buffer.released:
                raise ValidationError(f"{launch.label}: {b.name} {b.tensor} was released")
            end = b.tensor.offset + b.tensor.nbytes
            if end > b.tensor.buffer.size:
                raise ValidationError(f"{launch.label}: {b.name} ends at byte {end} of {b.tensor.buffer.size}")
            if b.tensor.buffer.device is not self.device:
                raise ValidationError(f"{launch.label}: {b.name} is on another device")
            other = modes.setdefault(id(b.tensor.buffer), (b.access, b.name))
            if other[1] != b.name and "read_write" in (b.access, other[0]):
                raise ValidationError(
                    f"{launch.label}: {other[1]} and {b.name} share a buffer that is written; WebGPU allows one writer"
                )

    def _params(self) -> tuple[Buffer | None, dict[bytes, int]]:
        """All parameter blocks in one uniform buffer, equal ones once."""
        align = self.device.limits["min-uniform-buffer-offset-alignment"]
        blob, at = bytearray(), dict[bytes, int]()
        for launch in self.launches:
            if launch.params and launch.params not in at:
                at[launch.params] = len(blob)
                blob += launch.params + bytes(-len(launch.params) % align)
        if not blob:
            return None, at
        buffer = Buffer(self.device, len(blob), UNIFORM, "params")
        self.device.webgpu.write_buffer(buffer.handle, 0, bytes(blob))
        return buffer, at

    def finish(self, **outputs: Tensor) -> Program:
        """Compile what is not compiled yet and freeze. The Recorder is spent afterwards."""
        device = self.device
        with device.lock, translated("recording a Program"):
            device.check_alive()
            if self._heap is not None:
                outputs = self._place(self._heap, outputs)
            params, at = self._params()
            device.pipelines.compile_ahead(launch.code for launch in self.launches if not launch.is_copy)
            steps = [self._step(launch, params, at) for launch in self.launches]
        owned = [params] if params else []
        program = Program(device, self.launches, steps, self.inputs, outputs, self._transient, owned)
        self.launches, self._transient = [], []
        return program

    def _place(self, heap: Heap, outputs: dict[str, Tensor]) -> dict[str, Tensor]:
        """Give planned tensors their memory, in the launches and among the outputs."""
        self.launches = needed(self.launches, list(outputs.values()))
        places = heap.place(lives_of(self.launches, list(outputs.values())))
        self.launches = [
            replace(launch, bindings=tuple(replace(b, tensor=placed(b.tensor, places)) for b in launch.bindings))
            for launch in self.launches
        ]
        return {name: placed(tensor, places) for name, tensor in outputs.items()}

    def _step(self, launch: Launch, params: Buffer | None, at: dict[bytes, int]) -> Step | Copy:
        device = self.device
        if launch.is_copy:
            source, target = (b.tensor for b in launch.bindings)
            return Copy(source.buffer.handle, source.offset, target.buffer.handle, source.nbytes, target.offset)
        code = launch.code
        pipeline = device.pipelines.get(code)
        block = (params, at[launch.params], len(launch.params)) if launch.params and params else None
        storage = [(b.tensor.buffer, b.tensor.offset, _bound_bytes(b.tensor)) for b in launch.bindings]
        return Step(pipeline, bind_group(device, code.access, block, storage), *launch.grid)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *exc: object) -> None:
        self.discard()  # nothing is left of it once it is finished

    def discard(self) -> None:
        """Give memory back without making a Program."""
        for buffer in self._transient:
            self.device.pool.give(buffer)
        self.launches, self._transient = [], []


def _bound_bytes(tensor: Tensor) -> int:
    """Whole 16-byte vectors where the buffer has them, so that vec4 views see the last element."""
    return min((tensor.nbytes + 15) // 16 * 16, tensor.buffer.size - tensor.offset)
