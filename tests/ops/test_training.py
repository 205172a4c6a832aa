"""The training operations against formulas in float64."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import ops

from .harness import TOLERANCE, call, f64, literally, near, normal, refused

GEMMS = [(1, 1, 1), (7, 3, 5), (16, 64, 32), (37, 203, 67), (1, 130, 9)]


def targets_for(rng: np.random.Generator, rows: int, vocab: int) -> np.ndarray:
    return rng.integers(0, vocab, rows, np.int32)


# Gradients of a product -------------------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [False, True], ids=["shaped", "flat"])
def test_gemm_backward(flat, where, rng):
    for m, k, n in GEMMS:
        a, b, dc = normal(rng, m, k), normal(rng, k, n), normal(rng, m, n)
        wide_a, wide_b, wide_dc = f64(a, b, dc)
        if flat:
            a, b, dc = a.reshape(-1), b.reshape(-1), dc.reshape(-1)
        near(call("gemm_backward_a", b, dc, m, k, n), np.einsum("mn,kn->mk", wide_dc, wide_b), where)
        near(call("gemm_backward_b", a, dc, m, k, n), np.einsum("mk,mn->kn", wide_a, wide_dc), where)


# RMSNorm ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eps", [None, 0.5])
def test_rmsnorm_backward(eps, where, rng):
    options, epsilon = ({}, 1e-6) if eps is None else ({"eps": eps}, eps)
    for rows, hidden in [(1, 1), (1, 5), (7, 64), (67, 43), (130, 12)]:
        x, g, dy = normal(rng, rows, hidden), normal(rng, hidden), normal(rng, rows, hidden)
        wx, wg, wdy = f64(x, g, dy)
        root = np.sqrt((wx**2).mean(axis=1) + epsilon)
        # The Jacobian of each row, in full.
        outer = np.einsum("ri,rj->rij", wx, wx) / (hidden * root[:, None, None] ** 3)
        jacobian = np.eye(hidden) / root[:, None, None] - outer
        expected_dx = np.einsum("ri,i,rij->rj", wdy, wg, jacobian)
        expected_dg = (wdy * wx / root[:, None]).sum(axis=0)
        # Where hidden is 1, the two parts of dx nearly cancel: the error is measured by them.
        dx, dg = call("rmsnorm_backward", x, g, dy, rows, hidden, **options)
        parts = np.abs(wdy * wg / root[:, None]).max()
        assert dx.shape == (rows, hidden) and dx.dtype == np.float32
        assert np.abs(dx - expected_dx).max() <= TOLERANCE[where] * parts
        near(dg, expected_dg, where)


def test_rmsnorm_backward_takes_flat_arrays(where, rng):
    x, g, dy = normal(rng, 6, 10), normal(rng, 10), normal(rng, 6, 10)
    shaped = ops.rmsnorm_backward(x, g, dy, 6, 10)
    flat = ops.rmsnorm_backward(x.reshape(-1), g.reshape(10, 1), dy.reshape(-1), 6, 10)
    for shaped_result, flat_result in zip(shaped, flat, strict=True):
        np.testing.assert_array_equal(shaped_result, flat_result)


# Cross entropy ------------------------------------------------------------------------------------------------


def loss(row: np.ndarray, target: int) -> float:
    return math.log(math.fsum(np.exp(row - row.max()))) + row.max() - row[target]


def mean_loss(z: np.ndarray, targets: np.ndarray) -> float:
    return math.fsum(loss(row, t) for row, t in zip(z, targets, strict=True)) / len(z)


def gradient_of(z: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Of the summed loss: softmax, less 1 at the target."""
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(z)), targets] -= 1.0
    return p


