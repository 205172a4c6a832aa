"""Chooses the WebGPU implementation: wgpu-native, or Dawn where it is installed."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from ..core.arguments import one_of
from ..core.errors import WgptError
from .webgpu.dawn import library
from .webgpu.interface import GpuInfo, WebGpu
from .webgpu.wgpu_native import WgpuNative

VARIABLE = "WGPT_WEBGPU"
IMPLEMENTATIONS = ("auto", "dawn", "wgpu")
DEFAULT = "wgpu"  # Dawn computes prompts and training faster on matrix units, but its calls cost more CPU time
_MATRICES = "f16", "f32"  # types of the inputs and of the result of the products that kernels use


class RequestedWebGpu(NamedTuple):
    """The requested implementation, and the option or variable that requested it."""

    name: str
    source: str


class Chosen(NamedTuple):
    """An opened WebGPU, and why it was chosen."""

    webgpu: WebGpu
    reason: str


def wish(webgpu: str | None) -> RequestedWebGpu:
    """The argument, the environment variable, or the default."""
    if webgpu is not None:
        one_of("webgpu", webgpu, IMPLEMENTATIONS)
        return RequestedWebGpu(webgpu, "requested")
    if os.environ.get(VARIABLE):
        one_of(VARIABLE, os.environ[VARIABLE], IMPLEMENTATIONS)
        return RequestedWebGpu(os.environ[VARIABLE], VARIABLE)
    return RequestedWebGpu(DEFAULT, "default")


def open_webgpu(info: GpuInfo, gpu: Any, wanted: RequestedWebGpu) -> Chosen:
    """Open a GPU with the requested implementation. `auto` takes Dawn where that is an advantage, else wgpu-native."""
    if wanted.name == "wgpu":
        return Chosen(WgpuNative(info, gpu), wanted.source)
    if wanted.name == "dawn":
        return Chosen(_dawn(info), wanted.source)
    try:
        dawn = _dawn(info)
    except WgptError as e:
        return without_dawn(info, gpu, str(e))
    if any((m.inputs, m.result) == _MATRICES for m in dawn.matrices):
        return Chosen(dawn, "auto: it has subgroup matrices")
    dawn.destroy()
    return without_dawn(info, gpu, "Dawn has no subgroup matrices on this GPU")


def without_dawn(info: GpuInfo, gpu: Any, why: str) -> Chosen:
    """Open wgpu-native because `auto` could not use Dawn."""
    return Chosen(WgpuNative(info, gpu), f"auto: {why}")


def _dawn(info: GpuInfo) -> WebGpu:
    from .webgpu.dawn.device import Dawn  # loads the library

    return Dawn(info)


def dawn_state(software: bool) -> str:
    """One line for `wgpt info`: Dawn's version, or why there is none and what it would bring."""
    missing = library.missing()
    if missing is None:
        return f"installed ({library.load().version}): --webgpu dawn"
    gain = "nothing on a software driver" if software else "matrix units for prompts, batches and training"
    return f"{missing}; it would bring {gain}{'' if software else ', if this GPU has some'}"
