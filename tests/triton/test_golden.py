"""Kernels kept as TTIR: lowered, compiled, run and compared with NumPy. No Triton needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wgpt.gpu import Recorder
from wgpt.gpu.dtypes import from_bf16, to_bf16
from wgpt.ttir.artifact import Artifact

from .golden import INDEX, artifact, run

pytestmark = pytest.mark.gpu
rng = np.random.default_rng(7)


def variants(name: str) -> list[str]:
    return list(artifact(name).shaders)


def close(result, expected, tolerance=1e-5):
    """As the contracts have it: about 80 roundings of f32."""
    scale = np.abs(expected).max()
    assert np.isfinite(result).all()
    assert np.abs(result - expected).max() <= tolerance * scale


def test_add(device):
    x, y = rng.standard_normal((2, 1000)).astype(np.float32)
    guard = np.full(1100, 7, np.float32)
    result = run(device, "add", (4,), "plain", {"out": guard}, x=x, y=y, n=1000)["out"]
    np.testing.assert_array_equal(result[:1000], x + y)
    np.testing.assert_array_equal(result[1000:], 7)  # nothing beyond the mask is touched


def test_softmax(device):
    x = rng.standard_normal((5, 300)).astype(np.float32)
    result = run(device, "softmax", (5,), "plain", {"out": np.zeros_like(x)}, x=x, columns=300)["out"]
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    close(result, e / e.sum(1, keepdims=True))


def test_matmul(device):
    a, b = rng.standard_normal((45, 37)).astype(np.float32), rng.standard_normal((37, 50)).astype(np.float32)
    before = {"c": np.zeros((45, 50), np.float32)}
    result = run(device, "matmul", (2, 2), "plain", before, a=a, b=b, m=45, n=50, k=37)["c"]
    close(result, a.astype(np.float64) @ b)


@pytest.mark.parametrize("variant", ["plain", "f16"])
def test_matmul_of_halves(device, variant):
    """Halves as f16 in buffers, and as packed words where a GPU has no f16."""
    if variant == "f16" and not device.traits.f16:
        assert "f16" in variants("matmul_f16")
        return
    a, b = rng.standard_normal((45, 37)).astype(np.float16), rng.standard_normal((37, 50)).astype(np.float16)
    before = {"c": np.zeros((45, 50), np.float32)}
    result = run(device, "matmul_f16", (2, 2), variant, before, a=a, b=b, m=45, n=50, k=37)["c"]
    close(result, a.astype(np.float64) @ b.astype(np.float64))


@pytest.mark.full
def test_attention(device):
    q, k, v = rng.standard_normal((3, 70, 16)).astype(np.float32)
    result = run(device, "attention", (5,), "plain", {"out": np.zeros_like(q)}, q=q, k=k, v=v, length=70, scale=0.25)[
        "out"
    ]
    scores = np.where(np.tril(np.ones((70, 70), bool)), q.astype(np.float64) @ k.T * 0.25, -np.inf)
    p = np.exp(scores - scores.max(1, keepdims=True))
    close(result, p / p.sum(1, keepdims=True) @ v)


def test_stores_of_less_than_a_word(device):
    """Programs of 64 elements that end inside a word: neither loses the other's bytes."""
    x = rng.uniform(-1.2, 1.2, 205).astype(np.float32)
    before = {"narrow": np.full(211, 99, np.int8), "half": np.full(211, 1234, np.uint16)}
    results = run(device, "bytes_and_halves", (4,), "plain", before, x=x, n=205)
    np.testing.assert_array_equal(results["narrow"][:205], (x * np.float32(100)).astype(np.int32).astype(np.int8))
    np.testing.assert_array_equal(results["half"][:205], to_bf16(x))
    np.testing.assert_array_equal(results["narrow"][205:], 99)
    np.testing.assert_array_equal(results["half"][205:], 1234)
    close(from_bf16(results["half"][:205]), x, 2**-8)


def test_long_integers(device):
    x = rng.integers(-(2**62), 2**62, 200)
    y = rng.integers(1, 2**40, 200) * rng.choice([-1, 1], 200)
    x[:60] = rng.integers(-(2**31), 2**31, 60)  # quotients of small numbers take another way
    x[60:70] = y[60:70]
    result = run(device, "long_integers", (1,), "plain", {"out": np.zeros(200, np.int64)}, x=x, y=y, n=200)["out"]
    with np.errstate(over="ignore"):
        r = np.where(x > y, x * y + (x >> 3), (x - y) ^ (y << 7))
        pairs = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
        quotient = np.array([abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in pairs])
        np.testing.assert_array_equal(result, r + quotient + (x - quotient * y))


