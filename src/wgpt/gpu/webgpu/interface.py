"""What gpu/ needs from a WebGPU device. Handles are opaque to all other files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

# Buffer usages: the bits of webgpu.h.
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

    index: int  # the index of the physical GPU
    name: str
    vendor: str
    driver: str
    kind: str
    backend: str
    vendor_id: int = 0  # PCI ids, if the driver reports them
    device_id: int = 0

    @property
    def software(self) -> bool:
        return self.kind == "CPU"

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {self.backend}, {self.driver})"


class Matrix(NamedTuple):
    """A product that a subgroup computes at once: M x K times K x N, of type `inputs` (f16, f32, i8, ...), summed in
    `result`."""

    inputs: str
    result: str
    m: int
    n: int
    k: int

    @property
    def usable(self) -> bool:
        """Whether kernels use it: halves summed in f32, in whole vectors of eight along k and along n."""
        return (self.inputs, self.result) == ("f16", "f32") and self.k % 8 == 0 and self.n % 8 == 0

    def __str__(self) -> str:
        return f"{self.inputs}->{self.result} {self.m}x{self.n}x{self.k}"


class Memory(Protocol):
    """The handle of a buffer."""

    def destroy(self) -> object:
        """Free the memory now."""


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
    """Copies, then the dispatches of a compute pass."""

    copies: Sequence[Copy]
    steps: Sequence[Step]


Steps = Sequence[Step | Copy]
Pass = Sequence[Step] | Copy


def segments(steps: Steps) -> list[Segment]:
    """Group steps into passes: a copy ends the previous pass."""
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
        """Copy bytes to their offsets and unmap. Raises if the device is lost."""


class WebGpu(Protocol):
    """An opened device. Call its methods within `failures.translated`, which turns its exceptions into ours."""

    @property
    def name(self) -> str:
        """The implementation's name: wgpu-native or Dawn."""

    @property
    def version(self) -> str: ...

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        """The subgroup matrix products that shaders can use."""

    @property
    def limits(self) -> Mapping[str, int]: ...

    @property
    def features(self) -> frozenset[str]: ...

    @property
    def direct(self) -> bool:
        """Whether C functions are called directly, without wgpu-py's checks; `finish` may then run on another
        thread."""

    @property
    def ahead(self) -> int:
        """How many Programs must be in progress for the GPU never to wait: one running, one submitted, one being
        recorded, and more if submitting and recording block each other.
        """

    def create_buffer(self, size: int, usage: int, label: str) -> Memory: ...

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        """Write to a buffer; takes effect before the next submit."""

    def layouts(self, access: Sequence[str]) -> tuple[Any, Any]:
        """(bind group layout, pipeline layout) for bindings 0..n with these access modes."""

    def compile(self, wgsl: str, pipeline_layout: Any, label: str, trusted: bool) -> Any:
        """Compile a pipeline; if the shader is trusted, without bounds checks."""

    def bind_group(self, group_layout: Any, windows: Sequence[tuple[Any, int, int]]) -> Any:
        """A bind group of (memory, offset, bytes) per binding."""

    def ready(self, steps: Steps) -> Any:
        """Prepare steps for `submit` and `record`: done once, used often."""

    def record(self, ready: Any, copies: Sequence[Copy] = (), before: Sequence[Copy] = ()) -> Any:
        """Record commands for `finish`: the copies `before`, the steps, then the copies."""

    def anticipate(self) -> None:
        """Prepare what the next `record` and `MapTicket.poll` would otherwise wait for while another thread submits."""

    def finish(self, recorded: Any) -> None:
        """Submit recorded commands."""

    def close(self, recorded: Any) -> Any:
        """Close commands for `submit_closed`: does everything of `finish` but the submit. Only if `direct`."""

    def submit_closed(self, commands: Any) -> None: ...

    def discard_closed(self, commands: Any) -> None:
        """Free closed commands without submitting them."""

    def submit(self, ready: Any, copies: Sequence[Copy] = ()) -> None:
        """`record` and `finish`."""

    def finished(self, steps: Steps) -> Callable[[], object]:
        """Encode steps as far as possible, to measure their time; the returned function submits them."""

    def submit_nothing(self) -> None:
        """Make an empty submit: when it finishes, memory released before it is freed."""

    def poll(self) -> bool:
        """Let the device make progress and free resources; returns whether all its work is finished."""

    def map(self, memory: Any, size: int, write: bool = False) -> MapTicket:
        """Map a buffer for reading; for writing only if `direct`."""

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> None:
        """Submit the passes, with a timestamp before and after each written to the memory `ticks`."""

    def timestamp_period(self) -> float:
        """Nanoseconds per timestamp tick."""

    def live_objects(self) -> dict[str, int]:
        """How many buffers, bindGroups, ... this implementation has alive in the process: for leak tests."""

    def destroy(self) -> None: ...
