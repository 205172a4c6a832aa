"""All use of wgpu-py's private API; wgpu_native.py falls back to the public one.

wgpu-py's own calls cost 4 to 7 us per dispatch in Python checks; calling the same C functions directly costs a third of
that. `WGPT_NATIVE=0`, or a wgpu-py with other internals, selects the fallback.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
import wgpu
from numpy.typing import NDArray

from .encoding import Dispatches, dispatches, encode
from .ffi_types import look_up_first
from .interface import Copy, Step
from .interrupts import interrupt_held_back, interruptible, keep, raise_kept

try:
    from wgpu.backends.wgpu_native import _api as _wgpu_api
    from wgpu.backends.wgpu_native import ffi, lib

    look_up_first(ffi)
    _errors: Any = _wgpu_api.error_handler
    _wanted = (
        "wgpuComputePassEncoderSetPipeline",
        "wgpuComputePassEncoderSetBindGroup",
        "wgpuComputePassEncoderDispatchWorkgroups",
        "wgpuDeviceCreateShaderModuleTrusted",
        "wgpuBufferMapAsync",
        "wgpuDevicePoll",
    )
    available = all(hasattr(lib, name) for name in _wanted) and os.environ.get("WGPT_NATIVE", "1") != "0"
except (ImportError, AttributeError):  # pragma: no cover - another wgpu-py
    available = False


class _ErrorsRaised:
    """Raise what wgpu-native reports about the calls within the block. A class, because a generator would take
    longer."""

    def __enter__(self) -> None:
        _errors.capture("wgpt")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        error = _errors.release("wgpt")
        if error is not None and kind is None:
            raise wgpu.GPUValidationError(error[1]) if error[0] == "Validation" else wgpu.GPUInternalError(error[1])


_errors_raised = _ErrorsRaised()


def ready(steps: Sequence[Step]) -> Dispatches:
    """The dispatches of a pass, ready for `record`."""
    return dispatches(ffi, steps)


def record(device: Any, segments: Sequence[tuple[Sequence[Copy], Dispatches]], copies: Sequence[Copy]) -> Any:
    """Record copies and a compute pass per segment, then `copies`. Any thread may `finish` the encoder."""
    with _errors_raised:
        return encode(lib, ffi, device._internal, segments, copies)


def finish(device: Any, encoder: Any) -> None:
    """Submit what was recorded, as one command buffer."""
    with _errors_raised:
        _submit(device, _closed(encoder))
    raise_kept()  # a submit calls back as well


def close(encoder: Any) -> Any:
    """Close what was recorded, for `submit_closed`."""
    with _errors_raised:
        return _closed(encoder)


def submit_closed(device: Any, commands: Any) -> None:
    with _errors_raised:
        _submit(device, commands)
    raise_kept()


def _closed(encoder: Any) -> Any:
    commands = lib.wgpuCommandEncoderFinish(encoder, ffi.NULL)
    lib.wgpuCommandEncoderRelease(encoder)
    return commands


def _submit(device: Any, commands: Any) -> None:
    # Submitting a buffer that failed (because the device was lost, say) would abort the process.
    if _errors._get_proxy_stack()[-1].message is None:
        lib.wgpuQueueSubmit(device.queue._internal, 1, ffi.new(_COMMANDS, [commands]))
    lib.wgpuCommandBufferRelease(commands)


def write_buffer(device: Any, buffer: Any, offset: int, data: bytes | NDArray[Any]) -> None:
    """Write to a buffer; the data is copied before the call returns."""
    source = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.ascontiguousarray(data)
    with _errors_raised:
        lib.wgpuQueueWriteBuffer(
            device.queue._internal, buffer._internal, offset, ffi.from_buffer(source), source.nbytes
        )


def discard_closed(commands: Any) -> None:
    """Free a closed command buffer without submitting it."""
    lib.wgpuCommandBufferRelease(commands)


def trusted_shader_module(device: Any, code: str, label: str) -> Any:
    """Compile without bounds checks and loop guards: only for wgpt's own verified kernels."""
    if not available:
        return device.create_shader_module(code=code, label=label)
    source = _wgpu_api.new_struct_p("WGPUShaderSourceWGSL *", code=_wgpu_api.to_c_string_view(code))
    source[0].chain.next = ffi.NULL
    source[0].chain.sType = lib.WGPUSType_ShaderSourceWGSL
    descriptor = _wgpu_api.new_struct_p(
        "WGPUShaderModuleDescriptor *",
        nextInChain=ffi.cast("WGPUChainedStruct *", source),
        label=_wgpu_api.to_c_string_view(label),
    )
    handle = _wgpu_api.libf.wgpuDeviceCreateShaderModuleTrusted(device._internal, descriptor, 0)
    return _wgpu_api.GPUShaderModule(label, handle, device)


_waiting: dict[int, MapTicket] = {}  # kept until their callback has come, even if nobody waits for them
_numbers = itertools.count(1)

