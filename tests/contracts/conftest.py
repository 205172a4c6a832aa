"""One run of verify per contract, shared by the tests that read its report."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from wgpt.api import model_checks as _model_checks  # noqa: F401 - registers the checks of whole models
from wgpt.contracts import Report, verify
from wgpt.gpu import GpuDevice


@pytest.fixture(scope="session")
def report_of(device: GpuDevice) -> Callable[[str], Report]:
    """verify of the contract of this name."""
    return cache(lambda name: verify(device, only=name))