@pytest.mark.parametrize(("rows", "vocab"), [(1, 1), (1, 7), (9, 64), (33, 1003), (2, 50_257)])
def test_cross_entropy(rows, vocab, where, rng):
    z, targets = normal(rng, rows, vocab, scale=5.0), targets_for(rng, rows, vocab)
    (wide,) = f64(z)
    mean, gradient = mean_loss(wide, targets), gradient_of(wide, targets)
    loss = call("cross_entropy_forward", z, targets, rows, vocab)
    assert isinstance(loss, float)
    assert abs(loss - mean) <= TOLERANCE[where] * max(mean, 1.0)
    near(call("cross_entropy_backward", z, targets, rows, vocab), gradient / rows, where)
    near(ops.cross_entropy_backward(z.reshape(-1), targets, rows, vocab, scale=-3.0), -3.0 * gradient, where)


@pytest.mark.parametrize("ignore_index", [-100, 3, -1])
def test_ignored_rows_do_not_count(ignore_index, where, rng):
    rows, vocab = 13, 37
    z, targets = normal(rng, rows, vocab), targets_for(rng, rows, vocab)
    targets[targets == ignore_index] = 0
    counted = np.arange(rows) % 3 != 1
    targets[~counted] = ignore_index
    (wide,) = f64(z)
    options = {} if ignore_index == -100 else {"ignore_index": ignore_index}
    loss = call("cross_entropy_forward", z, targets, rows, vocab, **options)
    assert abs(loss - mean_loss(wide[counted], targets[counted])) <= 10 * TOLERANCE[where]
    gradient = np.zeros((rows, vocab))
    gradient[counted] = gradient_of(wide[counted], targets[counted])
    result = call("cross_entropy_backward", z, targets, rows, vocab, **options)
    near(result, gradient / counted.sum(), where)
    assert (result[~counted] == 0).all()


def test_all_rows_ignored(where, rng):
    z, targets = normal(rng, 4, 9), np.full(4, -100, np.int32)
    assert call("cross_entropy_forward", z, targets, 4, 9) == 0.0
    near(call("cross_entropy_backward", z, targets, 4, 9), np.zeros((4, 9)), where)


def test_cross_entropy_of_large_logits(where):
    """exp of them overflows; the loss is the distance to the maximum."""
    z = np.array([[1e4, 0.0, -1e4], [-8e3, -9e3, -1e4]], np.float32)
    targets = np.array([1, 0], np.int32)
    assert call("cross_entropy_forward", z, targets, 2, 3) == pytest.approx(5e3, rel=1e-6)
    near(call("cross_entropy_backward", z, targets, 2, 3), np.array([[0.5, -0.5, 0.0], [0.0, 0.0, 0.0]]), where)


# AdamW --------------------------------------------------------------------------------------------------------

