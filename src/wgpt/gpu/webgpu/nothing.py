"""A WebGPU without a GPU: Programs can be recorded for it, but not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from numpy.typing import NDArray

from ..errors import WgptError
from .interface import Copy, Matrix, Pass, Steps


class NoMemory:
    """A handle without a buffer."""

    def destroy(self) -> None:
        pass


_NO_MEMORY = NoMemory()


class Nothing:
    """Takes what is recorded and written, refuses to run it, and has no features."""

    version = ""
    matrices: tuple[Matrix, ...] = ()
    features = frozenset[str]()
    direct = False

    def __init__(self, limits: Mapping[str, int], name: str = "none") -> None:
        self.limits, self.name = dict(limits), name

    def create_buffer(self, size: int, usage: int, label: str) -> NoMemory:
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

    def record(self, ready: Any, copies: Sequence[Copy] = ()) -> NoReturn:
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

    def map(self, memory: Any, size: int) -> NoReturn:
        _refuse()

    def raise_if_lost(self) -> None:
        pass

    def submit_timed(self, passes: Sequence[Pass], ticks: Any) -> NoReturn:
        _refuse()

    def timestamp_period(self) -> NoReturn:
        _refuse()

    def live_objects(self) -> dict[str, int]:
        return {}

    def destroy(self) -> None:
        pass


def _refuse() -> NoReturn:
    raise WgptError("this device only counts memory and cannot compute")
