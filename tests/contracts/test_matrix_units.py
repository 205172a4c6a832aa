"""Kernels on matrix units hold their contract on units in software; the units themselves, where there are some."""

from __future__ import annotations

import pytest

from wgpt.contracts.contract import obligations
from wgpt.contracts.trial import check, prepare
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case

from . import matrix_units

pytestmark = pytest.mark.gpu
CASES = registry.get("gemm_matrix").cases
QUICK = "nothing is a multiple of anything"


def label(case: Case) -> str:
    p = case.problem
    return f"{case.why}{', across' if p['across'] else ''}, parts {p['x_parts']} {p['w_parts']}"


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
