"""Every shader is valid under Tint, Dawn's compiler, which also checks that control flow is uniform; naga does not.

Dawn's null backend parses and checks shaders without a GPU.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gpu.webgpus import needs_dawn
from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuInfo, Traits
from wgpt.gpu.webgpu.dawn.device import Dawn
from wgpt.kernels import registry
from wgpt.kernels.kernel import Kernel

from .made_up import ADAPTERS, ADAPTERS_OF_DAWN

pytestmark = needs_dawn


@pytest.fixture(scope="module")
def tint() -> Iterator[Dawn]:
    device = Dawn(GpuInfo(-1, "Null backend", "", "", "CPU", "Null"))
    yield device
    device.destroy()


def shaders(kernel: Kernel, traits: Traits) -> dict[str, str]:
    """Each distinct shader of all cases and variants, with a label."""
    found: dict[str, str] = {}
    for case in kernel.cases:
        try:
            usable = kernel.usable(traits, case.problem)
        except PreconditionError:
            continue
        for variant in usable:
            code = kernel.code(case.problem, variant)
            found.setdefault(code.wgsl, code.label)
    return found


VALID: set[str] = set()  # shaders that were found valid: adapters have many in common


def invalid(tint: Dawn, codes: dict[str, str]) -> list[str]:
    messages = []
    for wgsl, label in codes.items():
        if wgsl in VALID:
            continue
        try:
            tint.module(wgsl, label)
            VALID.add(wgsl)
        except Exception as e:
            messages.append(f"{label}: {e}")
    return messages


LONG = ("nvidia", "amd", "intel", "phone")  # tens of thousands of shaders each
MANY = ("gemm_matrix", "expert_matrix")  # every weight type


@pytest.mark.parametrize(
    "adapter", [pytest.param(name, marks=pytest.mark.slow if name in LONG else pytest.mark.full) for name in ADAPTERS]
)
def test_every_shader(tint: Dawn, adapter: str) -> None:
    for name, kernel in registry.kernels().items():
        assert not invalid(tint, shaders(kernel, ADAPTERS[adapter])), name


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(name, marks=pytest.mark.slow if name in MANY else pytest.mark.full)
        for name in (*MANY, "attention_matrix", "attention_matrix_backward_q", "attention_matrix_backward_kv")
    ],
)
@pytest.mark.parametrize("adapter", ADAPTERS_OF_DAWN)
def test_matrices_of_every_size(tint: Dawn, adapter: str, kernel: str) -> None:
    codes = shaders(registry.get(kernel), ADAPTERS_OF_DAWN[adapter])
    assert codes and not invalid(tint, codes)


def test_what_is_not_uniform_is_found(tint: Dawn) -> None:
    shuffle = """
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) t: u32) {
    if (t < 7u) { y[t] = subgroupShuffleXor(y[t], 1u); }
}"""
    (message,) = invalid(tint, {shuffle: "shuffle"})
    assert "uniform control flow" in message
