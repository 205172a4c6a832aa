"""A device of Dawn, behind our WebGpu interface."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import wgpu
from numpy.typing import NDArray

from ...errors import NoGpuError
from .. import host_memory
from ..encoding import NO_DISPATCHES, Dispatches, dispatches, encode_copies, encode_into, encode_pass, fill_pass
from ..interface import HOST, STORAGE, Copy, GpuInfo, Pass, Segment, Steps, segments
from ..interrupts import raise_kept
from .instance import Adapter, instance
from .lent_memory import lend
from .mapping import Mapping
from .objects import Handle, live_objects
from .tint import for_tint

# feature names: wgpu-py's, which we use, and Dawn's
FEATURES = {
    "shader-f16": "ShaderF16",
    "subgroup": "Subgroups",
    "timestamp-query": "TimestampQuery",
    host_memory.FEATURE: "HostMappedPointer",
}
_MATRIX, _THREADS = "ChromiumExperimentalSubgroupMatrix", "ImplicitDeviceSynchronization"
_BINDING_TYPE = {"uniform": "Uniform", "read": "ReadOnlyStorage", "read_write": "Storage"}
_COMPUTE = 4  # bit of the compute stage
_NO_QUERY = 0xFFFFFFFF
_ERRORS = {"OutOfMemory": wgpu.GPUOutOfMemoryError, "Internal": wgpu.GPUInternalError}


def adapter_of(info: GpuInfo) -> Adapter:
    """Dawn's adapter for a GPU of wgpu-native's list."""
    adapters = instance().adapters(info.backend)
    for adapter in adapters:
        if adapter.name == info.name:
            return adapter
    names = "; ".join(a.name for a in adapters) or "none"
    raise NoGpuError(
        f"Dawn does not offer {info.name} through {info.backend} (it offers: {names}): choose another GPU, or "
        "webgpu='wgpu'"
    )


class _Ready(NamedTuple):
    """A segment with its C handles; the segment itself keeps their objects alive."""

    segment: Segment
    dispatches: Dispatches


class _Thread(threading.local):
    """Errors that Dawn has reported in this thread."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []


class _Lost:
    """Why the device was lost, once it is."""

    message: str | None = None


