"""All mutations, and whether verify catches one."""

from __future__ import annotations

from typing import Any

import pytest

from wgpt.contracts import verify
from wgpt.contracts.contract import matches
from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case

from . import matrix_units
from .attention_mutations import ATTENTION
from .encoder_mutations import ENCODERS
from .expert_mutations import EXPERTS
from .family_mutations import FAMILIES
from .finetune_mutations import FINETUNE
from .integer_mutations import INTEGERS
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
MUTATIONS = (*INFERENCE, *INTEGERS, *FINETUNE, *HALVES, *TRITON)


def check_changes_every_shader(mutation: Mutation) -> None:
    """On every kind of GPU: otherwise one might run an unbroken variant, and the check below would blame verify."""
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


def check_caught(mutation: Mutation, device: GpuDevice, patch: pytest.MonkeyPatch) -> None:
    """Verify fails the kernel when it is broken, by its results."""
    if mutation in MATRIX:
        matrix_units.install(mutation.kernel, device, patch)
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
    patch.setattr(kernel, "cases", tuple(first))
    patch.setattr(kernel, "source", broken)
    report = verify(device, only, stop_at_failure=True)
    assert not untouched
    assert report.failed, f"verify(only={only!r}) did not notice"
    (row,) = report.failed
    assert row.trials and "Error" not in row.message, f"it must compute wrongly, not crash: {row.message}"
