"""Commands by direct calls of webgpu.h's functions: the same ones in wgpu-native and in Dawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .interface import Copy, Step

Raw = tuple[Any, Any, int, int, int]  # a Step with C handles


def raw(steps: Sequence[Step]) -> list[Raw]:
    """Steps with C handles; a pipeline equal to the one before it becomes None."""
    out: list[Raw] = []
    last = None
    for s in steps:
        handle = s.pipeline._internal
        out.append((None if handle == last else handle, s.bind_group._internal, s.x, s.y, s.z))
        last = handle
    return out


def encode(
    lib: Any, null: Any, device: Any, segments: Sequence[tuple[Sequence[Copy], Sequence[Raw]]], copies: Sequence[Copy]
) -> Any:
    """An encoder with copies and a compute pass per segment, then `copies`; `lib` has the functions."""
    encoder = lib.wgpuDeviceCreateCommandEncoder(device, null)
    for before, dispatches in segments:
        encode_copies(lib, encoder, before)
        if dispatches:
            encode_pass(lib, null, encoder, dispatches)
    encode_copies(lib, encoder, copies)
    return encoder


def encode_pass(lib: Any, null: Any, encoder: Any, dispatches: Sequence[Raw], descriptor: Any = None) -> None:
    set_pipeline = lib.wgpuComputePassEncoderSetPipeline
    set_bind_group = lib.wgpuComputePassEncoderSetBindGroup
    dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
    pass_ = lib.wgpuCommandEncoderBeginComputePass(encoder, null if descriptor is None else descriptor)
    for pipeline, group, x, y, z in dispatches:
        if pipeline is not None:
            set_pipeline(pass_, pipeline)
        set_bind_group(pass_, 0, group, 0, null)
        dispatch(pass_, x, y, z)
    lib.wgpuComputePassEncoderEnd(pass_)
    lib.wgpuComputePassEncoderRelease(pass_)


def encode_copies(lib: Any, encoder: Any, copies: Sequence[Copy]) -> None:
    for c in copies:
        lib.wgpuCommandEncoderCopyBufferToBuffer(
            encoder, c.src._internal, c.src_offset, c.dst._internal, c.dst_offset, c.size
        )
