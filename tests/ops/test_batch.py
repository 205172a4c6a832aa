"""CommandBatch: many operations, one Program."""

from __future__ import annotations

import asyncio
import math

import numpy as np
import pytest

from wgpt import CommandBatch, GpuDevice, MatmulCache, Tensor, WgptError
from wgpt.gpu import ValidationError
from wgpt.quant.weights import pack, unpack

from .harness import f64, literally, memory, near, normal

pytestmark = pytest.mark.gpu

ROWS, K, N = 5, 36, 23


@pytest.fixture
def batch(device: GpuDevice):
    """A batch that gives all its memory back."""
    before = memory(device)
    with CommandBatch(device) as batch:
        yield batch
    assert memory(device) == before


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def chain(batch: CommandBatch, x: Tensor, arrays: dict[str, np.ndarray], weight: str) -> Tensor:
    """rmsnorm(0.75 * ((swish(x W^T, 1.5) * b) C + d), g), in seven dispatches."""
    y = batch.matmul(x, batch.upload_weight(pack(arrays["w"], weight)))
    y = batch.mul(batch.swish(y, 1.5), batch.upload(arrays["b"]))
    y = batch.add(batch.matmul(y, batch.upload(arrays["c"])), batch.upload(arrays["d"]))
    return batch.rmsnorm(batch.scale(y, 0.75), batch.upload(arrays["g"]), 0.01)


def chained(x: np.ndarray, arrays: dict[str, np.ndarray], weight: str) -> np.ndarray:
    wide = {name: a.astype(np.float64) for name, a in arrays.items()}
    y = x.astype(np.float64) @ unpack(pack(arrays["w"], weight)).T
    y = y * sigmoid(1.5 * y) * wide["b"]
    y = 0.75 * (y @ wide["c"] + wide["d"])
    return y / np.sqrt((y**2).mean(axis=-1, keepdims=True) + 0.01) * wide["g"]


def operands(rng: np.random.Generator, rows: int = ROWS) -> dict[str, np.ndarray]:
    return {
        "w": normal(rng, N, K) / 6, "b": normal(rng, rows, N), "c": normal(rng, N, 31), "d": normal(rng, rows, 31),
        "g": normal(rng, 31),
    }  # fmt: skip


@pytest.mark.parametrize("weight", ["f32", "bf16", "q8_0", "q4_1", "nf4"])
@pytest.mark.parametrize("rows", [1, ROWS])
def test_a_chain_runs_in_one_submit(rows, weight, batch, device, rng):
    arrays, x = operands(rng, rows), normal(rng, rows, K)
    y = chain(batch, batch.upload(x), arrays, weight)
    before = device.submits
    batch.execute()
    assert device.submits == before + 1
    near(batch.read(y), chained(x, arrays, weight), tolerance=2e-5)
    np.testing.assert_array_equal(asyncio.run(batch.read_async(y)), batch.read(y))


def test_every_operation(batch, rng):
    a, b, g, h = normal(rng, 4, 27), normal(rng, 4, 27), normal(rng, 27), normal(rng, 27)
    ta, tb, tg, th = (batch.upload(x) for x in (a, b, g, h))
    wa, wb, wg, wh = f64(a, b, g, h)
    centred = wa - wa.mean(axis=1, keepdims=True)
    erf = np.vectorize(math.erf, otypes=[np.float64])
    inner = math.sqrt(2 / math.pi) * (wa + 0.044715 * wa**3)
    expected_values = {
        batch.add(ta, tb): wa + wb,
        batch.mul(ta, tb): wa * wb,
        batch.scale(ta, -2.5): -2.5 * wa,
        batch.silu(ta): wa * sigmoid(wa),
        batch.swish(ta): wa * sigmoid(wa),
        batch.gelu(ta): 0.5 * wa * (1 + np.tanh(inner)),
        batch.gelu(ta, "erf"): 0.5 * wa * (1 + erf(wa / math.sqrt(2))),
        batch.silu_mul(ta, tb): wa * sigmoid(wa) * wb,
        batch.softmax(ta): np.exp(wa) / np.exp(wa).sum(axis=1, keepdims=True),
        batch.rmsnorm(ta, tg): wa / np.sqrt((wa**2).mean(axis=1, keepdims=True) + 1e-6) * wg,
        batch.layernorm(ta, tg, th): centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * wg + wh,
        batch.apply("column_sum", {"rows": 4, "hidden": 27}, x=ta)["y"].reshape(27): wa.sum(axis=0),
    }
    batch.execute()
    for tensor, expected in expected_values.items():
        near(batch.read(tensor), expected)


