"""Where operations run: by size, by environment, by tuning, by use(), and without a GPU."""

from __future__ import annotations

import asyncio
import json
import threading
import warnings

import numpy as np
import pytest

import wgpt
from wgpt import ops
from wgpt.gpu import FaultyDriverError, GpuDevice, NoGpuError, gpus
from wgpt.gpu import device as device_module
from wgpt.kernels import tuning
from wgpt.ops import where as where_module

from .harness import memory

SMALL = np.linspace(-1.0, 1.0, 99, dtype=np.float32)


def submitted(device: GpuDevice, x: np.ndarray) -> int:
    """How many submits a silu of x takes: none on the CPU."""
    before = device.submits
    ops.silu(x)
    return device.submits - before


@pytest.mark.gpu
def test_the_threshold_is_a_hundred_thousand(default):
    assert wgpt.gpu_min_size() == 100_000
    assert not wgpt.should_use_gpu(99_999)
    assert wgpt.should_use_gpu(100_000)
    assert not wgpt.should_use_gpu(0)


@pytest.mark.gpu
def test_operations_go_by_the_threshold(default):
    x = np.linspace(-3.0, 3.0, 100_000, dtype=np.float32)
    assert submitted(default, x[:-1].copy()) == 0
    assert submitted(default, x) == 1


@pytest.mark.gpu
def test_a_product_goes_by_its_largest_matrix(default, rng):
    """A vector times a large matrix is large work; so is a small pair with a large result."""
    before = default.submits
    ops.linear(np.ones(400, np.float32), rng.standard_normal((250, 400)).astype(np.float32))
    assert default.submits == before + 1
    ops.matmul(rng.standard_normal((400, 1)).astype(np.float32), np.ones((1, 250), np.float32))
    assert default.submits == before + 2
    ops.matmul(rng.standard_normal((300, 300)).astype(np.float32), np.ones((300, 300), np.float32))
    assert default.submits == before + 2


@pytest.mark.gpu
@pytest.mark.parametrize(("text", "size"), [("99", 99), ("0", 0), ("1000000", 1_000_000), (" 7 ", 7)])
def test_the_environment_decides(text, size, default, monkeypatch):
    monkeypatch.setitem(tuning._loaded, default.key, {"gpu_min_size": 12_345})
    monkeypatch.setenv("WGPT_GPU_MIN_SIZE", text)
    assert wgpt.gpu_min_size() == size
    assert wgpt.should_use_gpu(size)
    assert not wgpt.should_use_gpu(size - 1)
    assert submitted(default, SMALL) == (1 if size <= 99 else 0)


@pytest.mark.gpu
@pytest.mark.parametrize("text", ["", "many", "1e5", "-1", "1.5", "nan", "0x10"])
def test_a_bad_environment_is_named(text, default, monkeypatch):
    monkeypatch.setenv("WGPT_GPU_MIN_SIZE", text)
    message = f"WGPT_GPU_MIN_SIZE must be a number of elements, not {text!r}"
    before = default.submits
    for ask in (wgpt.gpu_min_size, lambda: wgpt.should_use_gpu(5), lambda: ops.silu(SMALL)):
        with pytest.raises(ValueError, match=message):
            ask()
    assert default.submits == before
    with wgpt.use("cpu"):
        assert ops.silu(SMALL).shape == (99,)  # chosen explicitly: the environment is not read


@pytest.mark.gpu
def test_a_tuned_threshold_is_read_from_the_table(default, tmp_path, monkeypatch):
    monkeypatch.setenv("WGPT_HOME", str(tmp_path))
    file = tuning.path(default)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"gpu_min_size": 99, "variants": {}}))
    monkeypatch.delitem(tuning._loaded, default.key)
    assert wgpt.gpu_min_size() == 99
    assert submitted(default, SMALL) == 1
    assert submitted(default, SMALL[:-1].copy()) == 0


@pytest.mark.gpu
def test_what_tune_saves_is_used_at_once(default, tmp_path, monkeypatch):
    monkeypatch.setenv("WGPT_HOME", str(tmp_path))
    tuning.save(default, {"gpu_min_size": 1 << 40})
    assert wgpt.gpu_min_size() == 1 << 40
    assert submitted(default, np.ones(200_000, np.float32)) == 0


@pytest.mark.gpu
def test_use_nests(default):
    with wgpt.use("gpu"):
        assert submitted(default, SMALL) == 1
        with wgpt.use("cpu"):
            assert submitted(default, SMALL) == 0
            with wgpt.use(default):
                assert submitted(default, SMALL) == 1
            assert submitted(default, SMALL) == 0
        assert submitted(default, SMALL) == 1
    assert submitted(default, SMALL) == 0


@pytest.mark.gpu
def test_use_ends_with_an_error(default):
    with pytest.raises(RuntimeError, match="out of here"), wgpt.use("gpu"):
        raise RuntimeError("out of here")
    assert submitted(default, SMALL) == 0


@pytest.mark.gpu
def test_use_is_its_threads_own(default):
    submits: list[int] = []
    with wgpt.use("gpu"):
        thread = threading.Thread(target=lambda: submits.append(submitted(default, SMALL)))
        thread.start()
        thread.join()
    assert submits == [0]


@pytest.mark.parametrize("bad", ["GPU", "cuda", "", None, 0, 1.5])
def test_use_refuses_what_is_no_place(bad):
    with pytest.raises(ValueError, match=f'use.. takes a GpuDevice, "gpu" or "cpu", not {bad!r}'):
        with wgpt.use(bad):
            pytest.fail("the block ran")


