"""Encodes commands by calling webgpu.h's functions directly, in wgpu-native or in Dawn."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .interface import Copy, Step
from .machine_code import ITEM, loop


class Dispatches(NamedTuple):
    """The steps of a pass with their C handles. Keep the steps as long as this is used: they own the handles."""

    raw: Sequence[tuple[Any, Any, int, int, int]]
    packed: NDArray[Any] | None  # the same as data for the loop in machine code, where there is one
    span: tuple[int, int] = (0, 0)  # addresses of its beginning and end


NO_DISPATCHES = Dispatches((), None)


def dispatches(ffi: Any, steps: Sequence[Step]) -> Dispatches:
    """The dispatches; a pipeline equal to the previous one becomes None, because it is already set."""
    raw = []
    last = None
    for s in steps:
        handle = s.pipeline._internal
        raw.append((None if handle == last else handle, s.bind_group._internal, s.x, s.y, s.z))
        last = handle
    if not raw or loop() is None:
        return Dispatches(raw, None)
    items = [(0 if p is None else _address(ffi, p), _address(ffi, g), x, y, z, 0) for p, g, x, y, z in raw]
    packed = np.array(items, ITEM)
    first = int(packed.ctypes.data)
    return Dispatches(raw, packed, (first, first + packed.nbytes))


@functools.cache
def _loop_functions(lib: Any, ffi: Any) -> tuple[int, ...]:
    """The addresses of the functions that the loop calls."""
    names = ("SetPipeline", "SetBindGroup", "DispatchWorkgroups")
    return tuple(_address(ffi, ffi.addressof(lib, f"wgpuComputePassEncoder{name}")) for name in names)


def _address(ffi: Any, handle: Any) -> int:
    return int(ffi.cast("uintptr_t", handle))


def encode(
    lib: Any, ffi: Any, device: Any, segments: Sequence[tuple[Sequence[Copy], Dispatches]], copies: Sequence[Copy]
) -> Any:
    """Encode copies and a compute pass per segment, then `copies`; `lib` has the functions."""
    encoder = lib.wgpuDeviceCreateCommandEncoder(device, ffi.NULL)
    encode_into(lib, ffi, encoder, segments, copies)
    return encoder


def encode_into(
    lib: Any, ffi: Any, encoder: Any, segments: Sequence[tuple[Sequence[Copy], Dispatches]], copies: Sequence[Copy]
) -> None:
    for before, steps in segments:
        encode_copies(lib, encoder, before)
        if steps.raw:
            encode_pass(lib, ffi, encoder, steps)
    encode_copies(lib, encoder, copies)


def encode_pass(lib: Any, ffi: Any, encoder: Any, steps: Dispatches, descriptor: Any = None) -> None:
    pass_ = lib.wgpuCommandEncoderBeginComputePass(encoder, ffi.NULL if descriptor is None else descriptor)
    fill_pass(lib, ffi, pass_, steps)
    lib.wgpuComputePassEncoderRelease(pass_)


def fill_pass(lib: Any, ffi: Any, pass_: Any, steps: Dispatches) -> None:
    """Encode the dispatches of a pass and end it."""
    native = loop()
    if native is not None and steps.packed is not None:
        native(_address(ffi, pass_), *steps.span, *_loop_functions(lib, ffi))
    else:
        null = ffi.NULL
        set_pipeline = lib.wgpuComputePassEncoderSetPipeline
        set_bind_group = lib.wgpuComputePassEncoderSetBindGroup
        dispatch = lib.wgpuComputePassEncoderDispatchWorkgroups
        for pipeline, group, x, y, z in steps.raw:
            if pipeline is not None:
                set_pipeline(pass_, pipeline)
            set_bind_group(pass_, 0, group, 0, null)
            dispatch(pass_, x, y, z)
    lib.wgpuComputePassEncoderEnd(pass_)


def encode_copies(lib: Any, encoder: Any, copies: Sequence[Copy]) -> None:
    for c in copies:
        lib.wgpuCommandEncoderCopyBufferToBuffer(
            encoder, c.src._internal, c.src_offset, c.dst._internal, c.dst_offset, c.size
        )
