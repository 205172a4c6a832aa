"""Grammars in the engine: every token is the likeliest that the grammar allows, whatever else runs beside it."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import numpy as np
import pytest

from wgpt import Engine, Grammar, GrammarError, Model, Request, WgptError
from wgpt.engine.grammar import fill_masks, started
from wgpt.engine.memory import page_bytes
from wgpt.gpu import Program

pytestmark = pytest.mark.gpu

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"type": "integer", "maximum": 150}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
GRAMMARS = {
    "words": Grammar.regex("[a-z ]{5,40}"),
    "choice": Grammar.regex("yes|no|perhaps not"),
    "json": Grammar.json_schema(PERSON),
    "nested": Grammar.lark('start: "(" start ")" | "x"'),
}
PROMPT = [17, 33, 250, 4, 99]


def test_each_token_is_the_likeliest_of_those_allowed(model: Model) -> None:
    for name, grammar in GRAMMARS.items():
        completion = model.generate(PROMPT, grammar=grammar, max_tokens=30)
        logits = model.logits([*PROMPT, *completion.ids])[len(PROMPT) - 1 :]
        matcher = started(grammar, model.tokenizer, model.config.vocab)
        for row, token in enumerate(completion.ids):
            allowed = np.unpackbits(matcher.mask.view(np.uint8), bitorder="little")[: model.config.vocab] == 1
            scores = np.where(allowed, logits[row], -np.inf)
            assert allowed[token], (name, row)
            assert scores[token] >= scores.max() - 1e-4, (name, row)  # equal but for the order of additions
            matcher.accept(token)
            fill_masks([matcher])


def test_texts_are_given_out_while_a_gpu_works(model: Model) -> None:
    """Not between the end of one step and the submit of the next one, where the GPU would wait."""
    under_way = list[bool]()
    with Engine(model, on_turn=lambda: under_way.append(bool(generator._loop._flight))) as engine:
        generator = engine._core
        generator._blocks = False  # as on a GPU
        engine.submit(PROMPT, grammar=GRAMMARS["words"], max_tokens=12).result()
    assert len(under_way) > 12 and under_way.count(False) == 1 and not under_way[-1]


@pytest.mark.parametrize("least_rows", [1, 2])  # of a Program: one of more rows is used while that of one is recorded
def test_commands_are_recorded_ahead_as_on_a_gpu(
    model: Model, monkeypatch: pytest.MonkeyPatch, least_rows: int
) -> None:
    """The next forward's, while its token is awaited."""
    jobs = [(GRAMMARS["words"], {}), (GRAMMARS["json"], {"temperature": 0.8, "seed": 4, "logprobs": 1})]
    expected = [model.generate(PROMPT, grammar=g, max_tokens=40, **more).ids for g, more in jobs]
    monkeypatch.setattr("wgpt.gpu.program.when", lambda dispatches, _: "busy" if dispatches < 4 else "pipelined")
    monkeypatch.setattr("wgpt.engine.runner.BUCKETS", (least_rows, 4))
    used, prepared_for = list[bool](), Program._prepared_for

    def note(program: Program, *asked: Any) -> Any:
        prepared = prepared_for(program, *asked)
        used.append(prepared is not None)
        return prepared

    monkeypatch.setattr(Program, "_prepared_for", note)
    with Engine(model, max_batch=3) as engine:
        for together in (False, True, False):
            used.clear()
            requests = list[Request]()
            for grammar, more in jobs:
                requests.append(engine.submit(PROMPT, grammar=grammar, max_tokens=40, **more))
                if not together:
                    requests[-1].wait()
            assert [request.result().ids for request in requests] == expected
            assert together or used.count(True) >= sum(map(len, expected)) - 4
        buffers = model.device.buffers_in_use
        for _ in range(2):
            assert engine.submit(PROMPT, grammar=jobs[0][0], max_tokens=40).result().ids == expected[0]
        assert model.device.buffers_in_use <= buffers
        cancelled = engine.submit(PROMPT, grammar=jobs[0][0], max_tokens=40)
        cancelled.cancel()
        assert cancelled.result().ids == expected[0][: len(cancelled.result().ids)]
        assert engine.submit(PROMPT, grammar=jobs[1][0], max_tokens=40, **jobs[1][1]).result().ids == expected[1]


def test_the_text_fits_the_grammar(model: Model) -> None:
    texts = {name: model.generate(PROMPT, grammar=g, temperature=1.0, seed=3) for name, g in GRAMMARS.items()}
    person = json.loads(texts["json"].text)
    assert set(person) == {"name", "age"} and len(person["name"]) <= 9 and person["age"] <= 150
    assert texts["choice"].text in ("yes", "no", "perhaps not")
    assert 5 <= len(texts["words"].text) <= 40
    assert texts["choice"].reason == "stop"  # nothing may follow
    assert all(c.reason in ("stop", "eos") for name, c in texts.items() if name != "nested")


