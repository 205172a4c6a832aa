"""Every obligation beside the forward pass: attention, sampling, training, Triton. On this GPU."""

from __future__ import annotations

import pytest

from .holding import OTHERS, TRITON, check_holds, check_most_have_an_error, check_whole, each_of

pytestmark = pytest.mark.gpu


@each_of(*OTHERS, TRITON)
def test_it_holds(obligation, report_of, device):
    check_holds(report_of(obligation.contract), obligation, device)


@pytest.mark.parametrize("name", [*OTHERS, pytest.param(TRITON, marks=pytest.mark.full)])
def test_the_whole_contract_holds(name, report_of):
    check_whole(report_of(name), name)


def test_most_obligations_have_an_error_to_measure(report_of):
    check_most_have_an_error([row for name in OTHERS for row in report_of(name).rows])
