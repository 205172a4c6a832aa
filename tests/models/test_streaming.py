"""Streamed layers: bit-identical results, within the requested memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden
from wgpt import ForwardPass, WgptError, load
from wgpt.core.errors import PreconditionError
from wgpt.core.sizes import parse_bytes
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.engine.packed_rows import PackedRows
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.residency import Residency, Sizes, parse_resident, plan
from wgpt.models.residency import ResidentRequest as Request

pytestmark = pytest.mark.gpu
DEEP = Config("llama", 256, 64, 96, 9, 4, 2, 16, 128, 1e-5)  # nine layers


@pytest.fixture
def resident(device: GpuDevice) -> Iterator[Network]:
    network = Network.random(device, DEEP, "f16", seed=3)
    yield network
    network.release()


def logits(network: Network, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Of a prompt at once, and of three single steps after it."""
    with FixedBatch(network, 64, cache="f32", logits=True) as batch:
        together = batch.logits({0: ids})[0]
        batch.forget(0)
        batch.start({0: ids})
        return together, np.concatenate([batch.step().result()["logits"] for _ in range(3)])


@pytest.mark.full
@pytest.mark.parametrize("layers", [0, 1, 4, 6])
def test_the_same_to_the_bit(device: GpuDevice, resident: Network, layers: int) -> None:
    before = device.bytes_in_use - device.pool.free_bytes
    streaming = Network.random(device, DEEP, "f16", seed=3, resident=layers)
    assert len(streaming.uploads) == 9 - layers
    ids = np.random.default_rng(1).integers(0, 256, 21).tolist()
    for _ in range(2):  # a second forward finds other layers in the buffers
        for result, expected in zip(logits(streaming, ids), logits(resident, ids), strict=True):
            np.testing.assert_array_equal(result, expected)
    saved = resident.nbytes - streaming.nbytes
    assert saved >= (9 - layers - 2) * resident.residency.sizes.blocks[0] - 4096
    assert device.host_bytes >= streaming.residency.streamed_bytes
    streaming.release()
    assert device.host_bytes == 0 and device.bytes_in_use - device.pool.free_bytes == before