def test_scan_and_argmax(device):
    x = rng.standard_normal((16, 64)).astype(np.float32)
    x[3, 5] = x[9, 5] = 50.0  # a tie: the first one wins
    before = {"sums": np.zeros_like(x), "best": np.zeros(64, np.int32)}
    results = run(device, "scans", (1,), "plain", before, x=x)
    close(results["sums"], np.cumsum(x.astype(np.float64), axis=1))
    np.testing.assert_array_equal(results["best"], x.argmax(0))


def test_atomics(device):
    x = rng.integers(0, 1000, 700).astype(np.int32)
    before = {"bins": np.zeros(16, np.int32), "total": np.zeros(1, np.float32)}
    results = run(device, "counts", (6,), "plain", before, x=x, n=700)
    np.testing.assert_array_equal(results["bins"], np.bincount(x % 16, minlength=16))
    np.testing.assert_array_equal(results["total"], x.sum())


def test_control_flow(device):
    steps = np.array([0, 1, 5, 12], np.int32)
    before = {"out": np.full((5, 64), -5, np.int32)}
    result = run(device, "control", (5,), "plain", before, x=np.append(steps, 3).astype(np.int32), n=4)["out"]
    for row, count in enumerate(steps):
        value = np.arange(64, dtype=np.int32)
        for i in range(count):
            value = value * np.int32(3) + np.int32(i) if i % 2 == 0 else value - np.int32(row)
        np.testing.assert_array_equal(result[row], value + value[::-1])
    np.testing.assert_array_equal(result[4], -5)  # the program that returned early


def test_elements_that_change_threads(device):
    x = rng.integers(-(2**31), 2**31, 256).astype(np.int32)
    result = run(device, "shuffled", (1,), "plain", {"out": np.zeros_like(x)}, x=x)["out"]
    turned = x.reshape(32, 8).T.reshape(128, 2)
    np.testing.assert_array_equal(result, turned[:, ::-1].reshape(-1)[::-1])


def philox(seed: int, counter: np.ndarray) -> np.ndarray:
    mask = np.uint64(0xFFFFFFFF)
    words = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        high_a, high_b = a >> np.uint64(32), b >> np.uint64(32)
        words = [high_b ^ words[1] ^ key[0], b & mask, high_a ^ words[3] ^ key[1], a & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    return words[0].astype(np.uint32)


def test_random_numbers(device):
    result = run(device, "random_numbers", (3,), "plain", {"out": np.zeros(384, np.float32)}, seed=11)["out"]
    word = philox(11, np.arange(384)).view(np.int32).astype(np.int64)
    expected = np.where(word < 0, -word - 1, word) * 4.6566127342e-10
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_every_kept_kernel_is_tested():
    source = Path(__file__).read_text()
    missing = [name for name in INDEX if f'"{name}"' not in source]
    assert not missing


SCALAR_CHOICE = """"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, i32) -> (), sym_name = "chosen", sym_visibility = "generic"}> ({
  ^bb0(%x: !tt.ptr<f32>, %n: i32):
    %0 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %1 = "arith.cmpi"(%n, %0) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %2 = "tt.make_range"() <{end = 256 : i32, start = 0 : i32}> : () -> tensor<256xi32>
    %3 = "tt.splat"(%x) : (!tt.ptr<f32>) -> tensor<256x!tt.ptr<f32>>
    %4 = "tt.addptr"(%3, %2) : (tensor<256x!tt.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tt.ptr<f32>>
    %5 = "tt.load"(%4) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<256x!tt.ptr<f32>>) -> tensor<256xf32>
    %6 = "arith.addf"(%5, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %7 = "arith.select"(%1, %5, %6) : (i1, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "tt.store"(%4, %7) : (tensor<256x!tt.ptr<f32>>, tensor<256xf32>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
"""  # noqa: E501


@pytest.mark.parametrize(("n", "factor"), [(2, 2), (4, 1)])
def test_a_scalar_that_chooses_between_tensors(device, n, factor):
    """MLIR allows one condition for whole tensors; it is not a tensor of another size."""
    x = rng.standard_normal(256).astype(np.float32)
    kernel = Artifact.of_ttir(SCALAR_CHOICE, ("x", "n"), {})
    with Recorder(device) as recorder:
        placed = recorder.upload(x)
        kernel.record(recorder, x=placed, n=n, grid=(1,))
        with recorder.finish(x=placed) as program:
            np.testing.assert_array_equal(program.read()["x"], factor * x)
