"""verify catches every broken kernel."""

from __future__ import annotations

from typing import Any

import pytest

from wgpt.contracts import verify
from wgpt.contracts.contract import matches
from wgpt.gpu import GpuDevice, PreconditionError
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case

from . import matrix_units
from .attention_mutations import ATTENTION
from .encoder_mutations import ENCODERS
from .expert_mutations import EXPERTS
from .family_mutations import FAMILIES
from .finetune_mutations import FINETUNE
from .latent_mutations import LATENT
from .layout_mutations import LAYOUTS
from .made_up import ADAPTERS, ADAPTERS_OF_DAWN
from .matrix_mutations import HALVES, MATRIX
from .mutations import MUTATIONS as FORWARD
from .mutations import Mutation
from .quant_mutations import QUANTISED
from .sampling_mutations import SAMPLING
from .state_mutations import STATES
from .triton_mutations import TRITON

INFERENCE = (*FORWARD, *ATTENTION, *SAMPLING, *FAMILIES, *LAYOUTS, *LATENT, *EXPERTS, *QUANTISED, *ENCODERS, *STATES)
MUTATIONS = (*INFERENCE, *FINETUNE, *HALVES, *TRITON)
EACH = pytest.mark.parametrize("mutation", (*MUTATIONS, *MATRIX), ids=str)
# Those of inference first; the others, and those that take long to compile, are a test of their own.
DRAFT = ("draft_rows", "draft_next", "draft_end")
DELTA = ("delta_rule", "gated_norm", "gate_heads", "without_gates")
LATER = (
    "lora_rows",
    "lora_down",
    "lora_up",
    "propose",
    "write_history",
    "spec_rows",
    "accept",
    "start_slot",
    *DRAFT,
    *DELTA,
)
FIRST = [m for m in INFERENCE if m.kernel not in LATER and m.where.get("cache") != "q8_0" and m not in QUANTISED]
IN_TURNS = pytest.mark.parametrize(
    "mutation", [*FIRST, *(pytest.param(m, marks=pytest.mark.full) for m in MUTATIONS if m not in FIRST)], ids=str
)


def test_there_are_enough_of_them():
    assert len(MUTATIONS) >= 20 and len({m.kernel for m in MUTATIONS}) >= 15
    assert {m.kernel for m in (*MUTATIONS, *MATRIX)} == set(registry.kernels()), "a kernel that nobody tried to break"


@EACH
def test_it_changes_every_shader_on_every_kind_of_adapter(mutation: Mutation):
    """Otherwise a GPU might run an unbroken variant, and the test would blame verify."""
    kernel, shaders = registry.get(mutation.kernel), set()
    for traits in (ADAPTERS_OF_DAWN if mutation in MATRIX else ADAPTERS).values():
        for case in kernel.cases:
            if not matches(mutation.where, case.problem):
                continue
            try:
                variants = kernel.usable(traits, case.problem)
            except PreconditionError:
                continue
            shaders |= {kernel.source(case.problem, variant) for variant in variants}
    assert shaders
    same = [wgsl for wgsl in shaders if mutation.applied(wgsl) == wgsl]
    assert not same, f"{len(same)} of {len(shaders)} shaders have nothing to replace, the first:\n{same[0]}"


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("mutation", MATRIX, ids=str)
def test_verify_catches_it_on_matrix_units(mutation: Mutation, device: GpuDevice, monkeypatch: pytest.MonkeyPatch):
    matrix_units.install(mutation.kernel, device, monkeypatch)
    test_verify_catches_it(mutation, device, monkeypatch)


@pytest.mark.gpu
@IN_TURNS
def test_verify_catches_it(mutation: Mutation, device: GpuDevice, monkeypatch: pytest.MonkeyPatch):
    only = mutation.only or mutation.kernel
    kernel, source = registry.get(mutation.kernel), registry.get(mutation.kernel).source
    untouched: list[Any] = []

    def length(case: Case) -> int:
        return len(source(case.problem, kernel.choose(device, case.problem)))

    def broken(problem: Any, variant: Any, dialect: str = "naga") -> str:
        wgsl = source(problem, variant, dialect)
        if not matches(mutation.where, problem):
            return wgsl
        if mutation.applied(wgsl) == wgsl:
            untouched.append((problem, variant))
        return mutation.applied(wgsl)

    # Broken cases first, short shaders before long ones: if the first one fails, only one is compiled.
    first = sorted(kernel.cases, key=lambda c: (not matches(mutation.where, c.problem), length(c)))
    monkeypatch.setattr(kernel, "cases", tuple(first))
    monkeypatch.setattr(kernel, "source", broken)
    report = verify(device, only, stop_at_failure=True)
    assert not untouched
    assert report.failed, f"verify(only={only!r}) did not notice"
    (row,) = report.failed
    assert row.trials and "Error" not in row.message, f"it must compute wrongly, not crash: {row.message}"
