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

OWN_HOME = os.environ.get("WGPT_HOME", "")
# The longest files start first, so that the workers finish at about the same time.
LONGEST = (
    "contracts/test_tint.py",
    "contracts/test_others_hold.py",
    "contracts/test_forward_holds.py",
    "contracts/test_mutations.py",
    "contracts/test_models.py",
    "cluster/test_cluster.py",
    "web/test_page.py",
    "serve/test_openai_client.py",
    "serve/test_answers.py",
    "train/test_memory.py",
    "infer/test_adapters.py",
    "engine/test_draft.py",
    "models/test_smollm2.py",
    "models/test_quantised.py",
    "triton/test_llm.py",
    "models/test_golden.py",
    "train/test_killed.py",
    "cli/test_finetuning.py",
)
FULL, SLOW = (
    tuple(line for line in (Path(__file__).parent / name).read_text().splitlines() if line[0] != "#")
    for name in ("full.txt", "slow.txt")
)
# Most of their time is the compiler's, for shaders that run once; see the Makefile.
COMPILING = {"contracts", "infer", "kernels", "models", "ops", "quant"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    items.sort(key=lambda item: item.path.relative_to(tests).as_posix() not in LONGEST)
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        if name.startswith((*FULL, *SLOW)):
            item.add_marker(pytest.mark.full)
        if name.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        real_model = "smollm2_path" in getattr(item, "fixturenames", ())
        if item.path.relative_to(tests).parts[0] in COMPILING and not real_model:
            item.add_marker(pytest.mark.compiling)


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
