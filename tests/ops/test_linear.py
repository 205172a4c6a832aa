"""Products: plain ones, linear layers of every weight type, and weights that stay on the GPU."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import gguf
import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice
from wgpt.ops import MatmulCache, Weight
from wgpt.quant import weights
from wgpt.quant.nf4 import CODEBOOK
from wgpt.quant.weights import pack

from .harness import TOLERANCE, call, f64, literally, memory, near, normal, refused

TYPES = ["f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "nf4"]
SHAPES = [(1, 1, 1), (7, 3, 5), (16, 64, 32), (37, 203, 67), (1, 130, 9), (6, 3, 1)]
_GGUF = {"q8_0": "Q8_0", "q4_0": "Q4_0", "q4_1": "Q4_1"}


def rounded_to(matrix: np.ndarray, weight: str) -> np.ndarray:
    """A float32 matrix rounded to a weight type, computed independently of quant/weights.py."""
    if weight == "f32":
        return matrix.astype(np.float64)
    if weight == "f16":
        return matrix.astype(np.float16).astype(np.float64)
    if weight == "bf16":
        return gguf.quants.dequantize(
            gguf.quants.quantize(matrix, gguf.GGMLQuantizationType.BF16), gguf.GGMLQuantizationType.BF16
        ).astype(np.float64)
    n, k = matrix.shape
    block = 64 if weight == "nf4" else 32
    padded = np.zeros((n, -(-k // block) * block), np.float32)
    padded[:, :k] = matrix
    if weight == "nf4":
        return nf4(padded)[:, :k]
    kind = getattr(gguf.GGMLQuantizationType, _GGUF[weight])
    return gguf.quants.dequantize(gguf.quants.quantize(padded, kind), kind)[:, :k].astype(np.float64)


def nf4(matrix: np.ndarray) -> np.ndarray:
    codebook = CODEBOOK.astype(np.float64)
    blocks = matrix.astype(np.float64).reshape(-1, 64)
    scale = np.abs(blocks).max(axis=1, keepdims=True)
    nearest = np.abs(blocks[..., None] / scale[..., None] - codebook).argmin(axis=-1)
    return (codebook[nearest] * scale).reshape(matrix.shape)


# Operations -----------------------------------------------------------------------------------------------------


def test_matmul(where, rng):
    for m, k, n in SHAPES:
        a, b = normal(rng, m, k), normal(rng, k, n)
        near(call("matmul", a, b), np.einsum("mk,kn->mn", *f64(a, b)), where)


@pytest.mark.parametrize("weight", TYPES)
def test_linear(weight, where, rng):
    """One row (GEMV) and several (GEMM), K in whole blocks and ragged, x of one, two and three dimensions."""
    for lead, k, n in [((), 64, 33), ((), 203, 5), ((1,), 3, 1), ((5,), 128, 36), ((2, 3), 67, 9)]:
        x, w = normal(rng, *lead, k), normal(rng, n, k)
        expected = x.astype(np.float64) @ rounded_to(w, weight).T
        near(call("linear", x, w, weight), expected, where)
        near(ops.linear(x, pack(w, weight)), expected, where)


def test_linear_keeps_f32_by_default(where, rng):
    x, w = normal(rng, 4, 10), normal(rng, 7, 10)
    near(call("linear", x, w), np.matmul(*f64(x, w.T)), where)


@pytest.mark.gpu
def test_f16_arithmetic_is_near(device, rng):
    """Halves have 11 bits: near, but not as near as f32, which shows that they were used."""
    x, w = normal(rng, 20, 256), normal(rng, 12, 256)
    if not device.traits.f16:
        refused(device, "f16 arithmetic needs the feature shader-f16", "linear", x, w, "f16", "f16")
        return
    expected = x.astype(np.float64) @ rounded_to(w, "f16").T
    with wgpt.use(device):
        rough = call("linear", x, w, "f16", "f16")
        near(rough, expected, tolerance=3e-3)
        assert np.abs(rough - expected).max() > TOLERANCE["gpu"] * np.abs(expected).max()
        near(ops.linear(x[0], w, "f16", "f16"), expected[0])  # one row is f32 always


@pytest.mark.gpu
def test_one_row_is_a_gemv_and_more_are_a_gemm(device, rng):
    def kernel_of(x: np.ndarray) -> str:
        with ops.CommandBatch(device) as batch:
            batch.matmul(batch.upload(x), batch.upload_weight(pack(normal(rng, 4, 8), "f32")))
            with batch.finish() as program:
                return program.launches[0].kernel

    assert [kernel_of(normal(rng, *s, 8)) for s in ((), (1,), (1, 1), (2,), (2, 3))] == ["gemv"] * 3 + ["gemm"] * 2


@pytest.mark.gpu
def test_products_are_awaited_together(device, rng, under_way):
    x, w = normal(rng, 9, 70), normal(rng, 11, 70)

    async def together() -> list[np.ndarray]:
        products = [ops.linear_async(x, w, t) for t in TYPES]
        return await asyncio.gather(ops.matmul_async(x, np.ascontiguousarray(w.T)), *products)

    with wgpt.use(device):
        plain, *results = asyncio.run(together())
    assert under_way == [1 + len(TYPES)]
    near(plain, np.matmul(*f64(x, w.T)))
    for y, weight in zip(results, TYPES, strict=True):
        near(y, x.astype(np.float64) @ rounded_to(w, weight).T)


# Refused --------------------------------------------------------------------------------------------------------

X = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(3, 4)


@pytest.mark.gpu
def test_matmul_refuses(device):
    refused(device, literally("matmul needs a [m, k] and b [k, n], not (3, 4) and (3, 4)"), "matmul", X, X)
    refused(device, literally("not (4,) and (4, 3)"), "matmul", X[0], X.reshape(4, 3))
    refused(device, literally("not (3, 0) and (0, 3)"), "matmul", X[:, :0].copy(), X[:0, :3].copy())
    refused(device, literally("b (4, 3) is not contiguous"), "matmul", X, X.T)
    refused(device, "a must be float32, not float64", "matmul", X.astype(np.float64), X.reshape(4, 3))
    refused(device, "b must be a NumPy array, not list", "matmul", X, X.tolist())


@pytest.mark.gpu
def test_linear_refuses(device):
    refused(device, literally("x (3, 4) has rows of 4, but the weight w is [4, 3]"), "linear", X, X.reshape(4, 3))
    message = literally("x (3, 4) has rows of 4, but the weight w is [2, 3]")
    refused(device, message, "linear", X, pack(X[:2, :3], "q8_0"))
    refused(device, literally("unknown weight type 'q1_k'", *weights.TYPES), "linear", X, X, "q1_k")
    refused(device, "unknown weight type None", "linear", X, X, None)
    refused(device, "compute must be f32 or f16, not 'f64'", "linear", X, X, compute="f64")
    refused(device, "w must be float32, not float16", "linear", X, X.astype(np.float16))
    refused(device, literally("w (4, 3) is not contiguous"), "linear", X[:, :3].copy(), X.T)
    refused(device, "x must be float32, not int64", "linear", X.astype(np.int64), X)
    refused(device, literally("weights must be a matrix", "not (4,)"), "linear", X, X[0])
    refused(device, literally("weights must be a matrix", "not (0, 4)"), "linear", X, X[:0])
    refused(device, literally("at least one row", "(0, 4)"), "linear", X[:0], X)


@pytest.mark.gpu
def test_weights_that_do_not_fit_their_type_are_refused(device):
    refused(device, literally("up to 1e+06 do not fit f16", "65504", "bf16 or f32"), "linear", X, X * 1e6, "f16")
    bad = X.copy()
    bad[1, 2] = math.nan
    for weight in ("q8_0", "q4_0", "q4_1", "nf4"):
        refused(device, literally("do not fit", weight, "use f32"), "linear", X, bad, weight)
    refused(device, literally("up to 1e+30 do not fit q4_0"), "linear", X, X * np.float32(1e30), "q4_0")


# MatmulCache ------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(device: GpuDevice) -> Any:
    """An empty cache that must leave no memory behind once it is cleared."""
    before = memory(device)
    cache = MatmulCache(device)
    yield cache
    cache.clear()
    assert len(cache) == cache.nbytes == 0
    assert memory(device) == before


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("weight", TYPES)
def test_the_cache_multiplies(weight, cache, rng):
    for n, k in ((33, 64), (5, 203)):
        w = normal(rng, n, k)
        assert isinstance(cache.put("w", w, weight), Weight)
        for lead in ((), (1,), (4,), (2, 3)):
            x = normal(rng, *lead, k)
            original = x.copy()
            near(cache.matmul("w", x), x.astype(np.float64) @ rounded_to(w, weight).T)
            np.testing.assert_array_equal(x, original)


@pytest.mark.gpu
def test_packed_weights_are_taken_as_they_are(cache, rng):
    w, x = normal(rng, 6, 40), normal(rng, 40)
    cache.put("w", pack(w, "q4_1"))
    near(cache.matmul("w", x), rounded_to(w, "q4_1") @ x)


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("weight", ["f32", "q4_0"])
@pytest.mark.parametrize("rows", [1, 5])
def test_the_second_call_moves_only_x(rows, weight, cache, device, rng):
    cache.put("w", normal(rng, 24, 96), weight)
    first = normal(rng, rows, 96)
    before = device.uploaded_bytes
    cache.matmul("w", first)
    assert device.uploaded_bytes == before + first.nbytes
    at = (device.pipelines.compiled, device.pipelines.hits, device.uploaded_bytes, device.submits, memory(device))
    again = normal(rng, rows, 96)
    assert (cache.matmul("w", again) != cache.matmul("w", first)).any()
    assert device.pipelines.compiled == at[0]
    assert device.pipelines.hits == at[1]  # nothing was even looked up: the Program is replayed
    assert device.uploaded_bytes == at[2] + again.nbytes + first.nbytes
    assert device.submits == at[3] + 2
    assert memory(device) == at[4]


@pytest.mark.gpu
def test_a_replaced_weight_frees_the_old_one(cache, device, rng):
    x = normal(rng, 3, 64)
    cache.put("w", normal(rng, 40, 64))
    cache.matmul("w", x)
    small = normal(rng, 8, 64)
    cache.put("w", small, "q8_0")
    near(cache.matmul("w", x), x.astype(np.float64) @ rounded_to(small, "q8_0").T)
    after_one = memory(device)
    for _ in range(5):
        cache.put("w", normal(rng, 40, 64))
        cache.matmul("w", x)
        cache.put("w", small, "q8_0")
        cache.matmul("w", x)
    assert memory(device) == after_one
    assert len(cache) == 1


@pytest.mark.gpu
def test_removed_weights_free_their_memory(cache, device, rng):
    cache.put("keep", normal(rng, 4, 8))
    cache.matmul("keep", normal(rng, 8))
    before, kept_bytes = memory(device), cache.nbytes
    packed = pack(normal(rng, 128, 256), "f16")
    weight = cache.put("go", packed)
    assert cache.nbytes - kept_bytes == weight.nbytes >= packed.w.nbytes
    assert memory(device)[0] >= before[0] + packed.w.nbytes
    cache.matmul("go", normal(rng, 2, 256))
    assert "go" in cache and len(cache) == 2
    cache.remove("go")
    cache.remove("never there")
    assert "go" not in cache and "keep" in cache
    assert memory(device) == before


@pytest.mark.gpu
def test_at_most_so_many_programs_are_kept(device, rng):
    cache = MatmulCache(device, programs=2)
    w = normal(rng, 4, 8)
    cache.put("w", w)

    def recorded(rows: int) -> bool:
        """Whether the product made a new Program: each looks its pipeline up."""
        x, before = normal(rng, rows, 8), device.pipelines.hits + device.pipelines.compiled
        near(cache.matmul("w", x), np.matmul(*f64(x, w.T)))
        return device.pipelines.hits + device.pipelines.compiled > before

    assert recorded(1) and recorded(2)
    assert not recorded(1)
    assert recorded(3)  # the least recently used one, of two rows, is dropped
    assert not recorded(1)
    assert recorded(2)
    assert recorded(3) and recorded(4)
    held = memory(device)
    for rows in range(5, 20):
        recorded(rows)
    assert memory(device)[1] == held[1]
    cache.clear()


@pytest.mark.gpu
def test_the_cache_refuses(cache, device, rng):
    with pytest.raises(KeyError, match="unknown weight 'up'; uploaded: none"):
        cache.matmul("up", X[0])
    cache.put("up", X)
    cache.put("down", X[:2, :3])
    before = (device.submits, device.uploaded_bytes)
    with pytest.raises(KeyError, match="unknown weight 'gate'; uploaded: up, down"):
        cache.matmul("gate", X[0])
    with pytest.raises(ValueError, match=literally("x (3, 4) has rows of 4, but down is [2, 3]")):
        cache.matmul("down", X)
    with pytest.raises(ValueError, match="x must be float32, not float64"):
        cache.matmul("up", X.astype(np.float64))
    with pytest.raises(ValueError, match=literally("x (2, 4) is not contiguous")):
        cache.matmul("up", X[::2])
    with pytest.raises(ValueError, match="at least one row"):
        cache.matmul("up", X[:0])
    with pytest.raises(ValueError, match=literally("x must be a NumPy array, not ", "(list)")):
        cache.matmul("up", [1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match=literally("x (3, 4) has rows of 4")):
        asyncio.run(cache.matmul_async("down", X))
    for bad in ([[1.0, 2.0]], np.ones((2, 2), np.int32)):
        with pytest.raises(ValueError, match=r"must be a NumPy array (or a Packed|of floats), not .*(list|int32)"):
            cache.put("new", bad)
    with pytest.raises(ValueError, match="unknown weight type 'q2'"):
        cache.put("up", X, "q2")
    assert "new" not in cache and "up" in cache  # the previous weight survives an invalid replacement
    with pytest.raises(ValueError, match=r"programs must be a whole number from 1 to 2\^32 - 1, not 0"):
        MatmulCache(device, programs=0)
    assert (device.submits, device.uploaded_bytes) == before
    near(cache.matmul("up", X), np.matmul(*f64(X, X.T)))


@pytest.mark.gpu
def test_cached_products_are_awaited_together(cache, rng, under_way):
    """Several with the same Program at once: each gets its own x's result."""
    w = {"a": normal(rng, 12, 32), "b": normal(rng, 9, 32)}
    for name, matrix in w.items():
        cache.put(name, matrix)
    calls = [("ab"[i % 2], normal(rng, *([] if i % 3 else [2]), 32)) for i in range(12)]

    async def together() -> list[np.ndarray]:
        return await asyncio.gather(*(cache.matmul_async(name, x) for name, x in calls))

    for (name, x), y in zip(calls, asyncio.run(together()), strict=True):
        near(y, np.matmul(*f64(x, w[name].T)))
    assert under_way == [12]


@pytest.mark.gpu
def test_a_weight_may_be_replaced_while_a_product_is_awaited(cache, rng, under_way):
    x, w = normal(rng, 3, 32), normal(rng, 12, 32)
    cache.put("w", w)

    async def replaced() -> np.ndarray:
        task = asyncio.create_task(cache.matmul_async("w", x))
        await asyncio.sleep(0)
        cache.put("w", normal(rng, 5, 32))
        return await task

    near(asyncio.run(replaced()), np.matmul(*f64(x, w.T)))


@pytest.mark.gpu
def test_a_weight_that_was_released_is_not_used(cache, rng):
    weight = cache.put("w", normal(rng, 4, 8))
    cache.matmul("w", normal(rng, 8))
    weight.release()
    with pytest.raises(WgptError, match="was released"):
        cache.matmul("w", normal(rng, 8))
