"""Kernels on matrix units hold their contract on units in software; the units themselves, where there are some."""

from __future__ import annotations

import pytest

from wgpt.contracts.contract import obligations
from wgpt.contracts.trial import check, prepare
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry, weighted
from wgpt.kernels.kernel import Case

from . import matrix_units

pytestmark = pytest.mark.gpu
CASES = [case for case in registry.get("gemm_matrix").cases if case.problem["weight"] in ("f16", weighted.NIBBLES)]
QUICK = "values beyond f16"


def label(case: Case) -> str:
    return f"{case.problem['weight']} {case.problem['compute']} {case.why}"


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[] if case.why == QUICK else pytest.mark.full) for case in CASES],
    ids=label,
)
def test_it_holds(case: Case, device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix_units.install(device, monkeypatch)
    kernel = registry.get("gemm_matrix")
    (obligation,) = [o for o in obligations() if o.kernel == kernel.name and o.selects(case)]
    outcome = check(prepare(kernel, case), device)
    assert outcome.within(obligation.tolerance), outcome
