"""The bindings of a shader: its parameters at binding 0, if it has any, then the storage buffers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .buffer import Buffer
from .device import GpuDevice

Window = tuple[Buffer, int, int]  # (buffer, offset, bytes)


def most_bytes(device: GpuDevice) -> int:
    """The most bytes that one storage binding may cover: no more than a buffer has, in whole 16-byte vectors."""
    limits = device.limits
    return min(limits["max-storage-buffer-binding-size"], limits["max-buffer-size"]) // 16 * 16


def in_order(params: Window | None, storage: Iterable[Window]) -> list[Window]:
    """The bound resources in order, from binding 0 on."""
    return [*([params] if params is not None else []), *storage]


def access_modes(has_params: object, storage: Iterable[str]) -> tuple[str, ...]:
    """How each binding is accessed, from the storage buffers' modes."""
    return ("uniform", *storage) if has_params else tuple(storage)


def declarations(params: Sequence[tuple[str, str]], storage: Iterable[tuple[str, str, str]]) -> list[str]:
    """WGSL for parameters (name, type), read as `p.name`, and for storage buffers (name, access, element type)."""
    head = []
    if params:
        fields = "".join(f"    {name}: {kind},\n" for name, kind in params)
        head.append(f"struct Params {{\n{fields}}}\n@group(0) @binding(0) var<uniform> p: Params;")
    for i, (name, access, kind) in enumerate(storage, start=len(head)):
        head.append(f"@group(0) @binding({i}) var<storage, {access}> {name}: array<{kind}>;")
    return head


def bind_group(device: GpuDevice, access: tuple[str, ...], params: Window | None, storage: Iterable[Window]) -> Any:
    """A bind group for a shader whose bindings have these access modes."""
    layout, _ = device.pipelines.layout(access)
    windows = [(buffer.handle, offset, size) for buffer, offset, size in in_order(params, storage)]
    return device.webgpu.bind_group(layout, windows)
