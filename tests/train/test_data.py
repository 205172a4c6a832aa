"""JSONL to examples: learnt tokens, left-out ones, and invalid data; no GPU."""

from __future__ import annotations

import json
import time
import tracemalloc
import warnings

import numpy as np
import pytest

from tests.models.vocabulary import BOS, EOS, write_tokenizer
from wgpt.core.errors import PreconditionError
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.train.corpus import Corpus
from wgpt.train.data import Reading, load_data, order
from wgpt.train.lines import DataError, Line, read_lines

USER, ANSWER = {"role": "user", "content": "who is there"}, {"role": "assistant", "content": "it is the other one"}
AGAIN, LAST = {"role": "user", "content": "and now?"}, {"role": "assistant", "content": "nobody"}
CHAT = [USER, ANSWER, AGAIN, LAST]
# As Qwen3 does: earlier answers are rendered differently if more messages follow.
FORGETFUL = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.role == 'assistant' and loop.last %}(thinking) {% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
GLUED = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:"
    " {% endif %}"
)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tokenizer")
    write_tokenizer(folder)
    return load_tokenizer(folder)


def with_template(tokenizer, tmp_path, template):
    write_tokenizer(tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config | {"chat_template": template}))
    return load_tokenizer(tmp_path)


def write_lines(tmp_path, *lines, name="data.jsonl"):
    path = tmp_path / name
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"\n".join(encoded) + b"\n")
    return path


def learnt(tokenizer, example) -> list[str]:
    """The runs of learnt tokens, as text."""
    texts, run = [], []
    for i, learn in zip([*example.ids.tolist(), -1], [*example.learn.tolist(), False], strict=True):
        if learn:
            run.append(i)
        elif run:
            texts.append(tokenizer.decode(run, skip_special=False))
            run = []
    return texts


def test_messages_learn_every_answer_and_its_end(tokenizer, tmp_path):
    (example,) = load_data(write_lines(tmp_path, {"messages": CHAT}), tokenizer).examples
    whole = "<|im_start|>user\nwho is there<|im_end|>\n<|im_start|>assistant\nit is the other one<|im_end|>\n"
    whole += "<|im_start|>user\nand now?<|im_end|>\n<|im_start|>assistant\nnobody<|im_end|>\n"
    assert tokenizer.decode(example.ids.tolist(), skip_special=False) == whole
    assert example.ids.tolist() == tokenizer.encode(whole, special=False)
    assert learnt(tokenizer, example) == ["it is the other one<|im_end|>", "nobody<|im_end|>"]


def test_messages_last_answer_only_and_everything(tokenizer, tmp_path):
    path = write_lines(tmp_path, {"messages": CHAT})
    (last,) = load_data(path, tokenizer, Reading(answers="last")).examples
    assert learnt(tokenizer, last) == ["nobody<|im_end|>"]
    (everything,) = load_data(path, tokenizer, Reading(everything=True)).examples
    assert everything.learn.all() and everything.count == len(everything) - 1


def test_targets_are_the_tokens_that_follow(tokenizer, tmp_path):
    (example,) = load_data(write_lines(tmp_path, {"messages": CHAT[:2]}), tokenizer).examples
    targets = example.targets
    assert targets.dtype == np.int32 and targets[-1] == -1
    for i, target in enumerate(targets[:-1]):
        assert target == (example.ids[i + 1] if example.learn[i + 1] else -1)
    assert (targets >= 0).sum() == example.count == len(tokenizer.encode("it is the other one")) + 1
    # The prompt's last token predicts the answer's first.
    prompt = tokenizer.encode("<|im_start|>user\nwho is there<|im_end|>\n<|im_start|>assistant\n", special=False)
    assert (targets >= 0).nonzero()[0][0] == len(prompt) - 1


def test_completion_and_its_end(tokenizer, tmp_path):
    path = write_lines(tmp_path, {"prompt": "the sky is", "completion": " blue", "id": 7})
    (example,) = load_data(path, tokenizer).examples
    assert example.ids.tolist() == [*tokenizer.encode("the sky is blue"), EOS]
    assert learnt(tokenizer, example) == [" blue<|im_end|>"]


def test_completion_keeps_the_prompts_own_tokens(tokenizer, tmp_path):
    """ "o" + "n the" would be another token than "o", which is what generation begins with."""
    prompt, completion = "an o", "n the"
    assert tokenizer.encode(prompt + completion)[: len(tokenizer.encode(prompt))] != tokenizer.encode(prompt)
    (example,) = load_data(write_lines(tmp_path, {"prompt": prompt, "completion": completion}), tokenizer).examples
    assert example.ids.tolist() == [*tokenizer.encode(prompt), *tokenizer.encode(completion), EOS]
    assert learnt(tokenizer, example) == ["n the<|im_end|>"]


