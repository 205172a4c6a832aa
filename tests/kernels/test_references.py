"""The kernels' float64 references against independent formulas; no GPU."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wgpt.gpu.dtypes import NUMPY
from wgpt.kernels.attention.rope import LAYOUTS, inverse_frequencies, phase_steps
from wgpt.kernels.kernel import Arrays
from wgpt.kernels.registry import get, kernels

Array = NDArray[np.float64]
MINE = [k for k in kernels().values() if not k.name.startswith("gemm") and k.name != "gemv"]


def reference(name: str, inputs: Arrays, **problem: Any) -> Arrays:
    return get(name).reference(inputs, problem)


def gradient(loss: Callable[[Array], float], at: Array, step: float = 1e-5) -> Array:
    """Central differences."""
    slopes = np.zeros_like(at)
    for i in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[i] += step
        down[i] -= step
        slopes[i] = (loss(up) - loss(down)) / (2 * step)
    return slopes


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize("kernel", MINE, ids=lambda k: k.name)
def test_reference_matches_the_declared_outputs(kernel: Any) -> None:
    case = min(kernel.cases, key=lambda c: c.problem.get("n", 0) + c.problem.get("rows", 0))
    inputs = kernel.inputs(np.random.default_rng(0), case.problem)
    results = kernel.reference(inputs, case.problem)
    outputs = kernel.outputs(case.problem)
    assert {name: r.shape for name, r in results.items()} == {name: o.shape for name, o in outputs.items()}
    assert all(r.dtype == np.float64 for r in results.values())
    bindings = kernel.bound(case.problem)
    writable = {b.name for b in bindings if b.access == "read_write"}
    assert writable == set(outputs)
    assert {b.name for b in bindings} - writable <= set(inputs)
    assert all(o.dtype in NUMPY for o in outputs.values())
    assert kernel.bytes(case.problem) > 0


def test_silu_backward_is_the_derivative_of_silu(rng: np.random.Generator) -> None:
    x, dy = rng.normal(0, 3, 50), rng.standard_normal(50)
    expected = gradient(lambda v: float(reference("silu", {"x": v})["y"] @ dy), x)
    np.testing.assert_allclose(reference("silu_backward", {"x": x, "dy": dy})["dx"], expected, atol=1e-9)


def test_silu_backward_is_a_half_at_zero() -> None:
    assert reference("silu_backward", {"x": np.zeros(1), "dy": np.ones(1)})["dx"] == [0.5]


def test_silu_family_agrees(rng: np.random.Generator) -> None:
    x, up = rng.normal(0, 3, 50), rng.standard_normal(50)
    silu = reference("silu", {"x": x})["y"]
    np.testing.assert_allclose(silu, x / (1 + np.exp(-x)), rtol=1e-14)
    np.testing.assert_allclose(reference("swish", {"x": x}, beta=1.0)["y"], silu, rtol=1e-14)
    np.testing.assert_allclose(
        reference("swish", {"x": x}, beta=2.5)["y"], x / (1 + np.exp(-2.5 * x)), rtol=1e-14
    )
    np.testing.assert_allclose(reference("silu_mul", {"gate": x, "up": up})["y"], silu * up, rtol=1e-14)


def test_gelu_forms(rng: np.random.Generator) -> None:
    x = np.linspace(-5, 5, 101)
    exact = reference("gelu", {"x": x}, approximate="erf")["y"]
    np.testing.assert_allclose(exact, [v * NormalDist().cdf(v) for v in x], atol=1e-14)
    tanh = reference("gelu", {"x": x}, approximate="tanh")["y"]
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    np.testing.assert_allclose(tanh, 0.5 * x * (1 + np.tanh(inner)), atol=1e-14)
    assert 1e-5 < np.abs(exact - tanh).max() < 1e-3
    with pytest.raises(ValueError, match="sigmoid"):
        reference("gelu", {"x": x}, approximate="sigmoid")


def test_softmax_rows_sum_to_one_and_ignore_a_shift(rng: np.random.Generator) -> None:
    x = rng.normal(0, 20, (5, 33))
    y = reference("softmax", {"x": x})["y"]
    np.testing.assert_allclose(y.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(reference("softmax", {"x": x + 900})["y"], y, rtol=1e-12)
    np.testing.assert_allclose(np.log(y[0, 3] / y[0, 4]), x[0, 3] - x[0, 4], rtol=1e-12)


def test_layernorm_makes_mean_0_and_variance_1(rng: np.random.Generator) -> None:
    x = 1000 + rng.standard_normal((3, 200))
    plain = {"x": x, "gamma": np.ones(200), "beta": np.zeros(200)}
    y = reference("layernorm", plain, eps=0.0)["y"]
    np.testing.assert_allclose(y.mean(axis=1), 0, atol=1e-10)
    np.testing.assert_allclose(y.var(axis=1), 1, rtol=1e-10)
    gamma, beta = rng.standard_normal(200), rng.standard_normal(200)
    scaled = reference("layernorm", {"x": x, "gamma": gamma, "beta": beta}, eps=0.0)["y"]
    np.testing.assert_allclose(scaled, y * gamma + beta, rtol=1e-12)


def test_rmsnorm_backward_is_the_derivative_of_rmsnorm(rng: np.random.Generator) -> None:
    x, dy, g = rng.standard_normal((3, 11)), rng.standard_normal((3, 11)), rng.standard_normal(11)
    eps = 0.01

    def loss(x: Array, g: Array) -> float:
        return float((reference("rmsnorm", {"x": x, "g": g}, eps=eps)["y"] * dy).sum())

    back = reference("rmsnorm_backward", {"x": x, "g": g, "dy": dy}, eps=eps)
    np.testing.assert_allclose(back["dx"], gradient(lambda v: loss(v, g), x), atol=1e-8)
    inputs = {"x": x, "dy": dy, "rstd": back["rstd"]}
    for blocks in (1, 2, 3):
        partial = reference("rmsnorm_backward_weight", inputs, rows=3, hidden=11, blocks=blocks)["partial"]
        dg = reference("column_sum", {"x": partial})["y"]
        np.testing.assert_allclose(dg, gradient(lambda v: loss(x, v), g), atol=1e-8)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rope_backward_is_the_transpose_and_the_inverse(layout: str, rng: np.random.Generator) -> None:
    problem = {"layout": layout, "heads": 2, "seq": 5, "head_dim": 6, "start": 3, "theta": 1e4}
    x, y = rng.standard_normal((2, 5, 6)), rng.standard_normal((2, 5, 6))
    turned = reference("rope", {"x": x}, **problem)["y"]
    back = reference("rope_backward", {"dy": y}, **problem)["dx"]
    np.testing.assert_allclose((turned * y).sum(), (x * back).sum(), rtol=1e-12)
    again = reference("rope_backward", {"dy": turned}, **problem)["dx"]
    np.testing.assert_allclose(again, x, atol=1e-14)


@pytest.mark.parametrize(("layout", "pairs"), [("half", [(0, 2), (1, 3)]), ("interleaved", [(0, 1), (2, 3)])])
def test_rope_turns_its_pairs_as_complex_numbers(layout: str, pairs: list[tuple[int, int]]) -> None:
    x = np.arange(1.0, 9.0).reshape(1, 2, 4)
    problem = {"layout": layout, "heads": 1, "seq": 2, "head_dim": 4, "start": 10, "theta": 100.0}
    y = reference("rope", {"x": x}, **problem)["y"]
    for s in range(2):
        for p, (a, b) in enumerate(pairs):
            turned = complex(x[0, s, a], x[0, s, b]) * np.exp(1j * (10 + s) * 100.0 ** (-2 * p / 4))
            np.testing.assert_allclose([y[0, s, a], y[0, s, b]], [turned.real, turned.imag], rtol=1e-13)


@pytest.mark.parametrize("theta", [1e4, 1e5, 1e6])
def test_phase_steps_hold_the_angle_at_any_position(theta: float) -> None:
    radians = inverse_frequencies(128, theta)
    words = phase_steps(radians)
    for position in (1, 511, 8191, 131_071):
        for (high, low), w in zip(words.tolist(), radians, strict=True):
            turn = (position * ((high << 32) + low)) % 2**64 / 2**64
            difference = abs(turn * 2 * math.pi - position * w) % (2 * math.pi)
            assert min(difference, 2 * math.pi - difference) < 1e-9


def test_phase_steps_refuse_more_than_a_turn() -> None:
    with pytest.raises(ValueError, match="7"):
        phase_steps(np.array([1.0, 7.0]))


def test_cross_entropy_and_its_gradient(rng: np.random.Generator) -> None:
    z, targets = rng.normal(0, 3, (5, 9)), np.array([0, -100, 8, 3, -100], np.int32)

    def mean_loss(z: Array) -> float:
        rows = reference("cross_entropy_forward", {"logits": z, "targets": targets}, ignore_index=-100)
        mean = {"loss": rows["loss"], "targets": targets}
        return float(reference("cross_entropy_mean", mean, ignore_index=-100)["mean"][0])

    used = [r for r in range(5) if targets[r] >= 0]
    naive = [-math.log(np.exp(z[r, targets[r]]) / np.exp(z[r]).sum()) for r in used]
    assert mean_loss(z) == pytest.approx(np.mean(naive), rel=1e-12)
    inputs = {"logits": z, "targets": targets}
    dz = reference("cross_entropy_backward", inputs, ignore_index=-100, scale=1 / 3)["dlogits"]
    np.testing.assert_allclose(dz, gradient(mean_loss, z), atol=1e-9)
    assert not dz[[1, 4]].any()


def test_cross_entropy_keeps_logsumexp_in_two_parts(rng: np.random.Generator) -> None:
    z = 1e4 + rng.standard_normal((3, 40))
    inputs = {"logits": z, "targets": np.array([0, 1, 2], np.int32)}
    rows = reference("cross_entropy_forward", inputs, ignore_index=-100)
    np.testing.assert_array_equal(rows["peak"], z.max(axis=1))
    np.testing.assert_allclose(
        rows["log_sum"], np.log(np.exp(z - 1e4).sum(axis=1)) + 1e4 - z.max(axis=1), atol=1e-9
    )


def test_mean_of_nothing_is_zero() -> None:
    inputs = {"loss": np.zeros(3), "targets": np.full(3, -100, np.int32)}
    result = reference("cross_entropy_mean", inputs, ignore_index=-100)
    assert result["mean"] == [0.0] and result["count"] == [0]


def test_adamw_follows_the_textbook_for_many_steps(rng: np.random.Generator) -> None:
    lr, b1, b2, eps, decay = 0.01, 0.9, 0.99, 1e-8, 0.1
    p, m, v = rng.standard_normal(4), np.zeros(4), np.zeros(4)
    ours = {"param": p.copy(), "m": m.copy(), "v": v.copy()}
    hyper = {"lr": lr, "beta1": b1, "beta2": b2, "eps": eps, "decay": decay}
    for t in range(1, 30):
        g = rng.standard_normal(4)
        ours = reference("adamw_step", {**ours, "g": g}, step=t, **hyper)
        p = p * (1 - lr * decay)  # decoupled: the decay does not enter the moments
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        p = p - lr * (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + eps)
    np.testing.assert_allclose(ours["param"], p, rtol=1e-12)


def test_adamw_first_step_is_the_sign_of_the_gradient() -> None:
    g = np.array([3.0, -1e-3])
    start = {"param": np.zeros(2), "m": np.zeros(2), "v": np.zeros(2), "g": g}
    hyper = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "eps": 0.0, "decay": 0.0}
    np.testing.assert_allclose(
        reference("adamw_step", start, step=1, **hyper)["param"], [-0.1, 0.1], rtol=1e-12
    )


def test_nf4_literal_vector() -> None:
    kernel = get("nf4_dequant")
    case = next(c for c in kernel.cases if c.problem.get("literal"))
    inputs = kernel.inputs(np.random.default_rng(0), case.problem)
    assert inputs["packed"].tolist() == [0x90F51C73]
    # The codebook's values of the indices 3, 7, 12, 1 (scale 2.0) and 5, 15, 0, 9 (scale 0.5).
    values = np.array([-0.39491749, 0.0, 0.44070983, -0.6961928, -0.18477343, 1.0, -1.0, 0.1609302])
    expected = values * np.repeat([2.0, 0.5], 4)
    np.testing.assert_allclose(kernel.reference(inputs, case.problem)["y"], expected, rtol=1e-7)


def test_nf4_high_nibble_first() -> None:
    inputs = {"packed": np.array([0x0000_00F0], np.uint32), "scales": np.ones(1, np.float32)}
    low = reference("nf4_dequant", inputs, n=2, block=64, high_first=False)["y"]
    high = reference("nf4_dequant", inputs, n=2, block=64, high_first=True)["y"]
    assert low.tolist() == [-1.0, 1.0] and high.tolist() == [1.0, -1.0]


def test_cast_to_f16_rounds_as_ieee(rng: np.random.Generator) -> None:
    x = (rng.standard_normal(500) * 10.0 ** rng.integers(-8, 4, 500)).astype(np.float32)
    y = reference("cast", {"x": x.view(np.uint32)}, src="f32", dst="f16", n=500)["y"]
    assert y.tolist() == [struct.unpack("e", struct.pack("e", v))[0] for v in x.tolist()]


def test_cast_to_bf16_is_the_nearest_and_ties_go_to_even() -> None:
    between = [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -(1 + 2**-8)]
    x = np.array(between, np.float32)
    y = reference("cast", {"x": x.view(np.uint32)}, src="f32", dst="bf16", n=4)["y"]
    assert y.tolist() == [1.0, 1 + 4 * 2**-8, 1 + 2**-7, -1.0]
