"""Dawn's instance, one per process, and the callbacks that C calls."""

from __future__ import annotations

import functools
import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..interface import Matrix
from ..interrupts import keep
from .library import Library, load

# f16 on NVIDIA: Dawn hides it from drivers before 615, and with it the matrices. `wgpt verify` proves ours.
_ADAPTER_TOGGLES = ("allow_unsafe_apis", "vulkan_enable_f16_on_nvidia")
# Dawn can omit bounds checks for a whole device only. Its validation of every call would take longer than a decode step
# on the GPU; what it would find, wgpt checks when a Program is recorded.
_DEVICE_TOGGLES = ("disable_robustness", "disable_polyfills_on_integer_div_and_mod", "skip_validation")
_DISABLED_TOGGLES = ("timestamp_quantization",)  # timestamps rounded to 0.1 ms, which is longer than a dispatch
# Logged when GPUs are enumerated, and irrelevant: a limit on dynamic offsets, which wgpt does not use.
_NOISE = "artificially reduced"
_BACKENDS = ("Vulkan", "Metal", "D3D12", "Null")
_TYPES = ("F16", "F32", "I8", "I32", "U8", "U32")  # of a matrix's components

Answer = Callable[..., None]


class Adapter(NamedTuple):
    """A GPU as Dawn offers it. It can open one device."""

    handle: Any
    name: str
    matrices: tuple[Matrix, ...]


