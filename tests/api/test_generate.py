"""The options of `generate`, against a slow implementation with the NumPy reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.models.golden import Golden
from tests.models.vocabulary import EOS, SIZE, byte_symbols, tokens
from wgpt import Engine, Model, WgptError, load
from wgpt.engine.errors import ContextError
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.gpu import GpuDevice
from wgpt.models import reference

pytestmark = pytest.mark.gpu
PROMPT = [5, 44, 130, 7, 201, 90, 33, 12]
OTHERS = [[9, 44], [300], [17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34]]
# Only tokens of plain letters, so that texts are easy to cut.
LETTERS = {i: -1000.0 for i, token in enumerate(tokens()) if not (token.isascii() and token.isalpha())}


def slowly(truth: Golden, prompt: list[int], count: int, choose: Callable[[np.ndarray, list[int]], int]) -> list[int]:
    """`count` tokens, each chosen from the logits of all tokens before it."""
    ids = list(prompt)
    for _ in range(count):
        ids.append(choose(reference.logits(truth.config, truth.weights, ids)[-1], ids))
    return ids[len(prompt) :]


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_max_tokens(shared: Model, truth: Golden, count: int) -> None:
    run = truth.runs[1]
    completion = shared.generate(run.ids, max_tokens=count, ignore_eos=True)
    assert (completion.ids, completion.reason) == (run.greedy[:count], "length")
    assert completion.text == str(completion) == shared.tokenizer.decode(run.greedy[:count])
    assert 0 < completion.first_token_s <= completion.seconds


def test_a_token_that_ends_the_text(shared: Model) -> None:
    completion = shared.generate(PROMPT, logit_bias={EOS: 100.0})
    assert (completion.ids, completion.text, completion.reason) == ([EOS], "", "eos")
    completion = shared.generate(PROMPT, logit_bias={EOS: 100.0}, ignore_eos=True, max_tokens=5)
    assert (completion.ids, completion.text, completion.reason) == ([EOS] * 5, "", "length")


@pytest.mark.parametrize("banned", [-100.0, -np.inf])
def test_logit_bias_bans(shared: Model, truth: Golden, banned: float) -> None:
    bias = np.zeros(SIZE)
    bias[truth.runs[1].greedy[:2]] = banned
    completion = shared.generate(truth.runs[1].ids, logit_bias=dict(enumerate(bias)), max_tokens=8, ignore_eos=True)
    assert completion.ids == slowly(truth, truth.runs[1].ids, 8, lambda logits, _: int((logits + bias).argmax()))
    assert completion.ids != truth.runs[1].greedy[:8]


@pytest.mark.full
@pytest.mark.parametrize("penalty", [1.3, 5.0])
def test_repetition_penalty_counts_the_prompt(shared: Model, truth: Golden, penalty: float) -> None:
    """Also where the cache holds the prompt from before."""

    def penalised(prompt: list[int], uncounted: int) -> list[int]:
        def choose(logits: np.ndarray, before: list[int]) -> int:
            repeated = np.isin(np.arange(SIZE), before[uncounted:])
            return int(np.where(repeated, np.where(logits > 0, logits / penalty, logits * penalty), logits).argmax())

        return slowly(truth, prompt, 8, choose)

    rng = np.random.default_rng(3)
    prompts = (rng.integers(0, SIZE, 40).tolist() for _ in range(50))
    prompt = next(p for p in prompts if penalised(p, 0) != penalised(p, len(p)))
    options = {"repetition_penalty": penalty, "max_tokens": 8, "ignore_eos": True}
    assert shared.generate(prompt, **options).ids == penalised(prompt, 0)
    again = shared.generate(prompt, **options)
    assert (again.ids, again.cached_tokens) == (penalised(prompt, 0), len(prompt) - 1)


def test_seeds(shared: Model) -> None:
    options = {"temperature": 1.0, "max_tokens": 24, "ignore_eos": True}
    completions = [shared.generate(PROMPT, seed=seed, **options).ids for seed in (1, 2, 1, 2**40)]
    assert completions[0] == completions[2]
    assert len({tuple(ids) for ids in completions}) == 3


def test_sequences_of_a_batch_draw_for_themselves(shared: Model) -> None:
    """Row i draws as if alone with seed + i, whatever its neighbours are."""
    options = {"temperature": 1.0, "top_k": 50, "max_tokens": 16, "ignore_eos": True}
    together = shared.generate([PROMPT, PROMPT, *OTHERS], seed=7, **options)
    assert together[0].ids != together[1].ids
    for i, prompt in enumerate([PROMPT, PROMPT, *OTHERS]):
        assert shared.generate(prompt, seed=7 + i, **options).ids == together[i].ids


def test_top_k_of_one_is_greedy(shared: Model, truth: Golden) -> None:
    run = truth.runs[2]
    for options in ({"top_k": 1}, {"top_p": 1e-6}, {"min_p": 0.999}):
        completion = shared.generate(run.ids, temperature=1.0, max_tokens=12, ignore_eos=True, **options)
        assert completion.ids == run.greedy


def test_stop_strings_within_and_across_tokens(shared: Model) -> None:
    options = {"logit_bias": LETTERS, "max_tokens": 24, "temperature": 1.0, "seed": 3}
    whole = shared.generate(PROMPT, **options)
    assert len(whole.text) >= 24 and whole.text.isalpha() and whole.reason == "length"
    for first, last in ((5, 6), (5, 9), (0, 3), (9, 16)):
        stop = whole.text[first:last]
        expected = whole.text[: whole.text.index(stop)]
        stream = shared.stream(PROMPT, stop=[stop, "\n"], **options)
        pieces = list(stream)
        assert "".join(pieces) == stream.completion.text == expected
        assert stream.completion.reason == "stop"
        assert len(stream.completion.ids) < 24
    # A stop string that does not come holds nothing back at the end.
    never = shared.generate(PROMPT, stop=whole.text[-3:] + "!", **options)
    assert (never.text, never.reason) == (whole.text, "length")


def test_one_of_a_batch_stops_early(shared: Model) -> None:
    options = {"logit_bias": LETTERS, "max_tokens": 16, "temperature": 1.0, "seed": 3}
    alone = shared.generate([PROMPT, *OTHERS], **options)
    stop = alone[1].text[4:7]
    together = shared.generate([PROMPT, *OTHERS], stop=[stop], **options)
    assert together[1].reason == "stop" and len(together[1].ids) < 16
    for completion, whole in zip(together, alone, strict=True):
        assert whole.ids[: len(completion.ids)] == completion.ids
        assert completion.text == whole.text.split(stop)[0]


def test_streams_show_whole_characters(shared: Model) -> None:
    """Bytes of é and of 🙂 as tokens of their own."""
    symbols = byte_symbols()
    ids = [tokens().index(symbols[byte]) for byte in "é🙂".encode()]
    bias = {i: 0.0 if i in ids else -1000.0 for i in range(SIZE)}
    stream = shared.stream(PROMPT, max_tokens=100, temperature=3.0, seed=4, logit_bias=bias)
    pieces = list(stream)  # of as many tokens as came meanwhile
    assert any("é" in piece for piece in pieces) and len(pieces) < 100
    assert "".join(pieces) == stream.completion.text == shared.tokenizer.decode(stream.completion.ids)


def test_a_context_that_is_full_is_refused(short: Model, truth: Golden) -> None:
    """The last token needs no place in the cache."""
    run = truth.runs[2]
    completion = short.generate(run.ids, max_tokens=60, ignore_eos=True)
    assert (completion.ids, completion.reason) == (run.greedy[: 48 - 41 + 1], "context")
    full = short.generate([*run.ids, *run.greedy[:7]], max_tokens=60, ignore_eos=True)
    assert (full.ids, full.reason) == (run.greedy[7:8], "context")


def test_a_context_that_is_full_slides(short: Model, truth: Golden) -> None:
    """Whenever the context is full, the newer half is kept and read again."""
    window = expected = list(truth.runs[2].ids)
    for _ in range(60):
        window = window[-24:] if len(window) > 48 else window
        token = int(reference.logits(truth.config, truth.weights, window)[-1].argmax())
        window, expected = [*window, token], [*expected, token]
    completion = short.generate(truth.runs[2].ids, max_tokens=60, ignore_eos=True, overflow="slide")
    assert (completion.ids, completion.reason) == (expected[41:], "length")


@pytest.mark.parametrize(("keep", "kept"), [(5, 5), (48, 24)])
def test_what_is_kept_when_a_context_slides(short: Model, truth: Golden, keep: int, kept: int) -> None:
    """The first tokens, at most half of the context, and the newer half of what else there is room for."""
    window = expected = list(truth.runs[2].ids)
    for _ in range(60):
        window = [*window[:kept], *window[-((48 - kept) // 2) :]] if len(window) > 48 else window
        token = int(reference.logits(truth.config, truth.weights, window)[-1].argmax())
        window, expected = [*window, token], [*expected, token]
    completion = short.generate(truth.runs[2].ids, max_tokens=60, ignore_eos=True, overflow="slide", keep=keep)
    assert (completion.ids, completion.reason) == (expected[41:], "length")


def test_a_chat_that_slides_keeps_its_system_prompt(shared: Model) -> None:
    model = Model(shared.network, shared.tokenizer, cache="f32", context=160)
    talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is the colour of the sea?"}]
    other = [talk[0], {"role": "user", "content": "And of the sky?"}]
    ids, others = model.chat_ids(talk), model.chat_ids(other)
    keep = next(i for i, (a, b) in enumerate(zip(ids, others, strict=False)) if a != b)
    options = {"max_tokens": 200, "ignore_eos": True, "overflow": "slide"}
    expected = model.generate(ids, **options, keep=keep).ids
    assert model.chat(talk, **options).ids == expected != model.generate(ids, **options).ids
    with Engine(model, context=160) as engine:
        assert engine.chat(talk, **options).result().ids == expected


def test_one_of_a_batch_slides(short: Model, truth: Golden) -> None:
    prompts = [truth.runs[2].ids, [300]]
    options = {"max_tokens": 30, "ignore_eos": True, "overflow": "slide"}
    together = short.generate(prompts, **options)
    assert [completion.ids for completion in together] == [short.generate(prompt, **options).ids for prompt in prompts]


def test_a_sequence_takes_pages_as_it_grows(shared: Model, truth: Golden) -> None:
    """As many as its tokens need, and they are free for others in the end."""
    run, engine = truth.runs[2], shared._engines.generator()
    shared.forget()
    stream = shared.stream(run.ids, max_tokens=200, ignore_eos=True)
    used = set()
    for _ in stream:
        used.add(engine.pages.used)
    assert stream.completion.ids[:12] == run.greedy and len(stream.completion.ids) == 200
    assert max(used) <= -(-(len(run.ids) + 199) // 64) == 4
    assert engine.pages.used == 0 and engine.pages.free == engine.pages.usable


def test_sequences_that_need_more_pages_than_there_are(truth: Golden, device: GpuDevice) -> None:
    """They give way to each other and are recomputed: the texts are those of each alone."""
    prompts = [[5 + i, 44, 130, 7] for i in range(4)]
    options = {"max_tokens": 200, "ignore_eos": True}
    with load(truth.folder, cache="f32", device=device) as model:
        expected = [model.generate(prompt, **options).ids for prompt in prompts]
        page = model._engines.generator().runner.cache.nbytes // model._engines.generator().pages.count
    with load(truth.folder, cache="f32", device=device, cache_bytes=8 * page) as model:
        assert [each.ids for each in model.generate(prompts, **options)] == expected
        engine = model._engines.generator()
        assert engine.pages.usable == 7 and engine.health.preemptions > 0 and engine.pages.used == 0


def test_chats_are_read_from_where_they_went_on(shared: Model) -> None:
    def model() -> Model:
        return Model(shared.network, shared.tokenizer, cache="f32")

    talk = [{"role": "user", "content": "What is the colour of the sea?"}]
    first, second = model(), model()
    answer = first.chat(talk, max_tokens=16, logit_bias=LETTERS)
    talk += [{"role": "assistant", "content": answer.text}, {"role": "user", "content": "And of the sky?"}]
    after, anew = (m.chat(talk, max_tokens=16, logit_bias=LETTERS) for m in (first, second))
    assert (after.ids, anew.cached_tokens) == (anew.ids, 0)
    assert after.cached_tokens > 40


def test_steps_queued_or_one_at_a_time(shared: Model, truth: Golden) -> None:
    def drawn(queued: int) -> list[int]:
        with FixedBatch(shared.network, 64, cache="f32") as batch:
            batch.start({0: truth.runs[1].ids})
            ids: list[int] = []
            for _ in range(12 // queued):
                pending = [batch.step() for _ in range(queued)]
                ids += [int(step.result()["tokens"][0]) for step in pending]
            return ids

    assert drawn(1) == drawn(2) == drawn(6) == truth.runs[1].greedy


def test_kinds_of_prompts(shared: Model, truth: Golden) -> None:
    ids = shared.tokenizer.encode("the sea and the land")
    options = {"max_tokens": 6, "ignore_eos": True}
    expected = shared.generate(ids, **options).ids
    for same in ("the sea and the land", tuple(ids), np.array(ids), np.array(ids, np.uint16)):
        assert shared.generate(same, **options).ids == expected
    for several in (["the sea and the land"], [ids], np.array([ids, ids])):
        completions = shared.generate(several, **options)
        assert [completion.ids for completion in completions] == [expected] * len(several)


@pytest.mark.parametrize("options", [{}, {"repetition_penalty": 1.1}])
@pytest.mark.parametrize("wrong", [-1, SIZE, 2**32, 2**70])
def test_token_ids_out_of_range(shared: Model, wrong: int, options: dict[str, float]) -> None:
    with pytest.raises(ContextError, match=f"token id {wrong} is outside the vocabulary of 320"):
        shared.generate([4, wrong, 5], **options)
    with pytest.raises(ContextError, match=f"token id {wrong} is outside the vocabulary of 320"):
        shared.stream([4, wrong, 5], **options)
    with pytest.raises(ContextError, match=f"token id {wrong} is outside the vocabulary of 320"):
        shared.logits([4, wrong, 5])


@pytest.mark.parametrize("empty", ["", [], [[]], ["", "x"], [[4], []]])
def test_empty_prompts(shared: Model, empty: object) -> None:
    with pytest.raises(ContextError, match="prompt"):
        shared.generate(empty)


def test_prompts_beyond_the_context(short: Model) -> None:
    with pytest.raises(ContextError, match="the prompt has 49 tokens, but the context length is 48"):
        short.generate([5] * 49)
    with pytest.raises(ContextError, match="the prompt has 49 tokens, but the context length is 48"):
        short.generate([[5], [5] * 49], overflow="slide")
    with pytest.raises(ContextError, match="49 tokens, but the context length is 48"):
        short.logits([5] * 49)
    assert short.generate([5] * 48).reason in ("context", "eos")
    assert short.perplexity([5, 6, 7] * 40) > 1  # in pieces


WRONG = [{"max_tokens": 0}, {"overflow": "wrap"}, {"temperature": -1.0}, {"logit_bias": {SIZE: 1.0}}, {"stop": [""]}]


@pytest.mark.parametrize("options", WRONG)
def test_options_that_make_no_sense(shared: Model, options: dict[str, object]) -> None:
    with pytest.raises(WgptError):
        shared.generate(PROMPT, **options)
