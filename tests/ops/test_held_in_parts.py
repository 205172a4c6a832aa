"""Arrays that one binding does not hold: weights stay on the GPU in parts, and batches work through windows."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.quant.weights import TYPES, pack, unpack

from .harness import LIMIT, f64, literally, memory, near, normal

pytestmark = pytest.mark.gpu
N = 50_003  # four windows, the last one ragged



@pytest.mark.full
@pytest.mark.parametrize("weight", TYPES)
def test_the_cache_keeps_parts(weight, narrow, rng):
    held = memory(narrow)
    cache = ops.MatmulCache(narrow)
    packed = pack(normal(rng, 1401, 256), weight)  # rows enough that two bits each exceed a binding
    stored = cache.put("w", packed)
    assert isinstance(stored, ops.SplitWeight) and len(stored.parts) > 1
    assert (stored.n, stored.k, stored.type.name) == (1401, 256, weight)
    assert all(tensor.nbytes <= LIMIT for tensor in stored.tensors)
    assert cache.nbytes == stored.nbytes >= packed.w.nbytes
    for lead in ((), (3,), (2, 25)):  # a row; some; more than a binding holds of the result
        x = normal(rng, *lead, 256)
        near(cache.matmul("w", x), x.astype(np.float64) @ unpack(packed).T)
        np.testing.assert_array_equal(asyncio.run(cache.matmul_async("w", x)), cache.matmul("w", x))
    cache.clear()
    assert memory(narrow) == held


def test_a_split_weight_may_be_replaced_while_a_product_is_awaited(narrow, rng, under_way):
    cache = ops.MatmulCache(narrow)
    x, w = normal(rng, 60, 96), normal(rng, 701, 96)
    cache.put("w", w)

    async def replaced() -> np.ndarray:
        task = asyncio.create_task(cache.matmul_async("w", x))
        await asyncio.sleep(0)
        cache.put("w", normal(rng, 701, 96))
        return await task

    near(asyncio.run(replaced()), np.matmul(*f64(x, w.T)))
    cache.clear()


def test_a_weight_that_does_not_fit_leaves_nothing_behind(narrow, rng, monkeypatch):
    cache = ops.MatmulCache(narrow)
    cache.put("w", normal(rng, 3, 4))
    with pytest.raises(AllocationError, match=literally("64 rows of 500 f32 weights exceed the 64.0 KiB")):
        cache.put("w", normal(rng, 300, 500))
    assert cache.matmul("w", normal(rng, 4)).shape == (3,)  # the previous weight is kept
    cache.clear()
    held = memory(narrow)
    buffer, left = GpuDevice.buffer, [2]

    def scarce(self: GpuDevice, *args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise AllocationError("out of GPU memory")
        return buffer(self, *args, **kwargs)

    monkeypatch.setattr(GpuDevice, "buffer", scarce)
    with pytest.raises(AllocationError, match="out of GPU memory"):
        cache.put("w", normal(rng, 701, 96))
    assert memory(narrow) == held


def test_a_row_that_does_not_fit_is_named(narrow, rng):
    cache = ops.MatmulCache(narrow)
    cache.put("w", normal(rng, 16_385, 4))
    before = narrow.submits
    with pytest.raises(AllocationError, match=literally("one row of 4 in and 16385 out exceeds the 64.0 KiB")):
        cache.matmul("w", normal(rng, 4))
    assert narrow.submits == before
    cache.clear()


@pytest.mark.parametrize("rows", [pytest.param(1, marks=pytest.mark.full), 5])
def test_a_batch_takes_weights_in_parts(rows, narrow, rng):
    held = memory(narrow)
    x, w = normal(rng, rows, 96), normal(rng, 701, 96)
    cache = ops.MatmulCache(narrow)
    with ops.CommandBatch(narrow) as batch:
        tensor = batch.upload(x)
        resident = batch.matmul(tensor, cache.put("w", w))
        own = batch.matmul(tensor, batch.upload_weight(pack(w, "q8_0")))
        both = batch.add(resident, own)
        batch.execute()
        expected = x.astype(np.float64) @ w.T.astype(np.float64)
        near(batch.read(resident), expected)
        near(batch.read(own), x.astype(np.float64) @ unpack(pack(w, "q8_0")).T)
        assert both.shape == (rows, 701)
    with ops.CommandBatch(narrow) as batch:
        y = batch.matmul(batch.upload(x), batch.upload_weight(pack(w, "f32")))
        with batch.finish(y=y) as program:
            near(program.read()["y"], expected)
    cache.clear()
    assert memory(narrow) == held


@pytest.mark.parametrize(("n", "k"), [(36, 36), (200, 256)], ids=["whole", "split"])
def test_a_batch_takes_many_rows_of_a_weight(n, k, narrow, rng):
    """More rows than a binding holds, of x and of the result; the last window is a single row."""
    x, w = normal(rng, 64 * 14 + 1, k), normal(rng, n, k)
    with ops.CommandBatch(narrow) as batch:
        weight = batch.upload_weight(pack(w, "f32"))
        assert isinstance(weight, ops.SplitWeight) == (n == 200)
        y = batch.matmul(batch.upload(x), weight)
        batch.execute()
        near(batch.read(y), np.matmul(*f64(x, w.T)))


# Each operation of a batch: its operands, and the array function that gives the expected result.
IN_A_BATCH: dict[str, tuple[tuple[int, ...], ...]] = {
    "add": ((N,), (N,)),
    "mul": ((7, 7143), (7, 7143)),
    "silu": ((N,),),
    "swish": ((N,),),
    "gelu": ((N,),),
    "silu_mul": ((N,), (N,)),
    "softmax": ((3, 101, 203),),
    "rmsnorm": ((301, 203), (203,)),
    "layernorm": ((301, 203), (203,), (203,)),
    "matmul": ((301, 203), (203, 51)),
}


@pytest.mark.parametrize("name", IN_A_BATCH)
def test_a_batch_works_through_windows(name, narrow, rng):
    arrays = [normal(rng, *shape) for shape in IN_A_BATCH[name]]
    with wgpt.use("cpu"):
        expected = getattr(ops, name)(*arrays)
    with ops.CommandBatch(narrow) as batch:
        y = getattr(batch, name)(*(batch.upload(a) for a in arrays))
        doubled = batch.scale(y, 2.0)
        batch.execute()
        near(batch.read(y), expected.astype(np.float64))
        near(batch.read(doubled), 2.0 * expected.astype(np.float64))


@pytest.mark.parametrize("rows", [1, 5, 301])
def test_a_batch_takes_a_plain_matrix_that_is_larger_than_a_binding(rows, narrow, rng):
    """Four windows of its rows, the last one ragged; 301 rows of x are five windows themselves."""
    x, w = normal(rng, rows, 203), normal(rng, 203, 251)
    with ops.CommandBatch(narrow) as batch:
        y = batch.matmul(batch.upload(x, "x"), batch.upload(w))
        with batch.finish(y=y, doubled=batch.scale(y, 2.0)) as program:
            for other in (x, normal(rng, rows, 203)):  # a replay begins anew
                program.write("x", other)
                results = program.read()
                near(results["y"], np.matmul(*f64(other, w)))
                near(results["doubled"], 2.0 * np.matmul(*f64(other, w)))


def test_a_batch_refuses_what_no_window_holds(narrow, rng):
    message = literally("is 66.0 KiB", "binds at most 64.0 KiB", "split the tensor")
    with ops.CommandBatch(narrow) as batch:
        x = batch.upload(normal(rng, 65, 260))
        with pytest.raises(AllocationError, match=message):
            batch.softmax(x)  # windows are 64 rows or more
        with pytest.raises(AllocationError, match=message):
            batch.matmul(batch.upload(normal(rng, 3, 65)), batch.upload(normal(rng, 65, 260)))
