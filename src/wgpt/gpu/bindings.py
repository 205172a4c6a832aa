"""Where a shader finds what it is given: its parameters at binding 0, if it has any, and then the storage buffers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .buffer import Buffer

if TYPE_CHECKING:
    from .device import GpuDevice

Window = tuple[Buffer, int, int]  # a buffer, where in it, how many bytes


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
    """A bind group for a shader with these access modes."""
    windows = [*([params] if params is not None else []), *storage]
    entries = [
        {"binding": i, "resource": {"buffer": buffer.handle, "offset": offset, "size": size}}
        for i, (buffer, offset, size) in enumerate(windows)
    ]
    layout, _ = device.pipelines.layout(access)
    return device.wgpu_device.create_bind_group(layout=layout, entries=entries)
