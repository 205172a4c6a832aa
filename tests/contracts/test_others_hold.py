"""Every obligation beside the forward pass: attention, sampling, training, Triton. On this GPU."""

from __future__ import annotations

import pytest

from .holding import LONG, OTHERS, check_holds, check_most_have_an_error, check_whole, each_of

pytestmark = pytest.mark.gpu


@each_of(*OTHERS, *LONG)
def test_it_holds(obligation, report_of, device):
    check_holds(report_of(obligation.contract), obligation, device)


@pytest.mark.parametrize("name", [*OTHERS, *(pytest.param(name, marks=pytest.mark.full) for name in LONG)])
def test_the_whole_contract_holds(name, report_of):
    check_whole(report_of(name), name)


def test_most_obligations_have_an_error_to_measure(report_of):
    check_most_have_an_error([row for name in OTHERS for row in report_of(name).rows])
