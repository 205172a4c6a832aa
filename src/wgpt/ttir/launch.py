"""Launches a shader with buffers and scalars, with little work per launch."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any
from weakref import ReferenceType, ref

import numpy as np

from ..gpu import GpuDevice
from ..gpu.bindings import Window, access_modes, bind_group, in_order
from ..gpu.buffer import Buffer
from ..gpu.dtypes import from_bf16, to_bf16
from ..gpu.pipeline import ShaderCode
from ..gpu.webgpu.failures import translated
from ..gpu.webgpu.interface import UNIFORM, Step
from ..kernels.grid import MOST, linear
from .errors import Refused
from .scalars import ScalarBlocks
from .shader import Shader

_FORMAT = {"i64": "q", "f16": "f", "bf16": "f", "f32": "f"}
_KEPT_GROUPS = 256


def packer(shader: Shader) -> Callable[[Sequence[Any], Sequence[int], tuple[int, int, int]], bytes]:
    """A function from (arguments, pointer offsets, grid) to the bytes of the uniform block."""
    layout = struct.Struct("<" + "".join(_FORMAT.get(f.elem, "i") for f in shader.fields))
    pad = bytes(-layout.size % 16)
    plain = [f.arg for f in shader.fields]
    if all(f.elem in ("i32", "f32") for f in shader.fields):
        # The common case: values are checked one by one only if packing them fails.
        def quick(args: Sequence[Any], offsets: Sequence[int], grid: tuple[int, int, int]) -> bytes:
            try:
                return layout.pack(*[args[i] for i in plain]) + pad
            except struct.error:
                return layout.pack(*[_fitted(args[f.arg], f.elem) for f in shader.fields]) + pad

        return quick

    def pack(args: Sequence[Any], offsets: Sequence[int], grid: tuple[int, int, int]) -> bytes:
        values = []
        for f in shader.fields:
            if f.elem == "offset":
                values.append(offsets[f.arg])
            elif f.elem == "grid":
                values.append(grid[f.arg])
            else:
                values.append(_fitted(args[f.arg], f.elem))
        return layout.pack(*values) + pad

    return pack


def _fitted(value: Any, elem: str) -> Any:
    """A Python number converted to the type of its field; integers wrap, as in Triton."""
    if elem == "f16":
        return float(np.float16(value))
    if elem == "bf16":
        return float(from_bf16(to_bf16(np.array([value], np.float32)))[0])
    if elem == "f32":
        return float(value)
    bits = 1 if elem == "i1" else int(elem[1:])
    number = int(value) & ((1 << bits) - 1)
    return number if bits == 1 or number < 1 << (bits - 1) else number - (1 << bits)


class Prepared:
    """A shader on a device: pipeline, uniform buffer, and the bind groups of its most recent arguments."""

    def __init__(self, shader: Shader, device: GpuDevice) -> None:
        self.shader, self.device = shader, device
        self.pack = packer(shader)
        self._access = access_modes(shader.fields, (b.access for b in shader.bindings))
        most = device.limits["max-storage-buffers-per-shader-stage"]
        if len(shader.bindings) > most:
            raise Refused(f"{len(shader.bindings)} buffers: {device.info.name} binds {most} at once", shader.name)
        self.pipeline = device.pipelines.get(ShaderCode(shader.wgsl, self._access, shader.name))
        size = sum(8 if f.elem == "i64" else 4 for f in shader.fields)
        self._uniform = Buffer(device, size, UNIFORM, "params") if size else None
        self._last = b""
        self.blocks = ScalarBlocks(device, self._uniform.size) if self._uniform is not None else None
        self._groups: dict[tuple[tuple[int, int, int], ...], tuple[Any, list[ReferenceType[Buffer]]]] = {}

    def group(self, windows: Sequence[Window], block: int | None = None) -> Any:
        """A bind group for these arguments, with the scalars of a single launch, or block `block` of a batch."""
        params: Window | None = None
        if self._uniform is not None and self.blocks is not None:
            params = (self._uniform, 0, self._uniform.size) if block is None else self.blocks.window(block)
        bound = in_order(params, windows)
        key = tuple([(id(buffer), offset, size) for buffer, offset, size in bound])
        cached = self._groups.get(key)
        if cached is None or any(kept() is not b for kept, (b, _, _) in zip(cached[1], bound, strict=True)):
            group = bind_group(self.device, self._access, params, windows)
            if len(self._groups) >= _KEPT_GROUPS:
                self._groups.pop(next(iter(self._groups)))
            # Weak references: a cached group must not keep memory alive, and an id may be reused for another buffer.
            cached = self._groups[key] = (group, [ref(b) for b, _, _ in bound])
        return cached[0]

    def set_params(self, params: bytes) -> None:
        if self._uniform is not None and params != self._last:
            self.device.webgpu.write_buffer(self._uniform.handle, 0, params)
            self._last = params

    def ready(self, grid: tuple[int, int, int], windows: Sequence[Window]) -> Ready:
        """A launch, prepared except for the values of its scalars."""
        return Ready(self, linear(grid[0] * grid[1] * grid[2]) if self.shader.folded else grid, windows)


class Ready:
    """A launch that only needs the bytes of its scalars. The caller must keep its buffers alive."""

    __slots__ = ("_alone", "_grid", "_windows", "prepared")

    def __init__(self, prepared: Prepared, grid: tuple[int, int, int], windows: Sequence[Window]) -> None:
        self.prepared, self._grid = prepared, grid
        self._windows = [(ref(buffer), offset, size) for buffer, offset, size in windows]
        self._alone = prepared.device.webgpu.ready([Step(prepared.pipeline, prepared.group(windows), *grid)])

    def launch(self, params: bytes) -> None:
        """Submit it by itself, without waiting for it."""
        prepared = self.prepared
        device = prepared.device
        with device.lock, translated(f"launching {prepared.shader.name}"):
            device.check_alive()
            device.settle()
            for kept, _, _ in self._windows:
                self.check(kept())
            prepared.set_params(params)
            device.webgpu.submit(self._alone)
            device.submits += 1

    def step(self, block: int) -> tuple[Step, list[Buffer]]:
        """A dispatch for a batch, with its scalars in block `block`, and the buffers that must exist at the submit."""
        windows = [(self.check(kept()), offset, size) for kept, offset, size in self._windows]
        group = self.prepared.group(windows, block)
        return Step(self.prepared.pipeline, group, *self._grid), [buffer for buffer, _, _ in windows]

    def check(self, buffer: Buffer | None) -> Buffer:
        if buffer is None or buffer.released:
            raise Refused("an argument's memory was released", self.prepared.shader.name)
        return buffer


def needs_folding(grid: tuple[int, int, int]) -> bool:
    return max(grid) > MOST
