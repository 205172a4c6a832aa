"""A golden model on the GPU, for all tests of generation: small, and known to the last logit."""

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
def shared(truth: Golden, device: GpuDevice) -> Iterator[Model]:
    """A model shared by all tests."""
    with load(truth.folder, cache="f32", device=device) as model:
        yield model


@pytest.fixture
def short(truth: Golden, device: GpuDevice) -> Iterator[Model]:
    """A model with a context of 48 tokens."""
    with load(truth.folder, cache="f32", context=48, device=device) as model:
        yield model