@pytest.mark.full
@pytest.mark.parametrize("deterministic", [False, True])
def test_beside_others_with_cancels_and_few_pages(model: Model, deterministic: bool) -> None:
    rng = random.Random(8)
    names = [None, *GRAMMARS]
    jobs = []
    for i in range(30):
        grammar = GRAMMARS.get(names[i % len(names)] or "")
        end = {"grammar": grammar} if grammar is not None else {"ignore_eos": True}
        prompt = [rng.randrange(3, 300) for _ in range(rng.randrange(1, 150))]
        jobs.append((prompt, {"max_tokens": rng.randrange(1, 60), "temperature": 0.8 * (i % 2), "seed": i, **end}))
    memory = 9 * page_bytes(model.config, "f32")
    with Engine(model, max_batch=6, cache_bytes=memory, deterministic=deterministic) as engine:
        alone = [engine.submit(prompt, **options).result().ids for prompt, options in jobs]
        requests = []
        for prompt, options in jobs:
            requests.append(engine.submit(prompt, **options))
            if rng.random() < 0.15:
                rng.choice(requests).cancel()
            time.sleep(rng.random() * 0.005)
        for request, expected in zip(requests, alone, strict=True):
            completion = request.result(timeout=60)
            cancelled = completion.reason == "cancelled"
            assert completion.ids == (expected[: len(completion.ids)] if cancelled else expected)
        health = engine.health
        assert health.alive and health.pages_used == 0 and health.running == health.waiting == 0


def test_a_full_context_ends_it_where_it_ends_others(model: Model) -> None:
    prompt = [5 + i % 200 for i in range(model.context - 9)]
    free = model.generate(prompt, ignore_eos=True, max_tokens=50)
    never_ending = {"grammar": Grammar.regex("(?s:.*)"), "logit_bias": {0: -np.inf, 2: -np.inf}}
    guided = model.generate(prompt, max_tokens=50, **never_ending)
    assert guided.reason == free.reason == "context"
    assert len(guided.ids) == len(free.ids)


def test_other_options_hold_as_well(model: Model) -> None:
    words = Grammar.regex("[a-z]+")
    plain = model.generate(PROMPT, grammar=words, max_tokens=8, logprobs=3)
    assert len(plain.ids) == len(plain.logprobs) == 8 and all(len(top) == 3 for top in plain.top_logprobs)
    assert plain.reason == "length"
    biased = model.generate(PROMPT, grammar=words, max_tokens=8, logit_bias={plain.ids[0]: -np.inf})
    assert plain.ids[0] not in biased.ids
    stopped = model.generate(PROMPT, grammar=words, max_tokens=8, stop=plain.text[2:4])
    assert stopped.reason == "stop" and stopped.text == plain.text[: plain.text.index(plain.text[2:4])]
    samples = model.generate(PROMPT, grammar=words, max_tokens=8, temperature=1.5, seed=1, n=3)
    assert len({tuple(s.ids) for s in samples}) > 1 and all(s.text.isalpha() for s in samples)


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        (Grammar.regex("[a-"), "unclosed character class"),
        (Grammar.regex("(?=a)b"), "look-around"),
        (Grammar.lark("start: missing"), "missing"),
        (Grammar.json_schema({"type": "object", "unevaluatedItems": False}), "unevaluatedItems"),
        (Grammar.json_schema({"if": {}, "x-guidance": {"lenient": True}}), '"if"'),
        (Grammar.json_schema({"type": "objekt"}), "objekt"),
        (Grammar.json_schema({"$ref": "https://example.org/schema"}), "example.org"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(model: Model, grammar: Grammar, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        model.generate(PROMPT, grammar=grammar)


def test_options_that_exclude_a_grammar(model: Model) -> None:
    words = Grammar.regex("[a-z]+")
    for name, value in (("ignore_eos", True), ("min_tokens", 3)):
        with pytest.raises(WgptError, match=name):
            model.generate(PROMPT, grammar=words, **{name: value})
    with pytest.raises(WgptError, match="grammar must be"):
        model.generate(PROMPT, grammar="[a-z]+")
    with pytest.raises(GrammarError, match="not valid JSON"):
        Grammar.json_schema("{")


def test_a_grammar_that_becomes_too_complex_fails_alone(model: Model) -> None:
    """After "{", llguidance has more items than it allows."""
    objects = [{"type": "object", "properties": {f"{k}{i}": {} for k in "ab"}} for i in range(400)]
    with Engine(model) as engine:
        other = engine.submit(PROMPT, max_tokens=20, ignore_eos=True)
        with pytest.raises(GrammarError, match=r"too complex to go on with this text: .* items; .*; simplify it"):
            engine.submit(PROMPT, grammar=Grammar.json_schema({"anyOf": objects})).result()
        assert len(other.result().ids) == 20 and engine.health.pages_used == 0


def test_a_grammar_whose_masks_take_too_long_is_found_among_others(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    matchers = [started(grammar, model.tokenizer, model.config.vocab) for grammar in GRAMMARS.values()]
    monkeypatch.setattr("wgpt.engine.grammar._SUSPICIOUS_SECONDS", 0.0)
    fill_masks(matchers)  # together: one of them was slow
    masks = [matcher.mask.copy() for matcher in matchers]
    for matcher in matchers:
        matcher.check()
    monkeypatch.setattr("wgpt.engine.grammar._MOST_SECONDS", 0.0)
    for each in ([matchers[0]], matchers):
        fill_masks(each)  # one by one
    for matcher, mask in zip(matchers, masks, strict=True):
        assert np.array_equal(matcher.mask, mask)
        with pytest.raises(GrammarError, match=r"next tokens took 0\.\d s, and at most 0 s are allowed; simplify it"):
            matcher.check()


def test_a_grammar_that_leaves_no_token_fails_alone(model: Model) -> None:
    only_a = next(i for i in range(model.config.vocab) if model.tokenizer.decode([i]) == "a")
    with Engine(model) as engine:
        other = engine.submit(PROMPT, max_tokens=20, ignore_eos=True)
        stuck = engine.submit(PROMPT, grammar=Grammar.regex("a"), logit_bias={only_a: -np.inf})
        with pytest.raises(GrammarError, match="the grammar and logit_bias allow no token"):
            stuck.result()
        assert len(other.result().ids) == 20
        assert engine.health.pages_used == 0