def test_three_dimensions_go_through(batch, rng):
    x, w, g = normal(rng, 2, 3, K), normal(rng, N, K), normal(rng, N)
    y = batch.rmsnorm(batch.silu(batch.matmul(batch.upload(x), batch.upload_weight(pack(w, "f32")))), batch.upload(g))
    batch.execute()
    z = np.matmul(*f64(x, w.T))
    z = z * sigmoid(z)
    near(batch.read(y), z / np.sqrt((z**2).mean(axis=-1, keepdims=True) + 1e-6) * g)


def test_uploads_are_made_contiguous(batch, rng):
    x = normal(rng, 9, 4)
    y = batch.scale(batch.upload(x.T[:, ::2]), 2.0)
    batch.execute()
    np.testing.assert_array_equal(batch.read(y), 2 * x.T[:, ::2])


def test_executing_again_replays(batch, device, rng):
    """The operation works in place, so each replay changes the result."""
    state = [normal(rng, 50), normal(rng, 50), normal(rng, 50) ** 2]
    grads = normal(rng, 50)
    rates = {"n": 50, "step": 3, "lr": 0.1, "beta1": 0.5, "beta2": 0.75, "eps": 0.01, "decay": 0.2}
    tensors = dict(zip(("param", "m", "v"), map(batch.upload, state), strict=True))
    batch.apply("adamw_step", rates, g=batch.upload(grads), **tensors)
    p, m, v = f64(*state)
    counts = []
    for _ in range(3):
        batch.execute()
        counts.append((device.pipelines.compiled, device.pipelines.hits, device.uploaded_bytes))
        m, v = 0.5 * m + 0.5 * grads, 0.75 * v + 0.25 * grads.astype(np.float64) ** 2
        p = p - 0.1 * (m / (1 - 0.5**3) / (np.sqrt(v / (1 - 0.75**3)) + 0.01) + 0.2 * p)
        near(batch.read(tensors["param"]), p)
    assert counts[0] == counts[1] == counts[2]  # a replay compiles and uploads nothing


def test_a_finished_program_takes_new_inputs(device, rng):
    arrays, x = operands(rng), normal(rng, ROWS, K)
    before = memory(device)
    with CommandBatch(device) as batch:
        program = batch.finish(y=chain(batch, batch.upload(x, "x"), arrays, "f16"))
    # The batch has ended; the Program and its weights live on.
    assert len(program) == 7 and set(program.inputs) == {"x"} and set(program.outputs) == {"y"}
    near(program.read()["y"], chained(x, arrays, "f16"), tolerance=2e-5)
    for _ in range(3):
        x = normal(rng, ROWS, K)
        program.write("x", x)
        near(program.read()["y"], chained(x, arrays, "f16"), tolerance=2e-5)
    program.release()
    assert memory(device) == before


