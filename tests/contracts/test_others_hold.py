"""Every obligation beside the forward pass: attention, sampling, training, Triton. On this GPU."""

from __future__ import annotations

import pytest

from wgpt.contracts.plan import Plan
from wgpt.contracts.verify import check_some, planned

from .holding import IN_TRITON, OTHERS, check_holds, check_most_have_an_error, check_row, check_whole, each_of, tier_of

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("obligation", each_of(*OTHERS))
def test_it_holds(obligation, report_of, device):
    check_holds(report_of(obligation.contract), obligation, device)


@pytest.mark.parametrize("obligation", each_of(IN_TRITON))
def test_it_holds_in_triton(obligation, device):
    """Each by itself, because they run in different turns."""
    plan = Plan(device)
    check_row(check_some(plan, obligation, range(len(planned(plan, obligation)))), device)


@pytest.mark.parametrize("name", [pytest.param(name, marks=tier_of(name)) for name in (*OTHERS, IN_TRITON)])
def test_the_whole_contract_holds(name, report_of):
    check_whole(report_of(name), name)


@pytest.mark.full
def test_most_obligations_have_an_error_to_measure(report_of):
    check_most_have_an_error([row for name in OTHERS for row in report_of(name).rows])
