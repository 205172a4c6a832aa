"""Operations on arrays that one binding does not hold: in pieces on the GPU, or on the CPU if no piece fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.gpu import device as device_module
from wgpt.gpu.pool import BufferPool
from wgpt.kernels import tuning
from wgpt.ops import where as where_module
from wgpt.ops.pieces import Work, pieces
from wgpt.quant.nf4 import CODEBOOK
from wgpt.quant.weights import TYPES, pack, unpack

from .harness import BINDING, LIMIT, TOLERANCE, call, literally, memory, near, normal

pytestmark = pytest.mark.gpu
@pytest.fixture
def automatic(narrow: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> GpuDevice:
    """The same device, as the process's default."""
    monkeypatch.setattr(device_module, "_default", narrow)
    monkeypatch.setattr(where_module, "_missing", False)
    monkeypatch.setitem(tuning._loaded, narrow.key, {})
    monkeypatch.setenv("WGPT_GPU_MIN_SIZE", "0")
    return narrow


def _targets(rng: np.random.Generator, rows: int, vocab: int) -> np.ndarray:
    targets = rng.integers(0, vocab, rows, np.int32)
    targets[::5] = -100
    return targets


Args = tuple[tuple[Any, ...], dict[str, Any]]
Make = Callable[[np.random.Generator], Args]
N = 50_003  # four pieces, the last one ragged
# Each public operation on arrays of several bindings.
LARGE: dict[str, Make] = {
    "add": lambda r: ((normal(r, N), normal(r, N)), {}),
    "mul": lambda r: ((normal(r, 7, 7143), normal(r, 7, 7143)), {}),
    "scale": lambda r: ((normal(r, N), -1.5), {}),
    "silu": lambda r: ((normal(r, N),), {}),
    "swish": lambda r: ((normal(r, N), 1.7), {}),
    "gelu": lambda r: ((normal(r, N),), {"approximate": "erf"}),
    "silu_mul": lambda r: ((normal(r, N), normal(r, N)), {}),
    "silu_backward": lambda r: ((normal(r, N), normal(r, N)), {}),
    "cast": lambda r: ((normal(r, N), "f16"), {}),
    "softmax": lambda r: ((normal(r, 3, 101, 203),), {}),
    "rmsnorm": lambda r: ((normal(r, 301, 203), normal(r, 203)), {}),
    "layernorm": lambda r: ((normal(r, 301, 203), normal(r, 203), normal(r, 203)), {"eps": 1e-3}),
    "rope": lambda r: ((normal(r, 3, 401, 64), 3, 64, 401), {"start": 1000}),
    "rope_backward": lambda r: ((normal(r, 401, 3, 64), 401, 64, 3), {"start": 1000, "layout": "half"}),
    "matmul": lambda r: ((normal(r, 301, 203), normal(r, 203, 403)), {}),
    "linear": lambda r: ((normal(r, 2, 150, 96), normal(r, 700, 96), "q8_0"), {}),
    "gemm_backward_a": lambda r: ((normal(r, 301, 203), normal(r, 401, 203), 401, 301, 203), {}),
    "gemm_backward_b": lambda r: ((normal(r, 203, 301), normal(r, 203, 401), 203, 301, 401), {}),
    "rmsnorm_backward": lambda r: ((normal(r, 301, 203), normal(r, 203), normal(r, 301, 203), 301, 203), {}),
    "cross_entropy_forward": lambda r: ((normal(r, 301, 203), _targets(r, 301, 203), 301, 203), {}),
    "cross_entropy_backward": lambda r: ((normal(r, 301, 203), _targets(r, 301, 203), 301, 203), {}),
    "nf4_dequant": lambda r: ((r.integers(0, 2**32, 6251, np.uint32), normal(r, 455), N, 110), {}),
}  # fmt: skip


def test_every_operation_is_tried():
    assert {*LARGE, "adamw_step"} == {name for name in ops.__all__ if f"{name}_async" in ops.__all__}


