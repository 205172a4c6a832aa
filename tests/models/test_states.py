"""Models whose layers have states: as transformers computes them, together, in chunks, and after preemption."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import Engine, Model, WgptError, load
from wgpt.core.errors import PreconditionError
from wgpt.core.sizes import PAGE
from wgpt.engine.draft import DraftModel
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.engine.memory import most_states, page_bytes
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.safetensors_write import write_safetensors
from wgpt.formats.write_gguf import write_gguf as write_model_as_gguf
from wgpt.formats.write_model import check_writable
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.targets import check_trainable
from wgpt.web.errors import WebExportError
from wgpt.web.site import _check_family

from . import golden
from .compare import CHOICES, TOLERANCE, error
from .expert_files import stacked
from .golden import Golden
from .state_files import write_states
from .vocabulary import write_tokenizer

NAMES = tuple(sorted(path.parent.name for path in (golden.FOLDER / "states").glob("*/config.json")))
LONG = {"max_tokens": 60, "ignore_eos": True}
EACH = pytest.mark.parametrize("name", NAMES)
IN_TURNS = [name if name == "lfm2" else pytest.param(name, marks=pytest.mark.full) for name in NAMES]


@pytest.fixture(scope="module", params=IN_TURNS)
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden.load(request.param, "states")
    with load(truth.folder, cache="f32", dtype="f32", device=device) as model:
        yield truth, model


@EACH
def test_the_reference(name: str) -> None:
    truth = golden.load(name, "states")
    for run in truth.runs[1:]:
        assert error(reference.logits(truth.config, truth.weights, run.ids), run.logits) < 1e-5
        assert error(reference.hidden(truth.config, truth.weights, run.ids), run.hidden) < 1e-5


@pytest.mark.gpu
def test_logits_and_tokens(case: tuple[Golden, Model]) -> None:
    """Of whole prompts, and of single steps after them; together, and one by one."""
    truth, model = case
    for run in truth.runs:
        assert error(model.logits(run.ids), run.logits) < TOLERANCE
    assert error(model.hidden(truth.runs[1].ids), truth.runs[1].hidden) < TOLERANCE
    prompts, greedy = [truth.runs[i].ids for i in (1, 0, 2)], [truth.runs[i].greedy for i in (1, 0, 2)]
    assert [completion.ids for completion in model.generate(prompts, **CHOICES)] == greedy
    assert model.generate(prompts[2], **CHOICES).ids == greedy[2]


@pytest.mark.gpu
def test_chunks_of_prompts(case: tuple[Golden, Model]) -> None:
    """Chunks of 16 rows, of one sequence and of two at once, and a slot's next sequence beside one that goes on."""
    truth, model = case
    first, second = truth.runs[2], truth.runs[1]
    with FixedBatch(model.network, 64, 2, "f32", logits=True) as batch:
        batch.chunk = 16
        batch.start({0: first.ids, 1: second.ids})
        step = batch.step().result()
        assert step["tokens"].tolist() == [first.greedy[0], second.greedy[0]]
        for i, run in enumerate((first, second)):
            assert error(step["logits"][i], run.logits[-1]) < TOLERANCE
        batch.forget(1)
        batch.start({1: first.ids[:1]})
        batch.forget(1)
        batch.start({1: second.ids})
        assert batch.step().result()["tokens"].tolist() == [first.greedy[1], second.greedy[0]]
        with pytest.raises(WgptError, match="cannot be shortened to 5 tokens"):
            batch.forget(0, 5)


@pytest.mark.gpu
def test_sequences_that_come_and_go(case: tuple[Golden, Model]) -> None:
    """Two slots for six sequences of different lengths, some of them samples of one prompt."""
    truth, model = case
    with Engine(model, max_batch=2) as engine:
        requests = [engine.submit(run.ids, max_tokens=5 + i, ignore_eos=True) for i, run in enumerate(truth.runs)]
        (samples,) = engine.submit_all([truth.runs[2].ids], n=3, **CHOICES)
        for i, (request, run) in enumerate(zip(requests, truth.runs, strict=True)):
            assert request.result().ids == run.greedy[: 5 + i]
        for sample in samples:
            assert sample.result().ids == truth.runs[2].greedy
            assert sample.result().cached_tokens == 0
        assert "states of 2 sequences, 4 kept" in repr(engine._core)
        scored = engine.score(truth.runs[2].ids).result()
        wide = truth.runs[2].logits[:-1].astype(np.float64)
        expected = wide[range(len(wide)), truth.runs[2].ids[1:]] - np.logaddexp.reduce(wide, axis=1)
        assert error(scored.logprobs, expected) < TOLERANCE


def talk(engine: Engine, turns: int, salt: str | None = None) -> tuple[list[list[int]], list[int], list[int]]:
    """A conversation: the tokens of each answer, how many were cached before it, and how long the context was."""
    rng, context = np.random.default_rng(7), list[int]()
    answers, cached, before = list[list[int]](), list[int](), list[int]()
    for _ in range(turns):
        before.append(len(context))
        context += rng.integers(0, 100, 13).tolist()
        said = engine.submit(context, max_tokens=17, ignore_eos=True, cache_salt=salt).result()
        answers.append(list(said.ids))
        cached.append(said.cached_tokens)
        context += said.ids
    return answers, cached, before


