"""A device of wgpu-native: wgpu-py's public API for what happens once, direct C calls for what happens often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import wgpu
from numpy.typing import NDArray

from ...core.versions import wgpu_native_version
from ..errors import NoGpuError
from . import direct, host_memory
from .encoding import NO_DISPATCHES, Dispatches
from .interface import Copy, GpuInfo, MapTicket, Matrix, Memory, Pass, Segment, Steps, segments
from .interrupts import interrupt_held_back

WANTED_FEATURES = (
    "shader-f16",
    "subgroup",
    "timestamp-query",
    "timestamp-query-inside-passes",
    "immediates",
    host_memory.FEATURE,
)
_BINDING_TYPE = {
    "uniform": wgpu.BufferBindingType.uniform,
    "read": wgpu.BufferBindingType.read_only_storage,
    "read_write": wgpu.BufferBindingType.storage,
}


def gpus() -> list[tuple[GpuInfo, Any]]:
    """What every backend lists, with wgpu's objects, in wgpu's order."""
    return [(_describe(i, a), a) for i, a in enumerate(wgpu.gpu.enumerate_adapters_sync())]


def _describe(index: int, gpu: Any) -> GpuInfo:
    info = gpu.info
    return GpuInfo(
        index=index,
        name=info["device"] or info["description"] or "unnamed",
        vendor=info["vendor"],
        driver=info["description"],
        kind=info["adapter_type"],
        backend=info["backend_type"],
        vendor_id=info.get("vendor_id", 0),
        device_id=info.get("device_id", 0),
    )


class _Ready(NamedTuple):
    """A segment prepared for both ways of encoding; `dispatches` is empty if the public API is used."""

    segment: Segment
    dispatches: Dispatches


class WgpuNative:
    """A device of wgpu-native."""

    name, ahead = "wgpu-native", 3
    matrices: tuple[Matrix, ...] = ()  # it cannot enable experimental features of its own

    def __init__(self, info: GpuInfo, gpu: Any) -> None:
        features = [feature for feature in WANTED_FEATURES if feature in gpu.features]
        host_memory.quiet()
        try:
            with interrupt_held_back():
                self.device = gpu.request_device_sync(required_features=features)
        except RuntimeError as e:
            raise NoGpuError(f"{info} could not be opened: {e}") from e
        self.features = frozenset(features)
        self.limits: dict[str, int] = dict(self.device.limits)
        self.direct = direct.available
        self.version = wgpu_native_version()

    def create_buffer(self, size: int, usage: int, label: str) -> Memory:
        memory: Memory = self.device.create_buffer(size=size, usage=usage, label=label)
        return memory

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        if direct.available:
            direct.write_buffer(self.device, memory, offset, data)
        else:
            self.device.queue.write_buffer(memory, offset, data)

    def layouts(self, access: Sequence[str]) -> tuple[Any, Any]:
        entries = [
            {"binding": i, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": _BINDING_TYPE[a]}}
            for i, a in enumerate(access)
        ]
        group = self.device.create_bind_group_layout(entries=entries)
        return group, self.device.create_pipeline_layout(bind_group_layouts=[group])

    def compile(self, wgsl: str, pipeline_layout: Any, label: str, trusted: bool) -> Any:
        if trusted:
            module = direct.trusted_shader_module(self.device, wgsl, label)
        else:
            module = self.device.create_shader_module(code=wgsl, label=label)
        return self.device.create_compute_pipeline(
            label=label, layout=pipeline_layout, compute={"module": module, "entry_point": "main"}
        )

    def bind_group(self, group_layout: Any, windows: Sequence[tuple[Any, int, int]]) -> Any:
        entries = [
            {"binding": i, "resource": {"buffer": memory, "offset": offset, "size": size}}
            for i, (memory, offset, size) in enumerate(windows)
        ]
        return self.device.create_bind_group(layout=group_layout, entries=entries)

    def ready(self, steps: Steps) -> list[_Ready]:
        parts = segments(steps)
        return [_Ready(part, direct.ready(part.steps) if direct.available else NO_DISPATCHES) for part in parts]

    def record(self, ready: Sequence[_Ready], copies: Sequence[Copy] = (), before: Sequence[Copy] = ()) -> Any:
        if direct.available:
            parts = [(item.segment.copies, item.dispatches) for item in ready]
            return direct.record(self.device, [(before, NO_DISPATCHES), *parts] if before else parts, copies)
        return self._encoded([Segment(before, ()), *(item.segment for item in ready)], copies)

    def anticipate(self) -> None:
        pass  # recording never waits for a submit

    def finish(self, recorded: Any) -> None:
        if direct.available:
            direct.finish(self.device, recorded)
        else:
            self.device.queue.submit([recorded.finish()])

    def close(self, recorded: Any) -> Any:
        return direct.close(recorded)

    def submit_closed(self, commands: Any) -> None:
        direct.submit_closed(self.device, commands)

    def discard_closed(self, commands: Any) -> None:
        direct.discard_closed(commands)

    def submit(self, ready: Sequence[_Ready], copies: Sequence[Copy] = ()) -> None:
        self.finish(self.record(ready, copies))

    def submit_public(self, ready: Sequence[_Ready]) -> None:
        """Submit through wgpu-py's public API, even if direct calls are available."""
        self.device.queue.submit([self._encoded([item.segment for item in ready]).finish()])

    def finished(self, steps: Steps) -> Callable[[], object]:
        encoder = self.device.create_command_encoder()
        for before, dispatches in segments(steps):
            _encode_copies(encoder, before)
            _encode_steps(encoder.begin_compute_pass(), dispatches)  # even an empty pass: its time is measured
        commands = encoder.finish()
        return lambda: self.device.queue.submit([commands])

    def _encoded(self, passes: Sequence[Segment], copies: Sequence[Copy] = ()) -> Any:
        encoder = self.device.create_command_encoder()
        for before, steps in passes:
            _encode_copies(encoder, before)
            if steps:
                _encode_steps(encoder.begin_compute_pass(), steps)
        _encode_copies(encoder, copies)
        return encoder

    def submit_nothing(self) -> None:
        self.device.queue.submit([])

    def poll(self) -> bool:
        return direct.poll(self.device)

    def map(self, memory: Any, size: int, write: bool = False) -> MapTicket:
        return direct.MapTicket(self.device, memory, size, write)

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> None:
        count = 2 * len(passes)
        queries = self.device.create_query_set(type=wgpu.QueryType.timestamp, count=count)
        encoder = self.device.create_command_encoder()
        for i, steps in enumerate(passes):
            began: dict[str, Any] = {"query_set": queries, "beginning_of_pass_write_index": 2 * i}
            ended = {"query_set": queries, "end_of_pass_write_index": 2 * i + 1}
            if not isinstance(steps, Copy):
                _encode_steps(encoder.begin_compute_pass(timestamp_writes=began | ended), steps)
                continue
            # only passes write timestamps: the copy lies between two empty ones
            _encode_steps(encoder.begin_compute_pass(timestamp_writes=began), ())
            _encode_copies(encoder, (steps,))
            _encode_steps(encoder.begin_compute_pass(timestamp_writes=ended), ())
        encoder.resolve_query_set(queries, 0, count, ticks, 0)
        self.device.queue.submit([encoder.finish()])

    def timestamp_period(self) -> float:
        return direct.timestamp_period(self.device)

    def live_objects(self) -> dict[str, int]:
        return direct.live_objects()

    def destroy(self) -> None:
        with interrupt_held_back():
            self.device.destroy()


def _encode_steps(pass_: Any, steps: Sequence[Any]) -> None:
    """Encode the dispatches of a pass through the public API, and end it."""
    for s in steps:
        pass_.set_pipeline(s.pipeline)
        pass_.set_bind_group(0, s.bind_group)
        pass_.dispatch_workgroups(s.x, s.y, s.z)
    pass_.end()


def _encode_copies(encoder: Any, copies: Sequence[Copy]) -> None:
    for c in copies:
        encoder.copy_buffer_to_buffer(c.src, c.src_offset, c.dst, c.dst_offset, c.size)