@pytest.mark.parametrize("name", LARGE)
def test_in_pieces_as_on_the_cpu(name, narrow, rng):
    args, kwargs = LARGE[name](rng)
    with wgpt.use("cpu"):
        expected = getattr(ops, name)(*args, **kwargs)
    before = narrow.submits
    with wgpt.use(narrow):
        result = call(name, *args, **kwargs)
    assert narrow.submits >= before + 4  # two pieces at least, in each twin
    if isinstance(expected, float):
        assert result == pytest.approx(expected, rel=TOLERANCE["gpu"])
    elif name == "cast":
        np.testing.assert_array_equal(result, expected)
    else:
        for part, expected_part in zip(*(r if isinstance(r, tuple) else (r,) for r in (result, expected)), strict=True):
            near(part, expected_part.astype(np.float64))


@pytest.mark.parametrize("src", ["f16", "bf16", "f32"])
def test_casts_of_halves(src, narrow, rng):
    """An odd number of halves: pieces begin inside a word of the whole."""
    x = ops.cast(normal(rng, N), src)
    with wgpt.use(narrow):
        wide = call("cast", x, "f32", src=src)
    with wgpt.use("cpu"):
        np.testing.assert_array_equal(wide, ops.cast(x, "f32", src=src))


def test_adamw_in_pieces(narrow, rng):
    start = [normal(rng, N), normal(rng, N), normal(rng, N), normal(rng, N) ** 2]
    on_cpu, on_gpu = [a.copy() for a in start], [a.copy() for a in start]
    with wgpt.use("cpu"):
        ops.adamw_step(*on_cpu, 3)
    before = narrow.submits
    with wgpt.use(narrow):
        ops.adamw_step(*on_gpu, 3)
    assert narrow.submits == before + 4
    for result, expected in zip(on_gpu, on_cpu, strict=True):
        near(result, expected.astype(np.float64))


@pytest.mark.full
@pytest.mark.parametrize("weight", TYPES)
@pytest.mark.parametrize("rows", [1, 3])
def test_linear_of_every_type(weight, rows, narrow, rng):
    x, packed = normal(rng, rows, 256), pack(normal(rng, 600, 256), weight)
    with wgpt.use(narrow):
        near(call("linear", x, packed), x.astype(np.float64) @ unpack(packed).T)


def test_pieces_run_in_turn(narrow, rng):
    """At any time, the GPU holds only the data of one piece."""
    x = normal(rng, 64 * 16_384)
    memory(narrow)
    narrow.peak_bytes = before = narrow.bytes_in_use
    with wgpt.use(narrow):
        ops.silu(x)
    assert narrow.peak_bytes - before <= 4 * LIMIT
    assert memory(narrow)[0] == before


def test_a_reduction_repeats_to_the_bit(narrow, rng):
    x, g, dy = normal(rng, 3001, 203), normal(rng, 203), normal(rng, 3001, 203)
    with wgpt.use(narrow):
        runs = [ops.rmsnorm_backward(x, g, dy, 3001, 203)[1] for _ in range(3)]
    for again in runs[1:]:
        np.testing.assert_array_equal(again, runs[0])


def test_a_buffer_may_be_smaller_than_a_binding(narrow, rng, monkeypatch):
    monkeypatch.setitem(narrow.limits, BINDING, 1 << 30)
    monkeypatch.setitem(narrow.limits, "max-buffer-size", LIMIT)
    x = normal(rng, N)
    with wgpt.use(narrow):
        np.testing.assert_array_equal(ops.scale(x, 2.0), 2 * x)


def test_both_sides_of_the_limit(narrow, rng):
    """As many elements as one binding holds are one piece, one more are two."""
    for n, submits in ((16_384, 1), (16_385, 2)):
        x, before = normal(rng, n), narrow.submits
        with wgpt.use(narrow):
            np.testing.assert_array_equal(ops.add(x, x), 2 * x)
        assert narrow.submits == before + submits


