"""RoPE and its backward, on NumPy arrays."""

from __future__ import annotations

from typing import Any

from ..kernels.rope import LAYOUTS, inverse_frequencies, phase_steps
from . import check
from .core import F32, Work, both


def _turn(kernel: str, given: str, result: str, x: F32, sizes: dict[str, Any], theta: float, layout: str) -> Work[F32]:
    heads, head_dim, seq = check.positive(heads=sizes["heads"], head_dim=sizes["head_dim"], seq=sizes["seq"])
    if head_dim % 2:
        raise ValueError(f"head_dim must be even, not {head_dim}")
    x = check.length(given, x, heads * seq * head_dim, f"heads * seq * head_dim = {heads} * {seq} * {head_dim}")
    (theta,) = check.finite(theta=theta)
    if theta <= 0:
        raise ValueError(f"theta must be above 0, not {theta}")
    start = check.whole("start", sizes["start"], 0, 2**32 - seq)  # the last position fits 32 bits
    check.choice("layout", layout, LAYOUTS)
    problem = {
        "layout": layout, "heads": heads, "seq": seq, "head_dim": head_dim, "start": start, "theta": theta,
    }  # fmt: skip
    steps = phase_steps(inverse_frequencies(head_dim, theta))
    shaped = x.reshape(heads, seq, head_dim)
    return Work(
        x.size,
        lambda e: e.apply(kernel, problem, **{given: e.array(shaped), "steps": e.array(steps)}),
        lambda r: r[result].reshape(x.shape),
    )


def _rope(
    x: F32, heads: int, head_dim: int, seq: int, theta: float = 1e4, *, start: int = 0, layout: str = "half"
) -> Work[F32]:
    """Rotate x[heads, seq, head_dim] by its position; layout "half" (pairs i, i+d/2) or "interleaved" (2p, 2p+1)."""
    sizes = {"heads": heads, "head_dim": head_dim, "seq": seq, "start": start}
    return _turn("rope", "x", "y", x, sizes, theta, layout)


def _rope_backward(
    dy: F32, heads: int, head_dim: int, seq: int, theta: float = 1e4, *, start: int = 0, layout: str = "interleaved"
) -> Work[F32]:
    """The transposed rotation: the gradient of `rope` with the same layout."""
    sizes = {"heads": heads, "head_dim": head_dim, "seq": seq, "start": start}
    return _turn("rope_backward", "dy", "dx", dy, sizes, theta, layout)


rope, rope_async = both(_rope)
rope_backward, rope_backward_async = both(_rope_backward)
