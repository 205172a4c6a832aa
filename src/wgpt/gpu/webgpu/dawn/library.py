"""Finds Dawn: in the PyPI package wgpudawn, or in the file that WGPT_DAWN names.

wgpudawn (BSD-2) is wgpu-py's API on a Dawn that is linked into it. wgpt uses the compiled bindings to webgpu.h alone:
importing the package around them would take longer than opening them. A shared library of Dawn that somebody has built
is opened with the header of these bindings, so it must be of about the same age.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from importlib import metadata, util
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NamedTuple

from ....core.errors import WgptError
from ..ffi_types import look_up_first

PATH = "WGPT_DAWN"
PACKAGE = _MODULE = "wgpudawn"
_BINDINGS = f"{_MODULE}._lib._wgpu_dawn"
_HEADERS = ("webgpu_cdef.h", "webgpu_native_extra_cdef.h")
_WHEELS = "Linux and Windows on x86-64 and ARM, and macOS"
OBJECTS = (
    *("Adapter", "BindGroup", "BindGroupLayout", "Buffer", "CommandBuffer", "CommandEncoder", "ComputePassEncoder"),
    *("ComputePipeline", "Device", "PipelineLayout", "QuerySet", "Queue", "ShaderModule"),
)
FUNCTIONS = (
    *("wgpuAdapterGetInfo", "wgpuAdapterGetLimits", "wgpuAdapterHasFeature", "wgpuAdapterInfoFreeMembers"),
    *("wgpuAdapterPropertiesSubgroupMatrixConfigsFreeMembers", "wgpuAdapterRequestDevice", "wgpuBufferDestroy"),
    *("wgpuBufferGetConstMappedRange", "wgpuBufferGetMappedRange", "wgpuBufferMapAsync", "wgpuBufferUnmap"),
    *("wgpuCommandEncoderBeginComputePass", "wgpuCommandEncoderCopyBufferToBuffer", "wgpuCommandEncoderFinish"),
    *("wgpuCommandEncoderResolveQuerySet", "wgpuComputePassEncoderDispatchWorkgroups", "wgpuComputePassEncoderEnd"),
    *("wgpuComputePassEncoderSetBindGroup", "wgpuComputePassEncoderSetPipeline", "wgpuCreateInstance"),
    *("wgpuDeviceCreateBindGroup", "wgpuDeviceCreateBindGroupLayout", "wgpuDeviceCreateBuffer"),
    *("wgpuDeviceCreateCommandEncoder", "wgpuDeviceCreateComputePipelineAsync", "wgpuDeviceCreatePipelineLayout"),
    *("wgpuDeviceCreateQuerySet", "wgpuDeviceCreateShaderModule", "wgpuDeviceDestroy", "wgpuDeviceGetQueue"),
    *("wgpuInstanceProcessEvents", "wgpuInstanceRequestAdapter", "wgpuQueueOnSubmittedWorkDone", "wgpuQueueSubmit"),
    "wgpuQueueWriteBuffer",
    *(f"wgpu{name}Release" for name in OBJECTS),
)


class NoDawnError(WgptError):
    """Dawn is not installed, or is not one that wgpt supports."""


class Library(NamedTuple):
    """Dawn's functions and constants (`lib`) and its types (`ffi`)."""

    ffi: Any
    lib: Any
    version: str


def load() -> Library:
    """Open Dawn once; NoDawnError if it is missing, broken or lacks functions."""
    path = os.environ.get(PATH)
    return _of_file(Path(path)) if path else _of_package()


def version() -> str:
    """Which one `load` would open, found without opening it; NoDawnError if there is none."""
    path = os.environ.get(PATH)
    if path:
        _check_file(Path(path))
        return f"of {PATH}"
    _folder()
    try:
        return f"of {PACKAGE} {metadata.version(PACKAGE)}"
    except metadata.PackageNotFoundError:  # copied without its metadata
        return f"of {PACKAGE}"


@functools.cache
def _of_package() -> Library:
    folder, name = _folder(), version()
    bindings = sys.modules.get(_BINDINGS)
    if bindings is None:
        spec = PathFinder.find_spec(_BINDINGS, [str(folder)])
        if spec is None or spec.loader is None:
            raise NoDawnError(f"{PACKAGE} is installed without its library: {_remedy()}")
        try:
            bindings = util.module_from_spec(spec)
            spec.loader.exec_module(bindings)
        except ImportError as e:
            raise NoDawnError(f"{spec.origin} could not be opened: {e}") from None
        sys.modules[_BINDINGS] = bindings  # its own package uses the same one
    return _checked(Library(bindings.ffi, bindings.lib, name), name)


def _folder() -> Path:
    """The folder of wgpudawn's bindings. Finds the package without importing it."""
    spec = util.find_spec(_MODULE)
    for folder in (spec.submodule_search_locations if spec is not None else None) or ():
        return Path(folder) / "_lib"
    raise NoDawnError(f"Dawn is not installed: {_remedy()}")


@functools.cache
def _of_file(path: Path) -> Library:
    _check_file(path)
    from cffi import FFI  # type: ignore[import-untyped, unused-ignore]

    ffi = FFI()
    ffi.cdef(header())
    look_up_first(ffi)
    try:
        # Never unloaded: at Python's exit its threads may still run.
        lib = ffi.dlopen(str(path), ffi.RTLD_NOW | getattr(ffi, "RTLD_NODELETE", 0))
    except OSError as e:
        raise NoDawnError(f"{path} could not be opened as Dawn's library: {e}") from None
    return _checked(Library(ffi, lib, f"of {PATH}"), str(path))


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise NoDawnError(f"{PATH} must be the path of a shared library of Dawn (libwebgpu_dawn.so), not {str(path)!r}")


def header() -> str:
    """wgpudawn's declarations of webgpu.h, without those of its own Python callbacks."""
    try:
        folder = _folder()
    except NoDawnError:
        raise NoDawnError(f"{PATH} needs the header in the package {PACKAGE}, which is not installed") from None
    texts = [(folder / name).read_text() for name in _HEADERS]
    return re.sub(r'^extern "Python".*;$', "", "\n".join(texts), flags=re.MULTILINE)


def _checked(library: Library, name: str) -> Library:
    missing = [function for function in FUNCTIONS if not hasattr(library.lib, function)]
    if missing:
        named = f"{', '.join(missing[:3])}{' and others' if missing[3:] else ''}"
        raise NoDawnError(f"{name} is not a Dawn that wgpt supports: it has no {named}; {_remedy()}")
    return library


def _remedy() -> str:
    return f"pip install {PACKAGE} (there are wheels for {_WHEELS}), or set {PATH} to the path of a Dawn library"
