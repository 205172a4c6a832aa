"""WGSL helper functions against NumPy in float64, over their whole range and at its edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wgpt.gpu import Bound, Launch, Recorder
from wgpt.ttir import helpers

pytestmark = pytest.mark.gpu
rng = np.random.default_rng(3)
N = 1 << 14


def wide(low: float, high: float) -> np.ndarray:
    """Numbers of every magnitude between, of both signs."""
    return np.exp(rng.uniform(math.log(low), math.log(high), N)) * rng.choice([-1, 1], N)


def computed(device, call: str, *arrays: np.ndarray) -> np.ndarray:
    """The expression `call` of a, b for every element."""
    names = "ab"[: len(arrays)]
    head = "".join(f"@group(0) @binding({i}) var<storage, read> g_{n}: array<f32>;\n" for i, n in enumerate(names))
    head += f"@group(0) @binding({len(names)}) var<storage, read_write> g_out: array<f32>;\n"
    reads = "".join(f"    let {n} = g_{n}[at.x];\n" for n in names)
    body = f"{reads}    g_out[at.x] = {call};\n"
    main = f"@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) at: vec3<u32>) {{\n{body}}}\n"
    source = head + helpers.source({call.split("(")[0]}) + main
    tensors = [device.tensor(np.asarray(x, np.float32)) for x in arrays]
    out = device.empty((N,))
    bound = [Bound(n, "read", t) for n, t in zip(names, tensors, strict=True)]
    with Recorder(device) as recorder:
        recorder.launch(Launch("helper", "", source, b"", (*bound, Bound("out", "read_write", out)), (N // 64, 1, 1)))
        with recorder.finish(out=out) as program:
            return program.read()["out"]


@pytest.mark.parametrize(
    ("name", "reference", "values", "units"),
    [
        ("exp_of", np.exp, rng.uniform(-86, 88, N), 2),
        ("log_of", np.log, np.abs(wide(1e-37, 1e37)), 2),
        ("log_of", np.log, 1 + rng.uniform(-0.05, 0.05, N), 2),
        ("log2_of", np.log2, 1 + rng.uniform(-0.05, 0.05, N), 3),
        ("sine", np.sin, wide(1e-3, 5000), 3),
        ("cosine", np.cos, wide(1e3, 3e38), 3),
        ("erf_of", np.vectorize(math.erf), rng.uniform(-4, 4, N), 3),
        ("tanh_of", np.tanh, wide(1e-4, 20), 8),
        ("expm1_of", np.expm1, wide(1e-5, 5), 8),
        ("log1p_of", np.log1p, np.abs(wide(1e-5, 5)), 4),
        ("precise_sqrt", np.sqrt, np.abs(wide(1e-37, 1e38)), 0.5001),
    ],
)
def test_functions_are_right_to_a_few_units(device, name, reference, values, units):
    x = values.astype(np.float32)
    result = computed(device, f"{name}(a)", x).astype(np.float64)
    expected = reference(x.astype(np.float64))
    # Near a zero of sin and cos a unit of the result is nothing: there a unit of 1e-3 counts.
    unit = np.spacing(np.maximum(np.abs(expected), 1e-3 if name in ("sine", "cosine") else 0).astype(np.float32))
    assert np.abs((result - expected) / unit).max() <= units


def test_division_is_rounded_correctly(device):
    a, b = wide(1e-30, 1e30).astype(np.float32), wide(1e-6, 1e6).astype(np.float32)
    a[:2000], b[:2000] = rng.integers(1, 200, (2, 2000))
    np.testing.assert_array_equal(computed(device, "precise_div(a, b)", a, b), a / b)


def test_the_remainder_of_a_division_is_exact(device):
    a, b = wide(1e-3, 1e9).astype(np.float32), wide(1e-2, 1e3).astype(np.float32)
    np.testing.assert_array_equal(computed(device, "fmod(a, b)", a, b), np.fmod(a, b))


@pytest.mark.parametrize(
    ("name", "dtype"), [("round_f16", np.float16), ("round_bf16", None), ("from_half_bits", np.float16)]
)
def test_halves_are_rounded_to_nearest_even(device, name, dtype):
    if name == "from_half_bits":
        bits = np.resize(np.arange(0x7C00, dtype=np.uint16), N)
        x = bits.view(np.float16).astype(np.float32)
        np.testing.assert_array_equal(computed(device, "round_f16(a)", x), x)
        return
    x = wide(1e-9, 1e6).astype(np.float32)
    x[:4] = 2049.0, 2051.0, 65519.9, 65520.0  # two ties, the last that fits, the first that does not
    result = computed(device, f"{name}(a)", x)
    if dtype is None:
        from wgpt.gpu.dtypes import from_bf16, to_bf16

        np.testing.assert_array_equal(result, from_bf16(to_bf16(x)))
    else:
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(result, x.astype(dtype).astype(np.float32))


def test_edges(device):
    x = np.resize(np.array([np.inf, -np.inf, np.nan, 0.0, -1.0, 1e-40, 200.0, -200.0], np.float32), N)
    with np.errstate(all="ignore"):
        for name, reference in (("exp_of", np.exp), ("log_of", np.log), ("sine", np.sin), ("tanh_of", np.tanh)):
            result = computed(device, f"{name}(a)", x)[:8]
            expected = reference(x[:8].astype(np.float64)).astype(np.float32)
            np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-38)
