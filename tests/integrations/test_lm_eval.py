"""lm-evaluation-harness on a tiny model: its requests, and a local task from the command line, without network."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from wgpt import Model, load
from wgpt.cli.app import make
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice

pytest.importorskip("lm_eval", reason="the optional extra: pip install 'wgpt[eval]'")

from lm_eval.api.instance import Instance

from wgpt.integrations.lm_eval import WgptLM, generation_options

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
TASK = """
task: tiny_choice
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}} "
doc_to_choice: "{{{{choices}}}}"
doc_to_target: answer
metric_list: [{{metric: acc}}]
"""
TEXT_TASK = """
task: tiny_text
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{choices[0]}}}}"
generation_kwargs: {{until: ["zz"], max_gen_toks: 8}}
metric_list: [{{metric: exact_match}}]
"""

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def model(device: GpuDevice) -> Iterator[Model]:
    with load(TINY, device=device) as model:
        yield model


@pytest.fixture(scope="module")
def lm(model: Model) -> WgptLM:
    return WgptLM(model)


def instances(kind: str, *arguments: tuple[object, ...]) -> list[Instance]:
    return [Instance(request_type=kind, doc={}, arguments=args, idx=i) for i, args in enumerate(arguments)]


def expected(model: Model, context: list[int], continuation: list[int]) -> tuple[float, bool]:
    """From all logits, in float64."""
    ids = context + continuation
    logits = model.logits(ids).astype(np.float64)[len(context) - 1 : -1]
    logprobs = logits - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
    logprobs -= logits.max(1, keepdims=True)
    total = logprobs[np.arange(len(continuation)), continuation].sum()
    return float(total), logits.argmax(1).tolist() == continuation


def test_loglikelihood_of_pairs(lm: WgptLM, model: Model):
    greedy = model.generate("The quick", max_tokens=1).text
    pairs = [
        ("The quick", " brown fox"),
        ("The quick ", "brown"),
        ("A", "B" * 40),
        ("", "alone"),
        ("The quick", greedy),
    ]
    answers = lm.loglikelihood(instances("loglikelihood", *pairs), disable_tqdm=True)
    for (context, continuation), (logprob, is_greedy) in zip(pairs, answers, strict=True):
        if context:
            ids, more = lm._encode_pair(context, continuation)
        else:
            ids, more = [lm.prefix_token_id], lm.tok_encode(continuation, add_special_tokens=False)
        total, likeliest = expected(model, ids, more)
        assert logprob == pytest.approx(total, abs=1e-3) and is_greedy == likeliest
    assert answers[0][0] == pytest.approx(lm.loglikelihood(instances("loglikelihood", pairs[0]))[0][0], abs=1e-4)


def test_a_context_that_is_too_long_loses_its_beginning(lm: WgptLM, model: Model):
    ids = list(range(10, 40)) * 20
    ((logprob, _),) = lm._loglikelihood_tokens([(None, ids, [41, 42])])
    assert logprob == pytest.approx(expected(model, ids[-(model.context - 2) :], [41, 42])[0], abs=1e-3)
    with pytest.raises(WgptError, match=f"has {model.context} tokens, but the context length is {model.context}"):
        lm._loglikelihood_tokens([(None, [1], [2] * model.context)])


def test_rolling_loglikelihood_scores_every_token_once(lm: WgptLM, model: Model):
    short, long = "The quick brown fox", "The quick brown fox jumps. " * 40
    sums = lm.loglikelihood_rolling(instances("loglikelihood_rolling", (short,), (long,), ("",)))
    ids = lm.tok_encode(short, add_special_tokens=False)
    assert sums[0] == pytest.approx(expected(model, [lm.prefix_token_id], ids)[0], abs=1e-3)
    tokens = len(lm.tok_encode(long, add_special_tokens=False))
    assert tokens > model.context and -20 * tokens < sums[1] < 0 and sums[2] == 0


def test_generation_until_a_stop_string(lm: WgptLM, model: Model):
    plain = {"until": [], "max_gen_toks": 9, "do_sample": False}
    full = model.generate("The quick", max_tokens=9).text
    stop = full[4:6]
    requests = instances("generate_until", ("The quick", plain), ("A", plain), ("The quick", {**plain, "until": stop}))
    texts = lm.generate_until(requests, disable_tqdm=True)
    assert texts[0] == full and texts[1] == model.generate("A", max_tokens=9).text
    assert texts[2] == full[: full.index(stop)]


def test_generation_options():
    assert generation_options({}) == {"max_tokens": 256, "stop": [], "temperature": 0.0}
    assert generation_options({"do_sample": False, "temperature": 0.7})["temperature"] == 0.0
    assert generation_options({"do_sample": True})["temperature"] == 1.0
    assert generation_options({"temperature": 0.7, "top_p": 0.9})["temperature"] == 0.7
    assert generation_options({"until": "\n", "max_new_tokens": 3}) == {
        "max_tokens": 3,
        "stop": ["\n"],
        "temperature": 0.0,
    }
    with pytest.raises(WgptError, match="unsupported generation option 'num_beams'; supported: do_sample,"):
        generation_options({"num_beams": 4})


def test_a_chat_is_rendered_by_the_models_template(lm: WgptLM, model: Model):
    messages = [{"role": "user", "content": "Hello"}]
    assert lm.tok_encode(lm.apply_chat_template(messages), add_special_tokens=False) == model.chat_ids(messages)
    assert lm.chat_template(True) == model.tokenizer.chat_template


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two tasks on five local questions."""
    for name in ("HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    questions = [{"question": f"Number {i}", "choices": ["one", "two", "three"], "answer": i % 3} for i in range(5)]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(question) + "\n" for question in questions))
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "choice.yaml").write_text(TASK.format(data=data))
    (folder / "text.yaml").write_text(TEXT_TASK.format(data=data))
    return folder


def test_local_tasks_end_to_end(tasks: Path, tmp_path: Path, lm: WgptLM):
    out = tmp_path / "scores.json"
    result = CliRunner().invoke(
        make(),
        ["eval", "--tasks", "tiny_choice,tiny_text", "--include", str(tasks), "-m", TINY, "--json", str(out)],
        prog_name="wgpt",
    )
    assert result.exit_code == 0, (result.stderr, result.exception)
    assert "tiny_choice" in result.stdout and "acc" in result.stdout
    data = json.loads(out.read_text())
    scores = {(score["task"], score["metric"]): score for score in data["scores"]}
    choice = scores["tiny_choice", "acc"]
    assert choice["examples"] == 5 and math.isfinite(choice["stderr"])
    right = 0
    for i in range(5):
        pairs = [(f"Number {i} ", " " + choice_text) for choice_text in ("one", "two", "three")]
        answers = lm.loglikelihood(instances("loglikelihood", *pairs), disable_tqdm=True)
        right += int(np.argmax([logprob for logprob, _ in answers])) == i % 3
    assert choice["value"] == pytest.approx(right / 5)
    assert scores["tiny_text", "exact_match"]["value"] == 0  # a random model


def test_what_is_refused(tasks: Path, tmp_path: Path):
    for args, message in {
        ("--tasks", "no_such_task"): "unknown task 'no_such_task'",
        ("--tasks", ","): "--tasks is empty",
        ("--tasks", "tiny_choice", "--include", str(tmp_path / "none")): "no such folder",
    }.items():
        result = CliRunner().invoke(make(), ["eval", *args, "-m", TINY], prog_name="wgpt")
        assert result.exit_code == 2 and message in result.stderr, (args, result.stderr)
