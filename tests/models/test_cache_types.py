"""A tiny model with each type of KV cache: what it costs, in error and in memory, alone and in an engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from wgpt import Engine, Model, WgptError, load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.engine.memory import page_bytes
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.ops.cache import KVCache, KVShape, PagedCache

from . import golden, made_up
from .compare import error
from .vocabulary import write_tokenizer

pytestmark = pytest.mark.gpu
CONFIG = made_up.llama_like("qwen3", hidden=64, layers=2, heads=4, kv_heads=2, ffn=96, head_dim=32)
WEIGHTS = made_up.random_weights(CONFIG, seed=21)
IDS = np.random.default_rng(22).integers(3, CONFIG["vocab_size"], 90).tolist()
STEPS = 6


@pytest.fixture(scope="module")
def model(device: GpuDevice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    folder = tmp_path_factory.mktemp("heads-of-32")
    write_tokenizer(folder)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    save_file(WEIGHTS, folder / "model.safetensors")
    with load(folder, cache="q8_0", device=device) as model:
        yield model


@pytest.mark.parametrize(("cache", "least", "most"), [("f32", 0, 1e-4), ("f16", 1e-5, 2e-3), ("q8_0", 1e-3, 3e-2)])
def test_error_of_prefill_and_decode(model: Model, cache: str, least: float, most: float) -> None:
    with FixedBatch(model.network, 128, cache=cache, logits=True) as batch:
        batch.start({0: IDS})
        results = [batch.step().result() for _ in range(STEPS)]
        ids = [int(step["tokens"][0]) for step in results]
        expected = reference.logits(CONFIG, WEIGHTS, [*IDS, *ids[:-1]])
        assert least < error(np.concatenate([step["logits"] for step in results]), expected[-STEPS:]) < most
        assert least < error(batch.logits({0: IDS})[0], expected[: len(IDS)]) < most


def test_an_engine_shares_its_pages_and_gives_the_same_tokens(model: Model) -> None:
    """The second and third prompt begin with the first page of the first one."""
    prompts = [IDS, [*IDS[:70], 9, 8, 7], IDS[:80]]
    options: dict[str, Any] = {"max_tokens": 8, "ignore_eos": True}
    alone = [model.generate(prompt, **options).ids for prompt in prompts]
    with Engine(model, cache="q8_0", max_batch=4, deterministic=True) as engine:
        first = engine.submit(prompts[0], **options).result()
        others = [engine.submit(prompt, **options) for prompt in prompts[1:]]
        completions = [first, *(request.result() for request in others)]
    assert [completion.cached_tokens >= 64 for completion in completions] == [False, True, True]
    assert [completion.ids for completion in completions] == alone


def test_memory(model: Model, device: GpuDevice) -> None:
    config = model.config
    sizes = {}
    for cache in ("f32", "f16", "q8_0"):
        pages = PagedCache(device, config.cache_layers, 64 * 50, 2, cache)
        sizes[cache] = page_bytes(config, cache)
        assert pages.nbytes == 100 * sizes[cache]
        pages.release()
    assert (sizes["f32"], sizes["f16"], sizes["q8_0"]) == tuple(2 * 2 * 2 * 64 * n for n in (128, 64, 36))


def test_heads_that_no_block_divides_are_refused(device: GpuDevice) -> None:
    message = "cache q8_0 needs heads of a multiple of 32 dimensions, and these have 8: use f16 or f32"
    with pytest.raises(WgptError, match=message):
        load(golden.load("llama-gqa").folder, cache="q8_0", device=device)


def test_a_contiguous_cache_is_refused(device: GpuDevice) -> None:
    with pytest.raises(WgptError, match="cache must be f16 or f32, not 'q8_0'"):
        KVCache(device, [KVShape(1, 32)], 64, dtype="q8_0")
