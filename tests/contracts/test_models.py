"""The obligations of whole models: a broken model fails them, in the affected families and in no others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from wgpt.api import model_checks
from wgpt.contracts import ContractError, checks, obligations, select, verify
from wgpt.contracts.contract import parse
from wgpt.contracts.plan import Plan
from wgpt.contracts.verify import FAIL, PASS
from wgpt.formats.family import model_types
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.tiny_models import CONFIGS, random_weights

from .model_mutations import FORWARD, MODEL_MUTATIONS, RESIDENT, ModelMutation
from .test_contract import GOOD, contract

WHOLE = {"id": "model_right", "check": "hidden_states"}
AFFECTED, OTHERS = 8, 4  # at most so many families for each mutation: all of them would take minutes


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("only", [FORWARD, RESIDENT])
def test_every_family_holds(device: GpuDevice, only: str) -> None:
    report = verify(device, only)
    (row,) = report.rows
    assert row.verdict == PASS and row.kernel == "", row
    assert row.trials == len(CONFIGS) * (len(model_checks._LENGTHS) if only == FORWARD else 1)
    assert (row.error > 0) == (only == FORWARD), "hidden states that agree to the last bit were not computed in f32"


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("mutation", MODEL_MUTATIONS, ids=str)
def test_verify_catches_a_broken_model(
    device: GpuDevice, mutation: ModelMutation, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutation.patch(monkeypatch)
    others = [family for family in CONFIGS if family not in mutation.families]
    for family in (*some_of(mutation.families, AFFECTED, mutation), *some_of(others, OTHERS, mutation)):
        monkeypatch.setattr(model_checks, "CONFIGS", {family: CONFIGS[family]})
        (row,) = verify(device, mutation.obligation).rows
        assert row.verdict == (FAIL if family in mutation.families else PASS), (family, row)
        assert "Error" not in row.message, f"it must compute wrongly, not crash: {row.message}"


def some_of(families: Sequence[str], count: int, mutation: ModelMutation) -> Sequence[str]:
    """Up to `count` of them, other ones for each mutation."""
    step = -(-len(families) // count) or 1
    return families[MODEL_MUTATIONS.index(mutation) % step :: step]


@pytest.mark.parametrize("family", CONFIGS)
def test_every_tensor_of_a_tiny_model_matters(family: str) -> None:
    """Otherwise a model that ignores one would pass. Hidden states do not depend on the head."""
    config, weights = CONFIGS[family], random_weights(CONFIGS[family])
    (forward,) = select(FORWARD)
    ids = model_checks._ids(37)
    exact = reference.hidden(config, weights, ids)
    head = model_types()[config["model_type"]].head
    for name, values in ((n, w) for n, w in weights.items() if not n.startswith(head)):
        if name.endswith("self.key.bias"):  # without RoPE, it adds the same to all scores of a row
            continue
        other = np.flip(values) if values.size > 1 else -values  # norms undo other factors
        changed = reference.hidden(config, weights | {name: other}, ids)
        assert np.abs(changed - exact).max() > 100 * forward.tolerance * np.abs(exact).max(), name


def test_a_whole_model_has_no_kernel() -> None:
    entry = {key: value for key, value in (GOOD | WHOLE).items() if key != "kernel"}
    (o,) = parse(contract(entry), "made-up").obligations
    assert o.kernel == "" and o.kernel_cases() == [] and o.cases == ()
    with pytest.raises(ContractError, match="unknown key 'kernel'"):
        parse(contract(GOOD | WHOLE), "made-up")
    with pytest.raises(ContractError, match="unknown key 'where'"):
        parse(contract(entry | {"where": {"n": 1}}), "made-up")


@pytest.mark.gpu
def test_a_check_that_nothing_registered_is_no_pass(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(checks._KINDS, "hidden_states")
    (o,) = (o for o in obligations() if o.id == FORWARD)
    with pytest.raises(ContractError, match=f"{FORWARD}: its check 'hidden_states' is not registered"):
        checks.attempts(Plan(device), o)
    (row,) = verify(device, FORWARD).rows
    assert row.verdict == FAIL and "is not registered" in row.message
