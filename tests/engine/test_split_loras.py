"""LoRA adapters of a model that is split over several GPUs: their factors are with their layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.models.golden import Golden
from wgpt import Engine, Model, load
from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.models.targets import linear_shapes

pytestmark = pytest.mark.gpu
TEXTS = [[17, 33, 250, 4], [99, 5, 6, 7, 8, 200], [3, 1, 4, 1, 5]]


def made(model: Model, seed: int, layers: Sequence[int], rank: int = 4) -> LoraAdapter:
    """Random factors for all projections of these layers, large enough that tokens change."""
    rng = np.random.default_rng(seed)
    targets = {}
    for name, (n, k) in linear_shapes(model.config).items():
        if any(f".{i}." in name for i in layers):
            a, b = rng.standard_normal((rank, k)), 0.1 * rng.standard_normal((n, rank))
            targets[name] = Factors(a.astype(np.float32), b.astype(np.float32), 1.0)
    return LoraAdapter(targets, rank, float(rank))


def outcomes(engine: Engine, names: Sequence[str | None]) -> list[Any]:
    """Tokens of all adapters in one batch, and log-probabilities."""
    options: dict[str, Any] = {"max_tokens": 6, "ignore_eos": True}
    requests = [engine.submit(text, lora=name, **options) for name in names for text in TEXTS]
    tokens = [request.result().ids for request in requests]
    return [tokens, [engine.score(TEXTS[0], lora=name).result().logprobs.tolist() for name in names]]


@pytest.mark.full
def test_the_tokens_of_the_whole_model_bit_for_bit(model: Model, split: Model) -> None:
    """Adapters that change both GPUs' layers, or one's, come and go while the engine is open."""
    results = []
    for each in (model, split):
        rounds = []
        with Engine(each, deterministic=True) as engine:
            each.load_lora(made(each, 1, [2]), "last")  # the first GPU has no pool
            rounds.append(outcomes(engine, [None, "last"]))
            each.load_lora(made(each, 2, [0, 1, 2], rank=20), "all")  # new pools
            rounds.append(outcomes(engine, ["all", None, "last"]))
            each.unload("last")
            each.load_lora(made(each, 3, [0]), "first")  # in its place
            rounds.append(outcomes(engine, ["first", "all"]))
            each.unload("first")
            each.unload("all")
        results.append(rounds)
        assert each._loras.nbytes == 0
    assert results[0] == results[1]
    base, last = (results[1][0][0][at : at + len(TEXTS)] for at in (0, len(TEXTS)))
    everything, first = results[1][1][0][: len(TEXTS)], results[1][2][0][: len(TEXTS)]
    for one, other in ((base, last), (base, everything), (last, everything), (base, first)):
        assert one != other


def test_attached_when_the_model_is_loaded(truth: Golden, model: Model, devices: list[GpuDevice]) -> None:
    adapter, options = made(model, 4, [0, 1, 2]), {"max_tokens": 8, "ignore_eos": True}
    whole = model.generate(TEXTS[0], lora=model.load_lora(adapter, "whole"), **options).ids
    model.unload("whole")
    with load(truth.folder, cache="f32", device=devices, lora=adapter) as loaded:
        assert loaded.lora is not None and loaded.generate(TEXTS[0], **options).ids == whole
        loaded.detach()
        assert loaded.generate(TEXTS[0], **options).ids != whole


def test_an_adapter_that_does_not_fit_leaves_the_others(split: Model, devices: list[GpuDevice]) -> None:
    split.load_lora(made(split, 1, [0, 1, 2]), "small")
    try:
        before = split.generate(TEXTS[0], lora="small", max_tokens=8, ignore_eos=True).ids
        devices[1].memory_limit = devices[1].bytes_in_use
        with pytest.raises(AllocationError, match="'large' does not fit"):
            split.load_lora(made(split, 2, [0, 1, 2], rank=32), "large")
        devices[1].memory_limit = None  # Programs are recorded again
        assert split.loras == ["small"]
        assert split.generate(TEXTS[0], lora="small", max_tokens=8, ignore_eos=True).ids == before
    finally:
        devices[1].memory_limit = None
        split.unload("small")
