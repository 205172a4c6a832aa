"""Every obligation of the forward pass, on this GPU, and verify's report of a passing run."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from wgpt.contracts import print_report

from .holding import LARGEST, check_holds, check_most_have_an_error, check_whole, each_of

pytestmark = [pytest.mark.gpu, pytest.mark.full]


@pytest.mark.parametrize("obligation", each_of(LARGEST))
def test_it_holds(obligation, report_of, device):
    check_holds(report_of(LARGEST), obligation, device)


def test_the_whole_contract_holds(report_of):
    check_whole(report_of(LARGEST), LARGEST)


def test_most_obligations_have_an_error_to_measure(report_of):
    check_most_have_an_error(list(report_of(LARGEST).rows))


def test_the_report_is_json(report_of):
    report = report_of(LARGEST)
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert data["passed"] is True and data["trials"] == sum(row.trials for row in report.rows) > 500
    assert len(data["obligations"]) == len(report.rows)
    assert {"id", "kernel", "trials", "error", "case", "variant", "element", "tolerance", "verdict", "seconds"} <= set(
        data["obligations"][0]
    )


def test_the_printed_report_of_a_good_run(report_of):
    out = io.StringIO()
    print_report(report_of(LARGEST), Console(file=out, width=80))
    assert "all hold" in out.getvalue() and "FAIL" not in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= 80
