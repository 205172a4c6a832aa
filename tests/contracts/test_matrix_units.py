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
NAMES = ("gemm_matrix", "attention_matrix", "attention_matrix_backward_q", "attention_matrix_backward_kv")
CASES = [(n, case) for n in NAMES for case in registry.get(n).cases]
QUICK = {("gemm_matrix", "nothing is a multiple of anything"), ("attention_matrix", "values beyond f16")}


def label(value: str | Case) -> str:
    if isinstance(value, str):
        return value
    kind = [f"{key}={value.problem[key]}" for key in ("compute", "x_parts", "across") if key in value.problem]
    return " ".join([*kind, value.why])


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(n, case, marks=[] if (n, case.why) in QUICK else pytest.mark.full) for n, case in CASES],
    ids=label,
)
def test_it_holds(name: str, case: Case, device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix_units.install(name, device, monkeypatch)
    kernel = registry.get(name)
    (obligation,) = [o for o in obligations() if o.kernel == kernel.name and o.check == "reference" and o.selects(case)]
    outcome = check(prepare(kernel, case), device)
    assert outcome.within(obligation.tolerance), outcome
