"""Every test that takes `device` or `webgpu` runs on each implementation of WebGPU."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wgpt.gpu import GpuDevice

from .webgpus import WEBGPUS


@pytest.fixture(scope="module", params=WEBGPUS)
def webgpu(request: pytest.FixtureRequest) -> Iterator[str]:
    """The default of this process and its children."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WGPT_WEBGPU", request.param)
        yield request.param


@pytest.fixture(scope="module")
def device(wgpt_home: None, webgpu: str) -> Iterator[GpuDevice]:
    gpu_device = GpuDevice.open()
    yield gpu_device
    gpu_device.close()
