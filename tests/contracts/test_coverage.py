"""Every kernel, case and variant is covered, on every kind of GPU. Plans only; no GPU."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Any

import pytest

from wgpt.contracts import obligations
from wgpt.contracts.checks import attempts
from wgpt.contracts.plan import Plan
from wgpt.contracts.schedule import LONG, label_without_access, ragged, schedule
from wgpt.core.errors import PreconditionError
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case, Kernel, Variant, variant_label
from wgpt.kernels.weighted import WEIGHTS
from wgpt.quant.weights import TYPES

from .made_up import ADAPTERS, ADAPTERS_OF_DAWN, BROWSER, LAVAPIPE, NVIDIA, MadeUpDevice

KERNELS = registry.kernels()


@cache
def usable(kernel: Kernel, device: Any) -> dict[str, list[Case]]:
    """Every variant that the GPU can run, by label, with the cases it takes."""
    cases: dict[str, list[Case]] = defaultdict(list)
    for case in kernel.cases:
        try:
            for variant in kernel.usable(device.traits, case.problem):
                cases[variant_label(variant)].append(case)
        except PreconditionError:
            assert any(
                o.selects(case) and o.lacking(device.traits) for o in obligations() if o.kernel == kernel.name
            ), f"{kernel.name} {case.label} cannot run, and no obligation says what it needs"
    return cases


@cache
def planned_pairs(device: Any) -> dict[str, list[tuple[Case, Variant]]]:
    """The (case, variant) pairs that the obligations of kind `reference` try, by kernel."""
    plan, pairs = Plan(device), defaultdict(list)
    for o in obligations():
        if o.check == "reference" and not o.lacking(device.traits):
            pairs[o.kernel] += plan.pairs(o)
    return pairs


@pytest.mark.parametrize("name", KERNELS)
def test_every_case_of_every_kernel_has_an_obligation(name):
    mine = [o for o in obligations() if o.kernel == name and o.check == "reference"]
    assert mine, f"{name} is in no contract"
    assert KERNELS[name].cases
    for case in KERNELS[name].cases:
        assert any(o.selects(case) for o in mine), f"nothing tries {case.label} ({case.why})"
        assert case.why


@pytest.mark.full
@pytest.mark.parametrize("gpu", ADAPTERS)
def test_every_variant_is_tried_on_two_cases_one_of_them_ragged(gpu):
    """Two cases, except for long shaders on a software driver, where one memory access style stands for all."""
    device: Any = MadeUpDevice(ADAPTERS[gpu])
    for name, pairs in planned_pairs(device).items():
        cases_of: dict[str, list[Case]] = defaultdict(list)
        for case, variant in pairs:
            cases_of[variant_label(variant)].append(case)
        others = {label_without_access(v) for _, v in pairs}
        for label, possible in usable(KERNELS[name], device).items():
            message = f"{name}[{label}] on {gpu}"
            if device.software and not cases_of[label]:
                variant, longest = _variant(KERNELS[name], label, possible, device)
                assert label_without_access(variant) in others and longest > LONG, message
                continue
            alike = _alike(KERNELS[name], label, possible, device) if device.software else len(possible)
            assert len(cases_of[label]) >= min(2, alike), message
            # Cases of other types may be ragged, too: only those that share this shader count.
            if any(ragged(c) for c in possible):
                assert any(ragged(c) for c in cases_of[label]), message


def _variant(kernel: Kernel, label: str, cases: list[Case], device: Any) -> tuple[Variant, int]:
    """The variant of a label, and the length of its longest shader."""
    problems = [c.problem for c in cases]
    variant = next(v for v in kernel.usable(device.traits, problems[0]) if variant_label(v) == label)
    return variant, max(len(kernel.source(p, variant)) for p in problems)


def _alike(kernel: Kernel, label: str, cases: list[Case], device: Any) -> int:
    """Cases that the variant runs for every value of the static keys: all, but of long shaders those with the same."""
    shaders: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for c in cases:
        variant = next(v for v in kernel.usable(device.traits, c.problem) if variant_label(v) == label)
        shaders[tuple(c.problem[key] for key in kernel.static)].append(kernel.source(c.problem, variant))
    return min(len(s) if len(s[0]) <= LONG else max(Counter(s).values()) for s in shaders.values())


@pytest.mark.full
@pytest.mark.parametrize("gpu", ADAPTERS)
def test_the_default_variant_is_tried_on_every_case(gpu):
    device: Any = MadeUpDevice(ADAPTERS[gpu])
    pairs = planned_pairs(device)
    for name, kernel in KERNELS.items():
        labels = {(c.label, variant_label(v)) for c, v in pairs[name]}
        for cases in usable(kernel, device).values():
            for case in cases:
                assert (case.label, variant_label(kernel.usable(device.traits, case.problem)[0])) in labels


def test_on_a_gpu_every_variant_runs_on_every_case():
    device: Any = MadeUpDevice(NVIDIA)
    for name, pairs in planned_pairs(device).items():
        possible = {(label, c.label) for label, cases in usable(KERNELS[name], device).items() for c in cases}
        assert {(variant_label(v), c.label) for c, v in pairs} == possible


@pytest.mark.parametrize("gpu", ADAPTERS)
def test_a_second_grid_dimension_is_tried(gpu):
    """In every family of grids: elements, rows, and GEMV's teams."""
    device: Any = MadeUpDevice(ADAPTERS[gpu])
    rows = ("softmax", "rmsnorm", "layernorm", "rmsnorm_backward", "cross_entropy_forward", "embed")
    for name in ("scale", *rows, "gemv"):
        grids = [KERNELS[name].grid(c.problem, v) for c, v in schedule(device, KERNELS[name])]
        assert any(x * y > 65535 and y > 1 for x, y, _ in grids), f"{name} on {gpu}"
        assert all(max(grid) <= 65535 for grid in grids)