def test_pieces_cover_everything_once(narrow):
    """Whatever the axes and the steps: no element twice, none left out, pieces where they may begin."""

    def body(e: Any, rows: slice, columns: slice) -> dict[str, Any]:
        return {"y": e.array(np.broadcast_to(np.float32(0), (rows.stop - rows.start, columns.stop - columns.start)))}

    for axes, steps in (((1, 70_000), (1, 1)), ((333, 1021), (1, 64)), ((16_385, 1), (5, 1)), ((7, 7), (1, 1))):
        visits = np.zeros(axes, int)
        for piece in pieces(Work(1, axes, body, dict, steps), narrow):
            visits[piece] += 1
            assert all(part.start % step == 0 for part, step in zip(piece, steps, strict=True))
            assert visits[piece].size <= 16_384
        assert (visits == 1).all()


# Where no piece is small enough ---------------------------------------------------------------------------------

TOO_LONG: dict[str, Make] = {
    "softmax": lambda r: ((normal(r, 2, 16_385),), {}),
    "rmsnorm_backward": lambda r: (
        (normal(r, 2, 16_388), normal(r, 16_388), normal(r, 2, 16_388), 2, 16_388), {}
    ),
    "cross_entropy_forward": lambda r: ((normal(r, 2, 16_385), _targets(r, 2, 16_385), 2, 16_385), {}),
    "matmul": lambda r: ((normal(r, 2, 16_385), normal(r, 16_385, 3)), {}),
    "linear": lambda r: ((normal(r, 2, 16_385), normal(r, 3, 16_385)), {}),
    "nf4_dequant": lambda r: ((r.integers(0, 2**32, 4096, np.uint32), normal(r, 1), 32_768, 32_768), {}),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LONG)
def test_the_cpu_does_what_no_piece_can(name, automatic, rng):
    args, kwargs = TOO_LONG[name](rng)
    before = automatic.submits
    result = call(name, *args, **kwargs)
    assert automatic.submits == before
    with wgpt.use("cpu"):
        np.testing.assert_equal(result, getattr(ops, name)(*args, **kwargs))


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_gpu_that_was_asked_for_says_why_not(name, automatic, rng):
    args, kwargs = TOO_LONG[name](rng)
    message = literally("even in the smallest piece, ", "binds at most 64.0 KiB at once", "wgpt.use('cpu')")
    before = (automatic.submits, automatic.uploaded_bytes)
    for place in ("gpu", automatic):
        with wgpt.use(place), pytest.raises(AllocationError, match=message):
            getattr(ops, name)(*args, **kwargs)
    assert (automatic.submits, automatic.uploaded_bytes) == before


