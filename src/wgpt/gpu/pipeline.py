"""Pipelines compiled once per process, with bind group layouts that are explicit and shared."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import wgpu

from . import native
from .errors import DeviceLostError, ShaderError, ValidationError, WgptError, translated

if TYPE_CHECKING:
    from .device import GpuDevice

_BINDING_TYPE = {
    "uniform": wgpu.BufferBindingType.uniform,
    "read": wgpu.BufferBindingType.read_only_storage,
    "read_write": wgpu.BufferBindingType.storage,
}
_COMPILERS = min(8, os.cpu_count() or 1)  # threads: a driver takes 20 to 200 ms for a shader, and lets others in


class ShaderCode(NamedTuple):
    """What a pipeline is made of; the entry point is `main`."""

    wgsl: str
    access: tuple[str, ...]  # of the bindings, in order
    label: str
    trusted: bool = False


def _source_lines(message: str, source: str) -> str:
    """The source line that naga's message points at."""
    match = re.search(r"wgsl:(\d+):(\d+)", message)
    if not match:
        return ""
    number = int(match.group(1))
    lines = source.splitlines()
    if not 1 <= number <= len(lines):
        return ""
    return f"\n  line {number}: {lines[number - 1].strip()}"


class PipelineCache:
    """Pipelines by the hash of their WGSL. `compiled` counts what was really compiled."""

    def __init__(self, device: GpuDevice) -> None:
        self._device = device
        self._layouts: dict[tuple[str, ...], tuple[Any, Any]] = {}
        self._pipelines: dict[tuple[str, tuple[str, ...], bool], Any] = {}
        self.compiled = 0
        self.hits = 0

    def layout(self, access: tuple[str, ...]) -> tuple[Any, Any]:
        """(bind group layout, pipeline layout) for bindings 0..n with these access modes."""
        if access not in self._layouts:
            entries = [
                {"binding": i, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": _BINDING_TYPE[a]}}
                for i, a in enumerate(access)
            ]
            wgpu_device = self._device.wgpu_device
            group = wgpu_device.create_bind_group_layout(entries=entries)
            self._layouts[access] = (group, wgpu_device.create_pipeline_layout(bind_group_layouts=[group]))
        return self._layouts[access]

    def get(self, code: ShaderCode) -> Any:
        """The pipeline of a shader; a compile error names its label and the line."""
        key = _key(code)
        pipeline = self._pipelines.get(key)
        if pipeline is not None:
            self.hits += 1
            return pipeline
        pipeline = self._pipelines[key] = self._compile(code)
        self.compiled += 1
        return pipeline

    def compile_ahead(self, codes: Iterable[ShaderCode]) -> None:
        """Compile those that `get` will be asked for, several at a time; it refuses those that do not compile."""
        distinct = {(code.wgsl, code.access, code.trusted): code for code in codes}
        missing = {key: code for code in distinct.values() if (key := _key(code)) not in self._pipelines}
        if len(missing) < 2:
            return
        for code in missing.values():
            self.layout(code.access)
        with ThreadPoolExecutor(_COMPILERS, "wgpt-compile") as pool:
            for key, pipeline in zip(missing, pool.map(self._compiled_or_none, missing.values()), strict=True):
                if pipeline is not None:
                    self._pipelines[key] = pipeline
                    self.compiled += 1

    def _compiled_or_none(self, code: ShaderCode) -> Any:
        try:
            return self._compile(code)
        except WgptError:
            return None

    def _compile(self, code: ShaderCode) -> Any:
        wgsl, access, label, trusted = code
        device = self._device.wgpu_device
        _, layout = self.layout(access)
        try:
            with translated(f"compiling {label}"):
                if trusted:
                    module = native.trusted_shader_module(device, wgsl, label)
                else:
                    module = device.create_shader_module(code=wgsl, label=label)
                return device.create_compute_pipeline(
                    label=label, layout=layout, compute={"module": module, "entry_point": "main"}
                )
        except DeviceLostError:
            raise
        except ValidationError as e:
            raise ShaderError(f"shader {label} does not compile: {e}{_source_lines(str(e), wgsl)}") from e


def _key(code: ShaderCode) -> tuple[str, tuple[str, ...], bool]:
    return hashlib.sha256(code.wgsl.encode()).hexdigest(), code.access, code.trusted