def test_what_is_spent_records_no_more(device, rng):
    x, w = normal(rng, 3, 4), pack(normal(rng, 2, 4), "f32")

    def closed(batch: CommandBatch, t: Tensor, why: str) -> None:
        records = [
            lambda: batch.upload(x), lambda: batch.upload_weight(w), lambda: batch.import_buffer(t),
            lambda: batch.silu(t), lambda: batch.softmax(t), lambda: batch.matmul(t, t.reshape(4, 3)),
            lambda: batch.apply("silu", {"n": 12}, x=t), lambda: batch.finish(y=t),
        ]  # fmt: skip
        for record in records:
            with pytest.raises(WgptError, match=f"this batch was {why}.*: start a new CommandBatch"):
                record()

    with CommandBatch(device) as batch:
        t = batch.upload(x)
        y = batch.silu(t)
        batch.execute()
        closed(batch, t, "executed")
        near(batch.read(y), x * sigmoid(x.astype(np.float64)))
    closed(batch, t, "released")
    for late in (batch.execute, lambda: batch.read(y), lambda: asyncio.run(batch.read_async(y))):
        with pytest.raises(WgptError, match="this batch was released"):
            late()

    batch = CommandBatch(device)
    t = batch.upload(x)
    with batch.finish(y=batch.silu(t)) as program:
        closed(batch, t, "finished")
        with pytest.raises(WgptError, match="this batch was finished"):
            batch.execute()
        near(program.read()["y"], x * sigmoid(x.astype(np.float64)))


def test_reading_comes_after_executing(batch, rng):
    y = batch.silu(batch.upload(normal(rng, 4)))
    with pytest.raises(WgptError, match=literally("nothing has been executed yet: call read() after execute()")):
        batch.read(y)
    with pytest.raises(WgptError, match=literally("nothing has been executed yet: call read_async() after execute()")):
        asyncio.run(batch.read_async(y))


# Memory -----------------------------------------------------------------------------------------------------------


def test_release_returns_memory(device, rng):
    before = memory(device)
    batch = CommandBatch(device)
    y = chain(batch, batch.upload(normal(rng, ROWS, K)), operands(rng), "q4_0")
    assert memory(device)[1] > before[1]
    batch.execute()
    batch.read(y)
    batch.release()
    batch.release()  # twice does no harm
    assert memory(device) == before


def test_release_without_executing_returns_memory(device, rng):
    before = memory(device)
    batch = CommandBatch(device)
    chain(batch, batch.upload(normal(rng, ROWS, K)), operands(rng), "q4_0")
    batch.release()
    assert memory(device) == before


def test_the_context_manager_releases_after_an_error(device, rng):
    before = memory(device)
    with pytest.raises(ZeroDivisionError), CommandBatch(device) as batch:
        chain(batch, batch.upload(normal(rng, ROWS, K)), operands(rng), "f32")
        raise ZeroDivisionError
    del batch
    assert memory(device) == before


# Imports ----------------------------------------------------------------------------------------------------------


def test_imported_tensors_are_used_and_kept(device, rng):
    x, g = normal(rng, 3, 8), normal(rng, 8)
    resident = device.tensor(g)
    with CommandBatch(device) as batch:
        assert batch.import_buffer(resident) is resident
        y = batch.rmsnorm(batch.upload(x), batch.import_buffer(resident))
        batch.execute()
        near(batch.read(y), x / np.sqrt((x.astype(np.float64) ** 2).mean(axis=1, keepdims=True) + 1e-6) * g)
    assert not resident.buffer.released
    np.testing.assert_array_equal(device.read(resident), g)
    resident.buffer.release()


def test_a_programs_output_feeds_a_batch(device, rng):
    x = normal(rng, 40)
    first = CommandBatch(device)
    with first.finish(y=first.scale(first.upload(x, "x"), 3.0)) as program, CommandBatch(device) as batch:
        program.run()
        y = batch.add(batch.import_buffer(program.outputs["y"]), batch.upload(x))
        batch.execute()
        near(batch.read(y), 4.0 * x.astype(np.float64))


def test_resident_weights_are_shared(device, rng):
    """One weight of a cache in two batches; it outlives both."""
    cache, w, x = MatmulCache(device), normal(rng, 6, 16), normal(rng, 16)
    weight = cache.put("w", w, "f32")
    for _ in range(2):
        before = device.uploaded_bytes
        with CommandBatch(device) as batch:
            y = batch.matmul(batch.upload(x), weight)
            batch.execute()
            near(batch.read(y), np.matmul(*f64(w, x)))
        assert device.uploaded_bytes == before + x.nbytes
    near(cache.matmul("w", x), np.matmul(*f64(w, x)))
    cache.clear()


