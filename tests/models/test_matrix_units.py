"""Models whose products run on matrix units (in software here): exact when they score, rounded when they generate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wgpt import load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.ops import by_rows, matrices
from wgpt.ops.backend import has_matrices
from wgpt.ops.lora_pool import LoraPool

from ..contracts import matrix_units
from ..models import golden
from ..models.compare import error
from ..models.odd_sizes import drawn
from ..train import golden as trainings
from ..train.test_step import Bench

pytestmark = pytest.mark.gpu
FAST = 5e-3  # halves have eleven bits, and a few layers add up what they lose
IDS = list(range(3, 40))
ATTENTION_BACKWARD = ("attention_matrix_backward_q", "attention_matrix_backward_kv")


@pytest.fixture
def units(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Matrix units, the GPU's own or in software, and the kernels that were recorded with them."""
    used = list[str]()
    product = matrices._product
    monkeypatch.setattr(matrices, "_product", lambda *a, **k: used.append("product") or product(*a, **k))
    monkeypatch.setattr(by_rows, "LEAST_OTHERS", 2)
    monkeypatch.setattr(by_rows, "LEAST_WEIGHTS", 0)
    if device.software:
        monkeypatch.setattr("wgpt.ops.backend.IN_SOFTWARE", True)
    if device.software and not has_matrices(device):
        for kernel in ("gemm_matrix", "expert_matrix", "attention_matrix", *ATTENTION_BACKWARD):
            matrix_units.install(kernel, device, monkeypatch)
    elif not has_matrices(device):
        pytest.skip(
            "this WebGPU has no matrix units on this GPU (Dawn may: WGPT_WEBGPU=dawn), and the GPU's compiler refuses "
            "the imitated ones that a software driver runs: they need more memory per thread than it gives"
        )
    yield used


@contextmanager
def no_units() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wgpt.ops.backend.has_matrices", lambda device: False)
        yield


def logits(device: GpuDevice, dtype: str | None, **how: Any) -> np.ndarray:
    with load(golden.load("llama-gqa").folder, cache="f32", dtype=dtype, device=device) as model:
        with FixedBatch(model.network, 64, cache="f32", logits=True, **how) as batch:
            return next(iter(batch.logits({0: IDS}).values()))


@pytest.mark.parametrize(
    "dtype", [pytest.param("f16", marks=pytest.mark.slow), pytest.param("q4_1", marks=pytest.mark.full)]
)
def test_logits(device: GpuDevice, units: list[str], dtype: str) -> None:
    fast, exact = (logits(device, dtype, precision=precision) for precision in ("fast", "exact"))
    assert units
    with no_units():
        count = len(units)
        plain = logits(device, dtype)
        assert len(units) == count
    assert 1e-6 < error(fast, plain) < FAST
    assert error(exact, plain) < 2e-5


@pytest.mark.parametrize(
    ("precision", "of_loss", "of_gradient"),
    [
        pytest.param("fast", 1e-3, 2e-2, marks=pytest.mark.slow),
        pytest.param("exact", 1e-5, 1e-4, marks=pytest.mark.full),
    ],
)
def test_a_training_step(
    device: GpuDevice, units: list[str], precision: str, of_loss: float, of_gradient: float
) -> None:
    """Its loss and gradients, beside torch's. Attention's gradients are exact without matrix units."""
    bench = Bench(device, "llama-gqa-seven", precision)
    loss = bench.step.gradients(bench.batch(bench.run.examples)).result()["loss"].sum(dtype=np.float64)
    gradients = bench.adapters.read(bench.device.read(bench.step.gradient[0]))
    kernels = {launch.kernel for program in bench.step.programs for launch in program.launches}
    bench.close()
    assert kernels.issuperset(ATTENTION_BACKWARD) == (precision == "fast")
    assert ("attention_stats" in kernels) == (precision == "exact")
    assert units and loss == pytest.approx(bench.run.loss, rel=of_loss)
    for name, parts in gradients.items():
        for part, gradient in zip("AB", parts, strict=True):
            expected = bench.run.gradients[f"{name}.{part}"]
            assert np.abs(gradient - expected).max() <= of_gradient * np.abs(expected).max(), f"{name}.{part}"


@pytest.mark.full
@pytest.mark.parametrize("precision", ["fast", "exact"])
def test_what_is_generated_and_scored(device: GpuDevice, units: list[str], precision: str) -> None:
    """Whatever is asked for, the log-probabilities are exact."""
    folder = golden.load("llama-gqa").folder
    with load(folder, dtype="f16", precision=precision, context=64, device=device) as model:
        tokens = model.generate(IDS, max_tokens=3, ignore_eos=True).ids
        scores = model.logprobs(IDS)
    assert units
    with no_units():
        with load(folder, dtype="f16", context=64, device=device) as model:
            assert np.abs(scores - model.logprobs(IDS)).max() < 1e-4
            assert precision == "fast" or tokens == model.generate(IDS, max_tokens=3, ignore_eos=True).ids


