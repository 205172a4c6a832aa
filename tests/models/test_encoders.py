"""Encoders against transformers: hidden states, pooled vectors and scores, from safetensors and from GGUF files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from wgpt import Engine, Model, WgptError, load
from wgpt.engine.encoder import EncoderRunner, Text
from wgpt.engine.errors import ContextError, EngineError, QueueFullError, RequestCancelledError
from wgpt.formats import FormatError
from wgpt.formats.sentence_files import of_folder
from wgpt.gpu import GpuDevice
from wgpt.models import reference

from .encoder_gguf import write_gguf
from .golden import FOLDER, read_safetensors

TOLERANCE = 2e-5  # exact GELU and its tanh form differ by more
NAMES = tuple(sorted(path.parent.name for path in (FOLDER / "encoders").glob("*/config.json")))
CROSS = tuple(name for name in NAMES if name.endswith("-cross"))
SENTENCES = ["the cat sat on the mat.", "blue sky", "what is a quick brown fox?", "the"]


@dataclass(frozen=True)
class Golden:
    folder: Path
    ids: list[list[int]]
    types: list[list[int]]
    hidden: list[np.ndarray]
    mean: np.ndarray
    cls: np.ndarray
    scores: np.ndarray | None


def golden(name: str) -> Golden:
    folder = FOLDER / "encoders" / name
    with np.load(folder / "golden.npz") as saved:
        count = sum(key.startswith("ids_") for key in saved)
        ids, types = ([saved[f"{kind}_{i}"].tolist() for i in range(count)] for kind in ("ids", "types"))
        hidden = [saved[f"hidden_{i}"] for i in range(count)]
        return Golden(folder, ids, types, hidden, saved["mean"], saved["cls"], saved.get("scores"))


def dense(truth: Golden, vectors: np.ndarray) -> np.ndarray:
    """What the model's dense layers make of pooled hidden states, if it has any."""
    for path in sorted(truth.folder.glob("*_Dense/model.safetensors")):
        vectors = vectors @ read_safetensors(path)["linear.weight"].T.astype(np.float64)
    return vectors


def error(result: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(result - expected).max() / np.abs(expected).max())


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden(request.param)
    with load(truth.folder, device=device) as model:
        yield truth, model


@pytest.fixture(scope="module")
def bert(device: GpuDevice) -> Iterator[Model]:
    with load(golden("bert").folder, device=device) as model:
        yield model


@pytest.fixture(scope="module")
def cross(device: GpuDevice) -> Iterator[Model]:
    with load(golden("bert-cross").folder, device=device) as model:
        yield model


pytestmark = pytest.mark.gpu


def test_hidden_states_together_and_one_by_one(case: tuple[Golden, Model]) -> None:
    truth, model = case
    runner = EncoderRunner(model.network)
    together = runner.hidden([Text(*pair) for pair in zip(truth.ids, truth.types, strict=True)])
    for ids, types, states, expected in zip(truth.ids, truth.types, together, truth.hidden, strict=True):
        assert error(states, expected) < TOLERANCE
        assert error(runner.hidden([Text(ids, types)])[0], states) < 1e-5
        if not any(types):
            np.testing.assert_allclose(model.hidden(ids), states, atol=1e-5)
    runner.release()


def test_pooled_vectors(case: tuple[Golden, Model]) -> None:
    truth, model = case
    if truth.scores is None:
        last = np.stack([hidden[-1] for hidden in truth.hidden])
        for pooling, pooled in (("mean", truth.mean), ("cls", truth.cls), ("last", last)):
            expected = dense(truth, pooled)
            assert error(model.embed(truth.ids, pooling=pooling, normalise=False), expected) < TOLERANCE
            assert error(model.embed(truth.ids, pooling=pooling, normalise=True), unit(expected)) < TOLERANCE


def test_scores_of_classifiers(case: tuple[Golden, Model]) -> None:
    truth, model = case
    if truth.scores is not None:
        runner = EncoderRunner(model.network)
        scores = runner.scores([Text(*pair) for pair in zip(truth.ids, truth.types, strict=True)])
        assert error(scores, truth.scores) < TOLERANCE
        runner.release()