if available:
    _COMMANDS, _NUMBER = ffi.typeof("WGPUCommandBuffer[]"), ffi.typeof("void *")
    _MAP_INFO, _BYTES = ffi.typeof("WGPUBufferMapCallbackInfo *"), ffi.typeof("char *")

    def _keep(_: type[BaseException], error: BaseException, trace: TracebackType) -> None:
        """Keep an exception raised in a callback for the next `poll`, because it cannot pass through C.

        The map itself has ended. The exception is nearly always Ctrl-C: Python handles signals when C code next enters
        Python, which is in the callback.
        """
        keep(error)
        arguments = trace.tb_frame.f_locals
        _note_mapped(arguments["status"], arguments["message"], arguments["number"])

    @ffi.callback("void(WGPUMapAsyncStatus, WGPUStringView, void *, void *)", onerror=_keep)
    def _on_mapped(status: int, message: Any, number: Any, _: Any) -> None:
        """One callback for all maps: creating one costs more than the map itself."""
        _note_mapped(status, message, number)


def _note_mapped(status: int, message: Any, number: Any) -> None:
    """Tell the ticket how its map ended, unless it already knows."""
    ticket = _waiting.get(key := int(ffi.cast("uintptr_t", number)))
    if ticket is not None:
        if status != lib.WGPUMapAsyncStatus_Success:
            ticket._message = _wgpu_api.from_c_string_view(message)
        ticket._status = status
        _waiting.pop(key, None)


def poll(device: Any) -> bool:
    """Let the device make progress and free resources; returns whether all its work is finished."""
    if available:
        idle = bool(lib.wgpuDevicePoll(device._internal, False, ffi.NULL))
        raise_kept()
        return idle
    with interrupt_held_back():
        device._poll()
    return True


class MapTicket:
    """A buffer being mapped for reading or writing. Poll the device until `done`."""

    def __init__(self, device: Any, buffer: Any, size: int, write: bool = False) -> None:
        self._device, self._buffer, self._size = device, buffer, size
        self._status: int | None = None
        self._message = ""
        if available:
            number = next(_numbers)
            _waiting[number] = self
            info = ffi.new(_MAP_INFO)  # one struct for all would mix up the numbers of two threads
            info.mode, info.callback = lib.WGPUCallbackMode_AllowProcessEvents, _on_mapped
            info.userdata1 = ffi.cast(_NUMBER, number)
            mode = lib.WGPUMapMode_Write if write else lib.WGPUMapMode_Read
            with _errors_raised:
                lib.wgpuBufferMapAsync(buffer._internal, mode, 0, size, info[0])
        else:
            self._promise = buffer.map_async("READ_NOSYNC", 0, size)

    def poll(self) -> bool:
        if self._status is None:
            poll(self._device)
        if available:
            if self._status is not None and self._status != lib.WGPUMapAsyncStatus_Success:
                raise wgpu.GPUInternalError(f"could not map a staging buffer: {self._message or 'device is lost'}")
            return self._status is not None
        if self._promise._state == "pending":
            return False
        self._promise.sync_wait()
        return True

    def take(self, out: memoryview) -> None:
        if available:
            ffi.memmove(out, self._mapped(), out.nbytes)
            lib.wgpuBufferUnmap(self._buffer._internal)
        else:
            # raises if the device is lost
            self._device.create_buffer(size=16, usage=wgpu.BufferUsage.COPY_DST).destroy()
            out.cast("B")[:] = self._buffer.read_mapped(0, self._size)[: out.nbytes]
            self._buffer.unmap()

    def put(self, parts: Sequence[tuple[int, NDArray[Any]]]) -> None:
        target = self._mapped()
        for offset, data in parts:
            ffi.memmove(target + offset, ffi.from_buffer(data), data.nbytes)
        lib.wgpuBufferUnmap(self._buffer._internal)

    def _mapped(self) -> Any:
        """The mapped memory. Asking for that of a lost device aborts the process in wgpu-native; an empty write only
        raises."""
        buffer = self._buffer._internal
        with _errors_raised:
            lib.wgpuQueueWriteBuffer(self._device.queue._internal, buffer, 0, ffi.NULL, 0)
        return ffi.cast(_BYTES, lib.wgpuBufferGetMappedRange(buffer, 0, self._size))


for _kind in (wgpu.GPUObjectBase, wgpu.GPUAdapter):
    _kind.__del__ = interruptible(_kind.__del__)


def abandon_objects() -> None:
    """Stop freeing wgpu's objects: in a forked child, the driver would wait for threads that do not exist."""
    for kind in (wgpu.GPUObjectBase, wgpu.GPUAdapter):
        kind.__del__ = lambda self: None


def live_objects() -> dict[str, int]:
    """How many buffers, bind groups, ... wgpu-native holds."""
    from wgpu.backends.wgpu_native._helpers import generate_report

    return {name: entry["kept"] for name, entry in generate_report()["hub"].items()}


def timestamp_period(device: Any) -> float:
    """Nanoseconds per timestamp tick."""
    return float(lib.wgpuQueueGetTimestampPeriod(device.queue._internal)) if available else 1.0