@pytest.fixture
def full(narrow: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> GpuDevice:
    """A GPU whose memory is full after some of the pieces."""
    take, left = BufferPool.take, [12]

    def scarce(self: BufferPool, *args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise AllocationError("out of GPU memory")
        return take(self, *args, **kwargs)

    monkeypatch.setattr(BufferPool, "take", scarce)
    return narrow


def test_out_of_memory_is_the_cpus_work(automatic, full, rng):
    """Half of the step is done when memory runs out: it must not be applied twice."""
    start = [normal(rng, N), normal(rng, N), normal(rng, N), normal(rng, N) ** 2]
    on_cpu, automatically = [a.copy() for a in start], [a.copy() for a in start]
    with wgpt.use("cpu"):
        ops.adamw_step(*on_cpu, 3)
    before = full.submits
    ops.adamw_step(*automatically, 3)
    assert full.submits > before
    for result, expected in zip(automatically, on_cpu, strict=True):
        np.testing.assert_array_equal(result, expected)


def test_out_of_memory_of_a_gpu_that_was_asked_for_changes_nothing(full, rng):
    start = [normal(rng, N), normal(rng, N), normal(rng, N), normal(rng, N) ** 2]
    arrays = [a.copy() for a in start]
    with wgpt.use(full), pytest.raises(AllocationError, match="out of GPU memory"):
        ops.adamw_step(*arrays, 3)
    for array, before in zip(arrays, start, strict=True):
        np.testing.assert_array_equal(array, before)


# With the minimum limit of WebGPU ----------------------------------------------------------------------------


@pytest.fixture
def minimal_gpu(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[GpuDevice]:
    """A device with a binding limit of 128 MiB, the minimum that WebGPU guarantees."""
    monkeypatch.setitem(device.limits, BINDING, 128 << 20)
    yield device
    device.pool.trim()


@pytest.mark.full
def test_gpt2s_head(minimal_gpu, rng):
    """50257 x 768 in f32 is 147 MiB."""
    w = normal(rng, 50_257, 768)
    cache = ops.MatmulCache(minimal_gpu)
    assert isinstance(cache.put("head", w), ops.SplitWeight)
    x = normal(rng, 2, 768)
    expected = x @ w.T
    near(cache.matmul("head", x[0]), expected[0].astype(np.float64))
    near(cache.matmul("head", x), expected.astype(np.float64))
    cache.clear()
    with wgpt.use(minimal_gpu):
        near(ops.linear(x[0], w), expected[0].astype(np.float64))
        near(ops.matmul(x, np.ascontiguousarray(w.T)), expected.astype(np.float64))
    with ops.CommandBatch(minimal_gpu) as batch:
        y = batch.matmul(batch.upload(x), batch.upload(w.T))
        batch.execute()
        near(batch.read(y), expected.astype(np.float64))


@pytest.mark.full
def test_gpt2s_head_learns(minimal_gpu, rng):
    """38.6 million parameters: a step of AdamW, and their NF4 codes unpacked."""
    n = 50_257 * 768
    p, g = np.resize(normal(rng, 1_000_003), n), np.resize(normal(rng, 1_000_033), n)
    m, v = np.zeros(n, np.float32), np.zeros(n, np.float32)
    before = p.copy()
    with wgpt.use(minimal_gpu):
        ops.adamw_step(p, g, m, v, 1, lr=0.1, weight_decay=0.0)
        # Without moments, the first step is lr * sign(g), but for eps.
        near(p, before - 0.1 * g / (np.abs(g) + 1e-8))
        near(m, 0.1 * g)
        packed, scales = rng.integers(0, 2**32, n // 8, np.uint32), np.ones(n // 64, np.float32)
        y = ops.nf4_dequant(packed, scales, n)
    shifts = np.arange(0, 32, 4, dtype=np.uint32)
    np.testing.assert_array_equal(y, CODEBOOK[(packed[:, None] >> shifts & 15).reshape(-1)[:n]])


@pytest.mark.full
def test_a_batch_of_gpt2s_logits(minimal_gpu, rng):
    """1024 x 50257 in f32 is 196 MiB."""
    z = np.repeat(normal(rng, 8, 50_257), 128, axis=0)
    targets = rng.integers(0, 50_257, 1024, np.int32)
    wide = z[::128].astype(np.float64)
    log_sums = np.log(np.exp(wide).sum(axis=1)).repeat(128)
    with wgpt.use(minimal_gpu):
        loss = ops.cross_entropy_forward(z, targets, 1024, 50_257)
    assert loss == pytest.approx(np.mean(log_sums - z[np.arange(1024), targets]), rel=TOLERANCE["gpu"])


@pytest.mark.full
def test_forty_million_elements(minimal_gpu, rng, monkeypatch):
    monkeypatch.setattr(device_module, "_default", minimal_gpu)
    monkeypatch.setattr(where_module, "_missing", False)
    x = np.resize(normal(rng, 1_000_003), 40_000_000)
    before = minimal_gpu.submits
    y = ops.silu(x)
    assert minimal_gpu.submits > before
    with wgpt.use("cpu"):
        near(y, np.resize(ops.silu(x[:1_000_003]), x.size).astype(np.float64))