def test_the_reference_agrees_with_transformers(case: tuple[Golden, Model]) -> None:
    truth, _ = case
    config = json.loads((truth.folder / "config.json").read_text())
    weights = read_safetensors(truth.folder / "model.safetensors")
    for ids, types, expected in zip(truth.ids, truth.types, truth.hidden, strict=True):
        if not any(types):
            assert error(reference.hidden(config, weights, ids), expected) < 1e-6


def test_many_texts_in_several_forwards(bert: Model) -> None:
    """More rows than a forward takes on a software driver; the order of the texts stays."""
    rng = np.random.default_rng(1)
    texts = [rng.integers(5, 100, n).tolist() for n in rng.integers(1, 48, 60)]
    vectors = bert.embed(texts)
    for i in (0, 17, 59):
        assert error(vectors[i], bert.embed(texts[i])) < 1e-5


def test_files_say_how(bert: Model, device: GpuDevice) -> None:
    truth = golden("bert")
    np.testing.assert_allclose(bert.embed(truth.ids[0]), unit(truth.cls[0]), atol=1e-4)  # cls, normalised
    assert bert.context == 48
    with load(golden("bert-tanh").folder, device=device) as other:
        assert error(other.embed(golden("bert-tanh").ids[0]), unit(golden("bert-tanh").mean[0])) < TOLERANCE
        prompted = other.embed("a red fox", prompt_name="query")
        np.testing.assert_array_equal(prompted, other.embed("a red fox", prompt="query: "))
        np.testing.assert_array_equal(prompted, other.embed("query: a red fox"))
        assert np.abs(prompted - other.embed("a red fox")).max() > 1e-3
        with pytest.raises(WgptError, match="unknown prompt_name 'question'; the model's files have: query, passage"):
            other.embed("a", prompt_name="question")
        with pytest.raises(WgptError, match="exclude each other"):
            other.embed("a", prompt_name="query", prompt="query: ")
        with pytest.raises(WgptError, match="not before token ids"):
            other.embed([1, 2], prompt_name="query")


def test_texts_have_special_tokens(bert: Model) -> None:
    ids = bert.ids("the cat")
    assert [bert.tokenizer.token(i) for i in ids] == ["[CLS]", "the", "cat", "[SEP]"]
    one = bert.embed("the cat")
    np.testing.assert_allclose(bert.embed(["the cat", "a dog"])[0], one, atol=1e-6)
    np.testing.assert_allclose(bert.embed(ids), one, atol=1e-6)


def test_long_texts_are_refused_or_cut(bert: Model) -> None:
    long = "fox " * 100
    with pytest.raises(ContextError, match="102 tokens, but the context length is 48"):
        bert.embed(long)
    cut = [bert.tokenizer.token(i) for i in bert._prompts.cut(bert.ids(long), bert.ids(long))]
    assert cut == ["[CLS]", *["fox"] * 46, "[SEP]"]
    np.testing.assert_allclose(bert.embed(long, truncate=True), bert.embed("fox " * 46), atol=1e-6)


def test_encoders_do_not_generate(bert: Model, tmp_path: Path) -> None:
    message = r"the model is an encoder \(bert\): it turns texts into vectors \(embed\), but generates no text"
    for call in (
        lambda: bert.generate("a"),
        lambda: bert.chat("a"),
        lambda: "".join(bert.stream("a")),
        lambda: bert.logits("a"),
        lambda: bert.logprobs("a b"),
        lambda: bert.perplexity("a b"),
        lambda: bert.finetune([{"prompt": "a", "completion": "b"}]),
        lambda: bert.classify("a") if bert.classes else bert.generate("a"),
    ):
        with pytest.raises(WgptError, match=message):
            call()
    with pytest.raises(WgptError, match="LoRA adapters are unsupported for encoders"):
        bert.attach(tmp_path)
    with Engine(bert) as engine, pytest.raises(WgptError, match=message):
        engine.submit("a")


