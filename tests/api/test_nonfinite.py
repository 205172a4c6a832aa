"""Numbers that are not finite: generation, classification and perplexity stop with a helpful message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.train import golden, golden_classify
from wgpt import Model, WgptError, load
from wgpt.api.classify import Classes
from wgpt.formats.peft import LoraAdapter, read_lora
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
ONE = golden.load("llama-gqa-seven")
IDS = ONE.examples[0].ids
OPTIONS = {"max_tokens": 8, "ignore_eos": True}


@pytest.fixture
def model(device: GpuDevice) -> Iterator[Model]:
    with load(ONE.model, device=device, cache="f32", context=64) as model:
        yield model


def broken_adapter(value: float) -> LoraAdapter:
    """An adapter whose factors overflow or are NaN."""
    adapter = read_lora(ONE.adapter)
    factors = {name: f._replace(a=0 * f.a + value, b=0 * f.b + value) for name, f in adapter.targets.items()}
    return replace(adapter, targets=factors)


@pytest.mark.parametrize("value", [np.nan, 1e30], ids=["NaN", "too large"])
@pytest.mark.parametrize("sampling", [{}, {"temperature": 1.0, "logit_bias": {5: 3.0}}], ids=["greedy", "drawn"])
def test_generation_stops(
    model: Model, value: float, sampling: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = model.generate(IDS, **OPTIONS).ids
    with pytest.raises(WgptError, match=r"the adapter: its factors for .* have (NaN or Inf|values that overflow f32)"):
        model.attach(broken_adapter(value), "broken")
    monkeypatch.setattr(LoraAdapter, "check_values", lambda *_: None)  # which cannot foresee everything
    model.attach(broken_adapter(value), "broken")
    message = "generation stopped at token 1: the logits contain NaN or Inf; check the LoRA adapter's factors"
    for _ in range(2):
        with pytest.raises(WgptError, match=message):
            model.generate(IDS, **OPTIONS, **sampling)
    with pytest.raises(WgptError, match="the logits contain NaN or Inf"):
        list(model.stream(IDS, **OPTIONS, **sampling))
    with pytest.raises(WgptError, match=message):
        model.generate([IDS, IDS[:3]], **OPTIONS, **sampling)
    with pytest.raises(WgptError, match="the losses contain NaN or Inf; check the LoRA adapter's"):
        model.perplexity(IDS)
    model.detach()
    assert model.generate(IDS, **OPTIONS).ids == expected


def test_a_driver_that_goes_wrong_in_between(model: Model) -> None:
    """NaN in the cache, some tokens after the beginning. What was cached of the prompt is not used again."""
    expected = model.generate(IDS, **OPTIONS).ids
    endless = {**OPTIONS, "max_tokens": 10**6, "overflow": "slide"}
    stream = model.stream(IDS, **endless)
    next(stream)
    _, values = model._engines.generator().runner.cache.layer(0)
    model.device.write(values, np.full(values.shape, np.nan, np.float32))
    with pytest.raises(WgptError, match=r"generation stopped at token \d+: .* check the driver \(run `wgpt verify`\)"):
        list(stream)
    assert len(stream.completion.ids) > 0 and stream.completion.text
    again = model.generate(IDS, **OPTIONS)
    assert (again.ids, again.cached_tokens) == (expected, 0)


def test_sequences_that_share_a_broken_page(device: GpuDevice) -> None:
    """All of them stop; then it is read anew."""
    page = (IDS * 64)[:64]
    with load(ONE.model, device=device, cache="f32") as model:
        expected = model.generate([*page, 3], **OPTIONS).ids
        assert model.generate([*page, 4], **OPTIONS).cached_tokens == 64
        endless = {**OPTIONS, "max_tokens": 10**6, "overflow": "slide"}
        streams = [model.stream([*page, token], **endless) for token in (1, 2)]
        for stream in streams:
            next(stream)
        _, values = model._engines.generator().runner.cache.layer(0)
        model.device.write(values, np.full(values.shape, np.nan, np.float32))
        for stream in streams:
            with pytest.raises(WgptError, match="the logits contain NaN or Inf"):
                list(stream)
        again = model.generate([*page, 3], **OPTIONS)
        assert (again.ids, again.cached_tokens) == (expected, 0)


def test_token_0_of_a_sound_model(model: Model) -> None:
    completion = model.generate(IDS, logit_bias={0: 1e6}, **OPTIONS)
    assert completion.ids == [0] * 8


def test_a_classifier_that_has_no_numbers() -> None:
    run = golden_classify.load("llama-gqa")
    adapter = replace(read_lora(run.adapter), labels=("ham", "spam", "both"))
    assert adapter.score is not None
    head = Classes.of(adapter, adapter.score.shape[1], "here")
    assert head is not None
    hidden = np.zeros(adapter.score.shape[1], np.float32)
    assert head.classify(hidden).probability == pytest.approx(1 / 3)
    hidden[3] = np.nan
    with pytest.raises(WgptError, match="cannot classify the text: its scores contain NaN or Inf"):
        head.classify(hidden)
