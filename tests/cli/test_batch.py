"""`wgpt batch`: formats, errors of single lines, resuming, LoRA adapters by line; real runs of a tiny model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.train import golden

from wgpt import Model, load
from wgpt.batch.openai_lines import OpenAILine

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
USER = [{"role": "user", "content": "Hello"}]
pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def model(device) -> Iterator[Model]:
    with load(TINY, device=device) as model:
        yield model


def jsonl(path: Path, *lines: Any) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def answers_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def openai(id: str, body: Any, url: str = "/v1/chat/completions") -> dict[str, Any]:
    return {"custom_id": id, "method": "POST", "url": url, "body": body}


@pytest.fixture
def batch(wgpt, tmp_path: Path):
    """Runs `wgpt batch` on lines; returns (result, answers by id)."""

    def run(*lines: Any, options: tuple[str, ...] = ()) -> tuple[Any, dict[Any, dict[str, Any]]]:
        prompts, out = jsonl(tmp_path / "prompts.jsonl", *lines), tmp_path / "answers.jsonl"
        result = wgpt("batch", str(prompts), "--out", str(out), "-m", TINY, *options)
        answers = answers_of(out) if out.exists() else []
        return result, {a.get("custom_id", a.get("line", a.get("id"))): a for a in answers}

    return run


def test_both_formats_in_one_file(batch, model: Model):
    result, answers = batch(
        {"prompt": "The quick", "max_tokens": 4},
        {"id": "chat", "messages": USER},
        {"id": 7, "prompt": model.ids("The quick"), "n": 2, "temperature": 1.0, "seed": 5, "logprobs": 1},
        openai("a", {"model": "llama-gqa", "messages": USER, "max_completion_tokens": 3}),
        openai("b", {"prompt": ["The quick", "A"], "max_tokens": 2, "echo": False, "user": "x"}, "/v1/completions"),
        options=("-n", "6", "--ignore-eos"),
    )
    assert result.exit_code == 0, result.stderr
    assert "5 of 5 lines; 0 failed" in result.stdout
    assert answers[1]["text"] == model.generate("The quick", max_tokens=4, ignore_eos=True).text
    assert answers[1]["tokens"] == 4 and answers[1]["reason"] == "length"
    assert answers["chat"]["text"] == model.chat(USER, max_tokens=6, ignore_eos=True).text
    expected = model.generate("The quick", n=2, max_tokens=6, temperature=1.0, seed=5, ignore_eos=True)
    assert [sample["text"] for sample in answers[7]["samples"]] == [each.text for each in expected]
    assert len(answers[7]["samples"][0]["logprobs"]) == len(answers[7]["samples"][0]["ids"]) == 6
    response = answers["a"]["response"]
    assert answers["a"]["error"] is None and response["status_code"] == 200
    (choice,) = response["body"]["choices"]
    assert choice["message"]["content"] == model.chat(USER, max_tokens=3, ignore_eos=True).text
    assert choice["finish_reason"] == "length" and response["body"]["object"] == "chat.completion"
    usage = response["body"]["usage"]
    assert usage["prompt_tokens"] == len(model.chat_ids(USER)) and usage["completion_tokens"] == 3
    assert usage["prompt_tokens_details"]["cached_tokens"] >= 0
    body = answers["b"]["response"]["body"]
    assert body["object"] == "text_completion" and [choice["index"] for choice in body["choices"]] == [0, 1]
    assert body["choices"][0]["text"] == model.generate("The quick", max_tokens=2, ignore_eos=True).text


def test_logprobs_for_all_lines(batch):
    """The option of the command is a default of both formats, also where a body does not ask for them."""
    result, answers = batch(
        {"id": 1, "prompt": "The quick"},
        {"id": 2, "prompt": "The quick", "logprobs": 0},
        openai("chat", {"messages": USER, "max_tokens": 2}),
        openai("text", {"prompt": "A", "max_tokens": 2}, "/v1/completions"),
        options=("--logprobs", "2", "-n", "3", "--ignore-eos"),
    )
    assert result.exit_code == 0, result.stdout
    assert len(answers[1]["logprobs"]) == 3 and all(len(each) == 2 for each in answers[1]["top_logprobs"])
    assert len(answers[2]["logprobs"]) == 3 and "top_logprobs" not in answers[2]
    content = answers["chat"]["response"]["body"]["choices"][0]["logprobs"]["content"]
    assert len(content) == 2 and all(len(token["top_logprobs"]) == 2 for token in content)
    assert len(answers["text"]["response"]["body"]["choices"][0]["logprobs"]["token_logprobs"]) == 2


def test_logprobs_as_openai_writes_them(batch):
    result, answers = batch(
        openai("chat", {"messages": USER, "max_tokens": 2, "logprobs": True, "top_logprobs": 3}),
        openai("text", {"prompt": "A", "max_tokens": 2, "logprobs": 2}, "/v1/completions"),
    )
    assert result.exit_code == 0, result.stdout
    content = answers["chat"]["response"]["body"]["choices"][0]["logprobs"]["content"]
    assert len(content) == 2 and all(len(token["top_logprobs"]) == 3 for token in content)
    assert content[0]["logprob"] == pytest.approx(content[0]["top_logprobs"][0]["logprob"])  # greedy
    details = answers["text"]["response"]["body"]["choices"][0]["logprobs"]
    assert len(details["tokens"]) == len(details["token_logprobs"]) == len(details["text_offset"]) == 2


def test_a_bad_line_fails_alone_and_is_told_why(batch):
    bad = {
        "unknown": ({"id": "unknown", "prompt": "A", "temprature": 1}, "unknown field 'temprature'"),
        "both": ({"id": "both", "prompt": "A", "messages": USER}, 'one of "prompt" and "messages"'),
        "range": ({"id": "range", "prompt": "A", "top_p": 7}, "top_p must be"),
        "list": ({"id": "list", "prompt": ["A"]}, "prompt must be a text or a list of token ids"),
        "long": ({"id": "long", "prompt": "A" * 900}, "the context length is 256"),
        "vocabulary": ({"id": "vocabulary", "prompt": [99999]}, "99999"),
        "lora": ({"id": "lora", "prompt": "A", "lora": "none"}, "adapter 'none' is not loaded"),
        "bias": ({"id": "bias", "prompt": "A", "logit_bias": {"x": 1}}, "logit_bias"),
        "empty": ({"id": "empty", "prompt": ""}, "empty"),
        2: ({"id": None, "prompt": "A"}, "id must be a string"),
        3: ('{"prompt": ', "line 3: is not JSON"),
        4: ('["prompt"]', 'not an object such as {"prompt": "..."}'),
    }
    head = [{"id": "good", "prompt": "A"}, bad[2][0], bad[3][0], bad[4][0]]
    rest = [line for key, (line, _) in bad.items() if isinstance(key, str)]
    result, answers = batch(*head, *rest, options=("-n", "2"))
    assert result.exit_code == 1 and f"{len(bad)} failed" in result.stdout, result.stderr
    assert answers["good"]["tokens"] == 2 and "error" not in answers["good"]
    for key, (_, message) in bad.items():
        assert message in answers[key]["error"] and "--" not in answers[key]["error"], answers[key]


def test_openai_errors_name_the_field(batch):
    bad = {
        "tools[0].function": {"messages": USER, "tools": [{"type": "function"}]},
        "stream": {"messages": USER, "stream": True},
        "response_format.type": {"messages": USER, "response_format": {"type": "xml"}},
        "model": {"messages": USER, "model": "gpt-4o"},
        "messages": {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
        "temprature": {"messages": USER, "temprature": 1},
        "top_logprobs": {"messages": USER, "top_logprobs": 2},
        "n": {"messages": USER, "n": 0},
    }
    lines = [openai(name, body) for name, body in bad.items()]
    lines.append(openai("long", {"prompt": "a b " * 331}, "/v1/completions"))
    result, answers = batch(*lines, openai("url", {"input": "A"}, "/v1/embeddings"), {"method": "POST", "body": {}})
    assert result.exit_code == 1
    for name in [*bad, "url"]:
        response = answers[name]["response"]
        assert response["status_code"] == 400 and response["body"]["error"]["param"] == name, response
        assert name in response["body"]["error"]["message"]
    assert "custom_id must be a string" in answers[len(bad) + 3]["error"]
    error = answers["long"]["response"]["body"]["error"]
    assert error["code"] == "context_length_exceeded"
    assert error["message"].startswith("This model's maximum context length is 256 tokens. However, your prompt")


def test_structured_output(batch):
    """Through the same code as `wgpt serve`."""
    schema = {"name": "x", "schema": {"unevaluatedItems": False}}
    result, answers = batch(
        openai("json", {"messages": USER, "response_format": {"type": "json_object"}, "max_tokens": 4}),
        openai("choice", {"prompt": "A", "guided_choice": ["red", "green"], "max_tokens": 20}, "/v1/completions"),
        openai("keyword", {"messages": USER, "response_format": {"type": "json_schema", "json_schema": schema}}),
    )
    assert result.exit_code == 1, result.stderr
    body = {name: answer["response"]["body"] for name, answer in answers.items()}
    assert body["json"]["choices"][0]["message"]["content"].startswith("{")
    assert body["choice"]["choices"][0]["text"] in ("red", "green")
    assert "unevaluatedItems" in body["keyword"]["error"]["message"]
    assert body["keyword"]["error"]["param"] == "response_format.json_schema.schema"


def test_stop_strings_do_not_end_a_call(model: Model):
    tools = [{"type": "function", "function": {"name": "f"}}]
    line = openai("x", {"messages": USER, "tools": tools, "stop": ["a"], "cache_salt": "y", "max_tokens": 1})
    options = OpenAILine(("custom_id", "x"), line).work(model).options
    assert options["calls"].text == "<tool_call>" and options["stop"] == ["a"] and options["cache_salt"] == "y"


def test_it_needs_no_server(tmp_path: Path):
    """`wgpt batch` shares code with `wgpt serve`, but not its packages."""
    code = (
        "import sys\n"
        "for name in ('starlette', 'uvicorn', 'prometheus_client', 'llguidance'): sys.modules[name] = None\n"
        "import wgpt.cli.batch"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_answered_lines_are_skipped_and_force_starts_anew(batch, wgpt, tmp_path: Path):
    lines = [{"prompt": "A", "max_tokens": 1}, {"id": "x", "prompt": "A", "top_p": 3}, {"prompt": "B", "max_tokens": 1}]
    result, answers = batch(*lines)
    assert result.exit_code == 1 and len(answers) == 3
    out = tmp_path / "answers.jsonl"
    whole = out.read_text().splitlines(keepends=True)
    kept = next(line for line in whole if '"line": 1' in line)
    out.write_text(kept + '{"line": 3, "text": "to')  # as after a kill in the middle of a write
    result, answers = batch(*lines)
    assert result.exit_code == 1 and "3 of 3 lines (1 of them before); 1 failed" in result.stdout
    assert out.read_text().startswith(kept) and set(answers) == {1, "x", 3}
    result, _ = batch(*lines)  # nothing is left to do, and no model is loaded
    assert result.exit_code == 1 and "3 of 3 lines (3 of them before); 1 failed" in result.stdout
    assert len(answers_of(out)) == 3
    result, _ = batch(*lines, options=("--force",))
    assert "3 of 3 lines; 1 failed" in result.stdout and len(answers_of(out)) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": "other", "text": "A"}\n', "answers id 'other', which is not in"),
        ('{"line": 2, "text": "A"}\n', "answers line 2, which is not in"),
        ("some notes\n", "line 1: is not an answer of wgpt batch"),
        ('{"text": "A"}\n', "answers no line of"),
    ],
)
def test_a_file_that_is_not_of_these_prompts_is_refused(wgpt, tmp_path: Path, content: str, message: str):
    out = tmp_path / "answers.jsonl"
    out.write_text(content)
    prompts = jsonl(tmp_path / "prompts.jsonl", {"id": "a", "prompt": "A"})
    result = wgpt("batch", str(prompts), "-o", str(out), "-m", TINY)
    assert result.exit_code == 2 and message in result.stderr and "--force" in result.stderr
    assert out.read_text() == content


def test_what_is_refused_before_a_model_is_loaded(wgpt, tmp_path: Path):
    out = str(tmp_path / "answers.jsonl")
    same = {"id": "a", "prompt": "A"}
    twice = str(jsonl(tmp_path / "twice.jsonl", same, {"prompt": "B"}, same))
    good = str(jsonl(tmp_path / "good.jsonl", {"prompt": "A"}))
    for args, message in {
        (twice, "-o", out): "line 3: id 'a' is already used in line 1",
        (str(tmp_path / "none.jsonl"), "-o", out): "none.jsonl: cannot be opened",
        (good, "-o", good): "is the file with the prompts",
        (good, "-o", str(tmp_path)): "is a folder",
        (good, "-o", out, "--cache-memory", "much"): "--cache-memory must be a number of bytes",
        (good, "-o", out, "--top-p", "7"): "--top-p must be",
        (good, "-o", out, "--lora", "a=x", "--lora", "a=y"): "two LoRA adapters are named 'a'",
        (good, "-o", out, "--lora", "x", "--lora", "y"): "only one LoRA adapter can be the default",
        (good,): "missing option '--out'",
    }.items():
        result = wgpt("batch", *args, "-m", "no-such-model")
        assert result.exit_code == 2 and message in result.stderr, (args, result.stderr)


def test_an_empty_file_has_no_answers(batch, tmp_path: Path):
    result, answers = batch("", "")
    assert result.exit_code == 0 and "0 of 0 lines; 0 failed" in result.stdout and answers == {}


def test_a_draft_model(batch, model: Model):
    lines = [{"prompt": text, "max_tokens": 20, "ignore_eos": True} for text in ("The quick", "A", "B c d")]
    result, answers = batch(*lines, options=("--draft", TINY))
    assert result.exit_code == 0, result.stderr
    alone = [model.generate(line["prompt"], max_tokens=20, ignore_eos=True).text for line in lines]
    assert [answers[i + 1]["text"] for i in range(3)] == alone


def test_in_order_and_seeds_by_line(batch, tmp_path: Path, model: Model):
    lines = [{"prompt": "A", "max_tokens": 30 if i == 0 else 1, "temperature": 1.5} for i in range(6)]
    lines[3]["top_p"] = 9.0
    result, answers = batch(*lines, options=("--in-order", "--seed", "11", "--ignore-eos", "--max-batch", "4"))
    assert result.exit_code == 1
    assert [answer["line"] for answer in answers_of(tmp_path / "answers.jsonl")] == [1, 2, 3, 4, 5, 6]
    assert [answers[line]["seed"] for line in (1, 2, 6)] == [11, 12, 16]
    alone = model.generate("A", max_tokens=30, temperature=1.5, seed=11, ignore_eos=True)
    assert answers[1]["text"] == alone.text


@pytest.mark.full
def test_lines_choose_among_lora_adapters(batch, device, wgpt_json, tmp_path: Path):
    two, seven = (golden.load(name) for name in ("llama-gqa", "llama-gqa-seven"))
    prompt = list(seven.examples[0].ids[:9])
    lines = [{"id": name, "prompt": prompt, "lora": name} for name in ("two", "seven")]
    lines += [
        {"id": "base", "prompt": prompt},
        openai("by-model", {"model": "seven", "prompt": prompt}, "/v1/completions"),
    ]
    options = ("--lora", f"two={two.adapter}", "--lora", f"seven={seven.adapter}", "-n", "8", "--ignore-eos")
    result, answers = batch(*lines, options=(*options, "-m", str(seven.model)))
    assert result.exit_code == 0, result.stderr
    with load(seven.model, device=device) as model:
        texts = {"base": model.generate(prompt, max_tokens=8, ignore_eos=True).text}
        for name, adapter in {"two": two.adapter, "seven": seven.adapter}.items():
            model.attach(adapter, name)
            texts[name] = model.generate(prompt, max_tokens=8, ignore_eos=True).text
    assert {name: answers[name]["text"] for name in texts} == texts
    assert len(set(texts.values())) > 1
    assert answers["by-model"]["response"]["body"]["choices"][0]["text"] == texts["seven"]


def started(tmp_path: Path, lines: int) -> tuple[subprocess.Popen[str], Path, list[str]]:
    """A process with many lines, after it has written some answers."""
    texts = ({"id": i, "prompt": f"Number {i}", "max_tokens": 200, "ignore_eos": True} for i in range(lines))
    prompts, out = jsonl(tmp_path / "many.jsonl", *texts), tmp_path / "answers.jsonl"
    command = [sys.executable, "-m", "wgpt", "batch", str(prompts), "-o", str(out), "-m", TINY, "--max-batch", "4"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    began = time.monotonic()
    while not out.exists() or out.stat().st_size < 1000:
        assert process.poll() is None and time.monotonic() - began < 120, process.communicate()
        time.sleep(0.02)
    return process, out, command


@pytest.mark.full
def test_it_continues_after_kill_9(tmp_path: Path):
    process, out, command = started(tmp_path, 60)
    process.kill()
    process.communicate()
    before = out.read_text()
    finished = before.count("\n")
    assert 0 < finished < 60
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert f"60 of 60 lines ({finished} of them before); 0 failed" in again.stdout
    assert out.read_text().startswith(before[: before.rindex("\n") + 1])
    answers = answers_of(out)
    assert sorted(answer["id"] for answer in answers) == list(range(60))
    assert all(answer["tokens"] == 200 for answer in answers)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, -signal.SIGTERM, marks=pytest.mark.full)],
)
def test_ctrl_c_and_sigterm_keep_what_is_finished(tmp_path: Path, number: int, code: int):
    process, out, _ = started(tmp_path, 400)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code, stderr
    assert "stopped after" in stdout and "run the same command again to continue" in stderr
    answers = answers_of(out)
    assert 0 < len(answers) < 400 and all(answer["tokens"] == 200 for answer in answers)


@pytest.mark.full
def test_one_process_at_a_time_writes_a_file(tmp_path: Path):
    process, _, command = started(tmp_path, 400)
    try:
        second = subprocess.run(command, capture_output=True, text=True)
        assert second.returncode == 2 and "another process is writing it" in second.stderr
    finally:
        process.kill()
        process.communicate()


def test_json_counts_everything(wgpt, tmp_path: Path):
    prompts = jsonl(tmp_path / "prompts.jsonl", {"prompt": "A", "max_tokens": 3, "ignore_eos": True}, {"prompt": ""})
    result = wgpt("batch", str(prompts), "-o", str(tmp_path / "answers.jsonl"), "-m", TINY, "--json")
    facts = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (facts["lines"], facts["answered"], facts["failed"], facts["tokens"]) == (2, 1, 1, 3)
