"""RoPE and its backward, on NumPy arrays."""

from __future__ import annotations

from typing import Any

from ..core.arguments import one_of, whole_number
from ..kernels.attention.rope import LAYOUTS, inverse_frequencies, phase_steps
from . import check
from .backend import Array, Backend
from .core import F32, both
from .pieces import Work, length

LAYOUT = "interleaved"  # unless another one is requested


def _turn(kernel: str, name: str, result: str, x: F32, sizes: dict[str, Any], theta: float, layout: str) -> Work[F32]:
    heads, head_dim, seq = check.positive(heads=sizes["heads"], head_dim=sizes["head_dim"], seq=sizes["seq"])
    if head_dim % 2:
        raise ValueError(f"head_dim must be even, not {head_dim}")
    x = check.length(name, x, heads * seq * head_dim, f"heads * seq * head_dim = {heads} * {seq} * {head_dim}")
    (theta,) = check.finite(theta=theta)
    if theta <= 0:
        raise ValueError(f"theta must be above 0, not {theta}")
    start = whole_number("start", sizes["start"], 0, 2**32 - seq)  # the last position must fit into 32 bits
    one_of("layout", layout, LAYOUTS)
    steps = phase_steps(inverse_frequencies(head_dim, theta))
    shaped = x.reshape(heads, seq, head_dim)

    def body(e: Backend, head_slice: slice, positions: slice) -> dict[str, Array]:
        problem = {"layout": layout, "heads": length(head_slice), "seq": length(positions), "head_dim": head_dim}
        problem |= {"start": start + positions.start, "theta": theta}
        return e.apply(kernel, problem, **{name: e.array(shaped[head_slice, positions]), "steps": e.array(steps)})

    return Work(x.size, (heads, seq), body, lambda r: r[result].reshape(x.shape))


def _rope(
    x: F32, heads: int, head_dim: int, seq: int, theta: float = 1e4, *, start: int = 0, layout: str = LAYOUT
) -> Work[F32]:
    """Rotate x[heads, seq, head_dim] by its position.

    layout: which elements are a pair: "interleaved" (2p, 2p + 1), the default here and in `rope_backward`, or "half"
    (p, p + head_dim / 2), as Hugging Face's Llama has it.

    >>> x = np.ones((1, 2, 4), np.float32)                 # one head, two positions
    >>> ops.rope(x, heads=1, head_dim=4, seq=2).round(3)
    array([[[ 1.   ,  1.   ,  1.   ,  1.   ],
            [-0.301,  1.382,  0.99 ,  1.01 ]]], dtype=float32)
    """
    sizes = {"heads": heads, "head_dim": head_dim, "seq": seq, "start": start}
    return _turn("rope", "x", "y", x, sizes, theta, layout)


def _rope_backward(
    dy: F32, heads: int, head_dim: int, seq: int, theta: float = 1e4, *, start: int = 0, layout: str = LAYOUT
) -> Work[F32]:
    """The transposed rotation: the gradient of `rope` with the same arguments.

    >>> x = np.float32(np.arange(8)).reshape(1, 2, 4)
    >>> y = ops.rope(x, heads=1, head_dim=4, seq=2)
    >>> np.allclose(ops.rope_backward(y, heads=1, head_dim=4, seq=2), x)  # a rotation back
    True
    """
    sizes = {"heads": heads, "head_dim": head_dim, "seq": seq, "start": start}
    return _turn("rope_backward", "dy", "dx", dy, sizes, theta, layout)


rope, rope_async = both(_rope)
rope_backward, rope_backward_async = both(_rope_backward)