RATES = {"lr": 0.05, "beta1": 0.8, "beta2": 0.95, "eps": 1e-3, "weight_decay": 0.3}
DEFAULTS = {"lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 0.01}


def adamw(state: list[np.ndarray], g: np.ndarray, step: int, rates: dict[str, float]) -> list[np.ndarray]:
    p, m, v = state
    b1, b2 = rates["beta1"], rates["beta2"]
    m, v = m + (1 - b1) * (g - m), v + (1 - b2) * (g * g - v)
    m_hat, v_hat = m / (1 - b1**step), v / (1 - b2**step)
    shrunk = p * (1 - rates["lr"] * rates["weight_decay"])
    return [shrunk - rates["lr"] * m_hat / (np.sqrt(v_hat) + rates["eps"]), m, v]


@pytest.mark.parametrize("rates", [RATES, DEFAULTS], ids=["given", "defaults"])
@pytest.mark.parametrize("shape", [(1,), (1021,), (5, 3, 7)], ids=str)
def test_adamw_steps_in_place(rates, shape, where, rng):
    params, m, v = normal(rng, *shape), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    options = {} if rates is DEFAULTS else rates
    for step in (1, 2, 3):
        grads = normal(rng, *shape)
        grads_before, before = grads.copy(), params.copy()
        expected = adamw(f64(params, m, v), *f64(grads), step, rates)
        assert ops.adamw_step(params, grads, m, v, step, **options) is None
        np.testing.assert_array_equal(grads, grads_before)
        for array, after in zip((params, m, v), expected, strict=True):
            near(array, after, where)
        moved = np.abs(params - before).max()  # an error of the step must be visible beside the parameter
        assert np.abs(params - expected[0]).max() <= 1e-3 * moved


def test_adamw_async_is_the_same(where, rng):
    shape = (67,)
    start = [normal(rng, *shape), normal(rng, *shape), normal(rng, *shape) ** 2]
    grads = normal(rng, *shape)
    sync, async_ = [a.copy() for a in start], [a.copy() for a in start]
    ops.adamw_step(sync[0], grads, sync[1], sync[2], 5)
    asyncio.run(ops.adamw_step_async(async_[0], grads, async_[1], async_[2], 5))
    for a, b, before in zip(sync, async_, start, strict=True):
        np.testing.assert_array_equal(a, b)
        assert (a != before).any()


def test_adamw_writes_into_views(where, rng):
    """A slice of a larger array is updated, its neighbours are not."""
    whole = normal(rng, 4, 10)
    original = whole.copy()
    grads, m, v = normal(rng, 10), normal(rng, 10), normal(rng, 10) ** 2
    expected = adamw(f64(whole[2], m, v), *f64(grads), 4, RATES)[0]
    ops.adamw_step(whole[2], grads, m, v, 4, **RATES)
    near(whole[2], expected, where)
    np.testing.assert_array_equal(np.delete(whole, 2, axis=0), np.delete(original, 2, axis=0))


# NF4 ----------------------------------------------------------------------------------------------------------

# The table once more, independent of quant/nf4.py.
CODES = [-1.0, -0.6961928, -0.5250731, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0.0]
CODES += [0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.7229568, 1.0]


def nf4(packed: np.ndarray, scales: np.ndarray, n: int, block: int, high_first: bool) -> np.ndarray:
    values = np.empty(n)
    for i in range(n):
        shift = 4 * (i % 8 ^ 1 if high_first else i % 8)
        values[i] = CODES[int(packed[i // 8]) >> shift & 15] * float(scales[i // block])
    return values


@pytest.mark.parametrize("high_first", [False, True], ids=["low", "high"])
@pytest.mark.parametrize(("n", "block"), [(1, 64), (8, 4), (1003, 64), (640, 32), (101, 7)])
def test_nf4_dequant(n, block, high_first, where, rng):
    packed = rng.integers(0, 2**32, -(-n // 8), np.uint32)
    scales = normal(rng, -(-n // block))
    options: dict[str, Any] = {"high_first": True} if high_first else {}
    near(call("nf4_dequant", packed, scales, n, block, **options), nf4(packed, scales, n, block, high_first), where)


def test_nf4_dequant_of_the_literal_vector(where):
    packed, scales = np.array([0x90F51C73], np.uint32), np.array([2.0, 0.5], np.float32)
    indices = [3, 7, 12, 1, 5, 15, 0, 9]
    expected = np.array([CODES[i] * (2.0 if at < 4 else 0.5) for at, i in enumerate(indices)])
    near(call("nf4_dequant", packed, scales, 8, 4), expected, where, tolerance=1e-7)


def test_nf4_dequant_takes_shaped_arrays(where, rng):
    packed, scales = rng.integers(0, 2**32, 24, np.uint32), normal(rng, 12)
    shaped = ops.nf4_dequant(packed.reshape(4, 6), scales.reshape(3, 4), 192, 16)
    near(shaped, nf4(packed, scales, 192, 16, False), where)


# Together -----------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_different_operations_are_awaited_together(device, rng, under_way):
    a, b, dc = normal(rng, 20, 31), normal(rng, 31, 43), normal(rng, 20, 43)
    g, targets = normal(rng, 43), targets_for(rng, 20, 43)

    async def together() -> list[Any]:
        return await asyncio.gather(
            ops.gemm_backward_a_async(b, dc, 20, 31, 43), ops.gemm_backward_b_async(a, dc, 20, 31, 43),
            ops.rmsnorm_backward_async(dc, g, dc, 20, 43), ops.cross_entropy_forward_async(dc, targets, 20, 43),
        )  # fmt: skip

    with wgpt.use(device):
        results = asyncio.run(together())
        assert under_way == [4]
        np.testing.assert_array_equal(results[0], ops.gemm_backward_a(b, dc, 20, 31, 43))
        np.testing.assert_array_equal(results[1], ops.gemm_backward_b(a, dc, 20, 31, 43))
        for result, expected in zip(results[2], ops.rmsnorm_backward(dc, g, dc, 20, 43), strict=True):
            np.testing.assert_array_equal(result, expected)
        assert results[3] == ops.cross_entropy_forward(dc, targets, 20, 43)


# Refused ------------------------------------------------------------------------------------------------------

X = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 4)
G = X[0].copy()
T = np.array([0, 3, 1], np.int32)
WORDS, SCALES = np.array([7, 9], np.uint32), np.array([1.0, 2.0], np.float32)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("name", "args", "names"),
    [
        ("gemm_backward_a", (X, X, 2, 3, 4), ("dc has 12 elements", "m * n = 2 * 4 is 8")),
        ("gemm_backward_a", (X, X, 3, 2, 4), ("b has 12 elements", "k * n = 2 * 4 is 8")),
        ("gemm_backward_b", (X, X, 3, 5, 4), ("a has 12 elements", "m * k = 3 * 5 is 15")),
        ("gemm_backward_b", (X, X, 2, 6, 5), ("dc has 12 elements", "m * n = 2 * 5 is 10")),
        ("rmsnorm_backward", (X, G, X, 3, 5), ("x has 12 elements", "rows * hidden = 3 * 5 is 15")),
        ("rmsnorm_backward", (X, G, X[:2], 3, 4), ("dy has 8 elements", "rows * hidden = 3 * 4 is 12")),
        ("rmsnorm_backward", (X, X, X, 3, 4), ("g has 12 elements", "hidden is 4")),
        ("cross_entropy_forward", (X, T, 3, 5), ("logits has 12 elements", "rows * vocab = 3 * 5 is 15")),
        ("cross_entropy_forward", (X, T[:2], 3, 4), ("targets has 2 elements", "rows is 3")),
        ("cross_entropy_backward", (X, T, 2, 4), ("logits has 12 elements", "rows * vocab = 2 * 4 is 8")),
        ("cross_entropy_backward", (X, T[:1], 3, 4), ("targets has 1 elements", "rows is 3")),
        ("adamw_step", (X, X[:2], X, X, 1), ("params has 12 (3, 4)", "grads has 8 (2, 4)", "v has 12 (3, 4)")),
        ("nf4_dequant", (WORDS, SCALES, 17, 16), ("packed has 2 elements", "ceil(17 / 8) is 3")),
        ("nf4_dequant", (WORDS, SCALES, 16, 4), ("scales has 2 elements", "ceil(16 / 4) is 4")),
    ],
)
def test_wrong_lengths_are_named(name, args, names, device):
    refused(device, literally(*names), name, *args)


@pytest.mark.gpu
@pytest.mark.parametrize("bad", [0, -3, 2.0, math.nan, "3", None, 2**32])
@pytest.mark.parametrize(
    ("name", "args", "sizes"),
    [
        ("gemm_backward_a", (X, X, 3, 3, 4), {2: "m", 3: "k", 4: "n"}),
        ("gemm_backward_b", (X, X, 3, 4, 4), {2: "m", 3: "k", 4: "n"}),
        ("rmsnorm_backward", (X, G, X, 3, 4), {3: "rows", 4: "hidden"}),
        ("cross_entropy_forward", (X, T, 3, 4), {2: "rows", 3: "vocab"}),
        ("cross_entropy_backward", (X, T, 3, 4), {2: "rows", 3: "vocab"}),
        ("adamw_step", (X, X, X, X, 1), {4: "step"}),
        ("nf4_dequant", (WORDS, SCALES, 16, 8), {2: "n", 3: "block_size"}),
    ],
)
def test_sizes_must_be_positive_whole_numbers(name, args, sizes, bad, device):
    for at, size in sizes.items():
        changed = [bad if i == at else a for i, a in enumerate(args)]
        refused(device, literally(f"{size} must be", "not ", repr(bad)), name, *changed)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("gemm_backward_a", (X, X, 3, 3, 4)),
        ("gemm_backward_b", (X, X, 3, 4, 4)),
        ("rmsnorm_backward", (X, G, X, 3, 4)),
        ("cross_entropy_forward", (X, T, 3, 4)),
        ("cross_entropy_backward", (X, T, 3, 4)),
        ("adamw_step", (X, X, X, X, 1)),
        ("nf4_dequant", (WORDS, SCALES, 16, 8)),
    ],
)
def test_wrong_arrays_are_refused(name, args, device):
    """Each array in turn of a wrong type, not contiguous, and not an array."""
    for at, a in enumerate(args):
        if not isinstance(a, np.ndarray):
            continue
        wrong = {
            literally(f"must be {a.dtype}, not float64", f".astype(np.{a.dtype})"): a.astype(np.float64),
            literally("is not contiguous: pass np.ascontiguousarray("): np.repeat(a, 2, axis=-1)[..., ::2],
            "must be a NumPy array, not list": a.tolist(),
        }
        for message, value in wrong.items():
            refused(device, message, name, *(value if i == at else b for i, b in enumerate(args)))
    empty = args[0][:0]
    refused(device, "must not be empty|has 0 elements", name, *(empty if a is args[0] else a for a in args))


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["cross_entropy_forward", "cross_entropy_backward"])
def test_targets_out_of_range_are_named(name, device):
    for value in (4, -1, 2**31 - 1, -(2**31)):
        targets = np.array([0, 1, value], np.int32)
        message = literally(f"targets[2] is {value}, outside 0 .. 3 and not ignore_index -100")
        refused(device, message, name, X, targets, 3, 4)
    targets = np.array([3, -100, 1], np.int32)
    refused(device, literally("targets[1] is -100", "not ignore_index 3"), name, X, targets, 3, 4, 3)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["cross_entropy_forward", "cross_entropy_backward"])
@pytest.mark.parametrize("bad", [-100.0, math.nan, None, 2**31, -(2**31) - 1])
def test_the_ignore_index_is_a_32_bit_number(name, bad, device):
    refused(device, literally("ignore_index must be", "not ", repr(bad)), name, X, T, 3, 4, bad)


@pytest.mark.gpu
@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e39, "1"])
def test_scalars_must_be_finite(bad, device):
    message = literally(" must be a finite number", "not ", repr(bad))
    for rate in ("lr", "beta1", "beta2", "eps", "weight_decay"):
        refused(device, rate + message, "adamw_step", X, X, X, X, 1, **{rate: bad})
    refused(device, "eps" + message, "rmsnorm_backward", X, G, X, 3, 4, bad)
    refused(device, "scale" + message, "cross_entropy_backward", X, T, 3, 4, scale=bad)


