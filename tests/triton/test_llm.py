"""Models on kernels written in Triton, as they are shipped: Triton itself is not needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden, made_up
from tests.models.gguf_maker import write_gguf
from wgpt import WgptError, load
from wgpt.engine.batch import chunks
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.models.network import Network
from wgpt.ops.fallbacks import Fallback, fallback_line
from wgpt.triton_kernels.backend import TritonBackend

# The kernels of a forward pass, decoding and reading a prompt.
USED = {
    "gpt2": {"embed", "layernorm", "gemv_fused", "gemm_fused", "gelu", "rope_cache", "attention_prefill"},
    "llama-gqa": {"embed", "rmsnorm", "gemv_fused", "gemm_fused", "swiglu", "rope_cache", "attention_prefill"},
    "qwen3": {"embed", "rmsnorm", "gemv_fused", "gemm_fused", "swiglu", "rope_cache", "attention_prefill"},
}
DECODE = {"begin_step", "attention_decode", "argmax_parts", "argmax_pick"}


def test_no_triton_is_imported():
    listed = "from wgpt.kernels import registry; assert registry.in_triton('rmsnorm')"
    code = f"import sys, wgpt.ops; {listed}; assert 'triton' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_language_that_there_is_not(device: GpuDevice):
    with pytest.raises(WgptError, match="kernels must be wgsl or triton, not 'cuda'"):
        load(golden.load("gpt2").folder, kernels="cuda", device=device)


@pytest.mark.gpu
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "gpt2" else pytest.mark.full) for name in USED],
)
def test_logits_are_those_of_the_hand_written_kernels(name, device: GpuDevice):
    truth = golden.load(name)
    with load(truth.folder, device=device) as model:
        ids = [int(i) for i in np.random.default_rng(1).integers(0, model.network.config.vocab, 21)]
        by_hand, _ = _run(model.network, "wgsl", ids, read=17)
        by_triton, used = _run(model.network, "triton", ids, read=17)
    for a, b in zip(by_hand, by_triton, strict=True):
        assert np.abs(a - b).max() < 1e-4 * np.abs(a).max()
    assert used == {f"triton_{kernel}" for kernel in USED[name] | DECODE}


@pytest.mark.slow
@pytest.mark.gpu
def test_logits_of_smollm2(smollm2_path: Path, device: GpuDevice):
    with load(smollm2_path, device=device) as model:
        ids = model.ids("The capital of France is Paris. It lies on the river")
        by_hand, _ = _run(model.network, "wgsl", ids, read=1)
        by_triton, used = _run(model.network, "triton", ids, read=1)
    for a, b in zip(by_hand, by_triton, strict=True):
        assert np.abs(a - b).max() < 1e-3
    assert used == {f"triton_{kernel}" for kernel in USED["llama-gqa"] | DECODE}


def _run(network: Network, kernels: str, ids: list[int], read: int) -> tuple[list[np.ndarray], set[str]]:
    """Logits of a prompt, and of three steps after its first `read` tokens; and the kernels that made them."""
    with FixedBatch(network, 64, 1, "f32", logits=True, kernels=kernels) as batch:
        logits = [batch.logits({0: ids})[0]]
        batch.forget(0)
        batch.start({0: ids[:read]})
        logits += [batch.step().result()["logits"] for _ in range(3)]
        (chunk,) = chunks({0: ids}, {0: 0}, 64)
        programs = (batch.step_program(17), batch.chunk_program(chunk, "logits"))
        used = {launch.kernel for program in programs for launch in program.launches}
        return logits, used - {"begin_step"}  # a chunk's computes nothing: it applies changes of the page table


def test_what_is_not_written_in_triton_is_left_to_the_hand_written_kernels(device: GpuDevice):
    from wgpt.gpu import Recorder
    from wgpt.kernels.products.gemv_fused import problem_of

    with Recorder(device) as recorder:
        backend = TritonBackend(recorder)
        assert backend.entry("gemv_fused", problem_of("q4_1", 32, 64)).name == "triton_gemv_fused"
        assert backend.entry("gemv_fused", problem_of("q6_k", 32, 256)).name == "gemv_fused"
        assert backend.entry("sample", {}) is registry.get("sample")
        recorder.discard()


def _fallbacks(path: Path, device: GpuDevice, kernels: str = "triton", **options: object) -> list[str]:
    with load(path, device=device, kernels=kernels) as model:
        model.generate([5, 6, 7], max_tokens=2, ignore_eos=True, **options)
        return [str(fallback) for fallback in model.fallbacks]


@pytest.mark.gpu
@pytest.mark.full
def test_a_model_says_what_ran_on_hand_written_kernels(device: GpuDevice):
    """No fallbacks for GPT-2 and Qwen3 until they sample, which has no Triton kernel."""
    for name in ("gpt2", "qwen3"):
        assert _fallbacks(golden.load(name).folder, device) == []
    gpt2 = golden.load("gpt2").folder
    assert _fallbacks(gpt2, device, temperature=0.5) == ["sample (1)"]
    assert _fallbacks(gpt2, device, "wgsl", temperature=0.5) == []


@pytest.mark.gpu
@pytest.mark.full
def test_quantised_weights_that_are_not_written_in_triton(device: GpuDevice, tmp_path: Path):
    """One layer: q/k/v, output, gate/up, down; and the head, of one row in the prompt's Program, too."""
    config = made_up.llama_like("llama", hidden=256, layers=1, heads=4, kv_heads=2, ffn=512)
    write_gguf(tmp_path / "model.gguf", config, made_up.random_weights(config, seed=4), "q6_k")
    counts = {"embed": 1, "gemm_fused": 4, "gemv_fused": 5}
    expected = [f"{kernel} with q6_k weights ({count})" for kernel, count in counts.items()]
    assert _fallbacks(tmp_path / "model.gguf", device) == expected


def test_fallbacks_in_one_line():
    assert fallback_line([]) == ""
    line = fallback_line([Fallback("gemv_fused", "q6_k weights", 12), Fallback("sample", "", 1)])
    assert line == "hand-written kernels for: gemv_fused with q6_k weights (12), sample (1)"
