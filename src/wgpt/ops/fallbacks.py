"""Operations that ran on hand-written kernels although Triton kernels were requested."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fallback:
    """An operation, why it fell back, and its dispatches in the Program with the most of them."""

    kernel: str
    reason: str
    dispatches: int

    def __str__(self) -> str:
        """For example, `gemv_fused with q6_k weights (12)`."""
        return f"{self.kernel}{f' with {self.reason}' if self.reason else ''} ({self.dispatches})"


def fallback_line(fallbacks: Iterable[Fallback]) -> str:
    """A line for display; empty if there are none."""
    entries = ", ".join(map(str, fallbacks))
    return f"hand-written kernels for: {entries}" if entries else ""
