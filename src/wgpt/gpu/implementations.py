"""Chooses the WebGPU implementation: wgpu-native, or Dawn, which can use matrix units."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from ..core.arguments import one_of
from ..core.errors import WgptError
from . import self_check
from .errors import NoGpuError
from .gpus import list_gpus
from .webgpu.dawn import library
from .webgpu.dawn.library import NoDawnError
from .webgpu.interface import GpuInfo, WebGpu
from .webgpu.wgpu_native import WgpuNative

VARIABLE = "WGPT_WEBGPU"
IMPLEMENTATIONS = ("auto", "dawn", "wgpu")
DEFAULT = "auto"


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
        objection = _objection(info)
        if objection is None:
            return Chosen(_dawn(info), "auto: its matrix units passed the self-check")
    except WgptError as e:
        objection = str(e)
    return without_dawn(info, gpu, objection)


def _objection(info: GpuInfo) -> str | None:
    """Why `auto` does not use Dawn on this GPU."""
    if info.software:
        return "matrix units bring nothing on a software driver"
    if (count := len(_twins(info))) > 1:
        return f"Dawn cannot tell {count} GPUs of this name apart (--webgpu dawn uses the first)"
    return self_check.objection(info)


def _twins(info: GpuInfo) -> list[int]:
    """The numbers of the GPUs with the same name and backend: Dawn offers the first of them."""
    return [other.index for other, _ in list_gpus() if (other.name, other.backend) == (info.name, info.backend)]


def without_dawn(info: GpuInfo, gpu: Any, why: str) -> Chosen:
    """Open wgpu-native because `auto` could not use Dawn."""
    return Chosen(WgpuNative(info, gpu), f"auto: {why}")


def _dawn(info: GpuInfo) -> WebGpu:
    first = min(_twins(info), default=info.index)
    if info.index != first:
        raise NoGpuError(
            f"GPU {info.index} cannot be opened with Dawn, which offers one GPU of each name: choose GPU {first} or "
            "webgpu='wgpu'"
        )
    from .webgpu.dawn.device import Dawn  # loads the library

    return Dawn(info)


def dawn_state(software: bool) -> str:
    """One line for `wgpt info`: Dawn's version, or why there is none and what it would bring."""
    try:
        return f"{library.version()}: --webgpu dawn"
    except NoDawnError as e:
        gain = "nothing on a software driver" if software else "matrix units for prompts, batches and training"
        return f"{e}; it would bring {gain}{'' if software else ', if this GPU has some'}"
