"""Shared by all tests. GPU tests fail without a GPU; they are skipped only if it lacks what they test."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from wgpt.formats import sources
from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu.host_memory import FEATURE

from . import tiers

OWN_HOME = os.environ.get("WGPT_HOME", "")
# Most of their time is the compiler's, for shaders that run once; see the Makefile.
COMPILING = {"api", "contracts", "engine", "kernels", "models", "ops", "quant", "triton"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--turn", type=int, help=f"of the slow tests, one in {tiers.TURNS}: those whose turn it is")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    for item in items:
        tiers.tier_of(item)  # refuses two of them
        real_model = "smollm2_path" in getattr(item, "fixturenames", ())
        if item.path.relative_to(tests).parts[0] in COMPILING and not real_model:
            item.add_marker(pytest.mark.compiling)
    turn = config.getoption("turn")
    if turn is not None:
        later = [item for item in items if tiers.tier_of(item) == "slow" and not tiers.has_turn(item.nodeid, turn)]
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in set(later)]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A turn may have no test of a kind."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.getoption("turn") is not None:
        session.exitstatus = pytest.ExitCode.OK


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Shells start background jobs with SIGINT ignored, and children inherit that: restore it for tests of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def wgpt_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A separate cache directory, so that no tuning of the user's leaks in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_HOME", str(tmp_path_factory.mktemp("wgpt-home")))
        yield


@pytest.fixture(scope="session")
def device(wgpt_home: None) -> Iterator[GpuDevice]:
    """The GPU that wgpt opens by default."""
    gpu_device = GpuDevice.open()
    yield gpu_device
    gpu_device.close()


@pytest.fixture
def host_memory(device: GpuDevice) -> None:
    """For tests of layers in host memory, which Dawn has on integrated GPUs and software drivers alone."""
    if FEATURE not in device.features:
        pytest.skip(f"{device.webgpu.name} has no {FEATURE} on {device.info.name}")


@pytest.fixture(scope="session")
def smollm2_path(wgpt_home: None) -> Path:
    """The real model from the user's cache, so that it is downloaded only once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_HOME", OWN_HOME)
        return sources.resolve("smollm2-135m")
