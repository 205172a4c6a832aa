"""RoPE and its backward against turns of complex numbers in float64."""

from __future__ import annotations

import asyncio
import math

import numpy as np
import pytest

import wgpt
from wgpt import ops

from .harness import TOLERANCE, call, f64, literally, near, normal, refused

LAYOUTS = ["half", "interleaved"]
# heads, seq, head_dim, start, theta
CASES = [(1, 1, 2, 0, 1e4), (3, 5, 6, 2, 1e4), (2, 9, 64, 0, 1e5), (2, 7, 12, 8190, 1e6), (1, 3, 64, 131_000, 1e4)]


def turned(x: np.ndarray, start: int, theta: float, layout: str, direction: int) -> np.ndarray:
    """Each pair as a complex number, times e^(i angle)."""
    (x,) = f64(x)
    seq, d = x.shape[-2:]
    angle = np.array([[(start + s) * theta ** (-2 * p / d) for p in range(d // 2)] for s in range(seq)])
    turn = np.exp(direction * 1j * angle)
    y = np.empty_like(x)
    if layout == "half":
        z = (x[..., : d // 2] + 1j * x[..., d // 2 :]) * turn
        y[..., : d // 2], y[..., d // 2 :] = z.real, z.imag
    else:
        z = (x[..., 0::2] + 1j * x[..., 1::2]) * turn
        y[..., 0::2], y[..., 1::2] = z.real, z.imag
    return y


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("heads", "seq", "head_dim", "start", "theta"), CASES)
def test_both_directions(heads, seq, head_dim, start, theta, layout, where, rng):
    x = normal(rng, heads, seq, head_dim)
    sizes = (heads, head_dim, seq, theta)
    near(call("rope", x, *sizes, start=start, layout=layout), turned(x, start, theta, layout, 1), where)
    back = call("rope_backward", x, *sizes, start=start, layout=layout)
    near(back, turned(x, start, theta, layout, -1), where)


def test_the_defaults(where, rng):
    """theta 10,000 from position 0; both interleaved, as the trainer had it."""
    x = normal(rng, 2, 5, 16)
    near(call("rope", x, 2, 16, 5), turned(x, 0, 1e4, "interleaved", 1), where)
    near(call("rope_backward", x, 2, 16, 5), turned(x, 0, 1e4, "interleaved", -1), where)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_backward_is_the_transpose_of_its_own_forward(layout, where, rng):
    """<rope(x), y> = <x, rope_backward(y)>, and a turn there and back is no turn."""
    x, y = normal(rng, 3, 7, 24), normal(rng, 3, 7, 24)
    forward = ops.rope(x, 3, 24, 7, start=11, layout=layout)
    back = ops.rope_backward(y, 3, 24, 7, start=11, layout=layout)
    forward_product, backward_product = np.vdot(*f64(forward, y)), np.vdot(*f64(x, back))
    assert abs(forward_product - backward_product) <= TOLERANCE[where] * np.linalg.norm(x) * np.linalg.norm(y)
    there_and_back = ops.rope_backward(forward, 3, 24, 7, start=11, layout=layout)
    near(there_and_back, x.astype(np.float64), where, 2 * TOLERANCE["gpu"])


def test_flat_arrays_come_back_flat(where, rng):
    x = normal(rng, 2, 5, 8)
    flat = ops.rope(x.reshape(-1), 2, 8, 5)
    assert flat.shape == (80,)
    np.testing.assert_array_equal(flat, ops.rope(x, 2, 8, 5).reshape(-1))


@pytest.mark.gpu
def test_positions_are_awaited_together(device, rng, under_way):
    """A sequence turned in one call, and position by position in many at once."""
    x = normal(rng, 2, 6, 32)

    async def together() -> list[np.ndarray]:
        parts = [np.ascontiguousarray(x[:, s : s + 1]) for s in range(6)]
        return await asyncio.gather(*(ops.rope_async(p, 2, 32, 1, start=s) for s, p in enumerate(parts)))

    with wgpt.use(device):
        np.testing.assert_array_equal(np.concatenate(asyncio.run(together()), axis=1), ops.rope(x, 2, 32, 6))
    assert under_way == [6]


# Refused ------------------------------------------------------------------------------------------------------

X = np.linspace(-1.0, 1.0, 48, dtype=np.float32).reshape(2, 3, 8)
NAMES = ["rope", "rope_backward"]


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_wrong_arrays_are_refused(name, device):
    refused(device, literally("has 48 elements", "heads * seq * head_dim = 2 * 4 * 8 is 64"), name, X, 2, 8, 4)
    refused(device, literally("has 0 elements", "2 * 3 * 8 is 48"), name, X[:0], 2, 8, 3)
    refused(device, "must be float32, not float16", name, X.astype(np.float16), 2, 8, 3)
    refused(device, literally("(3, 2, 8) is not contiguous"), name, X.transpose(1, 0, 2), 2, 8, 3)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [0, -2, 2.0, math.nan, math.inf, "2", None])
def test_sizes_must_be_positive_whole_numbers(name, bad, device):
    for at, size in enumerate(("heads", "head_dim", "seq")):
        sizes: list[object] = [2, 8, 3]
        sizes[at] = bad
        refused(device, literally(f"{size} must be", "not ", repr(bad)), name, X, *sizes)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_a_head_has_whole_pairs(name, device):
    refused(device, "head_dim must be even, not 3", name, X, 2, 3, 8)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [-1, 0.0, 1.5, math.nan, None, 2**32 - 2])
def test_positions_fit_32_bits(name, bad, device):
    """Three positions from 2^32 - 2 on would wrap around."""
    refused(device, literally("start must be", "not ", repr(bad)), name, X, 2, 8, 3, start=bad)


def test_the_last_positions_are_reached(where):
    """Exactly 2^32 - 3 .. 2^32 - 1; beyond a float's digits only the range is checked here."""
    y = ops.rope(X, 2, 8, 3, start=2**32 - 3)
    norms = np.hypot(X[..., ::2], X[..., 1::2])
    near(np.hypot(y[..., ::2], y[..., 1::2]), norms.astype(np.float64), where, 1e-6)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_theta_and_layout(name, device):
    for bad in (math.nan, math.inf, "10000", None):
        refused(device, literally("theta must be", "not ", repr(bad)), name, X, 2, 8, 3, bad)
    refused(device, "theta must be above 0, not 0", name, X, 2, 8, 3, 0.0)
    refused(device, "theta must be above 0, not -5", name, X, 2, 8, 3, -5.0)
    refused(device, "rotations per position must be within 0 and 2 pi", name, X, 2, 8, 3, 1e-3)
    for bad in ("halves", None, 2):
        message = literally("layout must be half or interleaved, not ", repr(bad))
        refused(device, message, name, X, 2, 8, 3, layout=bad)