@pytest.mark.gpu
def test_operations_leave_no_memory(default, rng):
    def all_at_once() -> None:
        x = rng.standard_normal((37, 41)).astype(np.float32)
        with wgpt.use("gpu"):
            ops.softmax(x)
            ops.matmul(x, np.ascontiguousarray(x.T))
            ops.linear(x, x, "q4_1")
            ops.rmsnorm_backward(x, x[0], x, 37, 41)

    all_at_once()
    before = memory(default)
    for _ in range(3):
        all_at_once()
    assert memory(default) == before


# Without a GPU ----------------------------------------------------------------------------------------------------


@pytest.fixture
def no_adapter(monkeypatch):
    """A machine without a GPU; the list has one entry per lookup."""
    lookups: list[int] = []
    monkeypatch.setattr(device_module, "_default", None)
    monkeypatch.setattr(where_module, "_missing", False)
    monkeypatch.setattr(gpus, "list_gpus", lambda: lookups.append(1) or [])
    monkeypatch.delenv("WGPT_GPU", raising=False)
    monkeypatch.delenv("WGPT_GPU_MIN_SIZE", raising=False)
    return lookups


def test_without_an_adapter_the_cpu_does_it(no_adapter):
    assert wgpt.gpu_min_size() == 100_000
    assert not wgpt.should_use_gpu(10**9)
    x = np.linspace(-3.0, 3.0, 200_000, dtype=np.float32)
    expected = x / (1.0 + np.exp(-x.astype(np.float64)))
    np.testing.assert_allclose(ops.silu(x), expected, rtol=1e-6, atol=1e-9)
    assert len(no_adapter) == 1  # a lookup costs more than a small operation


def test_without_an_adapter_the_environment_changes_nothing(no_adapter, monkeypatch):
    monkeypatch.setenv("WGPT_GPU_MIN_SIZE", "5")
    assert wgpt.gpu_min_size() == 5
    assert not wgpt.should_use_gpu(10)
    assert ops.silu(SMALL).shape == (99,)


def test_without_an_adapter_the_gpu_is_refused_with_the_remedy(no_adapter):
    with wgpt.use("gpu"), pytest.raises(NoGpuError, match="no GPU found that WebGPU can use: install a GPU driver"):
        ops.silu(SMALL)
    with pytest.raises(NoGpuError, match="no GPU found"):
        ops.MatmulCache()
    with pytest.raises(NoGpuError, match="no GPU found"):
        ops.CommandBatch()


def test_a_faulty_driver_is_not_used_and_said_once(monkeypatch):
    def faulty() -> GpuDevice:
        raise FaultyDriverError("llvmpipe computes wrong numbers: it drops loops")

    monkeypatch.setattr(where_module, "_missing", False)
    monkeypatch.setattr(where_module, "default_device", faulty)
    monkeypatch.delenv("WGPT_GPU", raising=False)
    monkeypatch.delenv("WGPT_GPU_MIN_SIZE", raising=False)
    with pytest.warns(RuntimeWarning, match="operations run on the CPU: llvmpipe computes wrong numbers"):
        np.testing.assert_allclose(ops.scale(SMALL, 2.0), 2.0 * SMALL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not wgpt.should_use_gpu(10**9)
    with wgpt.use("gpu"), pytest.raises(FaultyDriverError):
        ops.silu(SMALL)
    monkeypatch.setenv("WGPT_GPU", "llvmpipe")
    with pytest.raises(FaultyDriverError):
        ops.silu(SMALL)  # the GPU was named explicitly: no fallback to the CPU


# A GPU that was named -------------------------------------------------------------------------------------------


@pytest.fixture
def named_and_missing(monkeypatch):
    """WGPT_GPU names a GPU that this machine does not have."""
    monkeypatch.setattr(device_module, "_default", None)
    monkeypatch.setattr(where_module, "_missing", False)
    monkeypatch.setenv("WGPT_GPU", "no such gpu")
    monkeypatch.delenv("WGPT_GPU_MIN_SIZE", raising=False)


@pytest.mark.gpu
@pytest.mark.parametrize("least", [None, "50", "1000000"])
def test_a_gpu_that_was_named_and_is_missing_is_an_error(least, named_and_missing, monkeypatch):
    """Below the threshold and above it."""
    if least is not None:
        monkeypatch.setenv("WGPT_GPU_MIN_SIZE", least)
    message = "WGPT_GPU: no GPU's name contains 'no such gpu'; available: 0: "
    for x in (SMALL, np.ones(200_000, np.float32)):
        with pytest.raises(NoGpuError, match=message):
            ops.silu(x)
        with pytest.raises(NoGpuError, match=message):
            asyncio.run(ops.silu_async(x))
        with pytest.raises(NoGpuError, match=message):
            wgpt.should_use_gpu(x.size)
    for ask in (ops.MatmulCache, ops.CommandBatch):
        with pytest.raises(NoGpuError, match=message):
            ask()
    with wgpt.use("cpu"):
        assert ops.silu(SMALL).shape == (99,)  # the CPU was asked for


@pytest.mark.gpu
def test_a_gpu_that_is_named_late_is_missed_too(named_and_missing, monkeypatch):
    """The first operation finds no GPU and runs on the CPU; then WGPT_GPU names one."""
    monkeypatch.setattr(where_module, "_missing", True)
    with pytest.raises(NoGpuError, match="no such gpu"):
        ops.silu(SMALL)
    monkeypatch.delenv("WGPT_GPU")
    assert ops.silu(SMALL).shape == (99,)


def test_an_index_that_was_named_and_is_missing_is_an_error(named_and_missing, monkeypatch):
    monkeypatch.setenv("WGPT_GPU", "97")
    with pytest.raises(NoGpuError, match=r"WGPT_GPU: GPU 97 does not exist|no GPU found"):
        ops.silu(SMALL)
