"""Elementwise and row operations against formulas in float64."""

from __future__ import annotations

import asyncio
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.core.arguments import brief
from wgpt.gpu import Pending

from .harness import call, f64, literally, memory, near, normal, refused

SHAPES = [(), (1,), (7,), (1021,), (4, 64), (3, 1, 43)]
ROWS = [(1,), (5,), (7, 1), (3, 64), (2, 3, 43), (5, 1001)]
_erf = np.vectorize(math.erf, otypes=[np.float64])


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def _gelu_tanh(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (x + 0.044715 * x * x * x)))


def _silu_slope(x: np.ndarray, dy: np.ndarray) -> np.ndarray:
    e = np.exp(-x)
    return dy * (1.0 + e + x * e) / (1.0 + e) ** 2


# (operation, operands, constants, formula)
EACH: dict[str, tuple[str, int, dict[str, Any], Callable[..., np.ndarray]]] = {
    "add": ("add", 2, {}, lambda a, b: a + b),
    "mul": ("mul", 2, {}, lambda a, b: a * b),
    "scale": ("scale", 1, {"alpha": -1.75}, lambda x: -1.75 * x),
    "silu": ("silu", 1, {}, lambda x: x * _sigmoid(x)),
    "swish": ("swish", 1, {}, lambda x: x * _sigmoid(x)),
    "swish-beta": ("swish", 1, {"beta": 1.702}, lambda x: x * _sigmoid(1.702 * x)),
    "gelu": ("gelu", 1, {}, _gelu_tanh),
    "gelu-erf": ("gelu", 1, {"approximate": "erf"}, lambda x: x * 0.5 * (1.0 + _erf(x / math.sqrt(2.0)))),
    "silu_mul": ("silu_mul", 2, {}, lambda gate, up: gate * _sigmoid(gate) * up),
    "silu_backward": ("silu_backward", 2, {}, _silu_slope),
}


@pytest.mark.parametrize("case", EACH)
def test_each_element(case, where, rng):
    name, operands, constants, formula = EACH[case]
    for shape in SHAPES:
        arrays = [normal(rng, *shape, scale=3.0) for _ in range(operands)]
        near(call(name, *arrays, **constants), formula(*f64(*arrays)), where)


def test_random_ragged_lengths(where, rng):
    for n in rng.integers(1, 5000, 8):
        a, b = normal(rng, n), normal(rng, n)
        near(ops.add(a, b), np.add(*f64(a, b)), where)
        near(ops.silu_mul(a, b), a * _sigmoid(a.astype(np.float64)) * b, where)


def test_flat_and_shaped_give_the_same_elements(where, rng):
    x, g = normal(rng, 6, 35), normal(rng, 35)
    np.testing.assert_array_equal(ops.gelu(x).reshape(-1), ops.gelu(x.reshape(-1)))
    np.testing.assert_array_equal(ops.rmsnorm(x, g).reshape(2, 3, 35), ops.rmsnorm(x.reshape(2, 3, 35), g))


def test_softmax(where, rng):
    for shape in ROWS:
        x = normal(rng, *shape, scale=4.0)
        (z,) = f64(x)
        expected = np.array([np.exp(row) / math.fsum(np.exp(row)) for row in z.reshape(-1, shape[-1])])
        near(call("softmax", x), expected.reshape(shape), where)


def test_softmax_of_large_and_of_masked_logits(where):
    """exp of them overflows, or is 0."""
    x = np.array([[1e4, 1e4 - 1.0, -1e4], [-np.inf, 2.0, 1.0]], np.float32)
    a, b = 1.0 / (1.0 + math.exp(-1.0)), 1.0 / (1.0 + math.exp(1.0))
    near(call("softmax", x), np.array([[a, b, 0.0], [0.0, a, b]]), where)


@pytest.mark.parametrize("eps", [None, 0.0, 0.25])
def test_rmsnorm(eps, where, rng):
    for shape in ROWS:
        x, g = normal(rng, *shape), normal(rng, shape[-1])
        options = {} if eps is None else {"eps": eps}
        root = np.sqrt((x.astype(np.float64) ** 2).mean(axis=-1, keepdims=True) + (1e-6 if eps is None else eps))
        near(call("rmsnorm", x, g, **options), x / root * g, where)


@pytest.mark.parametrize("eps", [None, 0.25])
def test_layernorm(eps, where, rng):
    for shape in ROWS:
        x, gamma, beta = 3.0 + normal(rng, *shape), normal(rng, shape[-1]), normal(rng, shape[-1])
        options = {} if eps is None else {"eps": eps}
        (z,) = f64(x)
        mean = z.mean(axis=-1, keepdims=True)
        root = np.sqrt((z**2).mean(axis=-1, keepdims=True) - mean**2 + (1e-5 if eps is None else eps))
        near(call("layernorm", x, gamma, beta, **options), (z - mean) / root * gamma + beta, where)