def decoded(network: Network, cache: str, loras: LoraPool | None = None) -> tuple[np.ndarray, Counter[str]]:
    """The logits of two steps of three sequences, and the kernels of a step."""
    with FixedBatch(network, 64, slots=3, cache=cache, logits=True, precision="fast") as batch:
        batch.attach(None if loras is None else (loras, 1))
        batch.start({slot: IDS[: 5 + 9 * slot] for slot in range(3)})
        steps = [batch.step().result()["logits"] for _ in range(2)]
        launches = batch.step_program(30).launches
    sums = (("summed q, k and v", "qkv_blocks=2"), ("summed gates", "sums=2"))
    summed = [name for launch in launches for name, option in sums if option in launch.shape]
    return np.stack(steps), Counter([*summed, *(launch.kernel for launch in launches)])


@pytest.fixture
def joined(units: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrix units; gates, down projections and the head are in blocks, and others if the next kernel adds them up."""

    def blocks_of(traits: Any, m: int, n: int, k: int, *, joined: bool = False, parts: int = 1) -> int:
        return 2 if joined or k > n or n > 2 * k else 1

    monkeypatch.setattr("wgpt.kernels.products.matrix_tiles.blocks_of", blocks_of)
    monkeypatch.setattr("wgpt.kernels.products.row_halves._DEPTH", 16)  # the model is small


def without_units(network: Network, *how: Any) -> np.ndarray:
    with no_units():
        steps, kernels = decoded(network, *how)
    assert not kernels["gemm_matrix"]
    return steps


# With and without a bias of q, k and v.
@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "cache", "splits"), [("qwen2", "f16", 1), ("qwen2", "f16", 3), ("llama-gqa", "f32", 1)]
)
def test_a_batch_that_decodes(
    device: GpuDevice, joined: None, monkeypatch: pytest.MonkeyPatch, name: str, cache: str, splits: int
) -> None:
    """Norms are computed with the sums before them; attention adds up its inputs and, over halves, writes halves."""
    monkeypatch.setattr("wgpt.engine.context_slices.slices_by_length", lambda *_: ((1 << 30, splits),))
    with load(golden.load(name).folder, dtype="f16", device=device) as model:
        layers = model.network.config.layers
        steps, kernels = decoded(model.network, cache)
        assert error(steps, without_units(model.network, cache)) < FAST
    assert (kernels["sum_halves"], kernels["sum_blocks"], kernels["rmsnorm"]) == (2 * layers, 1, 0)  # the head's blocks
    # The first norm; of a cache of other types, attention.
    assert kernels["row_halves"] == 1 + (0 if cache == "f16" else layers)
    assert kernels["gate_halves"] == kernels["summed gates"] == kernels["summed q, k and v"] == layers
    assert kernels["attention_combine"] == (layers if splits > 1 else 0)


@pytest.mark.full
def test_a_batch_with_lora(device: GpuDevice, joined: None) -> None:
    """LoRA's first product reads what the projection reads, in f32: attention writes that."""
    trained = trainings.load("llama-gqa-seven")
    with load(trained.model, dtype="f16", device=device) as model:
        loras = LoraPool.holding(device, model.network.adaptable, read_lora(trained.adapter).targets)
        steps, kernels = decoded(model.network, "f16", loras)
        assert kernels["gemm_matrix"] and kernels["lora_down"]
        assert error(steps, without_units(model.network, "f16", loras)) < FAST
        loras.release()


def test_a_batch_of_odd_sizes(device: GpuDevice, joined: None, tmp_path: Path) -> None:
    """Kernels that read whole vectors of rows are left out where rows do not consist of them."""
    model = drawn(tmp_path, "llama", np.random.default_rng(0), hidden_size=63, intermediate_size=75, vocab_size=97)
    with load(model.folder, dtype="f16", device=device) as loaded:
        steps, kernels = decoded(loaded.network, "f32")
        assert kernels["gemm_matrix"] and not kernels["sum_halves"] and not kernels["gate_halves"]
        assert error(steps, without_units(loaded.network, "f32")) < FAST


# With two matrices of gates and ups, with clamped activations and biases, and with a shared expert.
@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        pytest.param("qwen3moe", "f16", marks=pytest.mark.full),
        pytest.param("gpt-oss", "q8_0", marks=pytest.mark.slow),
        pytest.param("qwen2moe", "q8_0", marks=pytest.mark.slow),
    ],
)
def test_a_mixture(device: GpuDevice, units: list[str], name: str, dtype: str) -> None:
    """A prompt's rows meet their experts on matrix units, in one half of each value or in two."""
    folder = golden.load(name, "experts").folder
    with load(folder, cache="f32", dtype=dtype, device=device) as model:

        def logits(precision: str) -> tuple[np.ndarray, Counter[str]]:
            with FixedBatch(model.network, 64, cache="f32", logits=True, precision=precision) as batch:
                values = batch.logits({0: IDS})[0]
                ((_, program),) = batch.runner._programs.items()
                return values, Counter(launch.kernel for launch in program.launches)

        (fast, kernels), (exact, others) = logits("fast"), logits("exact")
        with no_units():
            plain, without = logits("fast")
    assert kernels["expert_matrix"] == others["expert_matrix"] == without["expert_gemm"] > 0
    assert not kernels["expert_gemm"] and not without["expert_matrix"]
    assert error(exact, plain) < 2e-5
    assert 1e-6 < error(fast, plain) < 4 * FAST, "a rounded score may choose another expert for a row"