def test_text_is_learnt_whole(tokenizer, tmp_path):
    (example,) = load_data(write_lines(tmp_path, {"text": "all of this"}), tokenizer).examples
    assert learnt(tokenizer, example) == ["all of this<|im_end|>"] and example.count == len(example) - 1
    (ended,) = load_data(write_lines(tmp_path, {"text": "all of this<|im_end|>"}), tokenizer).examples
    assert ended.ids.tolist() == example.ids.tolist()  # one end is enough


def test_what_the_model_wants_before_a_text(tokenizer, tmp_path):
    write_tokenizer(tmp_path)
    state = json.loads((tmp_path / "tokenizer.json").read_text())
    state["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<|im_start|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {"<|im_start|>": {"id": "<|im_start|>", "ids": [BOS], "tokens": ["<|im_start|>"]}},
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(state))
    leading = load_tokenizer(tmp_path)
    path = write_lines(tmp_path, {"text": "the sky"}, {"prompt": "the", "completion": " sky"}, {"messages": CHAT[:2]})
    text, completion, chat = load_data(path, leading).examples
    assert text.ids.tolist() == completion.ids.tolist() == [BOS, *tokenizer.encode("the sky"), EOS]
    assert learnt(leading, completion) == [" sky<|im_end|>"]
    assert chat.ids.tolist()[:2] == [BOS, *tokenizer.encode("user")[:1]]  # the template writes its own


def test_classes(tokenizer, tmp_path):
    labelled = (("good", "up"), ("bad", "down"), ("fine", "up"))
    path = write_lines(tmp_path, *({"text": text, "label": label} for text, label in labelled))
    data = load_data(path, tokenizer, Reading(classify=True))
    assert data.labels == ("down", "up") and [e.label for e in data.examples] == [1, 0, 1]
    assert data.examples[0].ids.tolist() == tokenizer.encode("good")
    assert data.examples[0].targets.tolist() == [-1] * (len(data.examples[0]) - 1) + [1] and data.targets == 3
    numbers = write_lines(tmp_path, *({"text": "a", "label": l} for l in (10, 2, 2, 0)), name="n.jsonl")
    assert load_data(numbers, tokenizer, Reading(classify=True)).labels == ("0", "2", "10")
    with pytest.raises(DataError, match=r"n.jsonl, line 1: label '10' is not in the training data: down, up"):
        load_data(numbers, tokenizer, Reading(classify=True), labels=data.labels)
    with pytest.raises(DataError, match="has 1 different labels; classification supports 2"):
        load_data(write_lines(tmp_path, {"text": "a", "label": "b"}), tokenizer, Reading(classify=True))
    with pytest.raises(DataError, match=r"the keys 'text'; classification needs \"text\" and \"label\""):
        load_data(write_lines(tmp_path, {"text": "a"}), tokenizer, Reading(classify=True))


BROKEN = {
    "no JSON": (b'{"text": "a', r"is not JSON: Unterminated string starting at \(character 9\)"),
    "no object": (b"17", r"is 17, not an object"),
    "a list": (b'[{"text": "a"},', r"is not JSON.*each line must be an object"),
    "no UTF-8": (b'{"text": "\xff"}', r"is not UTF-8: byte 0xff at 10"),
    "too deep": (b'{"text":' + b"[" * 100_000, r"is (nested too deeply|not JSON)"),
    "other keys": ({"question": "a"}, r"has the keys 'question'; it needs \"messages\""),
    "no keys": ({}, r"has no keys; it needs"),
    "half": ({"prompt": "a"}, r"has the keys 'prompt'; it needs"),
    "two forms": ({"text": "a", "messages": CHAT}, r"which match more than one format"),
    "a number": ({"text": 5}, r"'text' is 5, not a string"),
    "no messages": ({"messages": []}, r"a chat needs at least one message"),
    "no role": ({"messages": [{"content": "a"}]}, r"messages\[0\] needs a \"role\""),
    "no answer": ({"messages": [USER]}, r"has no assistant message, so there is nothing to learn"),
    "an answer first": ({"messages": [ANSWER, USER]}, r"begins with an assistant message"),
    "half a pair": (b'{"text": "\\ud800"}', r"half a surrogate pair"),
}


