"""Contract files: their contents, and invalid ones. No GPU."""

from __future__ import annotations

import pytest
import yaml

from wgpt.contracts import ContractError, contracts, obligations
from wgpt.contracts.contract import CHECKS, matches, parse
from wgpt.kernels import registry
from wgpt.kernels.weighted import WEIGHTS

GOOD = {
    "id": "silu_right",
    "title": "SiLU",
    "equation": "y = x s(x)",
    "precondition": "finite",
    "tolerance": 1e-5,
    "kernel": "silu",
}


def contract(*entries: object) -> str:
    return yaml.safe_dump({"contract": "made-up", "title": "t", "obligations": list(entries)})


def test_the_contracts_are_there():
    names = [c.name for c in contracts()]
    assert names == sorted(names)
    assert {"wgpu-forward-pass-v1", "wgpu-training-v1", "wgpt-embedding-v1"} <= set(names)


def test_what_was_asked_for_is_there_by_name():
    by_id = {o.id: o for o in obligations()}
    forward = {"rmsnorm_correctness", "gemv_dispatch", "vec4_alignment", "rope_half", "rope_interleaved", "cast_exact"}
    forward |= {"C-WGPU-FWD-001", "C-WGPU-RESIDENT-001", "find_nonfinite_exact"}
    forward |= {f"{kind}_{weight}" for kind in ("gemv", "gemm") for weight in WEIGHTS}
    falsify = {f"FALSIFY-WGPU-TRAIN-{i:03}" for i in range(1, 9)}
    assert forward | falsify <= set(by_id)
    assert by_id["rmsnorm_correctness"].tolerance == 4.77e-7
    assert {by_id[i].kernel for i in falsify} == {
        "silu_backward",
        "gemm_backward_a",
        "gemm_backward_b",
        "rope_backward",
        "adamw_step",
        "rmsnorm_backward",
        "nf4_dequant",
        "cross_entropy_forward",
    }


BACKWARD = [f"attention_{units}backward_{name}" for units in ("", "matrix_") for name in ("q", "kv")]
LARGE_SCORES = [f"{name}_large" for name in BACKWARD]


def test_tolerances_are_honest():
    """1e-5 for f32 arithmetic; more only where the arithmetic is f16, amplifies what its inputs were rounded by, rounds
    them to 16 bits, or is that of a whole model: 17 kernels in sequence."""
    loose = {o.id for o in obligations() if o.tolerance > 1e-5}
    halves = {"gemm_f16_arithmetic", "gemm_fused_f16_arithmetic", "attention_matrix_fast"}
    halves |= {"row_halves_fast", "sum_halves_correctness", *BACKWARD[2:]}
    halves |= {f"{kernel}_matrix_{weight}" for kernel in ("gemm", "expert") for weight in WEIGHTS if weight != "f16"}
    halves |= {"attention_decode_halves", "attention_combine_halves", "gate_halves_correctness"}
    short = {"gemv_fused_short", "expert_gemv_short", "row_integers_correctness"}
    assert loose == {*halves, *LARGE_SCORES, *short, "C-WGPU-FWD-001"}
    assert {o.check for o in obligations()} == set(CHECKS), "a kind of check that nothing uses is dead code"


def test_every_obligation_says_its_mathematics():
    for o in obligations():
        assert o.equation and o.precondition and o.title, o.id


def test_a_good_one_is_read():
    (o,) = parse(contract(GOOD), "made-up").obligations
    assert (o.id, o.tolerance, o.check, o.kernel) == ("silu_right", 1e-5, "reference", "silu")
    assert o.kernel_cases() == list(registry.get("silu").cases)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kernel": "nosuch"}, "no kernel 'nosuch'; there are .*silu"),
        ({"tolerance": "1e-5"}, r"not '1e-5'; YAML needs a decimal point: 1\.0e-5"),
        ({"tolerance": -1.0}, "from 0"),
        ({"tolerance": True}, "must be a number"),
        ({"tolerance": float("nan")}, "must be a number"),
        ({"tolerance": 1.0}, "below 1"),
        ({"title": ""}, "title must be text"),
        ({"tolerence": 1.0}, "unknown key 'tolerence'"),
        ({"check": "looks_nice"}, "unknown check 'looks_nice'; known: reference"),
        ({"where": {"n": 12345}}, "selects no case of silu by {'n': 12345}, so it cannot fail"),
        ({"where": ["n"]}, "where must be a mapping"),
        ({"needs": ["cuda"]}, "a list of f16, subgroups, half_matrices, not"),
        ({"options": {"speed": 9}}, r"takes the options none, not \['speed'\]"),
        ({"check": "refuses"}, "needs cases"),
        ({"check": "adjoint"}, "takes the options of, input, output, cotangent, gradient, not"),
        ({"cases": [{"problem": {"n": 4}}]}, "a case is a mapping of problem and why"),
        ({"cases": [{"problem": {"m": 4}, "why": "x"}]}, "does not fit silu: lacks n, unknown m"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_its_place(change, message):
    with pytest.raises(ContractError, match=message) as refused:
        parse(contract({**GOOD, **change}), "made-up")
    assert str(refused.value).startswith("made-up: silu_right: ")


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(key):
    with pytest.raises(ContractError, match=f"lacks {key}"):
        parse(contract({k: v for k, v in GOOD.items() if k != key}), "made-up")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "invalid YAML"),
        ("- a list", "must be a mapping of exactly"),
        ("contract: other\ntitle: t\nobligations: [1]", "its name is 'other'"),
        ("contract: made-up\ntitle: t\nobligations: []", "a list that is not empty"),
        ("contract: made-up\ntitle: t\nobligations: [7]", "obligation 1: must be a mapping"),
        (contract(GOOD, GOOD), "id silu_right is used twice"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(text, message):
    with pytest.raises(ContractError, match=message):
        parse(text, "made-up")


def test_filters():
    assert matches({}, {"a": 1})
    assert matches({"a": 1}, {"a": 1, "b": 2}) and not matches({"a": 1}, {"a": 2})
    assert matches({"a": [1, 2]}, {"a": 2}) and not matches({"a": [1, 2]}, {"a": 3})
    assert not matches({"a": 1}, {}) and not matches({"a": True}, {"a": 1})