@pytest.mark.full
@pytest.mark.parametrize("gpu", ADAPTERS)
def test_every_obligation_is_tried_or_says_what_the_adapter_lacks(gpu):
    device: Any = MadeUpDevice(ADAPTERS[gpu])
    plan = Plan(device)
    for o in obligations():
        assert o.lacking(device.traits) or attempts(plan, o), f"{o.id} on {gpu}"


def test_what_needs_a_feature_is_only_asked_where_there_is_one():
    """This browser has neither f16 nor subgroups nor matrix units."""
    lacking = {o.id: o.lacking(BROWSER) for o in obligations() if o.lacking(BROWSER)}
    f16 = dict.fromkeys(("gemm_f16_arithmetic", "gemm_fused_f16_arithmetic"), "f16")
    attending = (f"attention_matrix_{name}" for name in ("fast", "exact", "deterministic"))
    backward = (f"attention_matrix_backward_{name}" for name in ("q", "q_large", "kv", "kv_large", "kv_deterministic"))
    products = ("correctness", "exact", *(weight for weight in WEIGHTS if weight != "f16"))
    multiplying = (f"{kernel}_matrix_{name}" for kernel in ("gemm", "expert") for name in products)
    units = dict.fromkeys((*multiplying, *attending, *backward), "half_matrices")
    integers = (f"gemm_integers_{name}" for name, kind in TYPES.items() if kind.whole_codes)
    subgroups = dict.fromkeys(("gemv_fused_lora", *integers), "subgroups")
    assert lacking == {**f16, **subgroups, **units}
    assert {o.id for o in obligations() if o.lacking(LAVAPIPE)} == set(units)
    assert not any(o.lacking(ADAPTERS_OF_DAWN["nvidia"]) for o in obligations())


def test_a_tuned_variant_is_tried_on_every_case(monkeypatch):
    device: Any = MadeUpDevice(LAVAPIPE)
    kernel = registry.get("silu")
    tuned = kernel.variants(LAVAPIPE, {"n": 1})[2]
    monkeypatch.setattr("wgpt.kernels.tuning.lookup", lambda *_: tuned)
    assert all((case, tuned) in schedule(device, kernel) for case in kernel.cases)


@pytest.mark.full
def test_no_pair_is_tried_twice():
    for traits in ADAPTERS.values():
        device: Any = MadeUpDevice(traits)
        for kernel in KERNELS.values():
            labels = [(c.label, variant_label(v)) for c, v in schedule(device, kernel)]
            assert len(labels) == len(set(labels)), kernel.name