# Casts ----------------------------------------------------------------------------------------------------


def _half(value: float) -> int:
    """Bits of the nearest half, by Python's own conversion."""
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        return 0xFC00 if value < 0 else 0x7C00


def _bfloat(value: float) -> int:
    """Bits of the nearest bfloat16 of a finite float32: the nearer neighbour, of two equally near the even one."""
    low = struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    around = [(abs(_wide(bits) - value), bits & 1, bits) for bits in (low, low + 1)]
    return min(around)[2]


def _wide(bfloat: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bfloat << 16))[0]


def _values(rng: np.random.Generator) -> np.ndarray:
    """Normal, tiny, subnormal, and exactly between two halves or two bfloats."""
    ties = [1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, 1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8, -2.0**-25, 3 * 2.0**-25]
    return np.concatenate([normal(rng, 301), normal(rng, 101, scale=1e-6), np.array(ties, np.float32)])


def test_cast_narrows_to_the_nearest(where, rng):
    x = _values(rng)
    assert call("cast", x, "f16").dtype == np.float16
    np.testing.assert_array_equal(ops.cast(x, "f16").view(np.uint16), [_half(float(v)) for v in x])
    np.testing.assert_array_equal(call("cast", x, "bf16"), np.array([_bfloat(float(v)) for v in x], np.uint16))


def test_cast_widens_exactly(where, rng):
    halves = _values(rng).astype(np.float16)
    near(call("cast", halves, "f32"), halves.astype(np.float64), where, tolerance=0.0)
    bits = np.array([_bfloat(float(v)) for v in _values(rng)], np.uint16)
    near(call("cast", bits, "f32", src="bf16"), np.array([_wide(int(b)) for b in bits]), where, tolerance=0.0)


def test_cast_between_the_narrow_types_and_to_itself(where, rng):
    x = _values(rng)[:409].reshape(1, -1)
    halves, bits = x.astype(np.float16), np.array([[_bfloat(float(v)) for v in x[0]]], np.uint16)
    np.testing.assert_array_equal(call("cast", halves, "bf16"), [[_bfloat(float(v)) for v in halves[0]]])
    np.testing.assert_array_equal(
        call("cast", bits, "f16", src="bf16").view(np.uint16), [[_half(_wide(int(b))) for b in bits[0]]]
    )
    np.testing.assert_array_equal(call("cast", x, "f32"), x)
    np.testing.assert_array_equal(call("cast", halves, "f16"), halves)
    np.testing.assert_array_equal(call("cast", bits, "bf16", src="bf16"), bits)


def test_the_result_is_an_array_of_its_own(where, rng):
    x = normal(rng, 9)
    y = ops.cast(x, "f32")
    y[:] = 0
    assert np.abs(x).min() > 0


# Together and at size ---------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_several_are_awaited_together(device, rng, under_way):
    a, b, g = normal(rng, 33, 65), normal(rng, 33, 65), normal(rng, 65)

    async def together() -> list[np.ndarray]:
        return await asyncio.gather(
            ops.add_async(a, b), ops.softmax_async(a), ops.silu_mul_async(a, b), ops.rmsnorm_async(a, g),
            *(ops.scale_async(a, float(i)) for i in range(8)),
        )  # fmt: skip

    with wgpt.use(device):
        results = asyncio.run(together())
        assert under_way == [12]
        expected = [ops.add(a, b), ops.softmax(a), ops.silu_mul(a, b), ops.rmsnorm(a, g)]
    for result, expected_result in zip(results, [*expected, *(a * np.float32(i) for i in range(8))], strict=True):
        np.testing.assert_array_equal(result, expected_result)


@pytest.mark.gpu
def test_where_is_each_tasks_own(device, rng):
    """Two tasks at once, one on the CPU and one on the GPU."""
    x = normal(rng, 1001)

    async def on(place: Any) -> int:
        with wgpt.use(place):
            before = device.submits
            for _ in range(3):
                await ops.silu_async(x)
                await asyncio.sleep(0)
            return device.submits - before

    async def together() -> list[int]:
        return await asyncio.gather(on("cpu"), on(device))

    before = device.submits
    assert asyncio.run(together())[1] == 3
    assert device.submits - before == 3


@pytest.mark.gpu
def test_a_cancelled_operation_leaves_no_memory(device, rng, monkeypatch):
    """Cancelled while the GPU is at work: here, at work for ever."""
    x = normal(rng, 1 << 16)

    async def cancelled() -> None:
        task = asyncio.create_task(ops.gelu_async(x))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with wgpt.use(device):
        ops.gelu(x)
        before = memory(device)
        with monkeypatch.context() as patch:
            patch.setattr(Pending, "done", lambda self: False)
            asyncio.run(cancelled())
        assert memory(device) == before
        near(ops.gelu(x), _gelu_tanh(x.astype(np.float64)))


