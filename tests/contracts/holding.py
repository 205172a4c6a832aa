"""Checks of a row of verify's report. The contracts are split over two files, which run in parallel."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from wgpt.contracts import Obligation, Report, Row, contracts
from wgpt.contracts.verify import ABSENT, PASS
from wgpt.gpu import GpuDevice

LARGEST = "wgpu-forward-pass-v1"  # about half of the work
IN_TRITON = "wgpt-triton-v1"  # minutes of compiling: long shaders
OTHERS = tuple(contract.name for contract in contracts() if contract.name not in (LARGEST, IN_TRITON))


def each_of(*names: str) -> list[ParameterSet]:
    """Every obligation of these contracts, for a test in the full tier; those written in Triton are in the slow one."""
    return [
        pytest.param(obligation, id=obligation.id, marks=tier_of(contract.name))
        for contract in contracts()
        if contract.name in names
        for obligation in contract.obligations
    ]


def tier_of(name: str) -> pytest.MarkDecorator:
    """The tier of a test of this contract."""
    return pytest.mark.slow if name == IN_TRITON else pytest.mark.full


def check_holds(report: Report, obligation: Obligation, device: GpuDevice) -> None:
    (row,) = (row for row in report.rows if row.id == obligation.id)
    check_row(row, device)


def check_row(row: Row, device: GpuDevice) -> None:
    if row.verdict == ABSENT:
        missing = [name for name in ("f16", "half_matrices") if not getattr(device.traits, name)]
        assert any(name in row.message for name in missing), row
        return
    assert row.verdict == PASS and row.trials > 0 and row.seconds > 0, row
    assert row.error <= row.tolerance and row.case
    assert row.check != "reference" or row.element or row.error == 0, row


def check_whole(report: Report, name: str) -> None:
    (contract,) = (contract for contract in contracts() if contract.name == name)
    assert report.passed and not report.stopped and report.failed == ()
    assert [row.id for row in report.rows] == [o.id for o in contract.obligations]


def check_most_have_an_error(rows: list[Row]) -> None:
    """If all results were exact to the last bit, something would be compared with itself."""
    inexact = [row for row in rows if row.tolerance > 0 and row.verdict == PASS]
    kernels = {row.kernel for row in inexact}  # a kernel's rows for some weight types are exact
    assert len({row.kernel for row in inexact if row.error > 0}) > 0.9 * len(kernels)
