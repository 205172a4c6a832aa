"""One whole run of verify, shared by the tests that read it."""

from __future__ import annotations

import pytest

from wgpt.contracts import Report, verify
from wgpt.gpu import GpuDevice


@pytest.fixture(scope="session")
def report(device: GpuDevice) -> Report:
    return verify(device)
