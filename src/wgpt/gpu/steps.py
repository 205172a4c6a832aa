"""Checked dispatches with parameters, pipelines and bind groups, as WebGPU takes them."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.sizes import readable_bytes
from .bindings import bind_group
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .errors import AllocationError, ValidationError
from .launch import Launch
from .webgpu.interface import UNIFORM, Copy, Step


def check_launch(device: GpuDevice, launch: Launch) -> None:
    """Refuse a dispatch that WebGPU would reject, naming the binding."""
    limits = device.limits
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
                f"{launch.label}: {b.name} {b.tensor.shape} is {size}, but {device.info.name} binds at most "
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
        if b.tensor.buffer.device is not device:
            raise ValidationError(f"{launch.label}: {b.name} is on another device")
        other = modes.setdefault(id(b.tensor.buffer), (b.access, b.name))
        if other[1] != b.name and "read_write" in (b.access, other[0]):
            raise ValidationError(
                f"{launch.label}: {other[1]} and {b.name} share a buffer that is written; WebGPU allows one writer"
            )


def compile_shaders(device: GpuDevice, launches: Sequence[Launch]) -> None:
    """Compile the launches' shaders, several at a time, before `steps_of`. Call it within `translated`."""
    device.pipelines.compile_ahead(launch.code for launch in launches if not launch.is_copy)


def steps_of(device: GpuDevice, launches: Sequence[Launch]) -> tuple[list[Step | Copy], list[Buffer]]:
    """Encodable steps for launches, and the buffer of their parameters, if they have any. Call it within
    `translated`."""
    blob, at = packed_params(launches, device.limits["min-uniform-buffer-offset-alignment"])
    params = Buffer(device, len(blob), UNIFORM, "params") if blob else None
    if params is not None:
        device.webgpu.write_buffer(params.handle, 0, blob)
    steps = [_step(device, launch, params, at) for launch in launches]
    return steps, [params] if params else []


def packed_params(launches: Sequence[Launch], align: int) -> tuple[bytes, dict[bytes, int]]:
    """All parameter blocks in one array, without duplicates, and the offset of each."""
    blob, at = bytearray(), dict[bytes, int]()
    for launch in launches:
        if launch.params and launch.params not in at:
            at[launch.params] = len(blob)
            blob += launch.params + bytes(-len(launch.params) % align)
    return bytes(blob), at


def _step(device: GpuDevice, launch: Launch, params: Buffer | None, at: dict[bytes, int]) -> Step | Copy:
    if launch.is_copy:
        source, target = (b.tensor for b in launch.bindings)
        return Copy(source.buffer.handle, source.offset, target.buffer.handle, source.nbytes, target.offset)
    code = launch.code
    pipeline = device.pipelines.get(code)
    block = (params, at[launch.params], len(launch.params)) if launch.params and params else None
    storage = [(b.tensor.buffer, b.tensor.offset, bound_bytes(b.tensor)) for b in launch.bindings]
    return Step(pipeline, bind_group(device, code.access, block, storage), *launch.grid)


def bound_bytes(tensor: Tensor) -> int:
    """The size of a binding, in whole 16-byte vectors where the buffer has them, so that vec4 views cover the last
    element.
    """
    return min((tensor.nbytes + 15) // 16 * 16, tensor.buffer.size - tensor.offset)