@pytest.mark.parametrize(("line", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_lines_are_named_and_fatal_or_skipped(line, message, tokenizer, tmp_path):
    path = write_lines(tmp_path, {"text": "good"}, b"", line, {"text": "good again"})
    with pytest.raises(DataError, match=rf"data.jsonl, line 3: .*{message}") as e:
        load_data(path, tokenizer)
    assert "\n" not in str(e.value) and len(str(e.value)) < 500
    data = load_data(path, tokenizer, Reading(broken="skip"))
    assert len(data) == 2 and data.counts.broken == 1 and data.counts.lines == 3
    assert "line 3" in data.counts.faults[0] and str(data.counts) == "3 lines; left out: 1 broken"


def test_files_that_are_none(tokenizer, tmp_path):
    with pytest.raises(DataError, match="cannot be opened: No such file"):
        load_data(tmp_path / "nowhere", tokenizer)
    with pytest.raises(DataError, match=r"cannot be (opened|read)"):
        load_data(tmp_path, tokenizer)
    for nothing in (b"", b" \n\n"):
        with pytest.raises(DataError, match=r"data.jsonl: is empty"):
            load_data(write_lines(tmp_path, nothing), tokenizer)
    (tmp_path / "nothing.jsonl").write_bytes(b"")
    with pytest.raises(DataError, match=r"nothing.jsonl: is empty"):
        load_data(tmp_path / "nothing.jsonl", tokenizer)
    with pytest.raises(DataError, match=r"\(1 lines; left out: 1 broken\); first error: .*line 1: is not JSON"):
        load_data(write_lines(tmp_path, b"{"), tokenizer, Reading(broken="skip"))
    with pytest.raises(DataError, match="HTML page"):
        load_data(write_lines(tmp_path, b"<!doctype html>"), tokenizer)
    assert len(load_data(write_lines(tmp_path, b'\xef\xbb\xbf{"text": "a byte order mark"}\r'), tokenizer)) == 1


def test_empty_examples_are_left_out_and_counted(tokenizer, tmp_path):
    data = load_data(write_lines(tmp_path, {"text": ""}, {"text": "some"}, {"prompt": "", "completion": ""}), tokenizer)
    assert (len(data), data.counts.empty) == (1, 2)


def test_too_long_ones(tokenizer, tmp_path):
    long, short = {"prompt": "a", "completion": " the" * 50}, {"prompt": "a", "completion": " the"}
    hopeless = {"prompt": " the" * 50, "completion": "a"}
    path = write_lines(tmp_path, long, short, hopeless)
    data = load_data(path, tokenizer, Reading(max_tokens=10))
    assert [len(e) for e in data.examples] == [10, 3] and data.examples[0].count == 9
    assert (data.counts.truncated, data.counts.too_long) == (1, 1)
    assert str(data.counts) == "3 lines; left out: 1 too long; 1 truncated"
    skipped = load_data(path, tokenizer, Reading(max_tokens=10, too_long="skip"))
    assert [len(e) for e in skipped.examples] == [3] and skipped.counts.too_long == 2


def test_templates_that_change_their_mind(tokenizer, tmp_path):
    forgetful = with_template(tokenizer, tmp_path, FORGETFUL)
    path = write_lines(tmp_path, {"messages": CHAT})
    with pytest.raises(DataError, match=r"messages\[1\] cannot be located exactly: .* differently when more"):
        load_data(path, forgetful)
    (last,) = load_data(path, forgetful, Reading(answers="last")).examples
    assert learnt(forgetful, last) == ["(thinking) nobody<|im_end|>"]


def test_templates_that_join_tokens(tokenizer, tmp_path):
    glued = with_template(tokenizer, tmp_path, GLUED)
    path = write_lines(tmp_path, {"messages": [USER, {"role": "assistant", "content": "the one"}]})
    with pytest.raises(DataError, match=r"joins it to its neighbours within one token: use prompt and completion"):
        load_data(path, glued)
    none = with_template(tokenizer, tmp_path, None)
    with pytest.raises(DataError, match="line 1: this model has no chat template"):
        load_data(path, none)


def test_lines_that_are_probably_not_meant_so_are_named(tokenizer, tmp_path):
    odd = {"role": "assistent", "content": "hello"}
    path = write_lines(
        tmp_path,
        {"messages": CHAT},
        {"prompt": "a", "completion": ""},
        {"messages": [*CHAT, USER]},
        {"messages": [USER, odd, ANSWER]},
        {"messages": [USER, {"role": "assistant", "content": ""}]},
        {"messages": [USER, {"role": "assistant", "content": "a<|im_end|>b"}]},
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        examples = load_data(path, tokenizer).examples
        assert len(examples) == 6
    assert sum(id in tokenizer.special_ids for id in examples[5].ids) == 4  # the template's
    messages = [str(warning.message) for warning in caught]
    for line, doubt in (
        (2, "the completion is empty"),
        (3, "ends with a user message"),
        (4, r"messages[1] has the unknown role 'assistent'"),
        (5, r"the answer in messages[1] is empty"),
        (6, r"messages[1] spells '<|im_end|>', which is learnt as text, as in a chat"),
    ):
        assert any(text.startswith(f"{path}, line {line}: {doubt}") for text in messages), (line, messages)
    assert len(messages) == 5
    path = write_lines(tmp_path, *[{"prompt": "a", "completion": ""}] * 9)
    with pytest.warns(UserWarning, match="4 more warnings like these"):
        load_data(path, tokenizer)


def test_a_line_without_end_is_refused_at_once(tokenizer, tmp_path):
    huge = b'{"text": "' + b"word " * (8_000_000 // 5) + b'"}'
    path = write_lines(tmp_path, {"text": "a text"}, huge, {"text": "another"})
    begun = time.monotonic()
    with pytest.raises(DataError, match=r"data.jsonl, line 2: is longer than 4 MiB"):
        load_data(path, tokenizer)
    assert [e.line for e in load_data(path, tokenizer, Reading(broken="skip")).examples] == [1, 3]
    for rows in ([{"text": "x" * 8_000_000}], [{"messages": [USER, ANSWER | {"content": "x" * 8_000_000}]}]):
        with pytest.raises(DataError, match=r"the data, line 1: is longer than 4 MiB"):
            load_data(rows, tokenizer)
    assert time.monotonic() - begun < 5


def test_errors_of_validation_data_in_memory_name_the_argument(tokenizer):
    good = [{"text": "all of this"}]
    for valid, message in (([3], "the data of `valid`, line 1: is 3"), ([], "the data of `valid`: is empty")):
        with pytest.raises(DataError, match=message):
            Corpus(good, valid).load(tokenizer, 0, context=16)


def test_nothing_is_longer_than_the_context(tokenizer, tmp_path):
    path = write_lines(tmp_path, {"text": "word " * 60}, {"text": "short"})
    training, _ = Corpus(path, hold_out=0).load(tokenizer, 0, context=16)
    assert training.longest == 16 and training.counts.truncated == 1
    training, _ = Corpus(path, path, how=Reading(max_tokens=8)).load(tokenizer, 0, context=16)
    assert training.longest == 8


def test_options_are_checked():
    for options in ({"max_tokens": 1}, {"broken": "ignore"}, {"too_long": "cut"}):
        with pytest.raises(PreconditionError):
            Reading(**options)
    for name, value in (("answers", "first"), ("max_tokens", 2.5), ("max_tokens", "9"), ("classify", 1)):
        with pytest.raises(PreconditionError, match=f"{name} must be .*, not {value!r}"):
            Reading(**{name: value})


def test_lines_are_streamed(tmp_path):
    path = tmp_path / "large.jsonl"
    line = json.dumps({"text": "x" * 100_000}).encode() + b"\n"
    with path.open("wb") as file:
        file.writelines(line for _ in range(300))
    tracemalloc.start()
    assert sum(isinstance(line, Line) for line in read_lines(path)) == 300
    assert tracemalloc.get_traced_memory()[1] < 3_000_000  # of 30 MB
    tracemalloc.stop()


def test_split_is_the_same_every_time(tokenizer, tmp_path):
    data = load_data(write_lines(tmp_path, *({"text": f"text {i}"} for i in range(50))), tokenizer)
    train, held = data.split(0.1, seed=3)
    assert (len(train), len(held)) == (45, 5)
    assert sorted(e.line for e in (*train.examples, *held.examples)) == list(range(1, 51))
    again = data.split(0.1, seed=3)[1]
    assert [e.line for e in again.examples] == [e.line for e in held.examples]
    assert [e.line for e in data.split(0.1, seed=4)[1].examples] != [e.line for e in held.examples]
    assert len(data.split(0.001)[1]) == 1 and len(data.split(0.999)[0]) == 1
    for bad in (0, 1, -0.5):
        with pytest.raises(PreconditionError, match="between 0 and 1"):
            data.split(bad)
    assert data.fingerprint == load_data(tmp_path / "data.jsonl", tokenizer).fingerprint != train.fingerprint


def test_the_order_never_changes():
    """Checkpoints depend on it: these numbers must stay, whatever version of NumPy there is."""
    assert order(10, 0, 0).tolist() == ORDERS[0]
    assert order(10, 7, 3).tolist() == ORDERS[1]
    assert sorted(order(1000, 5, 1).tolist()) == list(range(1000))
    assert order(10, -1, 0).tolist() != order(10, 1, 0).tolist()


ORDERS = ([0, 2, 9, 1, 8, 5, 4, 3, 6, 7], [2, 5, 9, 7, 3, 0, 6, 8, 4, 1])
