"""Operations that ran on hand-written kernels although Triton kernels were requested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..gpu import Program


@dataclass(frozen=True)
class Fallback:
    """An operation, why it fell back, and its dispatches in the Program with the most of them."""

    kernel: str
    reason: str
    dispatches: int

    def __str__(self) -> str:
        """For example, `gemv_fused with q6_k weights (12)`."""
        return f"{self.kernel}{f' with {self.reason}' if self.reason else ''} ({self.dispatches})"


class Fallbacks:
    """The fallbacks of all recorded Programs."""

    def __init__(self) -> None:
        self._dispatches: dict[tuple[str, str], int] = {}

    def note(self, program: Program) -> Program:
        """Count the fallbacks of a Program."""
        launches = (launch for launch in program.launches if launch.fallback is not None)
        for key, count in Counter((launch.kernel, launch.fallback or "") for launch in launches).items():
            self._dispatches[key] = max(count, self._dispatches.get(key, 0))
        return program

    def entries(self) -> list[Fallback]:
        return [Fallback(*key, count) for key, count in sorted(self._dispatches.items())]


def fallback_line(fallbacks: Iterable[Fallback]) -> str:
    """A line for display; empty if there are none."""
    entries = ", ".join(map(str, fallbacks))
    return f"hand-written kernels for: {entries}" if entries else ""
