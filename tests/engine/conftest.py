"""A golden model on the GPU for all tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models import golden
from tests.models.golden import Golden
from wgpt import Model, load
from wgpt.gpu import GpuDevice


@pytest.fixture(scope="package")
def truth() -> Golden:
    return golden.load("llama-gqa")


@pytest.fixture(scope="package")
def model(truth: Golden, device: GpuDevice) -> Iterator[Model]:
    with load(truth.folder, cache="f32", device=device) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def devices() -> Iterator[list[GpuDevice]]:
    """Two on one adapter."""
    opened = [GpuDevice.open(), GpuDevice.open()]
    yield opened
    for device in opened:
        device.close()


@pytest.fixture(scope="module")
def split(truth: Golden, devices: list[GpuDevice]) -> Iterator[Model]:
    """The same model, split over both."""
    with load(truth.folder, cache="f32", device=devices) as loaded:
        yield loaded
