"""A dispatch as a kernel describes it, before anything is on the GPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .bindings import access_modes
from .buffer import Tensor
from .pipeline import ShaderCode


@dataclass(frozen=True)
class Bound:
    """One binding of a dispatch."""

    name: str
    access: str  # "read" or "read_write"
    tensor: Tensor


@dataclass(frozen=True)
class Launch:
    """One dispatch, or a copy between buffers."""

    kernel: str
    variant: str
    wgsl: str
    params: bytes
    bindings: tuple[Bound, ...]
    grid: tuple[int, int, int]
    shape: str = ""
    flops: int = 0
    bytes: int = 0
    trusted: bool = False
    fallback: str | None = None  # why a requested alternative kernel was not used; "": it does not exist
    layer: int | None = None  # the layer of a model, if it belongs to one
    # the problem that the kernel was recorded for
    problem: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def copy_of(cls, source: Tensor, target: Tensor) -> Launch:
        """A copy between buffers, which needs no shader."""
        bindings = (Bound("source", "read", source), Bound("target", "read_write", target))
        return cls("copy", "", "", b"", bindings, (0, 0, 0), f"{source.nbytes} B", bytes=source.nbytes)

    @property
    def is_copy(self) -> bool:
        return not self.wgsl

    @property
    def label(self) -> str:
        return f"{self.kernel}[{self.variant}]" if self.variant else self.kernel

    @property
    def access(self) -> tuple[str, ...]:
        return access_modes(self.params, (b.access for b in self.bindings))

    @property
    def code(self) -> ShaderCode:
        return ShaderCode(self.wgsl, self.access, self.label, self.trusted)
