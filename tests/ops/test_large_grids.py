"""Both sides of the limits of grids, floats and positions: 65,535 workgroups, 2^24 elements, 2^32 positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.gpu import GpuDevice
from wgpt.kernels.kernel import Kernel

from .harness import TOLERANCE, f64, near, normal

pytestmark = pytest.mark.gpu
MOST = 65_535


@pytest.fixture
def thin(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> GpuDevice:
    """Elementwise kernels run with 64 threads of one item each, so that few elements make many workgroups."""
    choose = Kernel.choose

    def thinnest(self: Kernel, on: GpuDevice, problem: Any) -> Any:
        usable = self.usable(on.traits, problem)
        thin = [v for v in usable if v.get("threads") == 64 and v.get("items") == 1]
        scalar = [v for v in thin if v.get("x", "scalar") == "scalar"]
        return (scalar or thin or [choose(self, on, problem)])[0]

    monkeypatch.setattr(Kernel, "choose", thinnest)
    return device


@pytest.mark.full
@pytest.mark.parametrize("n", [4 * 64 * MOST, 4 * 64 * MOST + 1, 2**24 + 5])
def test_elements(n, thin, rng):
    """65,535 workgroups hold 2^24 - 256 elements; from 2^24 on, not every index is a float."""
    x = np.resize(normal(rng, 65_537), n)
    with wgpt.use(thin):
        np.testing.assert_array_equal(ops.add(x, x), 2 * x)
        if n > 2**24:
            near(ops.silu(x), np.resize(ops.silu(x[:65_537]), n).astype(np.float64))


@pytest.mark.full
@pytest.mark.parametrize("n", [8 * 64 * MOST, 8 * 64 * MOST + 3])
def test_nf4_codes(n, thin):
    """Eight codes per thread; an index rounded as a float would take a neighbour's scale."""
    packed = np.full(-(-n // 8), 0xFFFFFFFF, np.uint32)
    scales = np.arange(-(-n // 64), dtype=np.float32)
    with wgpt.use(thin):
        y = ops.nf4_dequant(packed, scales, n)
    np.testing.assert_array_equal(y, scales.repeat(64)[:n])


@pytest.mark.full
@pytest.mark.parametrize("rows", [MOST, 70_000])
def test_rows(rows, device, rng, monkeypatch):
    """One workgroup per row."""
    monkeypatch.setattr(Kernel, "choose", lambda self, on, problem: _by_workgroups(self.usable(on.traits, problem)))
    x, g = normal(rng, rows, 5), normal(rng, 5)
    targets = rng.integers(0, 5, rows, np.int32)
    args = {
        "softmax": (x,), "rmsnorm": (x, g), "layernorm": (x, g, g), "rmsnorm_backward": (x, g, x, rows, 5),
        "cross_entropy_forward": (x, targets, rows, 5), "cross_entropy_backward": (x, targets, rows, 5),
    }  # fmt: skip
    for name, operands in args.items():
        with wgpt.use("cpu"):
            expected = getattr(ops, name)(*operands)
        with wgpt.use(device):
            result = getattr(ops, name)(*operands)
        if isinstance(expected, float):
            assert result == pytest.approx(expected, rel=TOLERANCE["gpu"])
            continue
        for part, expected_part in zip(*(r if isinstance(r, tuple) else (r,) for r in (result, expected)), strict=True):
            near(part, expected_part.astype(np.float64), tolerance=2e-5)


def _by_workgroups(usable: list[Any]) -> Any:
    return next((v for v in usable if v.get("reduce") == "workgroup"), usable[0])


@pytest.mark.full
@pytest.mark.parametrize("hidden", [64 * MOST, 64 * MOST + 1])
def test_columns(hidden, device):
    """64 columns to a workgroup of the sums over rows, where a CPU runs it; 32 on a GPU."""
    x = np.ones((2, hidden), np.float32)
    dy = np.stack([np.arange(hidden, dtype=np.float32)] * 2)
    with wgpt.use(device):
        _, dg = ops.rmsnorm_backward(x, x[0].copy(), dy, 2, hidden, eps=0.0)
    near(dg, 2 * dy[0].astype(np.float64), tolerance=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("long", [32 * MOST, 32 * MOST + 1])
def test_products(long, device, rng):
    """No tile of a software driver is larger than 32 x 32: a longer result comes in pieces."""
    a, b = normal(rng, long, 3), normal(rng, 3, 2)
    product = np.matmul(*f64(a, b))
    with wgpt.use(device):
        near(ops.matmul(a, b), product)
        near(ops.linear(np.ascontiguousarray(b.T), a), product.T)


@pytest.mark.full
def test_seventy_thousand_rows_of_a_cached_product(device, rng):
    cache = ops.MatmulCache(device)
    w = normal(rng, 3, 8)
    cache.put("w", w)
    for rows in (MOST, MOST + 1, 70_000):
        x = normal(rng, rows, 8)
        near(cache.matmul("w", x), np.matmul(*f64(x, w.T)))
    cache.clear()


# RoPE -----------------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize(
    ("name", "seq"), [("rope", 32 * MOST), ("rope", 32 * MOST + 1), ("rope_backward", 32 * MOST + 1)]
)
def test_turns_of_many_positions(name, seq, layout, thin, rng):
    """64 pairs to a workgroup, two pairs to a head; the last position is the last that 32 bits hold."""
    x = np.resize(normal(rng, 65_537), (1, seq, 4))
    kwargs = {"start": 2**32 - seq, "layout": layout}
    with wgpt.use("cpu"):
        expected = getattr(ops, name)(x, 1, 4, seq, **kwargs)
    with wgpt.use(thin):
        near(getattr(ops, name)(x, 1, 4, seq, **kwargs), expected.astype(np.float64))


@pytest.mark.full
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize(("heads", "seq"), [(70_000, 3), (3, 70_000), (1, 2**20 + 1)])
def test_turns_of_many_heads(heads, seq, layout, device, rng):
    """More than 65,535 of either; 2^20 + 1 positions of 16 are more than 2^24 elements."""
    d = 16 if heads == 1 else 8
    x = np.resize(normal(rng, 65_537), (heads, seq, d))
    with wgpt.use(device):
        y = ops.rope(x, heads, d, seq, start=2**31 - 2, layout=layout)
    last = slice(-9, None)
    tail = np.ascontiguousarray(x[last, last])
    with wgpt.use("cpu"):
        start = 2**31 - 2 + seq - tail.shape[1]
        expected = ops.rope(tail, tail.shape[0], d, tail.shape[1], start=start, layout=layout)
    near(np.ascontiguousarray(y[last, last]), expected.astype(np.float64))