def test_a_released_tensor_is_refused(batch, device):
    gone = device.tensor(np.ones(4, np.float32))
    gone.buffer.release()
    with pytest.raises(WgptError, match=literally("Tensor(4 f32) was released")):
        batch.import_buffer(gone)
    with pytest.raises(ValidationError, match="was released"):
        batch.silu(gone)


def test_another_devices_tensor_is_refused(batch, device, rng):
    other = GpuDevice.open(device.info.index)
    try:
        foreign = other.tensor(normal(rng, 4))
        with pytest.raises(WgptError, match=literally("Tensor(4 f32) is on GpuDevice(", "not on GpuDevice(")):
            batch.import_buffer(foreign)
        with pytest.raises(ValidationError, match="is on another device"):
            batch.silu(foreign)
    finally:
        other.close()


# Refused ----------------------------------------------------------------------------------------------------------


def test_wrong_tensors_are_refused(batch, device, rng):
    x, half = batch.upload(normal(rng, 3, 4)), batch.upload(normal(rng, 3, 4).astype(np.float16))
    row, turned = batch.upload(normal(rng, 4)), x.reshape(4, 3)
    ids = batch.upload(np.arange(12, dtype=np.int32).reshape(3, 4))
    weight = batch.upload_weight(pack(normal(rng, 5, 4), "q8_0"))
    before = device.submits
    refusals = {
        ("add needs tensors of one shape", "b is Tensor(4x3 f32)", "Tensor(3x4 f32)"): lambda: batch.add(x, turned),
        ("mul needs f32 tensors", "b is Tensor(3x4 f16): cast it"): lambda: batch.mul(x, half),
        ("silu needs f32 tensors", "x is Tensor(3x4 i32)"): lambda: batch.silu(ids),
        ("softmax needs f32 tensors", "x is Tensor(3x4 f16)"): lambda: batch.softmax(half),
        ("rmsnorm needs f32 tensors", "g is Tensor(12 f16)"): lambda: batch.rmsnorm(x, half.reshape(12)),
        ("rmsnorm: g has 12 elements", "rows of x have 4"): lambda: batch.rmsnorm(x, x),
        ("layernorm: beta has 12 elements", "4"): lambda: batch.layernorm(x, row, x),
        ("matmul needs x [m, k] and w [k, n]", "(3, 4) and (3, 4)"): lambda: batch.matmul(x, x),
        ("matmul needs f32 tensors", "w is Tensor(4x3 f16)"): lambda: batch.matmul(x, half.reshape(4, 3)),
        ("x (4, 3) has rows of 3", "[5, 4]"): lambda: batch.matmul(turned, weight),
        ("x must be f32, not Tensor(3x4 f16)",): lambda: batch.matmul(half, weight),
        ("compute must be f32 or f16, not 'i8'",): lambda: batch.matmul(x, weight, "i8"),
        ("alpha must be a finite number", "nan"): lambda: batch.scale(x, math.nan),
        ("beta must be a finite number", "inf"): lambda: batch.swish(x, math.inf),
        ("eps must be at least 0, not -1",): lambda: batch.rmsnorm(x, row, -1.0),
        ("approximate must be tanh or erf, not 'none'",): lambda: batch.gelu(x, "none"),
        ("'x' (0, 3) is empty",): lambda: batch.upload(np.zeros((0, 3), np.float32), "x"),
        ("unsupported dtype float64", "float32"): lambda: batch.upload(np.zeros(3)),
        ("adamw_step updates m in place as (12,) f32", "Tensor(3 f32)"): lambda: batch.apply(
            "adamw_step", {"n": 12}, g=x, param=x, m=Tensor(x.buffer, (3,)), v=x
        ),
    }
    for message, refuse in refusals.items():
        with pytest.raises(ValueError, match=literally(*message)):
            refuse()
    with pytest.raises(KeyError, match="no kernel 'relu'"):
        batch.apply("relu", {"n": 12}, x=x)
    assert device.submits == before
    y = batch.silu(x)  # an error leaves the batch usable
    batch.execute()
    assert batch.read(y).shape == (3, 4)