@pytest.mark.gpu
def test_a_million_elements_go_to_the_gpu_by_themselves(default, rng):
    x = normal(rng, (1 << 20) + 13)
    before = default.submits
    near(call("silu", x), x * _sigmoid(x.astype(np.float64)))
    assert default.submits == before + 2


# Refused ------------------------------------------------------------------------------------------------------

X = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 4)
G = X[0].copy()


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("name", "args", "names"),
    [
        ("add", (X, X[:2]), ("a has 12 (3, 4)", "b has 8 (2, 4)")),
        ("mul", (X, X.reshape(4, 3).copy()), ("(3, 4)", "(4, 3)")),
        ("silu_mul", (X, X.reshape(-1)), ("gate has 12 (3, 4)", "up has 12 (12,)")),
        ("silu_backward", (X, X[0].copy()), ("x has 12", "dy has 4")),
        ("rmsnorm", (X, G[:3].copy()), ("g has 3 elements", "4")),
        ("layernorm", (X, G[:3].copy(), G), ("gamma has 3 elements", "4")),
        ("layernorm", (X, G, np.append(G, G)), ("beta has 8 elements", "4")),
    ],
)
def test_wrong_lengths_are_named(name, args, names, device):
    refused(device, literally(*names), name, *args)


ONE_ARRAY = ["scale", "silu", "swish", "gelu", "softmax"]


@pytest.mark.gpu
@pytest.mark.parametrize("name", [*ONE_ARRAY, "add", "mul", "silu_mul", "silu_backward", "rmsnorm", "layernorm"])
def test_wrong_arrays_are_refused(name, device):
    rest: tuple[Any, ...] = {"scale": (2.0,), "rmsnorm": (G,), "layernorm": (G, G)}.get(name, ())
    if name in ("add", "mul", "silu_mul", "silu_backward"):
        rest = (X,)
    refused(device, "must be float32, not float64: convert it", name, X.astype(np.float64), *rest)
    refused(device, "must be float32, not int32", name, X.astype(np.int32), *rest)
    refused(device, literally("must be float32, not >f4"), name, X.astype(">f4"), *rest)
    refused(device, "must be a NumPy array, not list", name, X.tolist(), *rest)
    refused(device, "must be a NumPy array, not NoneType", name, None, *rest)
    refused(device, literally("(4, 3) is not contiguous", "ascontiguousarray"), name, X.T, *rest)
    refused(device, literally("(3, 2) is not contiguous"), name, X[:, ::2], *rest)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ONE_ARRAY)
def test_empty_arrays_are_refused(name, device):
    for shape in ((0,), (3, 0), (0, 3)):
        rest = (2.0,) if name == "scale" else ()
        refused(device, "empty|at least one row", name, np.zeros(shape, np.float32), *rest)
    two = np.zeros(0, np.float32)
    refused(device, "must not be empty", "add", two, two)
    refused(device, "at least one row", "rmsnorm", two, two)


@pytest.mark.gpu
def test_a_row_needs_a_dimension(device):
    refused(device, literally("at least one row", "shape ()"), "softmax", np.array(1.0, np.float32))


@pytest.mark.gpu
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e39, 10**400, "2", None, [1.0, 2.0], 1j])
def test_scalars_must_be_finite_numbers(value, device):
    message = literally("must be a", "not ", brief(value))
    refused(device, "alpha " + message, "scale", X, value)
    refused(device, "beta " + message, "swish", X, value)
    refused(device, "eps " + message, "rmsnorm", X, G, value)
    refused(device, "eps " + message, "layernorm", X, G, G, eps=value)


@pytest.mark.gpu
def test_a_negative_eps_is_refused(device):
    refused(device, "eps must be at least 0, not -1e-06", "rmsnorm", X, G, -1e-6)
    refused(device, "eps must be at least 0, not -1e-06", "layernorm", X, G, G, -1e-6)


@pytest.mark.gpu
def test_unknown_names_are_refused(device):
    refused(device, "approximate must be tanh or erf, not 'none'", "gelu", X, "none")
    refused(device, "approximate must be tanh or erf, not None", "gelu", X, approximate=None)
    refused(device, "dst must be f32, f16 or bf16, not 'f64'", "cast", X, "f64")
    refused(device, "src must be f32, f16 or bf16, not 'i8'", "cast", X, "f16", src="i8")


@pytest.mark.gpu
def test_cast_refuses_what_does_not_fit_its_type(device):
    refused(device, "x must be uint16, not float32", "cast", X, "f32", src="bf16")
    refused(device, "x must be float32, not uint16", "cast", np.zeros(4, np.uint16), "f32")
    refused(device, "x must be float16, not float32", "cast", X, "f32", src="f16")
    refused(device, "x must not be empty", "cast", np.zeros(0, np.float32), "f16")
    refused(device, literally("(4, 3) is not contiguous"), "cast", X.T, "f16")
