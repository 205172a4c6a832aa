"""Kernels on matrix units hold their contract on units in software; the units themselves, where there are some."""

from __future__ import annotations

import pytest

from wgpt.gpu import GpuDevice
from wgpt.kernels import registry, weighted
from wgpt.kernels.kernel import Case

from . import matrix_units

pytestmark = pytest.mark.gpu
CASES = [(n, case) for n in matrix_units.NAMES for case in registry.get(n).cases]
QUICK = {("gemm_matrix", "nothing is a multiple of anything"), ("attention_matrix", "values beyond f16")}
UNPACKED = {"f16", "f32", weighted.BYTES, weighted.GROUPS, weighted.PAIRS}  # others are similar
LARGE = {"Qwen2.5's heads", "Qwen3's heads"}  # minutes in software; quick ones have all their features


def tier_of(name: str, case: Case) -> list[pytest.MarkDecorator]:
    """Units in software take long to compile: with gradients, or with twice as many products, up to a minute."""
    weight = case.problem.get("weight", "f16")
    long = "backward" in name or case.problem.get("compute") == "f32" or case.why in LARGE or weight not in UNPACKED
    long = long or (name == "expert_matrix" and weight != "f16")  # gemm_matrix's template unpacks the others
    if (name, case.why) in QUICK and not long and case.problem.get("x_parts") != 2:
        return []
    return [pytest.mark.slow if long else pytest.mark.full]


def label(value: str | Case) -> str:
    if isinstance(value, str):
        return value
    kind = [f"{key}={value.problem[key]}" for key in ("compute", "weight", "x_parts", "across") if key in value.problem]
    return " ".join([*kind, value.why])


@pytest.mark.parametrize(
    ("name", "case"),
    [pytest.param(n, case, marks=tier_of(n, case)) for n, case in CASES],
    ids=label,
)
def test_it_holds(name: str, case: Case, device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix_units.install(name, device, monkeypatch)
    matrix_units.check_case(name, case, device)
