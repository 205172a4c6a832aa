"""Pipelines compiled once per process, with bind group layouts that are explicit and shared."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import wgpu

from . import native
from .errors import DeviceLostError, ShaderError, ValidationError, translated

if TYPE_CHECKING:
    from .device import GpuDevice

_BINDING_TYPE = {
    "uniform": wgpu.BufferBindingType.uniform,
    "read": wgpu.BufferBindingType.read_only_storage,
    "read_write": wgpu.BufferBindingType.storage,
}


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

    def get(self, wgsl: str, access: tuple[str, ...], label: str, trusted: bool = False) -> Any:
        """The pipeline of entry point `main`; a compile error names `label` and the line."""
        key = (hashlib.sha256(wgsl.encode()).hexdigest(), access, trusted)
        pipeline = self._pipelines.get(key)
        if pipeline is not None:
            self.hits += 1
            return pipeline
        _, pipeline_layout = self.layout(access)
        try:
            with translated(f"compiling {label}"):
                if trusted:
                    module = native.trusted_shader_module(self._device.wgpu_device, wgsl, label)
                else:
                    module = self._device.wgpu_device.create_shader_module(code=wgsl, label=label)
                pipeline = self._device.wgpu_device.create_compute_pipeline(
                    label=label, layout=pipeline_layout, compute={"module": module, "entry_point": "main"}
                )
        except DeviceLostError:
            raise
        except ValidationError as e:
            raise ShaderError(f"shader {label} does not compile: {e}{_source_lines(str(e), wgsl)}") from e
        self._pipelines[key] = pipeline
        self.compiled += 1
        return pipeline
