"""What every test shares. A GPU test without an adapter fails: it is never skipped."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from wgpt.formats import sources
from wgpt.gpu import GpuDevice

OWN_HOME = os.environ.get("WGPT_HOME", "")
# The longest files, which begin first: the workers then end together.
LONGEST = (
    "contracts/test_others_hold.py",
    "contracts/test_forward_holds.py",
    "contracts/test_mutations.py",
    "train/test_memory.py",
    "models/test_smollm2.py",
    "models/test_quantised.py",
    "triton/test_llm.py",
    "models/test_golden.py",
    "train/test_killed.py",
    "cli/test_finetuning.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    items.sort(key=lambda item: item.path.relative_to(tests).as_posix() not in LONGEST)


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Shells start background jobs with Ctrl-C ignored, and children inherit that: tests of it need it back."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def wgpt_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache directory of the tests' own, so that nobody's tuning leaks in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_HOME", str(tmp_path_factory.mktemp("wgpt-home")))
        yield


@pytest.fixture(scope="session")
def device(wgpt_home: None) -> Iterator[GpuDevice]:
    """The adapter that a user would get."""
    gpu_device = GpuDevice.open()
    yield gpu_device
    gpu_device.close()


@pytest.fixture(scope="session")
def smollm2_path(wgpt_home: None) -> Path:
    """The real model, out of the user's own cache: it is pulled once, and not for every run of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_HOME", OWN_HOME)
        return sources.resolve("smollm2-135m")
