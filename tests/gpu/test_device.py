"""GpuDevice: its description, counters and errors."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from wgpt.gpu import (
    AllocationError,
    Bound,
    DeviceLostError,
    FaultyDriverError,
    GpuDevice,
    GpuTimeoutError,
    Launch,
    Recorder,
    ShaderError,
    Tensor,
    ValidationError,
    default_device,
    faults,
    probe,
)

from .launches import affine, busy_for, chain, chained

pytestmark = pytest.mark.gpu
X = np.arange(-50, 50, dtype=np.float32)


def works(device: GpuDevice) -> bool:
    with chain(device, X, 3) as program:
        return bool((program.read()["y"] == chained(X, 3)).all())


def test_open_by_index_and_by_name(device):
    for selector in (device.info.index, str(device.info.index), device.info.name[:6].upper()):
        again = GpuDevice.open(selector)
        assert again.info.name == device.info.name and works(again)
        again.close()


def test_traits_are_what_was_opened_and_probed(device):
    traits = device.traits
    assert traits.software == (device.info.kind == "CPU")
    assert traits.f16 == ("shader-f16" in device.features)
    assert traits.subgroups == (traits.subgroup_size > 0)
    assert traits.subgroup_size in (0, 4, 8, 16, 32, 64, 128)
    assert traits.max_invocations >= 256 and traits.workgroup_bytes >= 16384
    assert device.faults == []


def test_memory_is_counted(device):
    device.pool.trim()
    before = (device.bytes_in_use, device.buffers_in_use)
    tensor = device.tensor(np.ones(1000, np.float32), label="counted")
    assert device.bytes_in_use == before[0] + 4000 and device.buffers_in_use == before[1] + 1
    assert device.peak_bytes >= device.bytes_in_use
    tensor.buffer.release()
    tensor.buffer.release()
    assert (device.bytes_in_use, device.buffers_in_use) == before
    device.tensor(np.ones(1000, np.float32))
    assert (device.bytes_in_use, device.buffers_in_use) == before, "a dropped tensor gives its memory back"


def test_traffic_is_counted(device):
    before = (device.uploaded_bytes, device.submits)
    tensor = device.tensor(X)
    np.testing.assert_array_equal(device.read(tensor), X)
    assert (device.uploaded_bytes - before[0], device.submits - before[1]) == (X.nbytes, 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint32])
@pytest.mark.parametrize("shape", [(1,), (3,), (5, 7), (2, 3, 4)])
def test_arrays_come_back_as_they_went(device, dtype, shape):
    array = np.random.default_rng(0).integers(0, 1000, shape).astype(dtype)
    back = device.read(device.tensor(array))
    assert back.dtype == dtype and back.shape == shape
    np.testing.assert_array_equal(back, array)


def test_what_does_not_fit_is_not_written(device):
    tensor = device.tensor(X)
    with pytest.raises(ValueError, match=r"cannot write \(3,\) float32 into Tensor\(100 f32\)"):
        device.write(tensor, X[:3])
    with pytest.raises(ValueError, match="float64"):
        device.write(tensor, X.astype(np.float64))
    with pytest.raises(ValueError, match="unsupported dtype complex64"):
        device.tensor(X.astype(np.complex64))


def test_default_device_is_one_and_opens_anew_after_close(device):
    first = default_device()
    assert default_device() is first
    first.close()
    second = default_device()
    assert second is not first and works(second)
    second.close()


def test_closed_device_refuses_everything(device):
    gone = GpuDevice.open()
    program = chain(gone, X, 2)
    pending = program.submit()
    tensor = gone.tensor(X)
    gone.close()
    gone.close()
    for use in (
        lambda: gone.buffer(16),
        lambda: gone.tensor(X),
        lambda: gone.write(tensor, X),
        lambda: gone.read(tensor),
        lambda: program.run(),
        lambda: program.read(),
        lambda: program.write("x", X),
        lambda: pending.result(),
        lambda: chain(gone, X, 1),
    ):
        with pytest.raises(DeviceLostError, match=r"GpuDevice\.open\(\)"):
            use()
    assert works(device), "other devices go on"


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ("let z = x[id.x] * nonsense;", "let z = x[id.x] * nonsense;"),
        ("y[id.x] = x[id.x] +;", "y[id.x] = x[id.x] +;"),
        ("let q: u32 = 1.5;", "let q: u32 = 1.5;"),
    ],
)
def test_a_broken_shader_names_kernel_variant_and_line(device, trusted, broken, line):
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    good = affine(x, y)
    wgsl = good.wgsl.replace("    if (id.x", f"    {broken}\n    if (id.x")
    recorder.launch(affine(x, y, wgsl=wgsl, trusted=trusted))
    compiled = device.pipelines.compiled
    with pytest.raises(ShaderError) as refused:
        recorder.finish(y=y)
    recorder.discard()
    message = str(refused.value)
    number = wgsl.splitlines().index(f"    {line}") + 1
    assert "affine[n=64]" in message and f"line {number}: {line}" in message
    assert device.pipelines.compiled == compiled and works(device)


def test_a_shader_that_asks_for_other_bindings_is_refused(device):
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    recorder.launch(affine(x, y, wgsl=affine(x, y).wgsl.replace("@binding(2)", "@binding(7)")))
    with pytest.raises(ShaderError, match=r"affine\[n=64\]"):
        recorder.finish(y=y)
    recorder.discard()
    assert works(device)


def test_a_buffer_beyond_the_limit_names_the_sizes(device):
    limit = device.limits["max-buffer-size"]
    before = device.buffers_in_use
    with pytest.raises(AllocationError, match="split it, or use a smaller data type") as refused:
        device.buffer(limit + 16, "everything")
    message = str(refused.value)
    assert "everything" in message and "per-buffer limit" in message and "in use" in message
    assert device.buffers_in_use == before and works(device)


def test_a_buffer_beyond_memory_names_the_sizes(device, monkeypatch):
    import wgpu

    def full(*_: object) -> None:
        raise wgpu.GPUOutOfMemoryError("not enough memory left")

    monkeypatch.setattr(device.webgpu, "create_buffer", full)
    gc.collect()  # buffers of earlier tests, which would otherwise be freed in between
    before = device.buffers_in_use
    with pytest.raises(AllocationError, match=r"out of GPU memory; cache: requested 1\.0 MiB, per-buffer limit .*"):
        device.buffer(1 << 20, "cache")
    monkeypatch.undo()
    assert device.buffers_in_use == before and works(device)


def test_a_binding_beyond_the_limit_names_the_sizes(device):
    limit = device.limits["max-storage-buffer-binding-size"]
    recorder = Recorder(device)
    x = recorder.upload(X)
    huge = Tensor(x.buffer, (limit // 4 + 4,))
    with pytest.raises(AllocationError, match=rf"affine\[n=64\]: y .*{device.info.name[:8]}.*split the tensor"):
        recorder.launch(affine(x, huge, grid=(1, 1, 1)))
    recorder.discard()


def test_validation_errors_are_ours_and_leave_the_device_usable(device):
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    most = device.limits["max-compute-workgroups-per-dimension"]
    with pytest.raises(ValidationError, match=f"exceeds {most} workgroups"):
        recorder.launch(affine(x, y, grid=(most + 1, 1, 1)))
    with pytest.raises(ValidationError, match="x starts at byte 4"):
        recorder.launch(affine(Tensor(x.buffer, (10,), offset=4), y))
    with pytest.raises(ValidationError, match=r"x ends at byte 1048616 of \d+"):
        recorder.launch(affine(Tensor(x.buffer, (10,), offset=1 << 20), y))
    gone = device.tensor(X)
    gone.buffer.release()
    with pytest.raises(ValidationError, match=r"x Tensor\(100 f32\) was released"):
        recorder.launch(affine(gone, y))
    recorder.discard()
    assert works(device)


def test_memory_released_after_the_recording_is_refused_at_the_replay(device):
    """Otherwise wgpu-native would end the process."""
    recorder = Recorder(device)
    x, y = device.tensor(X), recorder.tensor(X.shape)
    recorder.launch(affine(x, y))
    with recorder.finish(y=y) as program:
        program.run()
        x.buffer.release()
        for replay in (program.run, program.read, program.submit):
            with pytest.raises(ValidationError, match=r"x Tensor\(100 f32\) was released after.*record it again"):
                replay()
    assert works(device)


def test_a_tensor_of_another_device_is_refused(device):
    other = GpuDevice.open()
    recorder = Recorder(device)
    with pytest.raises(ValidationError, match="x is on another device"):
        recorder.launch(affine(other.tensor(X), recorder.tensor(X.shape)))
    recorder.discard()
    other.close()


def test_one_writer_per_buffer(device):
    recorder = Recorder(device)
    x = recorder.upload(X)
    with pytest.raises(ValidationError, match="x and y share a buffer that is written"):
        recorder.launch(affine(x, x))
    recorder.discard()


def test_a_wait_ends_and_the_result_still_comes(device):
    with busy_for(device, 0.3) as program:
        pending = program.submit()
        with pytest.raises(GpuTimeoutError, match=r"did not finish within 0\.001 s.*GpuDevice\.timeout"):
            pending.result(timeout=0.001)
        late = pending.result()["out"]
        np.testing.assert_array_equal(late, program.read()["out"])
    assert works(device)


def test_the_devices_own_timeout_is_the_default(device, monkeypatch):
    with busy_for(device, 0.3) as program:
        monkeypatch.setattr(device, "timeout", 0.001)
        with pytest.raises(GpuTimeoutError):
            program.read()
        monkeypatch.undo()
        program.read()


# A driver like Mesa 22's llvmpipe: every loop ends after 65,535 rounds.
EARLY = faults._LOOP.replace("i < out[1]", "i < min(out[1], 65535u)")
# A driver that loses the last step of a reduction.
PARTIAL = faults._BARRIER.replace("s > 0u", "s > 1u")


@pytest.mark.parametrize(
    ("name", "wgsl", "fault"), [("_LOOP", EARLY, "ends early"), ("_BARRIER", PARTIAL, "gives a wrong sum")]
)
def test_a_driver_that_computes_wrongly_is_refused_with_the_remedy(device, monkeypatch, name, wgsl, fault):
    assert wgsl != getattr(faults, name)
    monkeypatch.setattr(faults, name, wgsl)
    monkeypatch.delenv("WGPT_ALLOW_FAULTY", raising=False)
    with pytest.raises(FaultyDriverError, match=rf"{fault}.*newer driver.*WGPT_GPU.*WGPT_ALLOW_FAULTY=1"):
        GpuDevice.open()
    allowed = GpuDevice.open(allow_faulty=True)
    assert len(allowed.faults) == 1 and fault in allowed.faults[0]
    allowed.close()
    monkeypatch.setenv("WGPT_ALLOW_FAULTY", "1")
    GpuDevice.open().close()


def test_wrong_subgroup_sums_mean_no_subgroups(device, monkeypatch):
    monkeypatch.setattr(faults, "_SUBGROUP", faults._SUBGROUP.replace("1u + lane", "2u + lane"))
    assert faults.subgroup_size(device) == 0


def test_copy_bandwidth_is_plausible(device):
    assert 1e8 < probe.copy_bandwidth(device, megabytes=8) < 1e14


def test_bound_more_than_once_for_reading_is_fine(device):
    """Two names for one buffer are allowed as long as nobody writes it."""
    wgsl = """
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&a)) { y[id.x] = a[id.x] + b[id.x]; }
}
"""
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    bound = (Bound("a", "read", x), Bound("b", "read", x), Bound("y", "read_write", y))
    recorder.launch(Launch("twice", "", wgsl, b"", bound, (2, 1, 1)))
    with recorder.finish(y=y) as program:
        np.testing.assert_array_equal(program.read()["y"], 2 * X)
