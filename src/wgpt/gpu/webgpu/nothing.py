"""WebGPU without a GPU: Programs can be recorded but not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...core.errors import WgptError
from .interface import Copy, Matrix, Pass, Steps


class NullMemory:
    """A handle without a buffer."""

    def destroy(self) -> None:
        pass


_NO_MEMORY = NullMemory()


class NullWebGpu:
    """Accepts allocations, writes and recordings, refuses to run them, and has no features."""

    version = ""
    matrices: tuple[Matrix, ...] = ()
    features = frozenset[str]()
    direct, ahead = False, 1

    def __init__(self, limits: Mapping[str, int], name: str = "none") -> None:
        self.limits, self.name = dict(limits), name

    def create_buffer(self, size: int, usage: int, label: str) -> NullMemory:
        return _NO_MEMORY

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        pass

    def layouts(self, access: Sequence[str]) -> tuple[None, None]:
        return None, None

    def compile(self, wgsl: str, pipeline_layout: Any, label: str, trusted: bool) -> None:
        return None

    def bind_group(self, group_layout: Any, windows: Sequence[tuple[Any, int, int]]) -> None:
        return None

    def ready(self, steps: Steps) -> None:
        return None

    def record(self, ready: Any, copies: Sequence[Copy] = (), before: Sequence[Copy] = ()) -> NoReturn:
        _refuse()

    def anticipate(self) -> NoReturn:
        _refuse()

    def finish(self, recorded: Any) -> NoReturn:
        _refuse()

    def close(self, recorded: Any) -> NoReturn:
        _refuse()

    def submit_closed(self, commands: Any) -> NoReturn:
        _refuse()

    def discard_closed(self, commands: Any) -> None:
        pass

    def submit(self, ready: Any, copies: Sequence[Copy] = ()) -> NoReturn:
        _refuse()

    def finished(self, steps: Steps) -> Callable[[], object]:
        _refuse()

    def submit_nothing(self) -> None:
        pass

    def poll(self) -> bool:
        return True

    def map(self, memory: Any, size: int, write: bool = False) -> NoReturn:
        _refuse()

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> NoReturn:
        _refuse()

    def timestamp_period(self) -> NoReturn:
        _refuse()

    def live_objects(self) -> dict[str, int]:
        return {}

    def destroy(self) -> None:
        pass


class HostMemory(NullMemory):
    """Host memory in place of a buffer, allocated at the first write."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.data: NDArray[np.uint8] | None = None

    def write(self, offset: int, data: bytes | NDArray[Any]) -> None:
        if self.data is None:
            self.data = np.zeros(self._size, np.uint8)
        raw = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data.reshape(-1).view(np.uint8)
        self.data[offset : offset + raw.size] = raw

    def bytes(self, offset: int, size: int) -> NDArray[np.uint8]:
        return np.zeros(size, np.uint8) if self.data is None else self.data[offset : offset + size]

    def destroy(self) -> None:
        self.data = None


class HostMemoryWebGpu(NullWebGpu):
    """As NullWebGpu, but keeps what is written to its buffers."""

    def create_buffer(self, size: int, usage: int, label: str) -> HostMemory:
        return HostMemory(size)

    def write_buffer(self, memory: Any, offset: int, data: bytes | NDArray[Any]) -> None:
        memory.write(offset, data)


def _refuse() -> NoReturn:
    raise WgptError("this device only counts memory and cannot compute")