@pytest.mark.parametrize("option", [{"cache": "f32"}, {"cache_bytes": 1 << 20}, {"deterministic": True}])
def test_options_without_use_are_refused(option: dict[str, object], device: GpuDevice) -> None:
    with pytest.raises(WgptError, match=f"{next(iter(option))}: the model is an encoder, which has no KV cache"):
        load(golden("bert").folder, device=device, **option)  # type: ignore[arg-type]


def test_an_engine_takes_texts_from_all_sides(bert: Model) -> None:
    with Engine(bert) as engine:
        requests = [engine.embed(text) for text in SENTENCES]
        for text, request in zip(SENTENCES, requests, strict=True):
            result = request.result()
            np.testing.assert_allclose(result.vector, bert.embed(text), atol=1e-5)
            assert result.prompt_tokens == len(bert.ids(text))
        assert engine.health.alive and engine.health.waiting == 0


@pytest.mark.parametrize("name", ["bert", "modernbert"])
def test_converted_weights(name: str, device: GpuDevice) -> None:
    truth = golden(name)
    with load(truth.folder, dtype="q8_0", device=device) as model:
        assert TOLERANCE < error(model.embed(truth.ids, pooling="mean", normalise=False), truth.mean) < 0.05


def test_layers_in_host_memory(device: GpuDevice, host_memory: None) -> None:
    truth = golden("modernbert")  # four layers
    with load(truth.folder, resident=1, device=device) as model:
        assert model.network.uploads
        assert error(model.embed(truth.ids, pooling="mean", normalise=False), truth.mean) < TOLERANCE


def test_waiting_texts_are_cancelled_refused_and_ended(bert: Model) -> None:
    ids = bert.ids("the cat")
    engine = bert._engines.open_encoder(max_queue=3)
    with engine.paused():
        waiting = engine.embed([ids] * 3)
        with pytest.raises(QueueFullError, match="3 requests are waiting, and max_queue is 3"):
            engine.embed([ids])
        waiting[0].cancel()
        assert (engine.health.waiting, engine.busy) == (2, True)
    np.testing.assert_allclose(waiting[1].result().vector, bert.embed(ids, pooling="mean"), atol=1e-5)
    with pytest.raises(RequestCancelledError):
        waiting[0].result()
    waiting[2].wait()
    with engine.paused():
        late = engine.embed([ids])[0]
        engine.close("it is late")
    with pytest.raises(EngineError, match="it is late"):
        late.result()
    with pytest.raises(EngineError, match="it is late"):
        engine.embed([ids])


def test_the_first_in_priority_is_the_first(bert: Model) -> None:
    engine = bert._engines.open_encoder(max_batch=1)
    with engine.paused():
        later, sooner = (engine.embed([[5] * n], priority=p)[0] for n, p in ((3, 2), (4, 1)))
        first = engine._next()
    assert [len(job.text) for job in first] == [4, 3]
    assert sooner.result().prompt_tokens == 4 and later.result().prompt_tokens == 3
    engine.close()


def test_threads(bert: Model) -> None:
    expected = bert.embed(SENTENCES)
    with ThreadPoolExecutor(4) as threads:
        vectors = list(threads.map(lambda i: bert.embed(SENTENCES[i % 4]), range(16)))
    for i, vector in enumerate(vectors):
        np.testing.assert_allclose(vector, expected[i % 4], atol=1e-5)


def test_rerank(cross: Model) -> None:
    ranked = cross.rerank("what is blue", SENTENCES)
    assert sorted(each.index for each in ranked) == [0, 1, 2, 3]
    assert [each.score for each in ranked] == sorted((each.score for each in ranked), reverse=True)
    for each in ranked:
        ids, types = cross.tokenizer.encode_pair("what is blue", SENTENCES[each.index])
        expected = EncoderRunner(cross.network).scores([Text(ids, types)])[0, 0]
        assert each.logit == pytest.approx(expected, abs=1e-5)
        assert each.score == pytest.approx(1 / (1 + np.exp(-expected)), abs=1e-6)
        assert each.tokens == len(ids) and sum(types) == len(cross.ids(SENTENCES[each.index])) - 1
    assert cross.rerank("what is blue", SENTENCES, top=2) == ranked[:2]
    assert cross.rerank("what", []) == []
    assert cross.rerank("what is blue", ["fox " * 100], truncate=True)[0].tokens == 64
    with pytest.raises(ContextError, match="query with the text has 104 tokens"):
        cross.rerank("what", ["fox " * 100])
    with Engine(cross) as engine, pytest.raises(WgptError, match="cache_salt"):
        engine.rerank("what", [], cache_salt=-1.5)  # type: ignore[arg-type]


