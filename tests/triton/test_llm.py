"""Models on kernels written in Triton, as they are shipped: Triton itself is not needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden
from wgpt import WgptError, load
from wgpt.gpu import GpuDevice
from wgpt.infer.session import Session
from wgpt.kernels import registry
from wgpt.models.network import Network
from wgpt.ops.engine import TritonEngine
from wgpt.triton_kernels import specs
from wgpt.triton_kernels.artifacts import artifact, shipped

# What a forward over their layers, decoding and reading, is made of.
USED = {
    "gpt2": {"embed", "layernorm", "gemv_fused", "gemm_fused", "gelu", "rope_cache", "attention_prefill"},
    "llama-gqa": {"embed", "rmsnorm", "gemv_fused", "gemm_fused", "swiglu", "rope_cache", "attention_prefill"},
}
DECODE = {"attention_decode", "argmax_parts", "argmax_pick"}


def test_what_is_needed_is_shipped_and_nothing_else():
    assert {spec.name for spec in specs.every()} == shipped()
    assert len(shipped()) == len(specs.every())


@pytest.mark.parametrize("spec", specs.every()[::7], ids=lambda spec: spec.name)
def test_what_is_shipped_was_made_of_its_spec(spec):
    found = artifact(spec.name)
    assert found.arguments == tuple(spec.signature)
    assert dict(found.constants) == dict(spec.constants)
    assert all(shader.threads <= 256 and len(shader.bindings) <= 8 for shader in found.shaders.values())


def test_no_triton_is_imported():
    code = "import sys, wgpt; from wgpt.kernels import registry; registry.kernels(); assert 'triton' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_language_that_there_is_not(device: GpuDevice):
    with pytest.raises(WgptError, match="kernels are written in wgsl or triton, not in 'cuda'"):
        load(golden.load("gpt2").folder, kernels="cuda", device=device)


@pytest.mark.gpu
@pytest.mark.parametrize("name", USED)
def test_logits_are_those_of_the_hand_written_kernels(name, device: GpuDevice):
    truth = golden.load(name)
    with load(truth.folder, device=device) as model:
        ids = [int(i) for i in np.random.default_rng(1).integers(0, model.network.config.vocab, 21)]
        by_hand, _ = _run(model.network, "wgsl", ids, read=17)
        written, used = _run(model.network, "triton", ids, read=17)
    for a, b in zip(by_hand, written, strict=True):
        assert np.abs(a - b).max() < 1e-4 * np.abs(a).max()
    assert used == {f"triton_{kernel}" for kernel in USED[name] | DECODE}


@pytest.mark.gpu
@pytest.mark.slow
def test_logits_of_smollm2(smollm2_path: Path, device: GpuDevice):
    with load(smollm2_path, device=device) as model:
        ids = model.ids("The capital of France is Paris. It lies on the river")
        by_hand, _ = _run(model.network, "wgsl", ids, read=1)
        written, used = _run(model.network, "triton", ids, read=1)
    for a, b in zip(by_hand, written, strict=True):
        assert np.abs(a - b).max() < 1e-3
    assert used == {f"triton_{kernel}" for kernel in USED["llama-gqa"] | DECODE}


def _run(network: Network, kernels: str, ids: list[int], read: int) -> tuple[list[np.ndarray], set[str]]:
    """Logits of a prompt, and of three steps after its first `read` tokens; and the kernels that made them."""
    with Session(network, 64, 1, "f32", logits=True, kernels=kernels) as session:
        found = [session.logits({0: ids})[0]]
        session.forget(0)
        session.start({0: ids[:read]})
        found += [session.step().result()["logits"] for _ in range(3)]
        programs = (session.step_program(17), session.forward_program(16, "logits"))
        return found, {launch.kernel for program in programs for launch in program.launches}


def test_what_is_not_written_in_triton_is_left_to_the_hand_written_kernels(device: GpuDevice):
    from wgpt.gpu import Recorder
    from wgpt.kernels.gemv_fused import problem_of

    with Recorder(device) as recorder:
        engine = TritonEngine(recorder)
        assert engine.entry("gemv_fused", problem_of("q4_1", 32, 64)).name == "triton_gemv_fused"
        assert engine.entry("gemv_fused", problem_of("q6_k", 32, 256)).name == "gemv_fused"
        assert engine.entry("sample", {}) is registry.get("sample")
        recorder.discard()
