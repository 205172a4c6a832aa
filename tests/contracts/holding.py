"""What a row of verify's report must show. The contracts are run in two files: the workers of a run share files out."""

from __future__ import annotations

import pytest

from wgpt.contracts import Obligation, Report, Row, contracts
from wgpt.contracts.verify import ABSENT, PASS
from wgpt.gpu import GpuDevice

LARGEST = "wgpu-forward-pass-v1"  # about half of the work
OTHERS = tuple(contract.name for contract in contracts() if contract.name != LARGEST)


def each_of(*names: str) -> pytest.MarkDecorator:
    """For a test of every obligation of these contracts."""
    found = [o for contract in contracts() if contract.name in names for o in contract.obligations]
    return pytest.mark.parametrize("obligation", found, ids=[o.id for o in found])


def check_holds(report: Report, obligation: Obligation, device: GpuDevice) -> None:
    (row,) = (row for row in report.rows if row.id == obligation.id)
    if row.verdict == ABSENT:
        assert "f16" in row.message and not device.traits.f16
        return
    assert row.verdict == PASS and row.trials > 0 and row.seconds > 0, row
    assert row.error <= row.tolerance and row.case
    assert row.check != "reference" or row.element or row.error == 0, row


def check_whole(report: Report, name: str) -> None:
    (contract,) = (contract for contract in contracts() if contract.name == name)
    assert report.passed and not report.stopped and report.failed == ()
    assert [row.id for row in report.rows] == [o.id for o in contract.obligations]


def check_most_have_an_error(rows: list[Row]) -> None:
    """Results that agree to the last bit everywhere would mean that something is compared with itself."""
    inexact = [row for row in rows if row.tolerance > 0 and row.verdict == PASS]
    assert sum(row.error > 0 for row in inexact) > 0.9 * len(inexact)