def test_what_cannot_rerank_says_so(bert: Model) -> None:
    with pytest.raises(WgptError, match="cannot rerank: it has no classification head"):
        bert.rerank("a", ["b"])


BROKEN = {
    "a list of nothing": ("modules.json", "{}", "not a list of modules"),
    "no JSON": ("modules.json", "[", "is not JSON"),
    "a path outside": ("modules.json", '[{"type": "x.Pooling", "path": "../../etc"}]', "not a module"),
    "a default that is not there": (
        "config_sentence_transformers.json",
        '{"prompts": {}, "default_prompt_name": "query"}',
        "which is not among its prompts",
    ),
    "a length of nothing": ("sentence_bert_config.json", '{"max_seq_length": 0}', "not a number of tokens"),
}


@pytest.mark.parametrize(("name", "text", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_files(name: str, text: str, message: str, tmp_path: Path) -> None:
    copied(tmp_path, **{name: text})
    with pytest.raises(FormatError, match=message):
        of_folder(tmp_path)


def copied(folder: Path, **changed: str) -> None:
    """The files of sentence-transformers, some of them changed."""
    for path in golden("bert").folder.rglob("*.json"):
        place = folder / path.relative_to(golden("bert").folder)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(path.read_bytes())
    for name, text in changed.items():
        (folder / name).write_text(text)


UNSUPPORTED = {
    "another pooling": ("1_Pooling/config.json", '{"pooling_mode_max_tokens": true}', "pools by"),
    "two poolings": (
        "1_Pooling/config.json",
        '{"pooling_mode_cls_token": true, "pooling_mode_lasttoken": true}',
        "pools by",
    ),
    "without its prompt": (
        "1_Pooling/config.json",
        '{"pooling_mode": "mean", "include_prompt": false}',
        "include_prompt",
    ),
    "another module": ("modules.json", '[{"type": "sentence_transformers.models.LSTM", "path": "x"}]', "'LSTM'"),
}


@pytest.mark.parametrize(("name", "text", "message"), UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_other_ways_of_pooling_are_named(name: str, text: str, message: str, tmp_path: Path, bert: Model) -> None:
    copied(tmp_path, **{name: text})
    settings = of_folder(tmp_path)
    assert message in settings.unsupported
    usual, bert._prompts.sentences = bert.sentences, settings
    try:
        with pytest.raises(WgptError, match="choose a pooling"):
            bert.embed("a")
        assert bert.embed("a", pooling="mean").shape == (32,)
    finally:
        bert._prompts.sentences = usual


# GGUF files -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in ("bert-cross", "modernbert-biased", "bert-tanh", "embeddinggemma")]
)
def test_gguf_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    """The same from a GGUF file. BERT's own head has no place there, and neither have biases of ModernBERT."""
    truth = golden(name)
    config = json.loads((truth.folder / "config.json").read_text())
    write_gguf(tmp_path / "model.gguf", config, read_safetensors(truth.folder / "model.safetensors"), pooling_type=2)
    with load(tmp_path / "model.gguf", tokenizer=truth.folder, device=device) as model:
        for ids, expected in zip(truth.ids, truth.hidden, strict=True):
            assert error(model.hidden(ids), expected) < TOLERANCE
        assert error(model.embed(truth.ids, normalise=False), truth.cls) < TOLERANCE
        if truth.scores is not None:
            scores = EncoderRunner(model.network).scores([Text(ids) for ids in truth.ids])
            assert error(scores, truth.scores) < TOLERANCE