@pytest.mark.gpu
def test_rates_out_of_range_are_refused(device):
    for rate, value in (("beta1", 1.0), ("beta1", -0.1), ("beta2", 1.5)):
        message = literally("beta1 and beta2 must be at least 0 and below 1", value)
        refused(device, message, "adamw_step", X, X, X, X, 1, **{rate: value})
    refused(device, "eps must be at least 0, not -1.0", "adamw_step", X, X, X, X, 1, eps=-1.0)
    refused(device, "eps must be at least 0, not -1.0", "rmsnorm_backward", X, G, X, 3, 4, -1.0)


@pytest.mark.gpu
@pytest.mark.parametrize("at", [0, 2, 3], ids=["params", "m", "v"])
def test_adamw_refuses_what_it_cannot_update(at, device):
    arrays = [X.copy() for _ in range(4)]
    arrays[at].flags.writeable = False
    name = ("params", "grads", "m", "v")[at]
    refused(device, f"{name} is read-only, but adamw_step updates it in place", "adamw_step", *arrays, 1)
    for a in arrays:
        np.testing.assert_array_equal(a, X)


def test_read_only_gradients_will_do(where):
    params, m, v, grads = X.copy(), X.copy(), X**2, X.copy()
    grads.flags.writeable = False
    ops.adamw_step(params, grads, m, v, 1)
    assert (params != X).any()
