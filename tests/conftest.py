"""What every test shares. A GPU test without an adapter fails: it is never skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wgpt.gpu import GpuDevice


@pytest.fixture(scope="session", autouse=True)
def wgpt_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache directory of the tests' own, so that nobody's tuning leaks in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_HOME", str(tmp_path_factory.mktemp("wgpt-home")))
        yield


@pytest.fixture(scope="session")
def device(wgpt_home: None) -> Iterator[GpuDevice]:
    """The adapter that a user would get."""
    found = GpuDevice.open()
    yield found
    found.close()