class Instance:
    """Dawn, ready to be asked for GPUs."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.ffi, self.lib = library.ffi, library.lib
        self._waiting: dict[int, Answer] = {}  # pending answers by number, until their callback has come
        self._numbers = itertools.count(1)
        self._types = {getattr(self.lib, f"WGPUSubgroupMatrixComponentType_{name}"): name.lower() for name in _TYPES}
        self.callbacks = {
            name: self._callback(f"WGPU{name}Callback")
            for name in (
                *("RequestAdapter", "RequestDevice", "DeviceLost", "UncapturedError", "BufferMap"),
                *("QueueWorkDone", "CreateComputePipelineAsync"),
            )
        }
        self.disposed = self._callback("WGPUCallback", data_at=-1)
        toggles, self._kept = self.toggles(_ADAPTER_TOGGLES)
        self.handle = self.lib.wgpuCreateInstance(self.new("InstanceDescriptor", nextInChain=toggles))

    def _callback(self, kind: str, data_at: int = -2) -> Any:
        """One C callback per kind; the number in its user data identifies the caller."""
        ffi, waiting = self.ffi, self._waiting

        def tell(*arguments: Any) -> None:
            answer = waiting.get(int(ffi.cast("uintptr_t", arguments[data_at])))
            if answer is not None:
                answer(*arguments[:data_at])

        def failed(_: type[BaseException], error: BaseException, trace: Any) -> None:
            """Keep an exception raised in a callback, almost always Ctrl-C, for the next poll: it cannot pass through
            C.
            """
            keep(error)
            while trace is not None and trace.tb_frame.f_code is not tell.__code__:
                trace = trace.tb_next
            if trace is not None:
                tell(*trace.tb_frame.f_locals["arguments"])

        return ffi.callback(kind, tell, onerror=failed)

    def wait_for(self, answer: Answer) -> Any:
        """Register `answer` for a callback; returns the callback's user data."""
        number = next(self._numbers)
        self._waiting[number] = answer
        return self.ffi.cast("void *", number)

    def callback(self, kind: str, number: Any, mode: str = "AllowProcessEvents") -> Any:
        """The struct that describes a callback, with its user data from `wait_for`."""
        how = getattr(self.lib, f"WGPUCallbackMode_{mode}")
        return self.new(f"{kind}CallbackInfo", mode=how, callback=self.callbacks[kind], userdata1=number)

    def forget(self, number: Any) -> None:
        self._waiting.pop(int(self.ffi.cast("uintptr_t", number)), None)

    def new(self, name: str, **members: Any) -> Any:
        """A new C struct."""
        return self.ffi.new(f"WGPU{name} *", members)

    def view(self, text: str) -> tuple[dict[str, Any], Any]:
        """A string view, and the memory that must be kept as long as it is used."""
        data = text.encode()
        memory = self.ffi.from_buffer("char[]", data)
        return {"data": memory, "length": len(data)}, memory

    def text(self, view: Any) -> str:
        if view.data == self.ffi.NULL:
            return ""
        ended = view.length >= 1 << 63  # terminated by a zero
        data: bytes = self.ffi.string(view.data) if ended else self.ffi.buffer(view.data, view.length)[:]
        return data.decode(errors="replace")

    def chained(self, struct: Any) -> Any:
        return self.ffi.cast("WGPUChainedStruct *", struct)

    def toggles(self, enabled: Sequence[str], disabled: Sequence[str] = ()) -> tuple[Any, Any]:
        """Dawn's switches as a chained struct, and the memory that must be kept with it."""
        kept: list[Any] = []
        arrays = []
        for names in (enabled, disabled):
            strings = [self.ffi.new("char[]", name.encode()) for name in names]
            kept += strings
            arrays.append(self.ffi.new("char const *[]", strings))
        struct = self.new(
            "DawnTogglesDescriptor",
            chain={"next": self.ffi.NULL, "sType": self.lib.WGPUSType_DawnTogglesDescriptor},
            enabledToggleCount=len(enabled),
            enabledToggles=arrays[0],
            disabledToggleCount=len(disabled),
            disabledToggles=arrays[1],
        )
        return self.chained(struct), (struct, arrays, kept)

    def device_toggles(self) -> tuple[Any, Any]:
        return self.toggles((*_ADAPTER_TOGGLES, *_DEVICE_TOGGLES), _DISABLED_TOGGLES)

    def process_events(self) -> None:
        self.lib.wgpuInstanceProcessEvents(self.handle)

    def asked(self, function: Callable[..., Any], on: Any, what: Any, kind: str) -> tuple[int, Any, str]:
        """The result of an asynchronous function: status, object, message."""
        answers: list[tuple[int, Any, str]] = []
        number = self.wait_for(lambda status, found, message: answers.append((status, found, self.text(message))))
        info = self.callback(kind, number, "AllowSpontaneous")
        function(on, what, info[0])
        while not answers:
            self.process_events()
        self.forget(number)
        return answers[0]

    def adapters(self, backend: str) -> list[Adapter]:
        """The GPUs that Dawn offers through a backend such as Vulkan, without duplicates. Dawn cannot enumerate GPUs,
        so this requests them with different preferences."""
        if backend not in _BACKENDS:
            return []
        found: dict[str, Adapter] = {}
        lib = self.lib
        wishes = [(lib.WGPUPowerPreference_HighPerformance, 0), (lib.WGPUPowerPreference_LowPower, 0), (0, 1)]
        with _without_noise():
            for preference, fallback in wishes:
                adapter = self._adapter(backend, preference, fallback)
                if adapter is not None and adapter.name not in found:
                    found[adapter.name] = adapter
                elif adapter is not None:
                    lib.wgpuAdapterRelease(adapter.handle)
        return list(found.values())

    def _adapter(self, backend: str, preference: int, fallback: int) -> Adapter | None:
        toggles, kept = self.toggles(_ADAPTER_TOGGLES)
        options = self.new(
            "RequestAdapterOptions",
            nextInChain=toggles,
            featureLevel=self.lib.WGPUFeatureLevel_Core,
            powerPreference=preference,
            forceFallbackAdapter=fallback,
            backendType=getattr(self.lib, f"WGPUBackendType_{backend}"),
        )
        status, handle, _ = self.asked(self.lib.wgpuInstanceRequestAdapter, self.handle, options, "RequestAdapter")
        del kept
        return self._described(handle) if status == self.lib.WGPURequestAdapterStatus_Success else None

    def _type(self, component: int) -> str:
        return self._types.get(component, f"type {component}")  # one that is newer than wgpt

    def _described(self, handle: Any) -> Adapter:
        lib, ffi = self.lib, self.ffi
        configs = self.new(
            "AdapterPropertiesSubgroupMatrixConfigs",
            chain={"next": ffi.NULL, "sType": lib.WGPUSType_AdapterPropertiesSubgroupMatrixConfigs},
        )
        has = lib.wgpuAdapterHasFeature(handle, lib.WGPUFeatureName_ChromiumExperimentalSubgroupMatrix)
        info = self.new("AdapterInfo", nextInChain=self.chained(configs) if has else ffi.NULL)
        lib.wgpuAdapterGetInfo(handle, info)
        matrices = [
            Matrix(self._type(c.componentType), self._type(c.resultComponentType), c.M, c.N, c.K)
            for c in (configs.configs[i] for i in range(configs.configCount))
        ]
        adapter = Adapter(handle, self.text(info.device), tuple(matrices))
        lib.wgpuAdapterInfoFreeMembers(info[0])
        if has:
            lib.wgpuAdapterPropertiesSubgroupMatrixConfigsFreeMembers(configs[0])
        return adapter


@functools.cache
def _instance(library: Library) -> Instance:
    return Instance(library)


_lock = threading.Lock()


def instance() -> Instance:
    """The process's instance. Raises NoDawnError if there is no usable Dawn."""
    with _lock:
        return _instance(load())


@contextmanager
def _without_noise() -> Iterator[None]:
    """Drop the lines of `_NOISE` that Dawn writes directly to stderr; print other lines at the end."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        own = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(own, 2)
            os.close(own)
            file.seek(0)
            for line in file:
                if _NOISE.encode() not in line:
                    os.write(2, line)