@pytest.mark.parametrize("name", ["llama-gqa", "qwen3", "gpt2"])
def test_models_from_files(device: GpuDevice, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # These have two or three layers, and two would not be worth it.
    monkeypatch.setattr("wgpt.models.residency._spread", lambda layers, streamed: tuple(range(streamed)))
    truth = golden.load(name)
    with load(truth.folder, device=device, cache="f32", resident="all") as model:
        expected = model.logits(truth.runs[0].ids)
    with load(truth.folder, device=device, cache="f32", resident=0) as model:
        assert set(model.network.uploads) == set(range(model.config.layers))
        np.testing.assert_array_equal(model.logits(truth.runs[0].ids), expected)
        assert model.generate(truth.runs[0].ids, max_tokens=4, ignore_eos=True).ids == truth.runs[0].greedy[:4]


def test_weights_stay_in_host_memory(device: GpuDevice, resident: Network) -> None:
    """Nothing is uploaded by the host: the GPU copies. A forward's weights are one buffer's worth of copies."""
    streaming = Network.random(device, DEEP, "f16", seed=3, resident=3)
    with FixedBatch(streaming, 64, cache="f32") as batch:
        batch.hidden({0: [1, 2, 3]})
        before = device.uploaded_bytes
        batch.hidden({0: [4, 5, 6]})
        assert device.uploaded_bytes - before == 4 * PackedRows.size(4)
        ((_, program),) = batch.runner._programs.items()
        copies = [launch for launch in program.launches if launch.is_copy]
        assert sum(launch.bytes for launch in copies) == streaming.residency.streamed_bytes
        assert len(program.profile(1).rows) == len(program.launches)
        assert [d["kernel"] for d in program.to_dict()["dispatches"]].count("copy") == 6
    streaming.release()


def test_an_artificial_memory_limit(device: GpuDevice, resident: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` uses the memory that the limit leaves, and no more."""
    sizes, ids = resident.residency.sizes, [5, 6, 7, 8]
    expected = logits(resident, ids)
    resident.release()
    device.pool.trim()
    limit = device.bytes_in_use + sizes.on_gpu((0, 2, 4, 6, 8)) + (1 << 20)
    monkeypatch.setattr(device, "memory_limit", limit)
    with pytest.raises(AllocationError, match="WGPT_MEMORY_LIMIT allows"):
        device.buffer(2 * limit)
    reserve = (1 << 20) - 8192
    streaming = Network.random(device, DEEP, "f16", seed=3, resident="auto", reserve=reserve)
    assert 3 <= len(streaming.uploads) <= 6
    for result, expected_result in zip(logits(streaming, ids), expected, strict=True):
        np.testing.assert_array_equal(result, expected_result)
    streaming.release()
    monkeypatch.setattr(device, "memory_limit", device.bytes_in_use + (1 << 14))
    with pytest.raises(AllocationError, match="with all layers in host memory they need"):
        Network.random(device, DEEP, "f16", resident="auto")
    assert device.host_bytes == 0


def test_the_limit_is_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WGPT_MEMORY_LIMIT", "600KiB")
    device = GpuDevice.open()
    assert device.memory_limit == 600 << 10
    network = Network.random(device, DEEP, "f16", resident="auto", reserve=200 << 10)  # of 578 KiB in all
    assert network.uploads and network.nbytes <= 400 << 10
    network.release()
    device.close()


def test_loading_says_that_weights_stream(
    device: GpuDevice, truth_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "room", lambda nbytes: nbytes - 1)
    with pytest.warns(UserWarning, match=r"larger than the GPU's memory: \d of \d layers are resident"):
        model = load(truth_folder, device=device)
    with model, pytest.raises(PreconditionError, match="fine-tuning needs all layers on the GPU"):
        model.finetune([{"text": "a"}] * 4)


@pytest.fixture
def truth_folder() -> Path:
    return golden.load("llama-gqa").folder


def test_a_forward_pass_without_resident_weights(
    device: GpuDevice, truth_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wgpt.api.forward_pass.default_device", lambda: device)
    expected = ForwardPass.with_resident_weights(truth_folder)
    streaming = ForwardPass.with_weights(truth_folder)
    assert streaming.nbytes < expected.nbytes
    batch = [[1, 2, 3], [4], [5, 6, 7, 8, 9]]
    for a, b in zip(streaming.forward_hidden_batch(batch), expected.forward_hidden_batch(batch), strict=True):
        np.testing.assert_array_equal(a, b)
    streaming.release()
    expected.release()
    assert device.host_bytes == 0


@pytest.mark.full
def test_the_real_model_with_a_quarter_of_its_layers(device: GpuDevice, smollm2_path: Path) -> None:
    ids = [504, 3575, 282, 4649, 314, 260, 2240, 282, 253, 1838]
    results = []
    for resident in ("all", 7):
        with load(smollm2_path, device=device, resident=resident, cache="f32") as model:
            assert len(model.network.uploads) == (0 if resident == "all" else 23)
            results.append((model.logits(ids), model.generate(ids, max_tokens=6, ignore_eos=True).ids))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    assert results[0][1] == results[1][1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("auto", Request("auto")), ("ALL", Request("all")), ("14", Request("layers", 14)), (0, Request("layers", 0)),
     ("2GiB", Request("bytes", 2 << 30)), ("1.5 GB", Request("bytes", 1_500_000_000)),
     (np.int64(3), Request("layers", 3))],
)  # fmt: skip
def test_what_can_be_asked_for(value: str | int, expected: Request) -> None:
    assert parse_resident(value) == expected


@pytest.mark.parametrize("value", ["", "half", "-1", -1, 1.5, True, None, "3 apples", "1e9", "nan", [1]])
def test_what_cannot(value: object) -> None:
    with pytest.raises(WgptError, match="resident must be auto, all, a number of layers"):
        parse_resident(value)  # type: ignore[arg-type]


def test_plans(device: GpuDevice) -> None:
    sizes = Sizes((100,) * 8, 50)
    assert plan(Request("all"), sizes, device) == Residency(sizes)
    assert plan(Request("layers", 8), sizes, device).streamed == ()
    assert plan(Request("layers", 6), sizes, device).streamed == ()  # two buffers would take as much
    assert plan(Request("layers", 4), sizes, device).streamed == (1, 3, 5, 7)
    assert plan(Request("layers", 0), sizes, device).streamed == tuple(range(8))
    assert plan(Request("bytes", 850), sizes, device).streamed == ()
    assert len(plan(Request("bytes", 849), sizes, device).streamed) == 3  # 50 + 5 * 100 + 2 * 100 = 750
    assert len(plan(Request("bytes", 749), sizes, device).streamed) == 4
    assert len(plan(Request("bytes", 250), sizes, device).streamed) == 8
    with pytest.raises(AllocationError, match="need 250 B on the GPU"):
        plan(Request("bytes", 249), sizes, device)
    with pytest.raises(WgptError, match="resident is 9 layers, but the model has 8"):
        plan(Request("layers", 9), sizes, device)


@pytest.mark.parametrize(("text", "size"), [("5", 5), ("5B", 5), ("1k", 1000), ("1KiB", 1024), (".5MiB", 1 << 19)])
def test_numbers_of_bytes(text: str, size: int) -> None:
    assert parse_bytes(text, "it") == size


def test_a_wrong_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WGPT_MEMORY_LIMIT", "much")
    with pytest.raises(WgptError, match="WGPT_MEMORY_LIMIT must be a number of bytes, such as 800MiB or 4GB, not"):
        GpuDevice.open()
