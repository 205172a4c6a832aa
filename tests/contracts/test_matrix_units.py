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
NAMES = ("gemm_matrix", "attention_matrix")
TYPES = ("f16", weighted.NIBBLES)  # two weight types stand for all
CASES = [(n, case) for n in NAMES for case in registry.get(n).cases if case.problem.get("weight", "f16") in TYPES]
QUICK = "values beyond f16"


def label(value: str | Case) -> str:
    if isinstance(value, str):
        return value
    return " ".join([*(value.problem[key] for key in ("weight", "compute") if key in value.problem), value.why])


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(*pair, marks=[] if pair[1].why == QUICK else pytest.mark.full) for pair in CASES],
    ids=label,
)
def test_it_holds(name: str, case: Case, device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix_units.install(name, device, monkeypatch)
    kernel = registry.get(name)
    (obligation,) = [o for o in obligations() if o.kernel == kernel.name and o.check == "reference" and o.selects(case)]
    outcome = check(prepare(kernel, case), device)
    assert outcome.within(obligation.tolerance), outcome
