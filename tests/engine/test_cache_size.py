"""The pool of pages follows the context and the sequences that run at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.golden import Golden
from wgpt import load
from wgpt.cli.options import ChatModelOptions
from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice
from wgpt.kernels.attention.attending import PAGE

pytestmark = pytest.mark.gpu
PROMPT = [5, 44, 130, 7, 201, 90, 33, 12]


def opened_pages(truth: Golden, device: GpuDevice, **sizes: Any) -> int:
    with load(truth.folder, cache="f32", device=device, **sizes) as model:
        return model._engines.generator().pages.usable


@pytest.mark.parametrize(("context", "pages"), [(1, 1), (65, 2), (128, 2)])
def test_one_sequence_has_the_pages_of_its_context(truth: Golden, device: GpuDevice, context: int, pages: int) -> None:
    assert opened_pages(truth, device, context=context, max_batch=1) == pages


def test_several_sequences_share_a_larger_pool(truth: Golden, device: GpuDevice) -> None:
    """It has room for many of them, and for prompts that later ones may begin with."""
    usual = (8192 if device.software else 65536) // PAGE
    assert opened_pages(truth, device, context=65, max_batch=2) == usual == opened_pages(truth, device, context=65)


def test_one_sequence_fills_its_context_in_turns(truth: Golden, device: GpuDevice) -> None:
    with load(truth.folder, cache="f32", device=device, context=PAGE + 1, max_batch=1) as model:
        first, second = model.generate([PROMPT, PROMPT], max_tokens=PAGE + 1 - len(PROMPT), ignore_eos=True)
        assert first.ids == second.ids and len(first.ids) == PAGE + 1 - len(PROMPT)
        again = model.generate(PROMPT, max_tokens=3 * PAGE, ignore_eos=True, overflow="slide")
        assert len(again.ids) == 3 * PAGE and again.ids[: len(first.ids)] == first.ids


def test_what_run_and_chat_open(truth: Golden) -> None:
    with ChatModelOptions(model=str(truth.folder), context=PAGE + 1).loaded(max_batch=1) as model:
        assert model._engines.generator().pages.usable == 2


@pytest.mark.parametrize("max_batch", [0, 129])
def test_an_unsupported_number_of_sequences(truth: Golden, device: GpuDevice, max_batch: int) -> None:
    with pytest.raises(PreconditionError, match="max_batch must be a whole number from 1 to 128"):
        load(truth.folder, device=device, max_batch=max_batch)