class Dawn:
    """A device of Dawn."""

    name, direct = "Dawn", True
    ahead = 4  # a submit holds Dawn's lock, which recording needs (see anticipate)

    def __init__(self, info: GpuInfo) -> None:
        self._instance = owner = instance()
        self._ffi, self._lib = owner.ffi, owner.lib
        self.version = owner.library.version
        adapter = adapter_of(info)
        lib = self._lib
        has = {name for name in (*FEATURES.values(), _MATRIX, _THREADS) if self._offers(adapter, name)}
        self.features = frozenset(name for name, theirs in FEATURES.items() if theirs in has)
        self.matrices = adapter.matrices
        self._thread, self._lost = _Thread(), _Lost()
        self._submits = self._done = 0  # the number of the last submit, and of the last one known to be finished
        self._asked = False
        self._opened: tuple[Handle, Handle] | None = None  # an encoder and its open pass, prepared in advance
        limits = owner.new("Limits")
        lib.wgpuAdapterGetLimits(adapter.handle, limits)
        self.limits = {
            _dashed(name): int(getattr(limits, name))
            for name, _ in self._ffi.typeof("WGPULimits").fields
            if name != "nextInChain"
        }
        self._device = self._open(info, adapter, limits, sorted(has))
        lib.wgpuAdapterRelease(adapter.handle)
        self._queue = self._handle("Queue", lib.wgpuDeviceGetQueue(self._device._internal))

    def _offers(self, adapter: Adapter, feature: str) -> bool:
        return bool(self._lib.wgpuAdapterHasFeature(adapter.handle, getattr(self._lib, f"WGPUFeatureName_{feature}")))

    def _open(self, info: GpuInfo, adapter: Adapter, limits: Any, features: Sequence[str]) -> Handle:
        owner, lib, ffi = self._instance, self._lib, self._ffi
        thread, lost = self._thread, self._lost  # not self: the instance would keep the device alive

        def on_error(_: Any, kind: int, message: Any) -> None:
            thread.errors.append(_error(lib, kind, owner.text(message)))

        def on_lost(_: Any, reason: int, message: Any) -> None:
            lost.message = owner.text(message) or "no reason given"

        numbers = owner.wait_for(on_error), owner.wait_for(on_lost)
        toggles, kept = owner.device_toggles()
        wanted = ffi.new("WGPUFeatureName[]", [getattr(lib, f"WGPUFeatureName_{name}") for name in features])
        descriptor = owner.new(
            "DeviceDescriptor",
            nextInChain=toggles,
            requiredFeatureCount=len(features),
            requiredFeatures=wanted,
            requiredLimits=limits,
            uncapturedErrorCallbackInfo={"callback": owner.callbacks["UncapturedError"], "userdata1": numbers[0]},
            deviceLostCallbackInfo={
                "mode": lib.WGPUCallbackMode_AllowSpontaneous,
                "callback": owner.callbacks["DeviceLost"],
                "userdata1": numbers[1],
            },
        )
        status, device, message = owner.asked(lib.wgpuAdapterRequestDevice, adapter.handle, descriptor, "RequestDevice")
        del kept
        for number in numbers:
            weakref.finalize(self, owner.forget, number)
        if status != lib.WGPURequestDeviceStatus_Success:
            raise NoGpuError(f"{info} could not be opened by Dawn: {message}")
        return self._handle("Device", device)

    def _handle(self, kind: str, internal: Any) -> Handle:
        return Handle(self._lib, kind, internal)

    @contextmanager
    def _raising(self) -> Iterator[None]:
        """Raise what Dawn reports about the calls within the block; a lost device reports nothing by itself."""
        errors = self._thread.errors
        errors.clear()
        self.raise_if_lost()
        yield
        if errors:
            error = errors[0]
            errors.clear()  # do not keep its frames alive until the next call
            raise error
        self.raise_if_lost()

    def raise_if_lost(self) -> None:
        if self._lost.message is not None:
            raise wgpu.GPUInternalError(f"device is lost: {self._lost.message}")

    def create_buffer(self, size: int, usage: int, label: str) -> Handle:
        owner = self._instance
        view, kept = owner.view(label)
        lent = None
        if usage == HOST:
            usage, (lent, size) = STORAGE, lend(owner, size)
        descriptor = owner.new(
            "BufferDescriptor",
            nextInChain=self._ffi.NULL if lent is None else owner.chained(lent),
            label=view,
            usage=usage,
            size=size,
        )
        try:
            with self._raising():
                handle = self._handle("Buffer", self._lib.wgpuDeviceCreateBuffer(self._device._internal, descriptor))
        except wgpu.GPUError:
            if lent is not None:
                owner.forget(lent.userdata)
            raise
        del kept
        return handle

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        source = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.ascontiguousarray(data)
        with self._raising():
            self._lib.wgpuQueueWriteBuffer(
                self._queue._internal, memory._internal, offset, self._ffi.from_buffer(source), source.nbytes
            )

    def layouts(self, access: Sequence[str]) -> tuple[Handle, Handle]:
        lib, owner = self._lib, self._instance
        entries = self._ffi.new(
            "WGPUBindGroupLayoutEntry[]",
            [
                {
                    "binding": i,
                    "visibility": _COMPUTE,
                    "buffer": {"type": getattr(lib, f"WGPUBufferBindingType_{_BINDING_TYPE[a]}")},
                }
                for i, a in enumerate(access)
            ],
        )
        descriptor = owner.new("BindGroupLayoutDescriptor", entryCount=len(access), entries=entries)
        with self._raising():
            group = self._handle(
                "BindGroupLayout", lib.wgpuDeviceCreateBindGroupLayout(self._device._internal, descriptor)
            )
            groups = self._ffi.new("WGPUBindGroupLayout[]", [group._internal])
            pipeline = owner.new("PipelineLayoutDescriptor", bindGroupLayoutCount=1, bindGroupLayouts=groups)
            return group, self._handle(
                "PipelineLayout", lib.wgpuDeviceCreatePipelineLayout(self._device._internal, pipeline)
            )

    def compile(self, wgsl: str, pipeline_layout: Any, label: str, trusted: bool) -> Handle:
        """Dawn omits bounds checks for all shaders of a device or for none: `trusted` makes no difference."""
        lib, owner = self._lib, self._instance
        module = self.module(wgsl, label)
        name, kept = owner.view(label)
        main, main_kept = owner.view("main")
        pipeline = owner.new(
            "ComputePipelineDescriptor",
            label=name,
            layout=pipeline_layout._internal,
            compute={"module": module._internal, "entryPoint": main},
        )
        with self._raising():
            status, compiled, message = owner.asked(
                lib.wgpuDeviceCreateComputePipelineAsync, self._device._internal, pipeline, "CreateComputePipelineAsync"
            )
        del kept, main_kept
        if status == lib.WGPUCreatePipelineAsyncStatus_Success:
            return self._handle("ComputePipeline", compiled)
        self.raise_if_lost()
        raise wgpu.GPUValidationError(message)

    def module(self, wgsl: str, label: str) -> Handle:
        """A shader that Tint has parsed and checked."""
        lib, owner = self._lib, self._instance
        code, kept = owner.view(for_tint(wgsl))
        name, also = owner.view(label)
        source = owner.new(
            "ShaderSourceWGSL", chain={"next": self._ffi.NULL, "sType": lib.WGPUSType_ShaderSourceWGSL}, code=code
        )
        descriptor = owner.new("ShaderModuleDescriptor", nextInChain=owner.chained(source), label=name)
        with self._raising():
            module = self._handle("ShaderModule", lib.wgpuDeviceCreateShaderModule(self._device._internal, descriptor))
        del kept, also
        return module

    def bind_group(self, group_layout: Any, windows: Sequence[tuple[Any, int, int]]) -> Handle:
        entries = self._ffi.new(
            "WGPUBindGroupEntry[]",
            [
                {"binding": i, "buffer": memory._internal, "offset": offset, "size": size}
                for i, (memory, offset, size) in enumerate(windows)
            ],
        )
        descriptor = self._instance.new(
            "BindGroupDescriptor", layout=group_layout._internal, entryCount=len(windows), entries=entries
        )
        with self._raising():
            return self._handle("BindGroup", self._lib.wgpuDeviceCreateBindGroup(self._device._internal, descriptor))

    def ready(self, steps: Steps) -> list[_Ready]:
        return [_Ready(segment, dispatches(self._ffi, segment.steps)) for segment in segments(steps)]

    def record(self, ready: Sequence[_Ready], copies: Sequence[Copy] = (), before: Sequence[Copy] = ()) -> Handle:
        with self._raising():
            parts = [(item.segment.copies, item.dispatches) for item in ready]
            if before:
                parts.insert(0, (before, NO_DISPATCHES))
            opened = self._opened
            if opened is None or not parts or parts[0][0] or not parts[0][1].raw:
                encoder = self._encoder()
            else:
                self._opened, encoder = None, opened[0]
                fill_pass(self._lib, self._ffi, opened[1]._internal, parts.pop(0)[1])
            encode_into(self._lib, self._ffi, encoder._internal, parts, copies)
            return encoder

    def anticipate(self) -> None:
        """Begin the next encoder and pass, and process events: a submit holds the lock that these need."""
        with self._raising():
            if self._opened is None:
                encoder = self._encoder()
                begun = self._lib.wgpuCommandEncoderBeginComputePass(encoder._internal, self._ffi.NULL)
                self._opened = encoder, self._handle("ComputePassEncoder", begun)
        self._instance.process_events()
        raise_kept()

    def finish(self, recorded: Handle) -> None:
        self._commands(recorded)()

    def close(self, recorded: Handle) -> Callable[[], None]:
        return self._commands(recorded)

    def submit_closed(self, commands: Callable[[], None]) -> None:
        commands()

    def discard_closed(self, commands: Callable[[], None]) -> None:
        pass  # freed with the handle

    def _commands(self, encoder: Handle) -> Callable[[], None]:
        """Encode commands; the call submits them."""
        with self._raising():
            commands = self._handle(
                "CommandBuffer", self._lib.wgpuCommandEncoderFinish(encoder._internal, self._ffi.NULL)
            )

        def submit() -> None:
            with self._raising():
                self._submits += 1
                self._lib.wgpuQueueSubmit(
                    self._queue._internal, 1, self._ffi.new("WGPUCommandBuffer[]", [commands._internal])
                )
            raise_kept()

        return submit

    def submit(self, ready: Sequence[_Ready], copies: Sequence[Copy] = ()) -> None:
        self.finish(self.record(ready, copies))

    def finished(self, steps: Steps) -> Callable[[], object]:
        with self._raising():
            encoder = self._encoder()
            for before, together in segments(steps):
                encode_copies(self._lib, encoder._internal, before)
                # even a pass without dispatches
                encode_pass(self._lib, self._ffi, encoder._internal, dispatches(self._ffi, together))
        return self._commands(encoder)

    def _encoder(self) -> Handle:
        return self._handle(
            "CommandEncoder", self._lib.wgpuDeviceCreateCommandEncoder(self._device._internal, self._ffi.NULL)
        )

    def submit_nothing(self) -> None:
        with self._raising():
            self._submits += 1
            self._lib.wgpuQueueSubmit(self._queue._internal, 0, self._ffi.NULL)

    def poll(self) -> bool:
        if self._done < self._submits and not self._asked and self._lost.message is None:
            self._ask_for_end()
        self._instance.process_events()
        raise_kept()
        return self._done >= self._submits or self._lost.message is not None

    def _ask_for_end(self) -> None:
        """Have Dawn notify us when everything submitted so far is finished."""
        owner, until = self._instance, self._submits

        def on_done(*_: Any) -> None:
            self._done, self._asked = max(self._done, until), False
            owner.forget(number)  # last: if Ctrl-C comes before it, everything is done again

        self._asked = True
        number = owner.wait_for(on_done)
        info = owner.callback("QueueWorkDone", number)
        self._lib.wgpuQueueOnSubmittedWorkDone(self._queue._internal, info[0])

    def map(self, memory: Any, size: int, write: bool = False) -> Mapping:
        with self._raising():
            return Mapping(self._instance, self.raise_if_lost, memory, size, write)

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> None:
        lib, owner, count = self._lib, self._instance, 2 * len(passes)
        descriptor = owner.new("QuerySetDescriptor", type=lib.WGPUQueryType_Timestamp, count=count)
        with self._raising():
            queries = self._handle("QuerySet", lib.wgpuDeviceCreateQuerySet(self._device._internal, descriptor))
            encoder = self._encoder()
            for i, steps in enumerate(passes):
                if isinstance(steps, Copy):  # only passes write timestamps: the copy lies between two empty ones
                    self._timed_pass(encoder, queries, NO_DISPATCHES, 2 * i, _NO_QUERY)
                    encode_copies(lib, encoder._internal, (steps,))
                    self._timed_pass(encoder, queries, NO_DISPATCHES, _NO_QUERY, 2 * i + 1)
                else:
                    self._timed_pass(encoder, queries, dispatches(self._ffi, steps), 2 * i, 2 * i + 1)
            lib.wgpuCommandEncoderResolveQuerySet(encoder._internal, queries._internal, 0, count, ticks._internal, 0)
        self.finish(encoder)

    def _timed_pass(self, encoder: Handle, queries: Handle, steps: Dispatches, first: int, last: int) -> None:
        writes = self._instance.new(
            "PassTimestampWrites",
            querySet=queries._internal,
            beginningOfPassWriteIndex=first,
            endOfPassWriteIndex=last,
        )
        descriptor = self._instance.new("ComputePassDescriptor", timestampWrites=writes)
        encode_pass(self._lib, self._ffi, encoder._internal, steps, descriptor)

    def timestamp_period(self) -> float:
        return 1.0  # Dawn converts ticks to nanoseconds

    def live_objects(self) -> dict[str, int]:
        return live_objects()

    def destroy(self) -> None:
        self._opened = None
        self._lib.wgpuDeviceDestroy(self._device._internal)
        self._instance.process_events()


def _dashed(name: str) -> str:
    """maxBufferSize -> max-buffer-size, as in wgpu-py."""
    return re.sub(r"(?<!^)([A-Z]|\dD)", lambda m: f"-{m[1].lower()}", name)


def _error(lib: Any, kind: int, message: str) -> Exception:
    for name, error in _ERRORS.items():
        if kind == getattr(lib, f"WGPUErrorType_{name}"):
            return error(message)
    return wgpu.GPUValidationError(message)
