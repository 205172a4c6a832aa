"""Loading and closing a Model: invalid arguments, and errors of a closed model."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import numpy as np
import pytest

from tests.models import made_up
from tests.models.gguf_maker import write_gguf
from tests.models.golden import Golden
from wgpt import Model, WgptError, load
from wgpt.engine.errors import ContextError
from wgpt.formats import FormatError
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu


def in_use(device: GpuDevice) -> int:
    gc.collect()
    return device.bytes_in_use - device.pool.free_bytes


def test_a_context_of_numpys(truth: Golden, device: GpuDevice) -> None:
    """Sizes that are computed from it do not fit into 8 bits."""
    with load(truth.folder, context=np.uint8(200), device=device) as model:
        assert model.context == 200 and len(model.generate([1, 2, 3], max_tokens=2, ignore_eos=True).ids) == 2


@pytest.mark.parametrize("context", [0, -1, 257])
def test_contexts_that_the_model_has_not(truth: Golden, device: GpuDevice, context: int) -> None:
    before = in_use(device)
    with pytest.raises(ContextError, match=f"context must be from 1 to the model's 256 tokens, not {context}"):
        load(truth.folder, context=context, device=device)
    assert in_use(device) == before


def test_caches_and_types_that_there_are_not(truth: Golden, device: GpuDevice) -> None:
    before = in_use(device)
    with pytest.raises(WgptError, match="cache must be f16, f32 or q8_0, not 'bf16'"):
        load(truth.folder, cache="bf16", device=device)
    with pytest.raises(ValueError, match="unknown weight type 'int3'; supported: f32, bf16"):
        load(truth.folder, dtype="int3", device=device)
    assert in_use(device) == before


def test_heads_that_no_kernel_takes(device: GpuDevice, tmp_path: Path) -> None:
    config = made_up.llama_like("llama", hidden=48, layers=1, heads=4, kv_heads=2, ffn=64)
    write_gguf(tmp_path / "model.gguf", config, made_up.random_weights(config, seed=1))
    before = in_use(device)
    with pytest.raises(FormatError, match="head_dim is 12; it must be a multiple of 8"):
        load(tmp_path / "model.gguf", device=device)
    assert in_use(device) == before


def test_a_closed_model(truth: Golden, device: GpuDevice) -> None:
    before = in_use(device)
    with load(truth.folder, device=device) as model:
        stream = model.stream([5, 6, 7], max_tokens=10**6, ignore_eos=True, overflow="slide")
        next(stream)
        assert model.nbytes > model.network.nbytes > 0
    for use in (model.generate, model.logits, model.perplexity):
        with pytest.raises(WgptError, match="was closed: load it again"):
            use([5, 6, 7])
    with pytest.raises(WgptError, match="llama-gqa was closed: load it again"):
        list(stream)  # perhaps a piece that was generated before, and then this
    with pytest.raises(StopIteration):
        next(stream)
    stream.close()
    model.close()
    del stream
    assert in_use(device) == before


@pytest.mark.parametrize("used", [False, True], ids=["unused", "used"])
def test_a_dropped_model_is_freed_at_once(truth: Golden, device: GpuDevice, used: bool) -> None:
    """Without a cycle that waits for the garbage collector: its memory is the GPU's."""
    before = in_use(device)
    gc.disable()
    try:
        model = load(truth.folder, device=device)
        if used:
            model.generate([5, 6, 7], max_tokens=2, ignore_eos=True)
            model.logits([5, 6, 7])
            list(model.stream([5, 6, 7], max_tokens=2, ignore_eos=True))
        del model
        deadline = time.monotonic() + 10  # the engine's thread may still have something to put away
        while device.bytes_in_use - device.pool.free_bytes != before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert device.bytes_in_use - device.pool.free_bytes == before
    finally:
        gc.enable()


def test_models_side_by_side(shared: Model, truth: Golden, device: GpuDevice) -> None:
    """Each has its own cache, and neither notices the other."""
    with load(truth.folder, dtype="f16", device=device) as other:
        expected = other.generate(truth.runs[2].ids, max_tokens=12, ignore_eos=True).ids
        streams = [m.stream(truth.runs[2].ids, max_tokens=12, ignore_eos=True) for m in (shared, other)]
        for _ in range(5):
            for stream in streams:
                next(stream, "")
        for stream in streams:
            list(stream)
        assert [stream.completion.ids for stream in streams] == [truth.runs[2].greedy, expected]
