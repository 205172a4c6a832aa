"""Model.classify: the scores of torch and peft, attached and detached; and invalid uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.train import golden, golden_classify
from wgpt import Model, WgptError, load
from wgpt.api.classify import Classes
from wgpt.formats.peft import read_lora, write_lora
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
RUN = golden_classify.load("llama-gqa")
ADAPTER = replace(read_lora(RUN.adapter), labels=("ham", "spam", "both"))


@pytest.fixture
def model(device: GpuDevice) -> Iterator[Model]:
    with load(RUN.model, device=device, cache="f32", context=64) as model:
        yield model


@pytest.mark.full
@pytest.mark.parametrize("name", golden_classify.NAMES)
def test_scores_are_those_of_peft(device: GpuDevice, name: str) -> None:
    run = golden_classify.load(name)
    with load(run.model, device=device, lora=run.adapter, cache="f32", context=64) as model:
        assert model.classes == ("LABEL_0", "LABEL_1", "LABEL_2")
        head = Classes.of(read_lora(run.adapter), model.config.hidden, "here")
        for ids, expected in zip(run.texts, run.scores, strict=True):
            scores = head.scores(model.hidden(ids)[-1])
            assert np.abs(scores - expected).max() <= 1e-4 * np.abs(expected).max()
            result = head.classify(model.hidden(ids)[-1])
            assert result.label == str(result) == f"LABEL_{expected.argmax()}"
            shares = np.exp(expected) / np.exp(expected).sum()
            assert list(result.probabilities.values()) == pytest.approx(sorted(shares, reverse=True), rel=1e-3)
            assert result.probability == pytest.approx(shares.max(), rel=1e-3)


def test_one_text_or_several(model: Model, tmp_path) -> None:
    write_lora(ADAPTER, tmp_path / "mail")
    assert model.attach(tmp_path / "mail") == "mail" and model.classes == ("ham", "spam", "both")
    texts = ["the wind and the rain", "a lamp", "x"]
    several = model.classify(texts)
    for text, together in zip(texts, several, strict=True):
        alone = model.classify(text)
        assert together.label == alone.label
        assert together.probabilities == pytest.approx(alone.probabilities, rel=1e-5)
    assert set(several[0].probabilities) == set(model.classes)
    assert sum(several[0].probabilities.values()) == pytest.approx(1)
    ids = model.tokenizer.encode(texts[0], special=False)
    scores = ADAPTER.score @ model.hidden(ids)[-1]
    assert several[0].label == ADAPTER.labels[int(scores.argmax())]


def test_an_adapter_that_classifies_does_not_write(model: Model) -> None:
    model.attach(ADAPTER, "mail")
    for write in (model.generate, model.chat, model.stream):
        with pytest.raises(WgptError, match=r"adapter 'mail' classifies texts .* use classify\(text\), or detach"):
            write("hello")
    model.detach()
    assert model.classes == () and model.generate("hello", max_tokens=2, ignore_eos=True).ids
    with pytest.raises(WgptError, match="no LoRA adapter is attached: attach one that was trained to classify"):
        model.classify("hello")
    model.attach("mail")
    assert model.classify("hello").label in model.classes
    model.attach(golden.load("llama-gqa").adapter, "writes")
    with pytest.raises(WgptError, match="LoRA adapter 'writes' has no classes"):
        model.classify("hello")


def test_what_cannot_be_classified(model: Model) -> None:
    model.attach(ADAPTER)
    with pytest.raises(WgptError, match="text must not be empty"):
        model.classify("")
    with pytest.raises(WgptError, match="64"):
        model.classify("the wind and the rain " * 40)
    with pytest.raises(WgptError, match="its head expects hidden size 32, but the model has 48"):
        model.attach(replace(ADAPTER, score=ADAPTER.score[:, :32]))


def test_new_names_are_read_again(model: Model, tmp_path) -> None:
    write_lora(ADAPTER, tmp_path / "mail")
    model.attach(tmp_path / "mail")
    (tmp_path / "mail" / "labels.json").write_text('{"id2label": {"0": "a", "1": "b", "2": "c"}}')
    model.attach(tmp_path / "mail")
    assert model.classes == ("a", "b", "c")
