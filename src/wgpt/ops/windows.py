"""GPU tensors that are larger than one binding: one dispatch for each window of their rows."""

from __future__ import annotations

from collections.abc import Iterator

from ..gpu import GpuDevice, Tensor
from ..gpu.bindings import most_bytes

_ALIGNED = 64  # rows of f32, whatever their length: bindings begin at multiples of 256 bytes


def windows(device: GpuDevice, rows: int, widest: int) -> Iterator[tuple[int, int]]:
    """(first row, count) so that no tensor of at most `widest` elements per row exceeds a binding.

    All rows at once if they fit, or if not even the fewest rows do: the recorder then reports what is too large.
    """
    fit = most_bytes(device) // (4 * widest)
    most = fit // _ALIGNED * _ALIGNED
    if rows <= fit or most == 0:
        yield 0, rows
        return
    for at in range(0, rows, most):
        yield at, min(most, rows - at)


def rows_of(tensor: Tensor, rows: int, at: int, count: int) -> Tensor:
    """Rows at .. at + count - 1 of a tensor of `rows` rows."""
    width = tensor.size // rows
    return tensor.window(at * width, count, width)
