"""What the files of gpu/ need of a WebGPU device. Its handles are opaque to all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

# Usages of buffers: the bits of webgpu.h.
_MAP_READ, _MAP_WRITE, _COPY_SRC, _COPY_DST = 0x1, 0x2, 0x4, 0x8
_UNIFORM, _STORAGE, _QUERY_RESOLVE = 0x40, 0x80, 0x200
STORAGE = _STORAGE | _COPY_SRC | _COPY_DST
HOST = STORAGE | _MAP_READ  # see host_memory.py
UNIFORM = _UNIFORM | _COPY_DST
STAGING = _MAP_READ | _COPY_DST
UPLOAD = _MAP_WRITE | _COPY_SRC
QUERIES = _QUERY_RESOLVE | _COPY_SRC


@dataclass(frozen=True)
class GpuInfo:
    """What a GPU reports about itself."""

    index: int  # of the physical GPU
    name: str
    vendor: str
    driver: str
    kind: str
    backend: str
    vendor_id: int = 0  # the PCI ids, where the driver tells them
    device_id: int = 0

    @property
    def software(self) -> bool:
        return self.kind == "CPU"

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {self.backend}, {self.driver})"


class Matrix(NamedTuple):
    """A product that a subgroup computes at once: M x K times K x N, in f16, f32, i8, ... (`inputs`), added up in
    `result`."""

    inputs: str
    result: str
    m: int
    n: int
    k: int

    def __str__(self) -> str:
        return f"{self.inputs}->{self.result} {self.m}x{self.n}x{self.k}"


class Memory(Protocol):
    """A buffer's handle."""

    def destroy(self) -> object:
        """Free the memory at once."""


class Step(NamedTuple):
    """One dispatch, ready to encode."""

    pipeline: Any
    bind_group: Any
    x: int
    y: int
    z: int


class Copy(NamedTuple):
    """A copy between buffers: of weights before a pass, or of results to a staging buffer after it."""

    src: Any
    src_offset: int
    dst: Any
    size: int
    dst_offset: int = 0


class Segment(NamedTuple):
    """Copies, and the dispatches of the compute pass that follows them."""

    copies: Sequence[Copy]
    steps: Sequence[Step]


Steps = Sequence[Step | Copy]
Pass = Sequence[Step] | Copy


def segments(steps: Steps) -> list[Segment]:
    """Steps in passes: a copy ends the one before it."""
    parts: list[tuple[list[Copy], list[Step]]] = [([], [])]
    for step in steps:
        if isinstance(step, Step):
            parts[-1][1].append(step)
            continue
        if parts[-1][1]:
            parts.append(([], []))
        parts[-1][0].append(step)
    return [Segment(copies, dispatches) for copies, dispatches in parts]


class MapTicket(Protocol):
    """A buffer being mapped for reading or writing."""

    def poll(self) -> bool:
        """Let the device make progress; True when the buffer is mapped."""

    def take(self, out: memoryview) -> None:
        """Copy the mapped bytes into `out` and unmap. Raises if the device is lost."""

    def put(self, parts: Sequence[tuple[int, NDArray[Any]]]) -> None:
        """Copy bytes to their offsets and unmap. Likewise."""


class WebGpu(Protocol):
    """An opened device. Call its methods within `failures.translated`, which turns its exceptions into ours."""

    @property
    def name(self) -> str:
        """Of the implementation: wgpu-native or Dawn."""

    @property
    def version(self) -> str: ...

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        """The products of subgroups that shaders can use."""

    @property
    def limits(self) -> Mapping[str, int]: ...

    @property
    def features(self) -> frozenset[str]: ...

    @property
    def direct(self) -> bool:
        """Whether C is called without wgpu-py's checks in between; then `finish` may run on another thread."""

    @property
    def ahead(self) -> int:
        """How many Programs must be under way for the GPU never to wait for the host: one that it runs, one that is
        submitted, one that is recorded, and more if the last two hold each other up."""

    def create_buffer(self, size: int, usage: int, label: str) -> Memory: ...

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        """Takes effect before the next submit."""

    def layouts(self, access: Sequence[str]) -> tuple[Any, Any]:
        """(bind group layout, pipeline layout) for bindings 0..n with these access modes."""

    def compile(self, wgsl: str, pipeline_layout: Any, label: str, trusted: bool) -> Any:
        """A pipeline; without bounds checks, if the shader is trusted."""

    def bind_group(self, group_layout: Any, windows: Sequence[tuple[Any, int, int]]) -> Any:
        """Of (memory, offset, bytes) for each binding."""

    def ready(self, steps: Steps) -> Any:
        """Steps as `submit` and `record` take them: made once, used often."""

    def record(self, ready: Any, copies: Sequence[Copy] = (), before: Sequence[Copy] = ()) -> Any:
        """Commands for `finish`: the copies that go before, the steps, then the copies."""

    def anticipate(self) -> None:
        """Do what the next `record` and `MapTicket.poll` would have to wait for while another thread submits."""

    def finish(self, recorded: Any) -> None:
        """Submit what was recorded."""

    def close(self, recorded: Any) -> Any:
        """Commands for `submit_closed`: all of `finish` that can be done ahead. Called if `direct`."""

    def submit_closed(self, commands: Any) -> None: ...

    def discard_closed(self, commands: Any) -> None:
        """Free commands that are not submitted."""

    def submit(self, ready: Any, copies: Sequence[Copy] = ()) -> None:
        """`record` and `finish`."""

    def finished(self, steps: Steps) -> Callable[[], object]:
        """Steps, encoded as far as possible: the call submits them. For those who take the time of it."""

    def submit_nothing(self) -> None:
        """An empty submit: what was released before it is freed when it is done."""

    def poll(self) -> bool:
        """Let the device make progress and free what it can; whether all its work is done."""

    def map(self, memory: Any, size: int, write: bool = False) -> MapTicket:
        """For reading; for writing, if `direct`."""

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> None:
        """Submit the passes; two timestamps each, before and after, go to the memory `ticks`."""

    def timestamp_period(self) -> float:
        """Nanoseconds per timestamp tick."""

    def live_objects(self) -> dict[str, int]:
        """How many buffers, bindGroups, ... this implementation holds in the process: for leak tests."""

    def destroy(self) -> None: ...