@pytest.mark.gpu
def test_a_conversation_reads_only_what_is_new(case: tuple[Golden, Model]) -> None:
    """Eight turns: the same tokens as without reuse, and all of a turn but less than a page is cached in the next."""
    _, model = case
    with Engine(model, max_batch=2) as engine:
        alone = list[list[int]]()
        for turns in range(1, 9):
            engine._core.forget()
            *_, last = talk(engine, turns, f"turn {turns}")[0]
            alone.append(last)
        answers, cached, before = talk(engine, 8)
        assert answers == alone
        assert all(length - PAGE - 1 <= known <= length for known, length in zip(cached, before, strict=True))
        assert cached[-1] == 192


@pytest.mark.gpu
def test_conversations_at_once_and_cancels(case: tuple[Golden, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Three conversations take turns on two slots, with fewer places than they ask for, while others are cancelled."""
    _, model = case
    monkeypatch.setattr("wgpt.engine.memory.snapshot_places", lambda config, device, slots: 3)
    rng = np.random.default_rng(3)
    system = rng.integers(0, 100, 70).tolist()
    contexts = [[*system, *rng.integers(0, 100, 5 + 40 * i).tolist()] for i in range(3)]
    with Engine(model, max_batch=2) as engine:
        for turn in range(2):
            requests = [engine.submit(context, max_tokens=20, ignore_eos=True) for context in contexts]
            engine.submit([*contexts[turn], 1, 2, 3], max_tokens=30, ignore_eos=True).cancel()
            answers = [list(request.result().ids) for request in requests]
            for i, context in enumerate(contexts):
                expected = model.generate(context, max_tokens=20, ignore_eos=True, temperature=0).ids
                assert answers[i] == list(expected), (turn, i)
                contexts[i] = [*context, *answers[i], *rng.integers(0, 100, 9).tolist()]
        assert any(request.result().cached_tokens for request in requests)


@pytest.mark.gpu
@pytest.mark.parametrize("filled", [PAGE - 1, PAGE, PAGE + 1])
def test_what_is_kept_of_a_prompt_ends_where_its_pages_do(case: tuple[Golden, Model], filled: int) -> None:
    """Not where the prompt's rest runs together with the first step. A text is read beside it, so that a chunk ends
    inside the prompt."""
    _, model = case
    rng = np.random.default_rng(1)
    first, text = rng.integers(0, 100, filled + 1).tolist(), rng.integers(0, 100, 100).tolist()
    second = [*first[:PAGE], *rng.integers(0, 100, 9).tolist()]
    with Engine(model, max_batch=2) as engine:
        with engine._core.paused():
            asked = [engine.score(text), engine.submit(first, max_tokens=4, ignore_eos=True)]
        for request in asked:
            request.result()
        options = {"max_tokens": 12, "ignore_eos": True, "logprobs": 0}
        reused = engine.submit(second, **options).result()
        engine._core.forget()
        alone = engine.submit(second, **options).result()
    assert reused.cached_tokens == PAGE and alone.cached_tokens == 0 and reused.ids == alone.ids
    assert error(np.array(reused.logprobs), np.array(alone.logprobs)) < 1e-6


@pytest.mark.gpu
def test_a_context_that_slides_twice(case: tuple[Golden, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept from the first time is not taken for what is left the second time."""
    _, model = case
    prompt = np.random.default_rng(1).integers(0, 100, 200).tolist()
    options = {"max_tokens": 200, "ignore_eos": True, "overflow": "slide", "temperature": 1.0, "seed": 5}
    with Engine(model, max_batch=2) as engine:
        reused = engine.submit(prompt, **options).result()
    with Engine(model, max_batch=2) as engine:
        pages = engine._core.pages
        match = pages.match
        monkeypatch.setattr(pages, "match", lambda context, most, keys, root: match(context, 0, keys, root))
        assert engine.submit(prompt, **options).result().ids == reused.ids


@pytest.mark.gpu
def test_rather_no_copies_than_no_engine(case: tuple[Golden, Model], monkeypatch: pytest.MonkeyPatch) -> None:
    _, model = case
    monkeypatch.setattr("wgpt.engine.memory.snapshot_places", lambda config, device, slots: 1 << 36)
    with Engine(model, max_batch=2) as engine:
        assert "no prefix cache" in repr(engine._core)
        assert talk(engine, 4)[1] == [0] * 4


@pytest.mark.gpu
def test_results_that_depend_on_nothing_reuse_nothing(case: tuple[Golden, Model]) -> None:
    _, model = case
    with Engine(model, max_batch=2, deterministic=True) as engine:
        assert "no prefix cache" in repr(engine._core)
        assert talk(engine, 4)[1] == [0] * 4


@pytest.mark.gpu
def test_after_preemption(case: tuple[Golden, Model]) -> None:
    """Four pages for two sequences of two pages that begin together: one gives way, and begins again."""
    truth, model = case
    prompts = [truth.runs[2].ids, truth.runs[1].ids + truth.runs[2].ids[:20]]
    alone = [model.generate(prompt, **LONG).ids for prompt in prompts]
    with Engine(model, max_batch=2, cache_bytes=4 * page_bytes(model.config, "f32")) as engine:
        requests = [engine.submit(prompt, **LONG) for prompt in prompts]
        assert [request.result().ids for request in requests] == alone
        assert engine.health.preemptions > 0 and engine.health.pages_used == 0


@pytest.mark.gpu
@pytest.mark.parametrize("name", IN_TURNS)
def test_gguf_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    truth = golden.load(name, "states")
    path = tmp_path / "model.gguf"
    write_states(path, truth.config, truth.weights)
    with load(path, cache="f32", device=device) as model:
        for run in truth.runs[1:]:
            assert error(model.logits(run.ids), run.logits) < TOLERANCE
        assert model.generate(truth.runs[2].ids, **CHOICES).ids == truth.runs[2].greedy
    with open_checkpoint(path) as checkpoint, pytest.raises(FormatError, match="from a GGUF file is unsupported"):
        check_writable(checkpoint, None)


@pytest.mark.gpu
@pytest.mark.full
def test_a_published_mixture(device: GpuDevice, tmp_path: Path) -> None:
    """Files on the hub have one tensor of all experts and a vision part; transformers writes a tensor for each."""
    truth = golden.load("qwen35moe", "states")
    stacks = stacked(truth.weights)
    gates = [name for name in stacks if name.endswith("experts.gate_proj.weight")]
    for gate in gates:
        both = [stacks.pop(gate), stacks.pop(gate.replace("gate_proj", "up_proj"))]
        stacks[gate.replace("gate_proj.weight", "gate_up_proj")] = np.concatenate(both, axis=1)
        down = gate.replace("gate_proj", "down_proj")
        stacks[down.removesuffix(".weight")] = stacks.pop(down)
        shared_gate = gate.replace("experts.gate_proj", "shared_expert_gate")
        stacks[shared_gate] = truth.weights[shared_gate]
    outer = {"model_type": "qwen3_5_moe", "text_config": truth.config, "vision_config": {}}
    (tmp_path / "config.json").write_text(json.dumps(outer | {"tie_word_embeddings": False}))
    nested = {name.replace("model.", "model.language_model.", 1): w for name, w in stacks.items()}
    write_safetensors(tmp_path / "model.safetensors", {name: np.ascontiguousarray(w) for name, w in nested.items()})
    write_tokenizer(tmp_path)
    with load(tmp_path, cache="f32", dtype="f32", device=device) as model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_converted_to_gguf(device: GpuDevice, tmp_path: Path) -> None:
    truth = golden.load("lfm2", "states")
    with open_checkpoint(truth.folder) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "model.gguf", "f32")
    with load(tmp_path / "model.gguf", cache="f32", device=device) as model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_what_is_refused(case: tuple[Golden, Model]) -> None:
    _, model = case
    with pytest.raises(PreconditionError, match=r"gradients through layers with states|models with experts"):
        check_trainable(model.config)
    with pytest.raises(WebExportError, match="is unsupported"):
        _check_family(model.config)
    with pytest.raises(WgptError, match=f"speculation is unsupported for {model.config.family} models"):
        Engine(model, speculation="ngram")
    with pytest.raises(WgptError, match=f"draft is unsupported for {model.config.family} models"):
        Engine(model, draft=model)
    with pytest.raises(WgptError, match="whose states cannot go back"):
        DraftModel(model.network).check(model.network, None)


@EACH
def test_states_limit_the_number_of_sequences(name: str, device: GpuDevice) -> None:
    with open_checkpoint(golden.FOLDER / "states" / name) as checkpoint:
        config = Config.of(checkpoint.config)
    assert most_states(config, device) > 1
    assert sum(each.kv_heads > 0 for each in config.cache_layers) + len(config.states) == config.layers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"conv_bias": True}, "unsupported conv_bias True; supported: False"),
        ({"layer_types": ["conv"]}, "layer_types is .*, not a list of conv or full_attention for each of 4 layers"),
        ({"layer_types": ["conv"] * 4}, "no layer has attention"),
        ({"conv_L_cache": 0}, "conv_L_cache is 0, not an integer from 2"),
        ({"conv_L_cache": 5}, r"conv\.conv\.weight is \[32, 1, 3\], not \[160\]"),
    ],
)
def test_bad_configs_are_named(change: dict[str, object], message: str, tmp_path: Path) -> None:
    shutil.copytree(golden.FOLDER / "states" / "lfm2", tmp_path / "model")
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    (tmp_path / "model" / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(FormatError, match=message):
        open_checkpoint(tmp_path / "model")
