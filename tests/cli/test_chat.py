"""`wgpt chat` from a pipe: turns, commands, what is remembered, Ctrl-C, a full context."""

from __future__ import annotations

import builtins
import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from wgpt import Model, load
from wgpt.api import Stream
from wgpt.cli import turns
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.gpu import AllocationError

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
SHORT = ("-n", "4", "--ignore-eos")

pytestmark = pytest.mark.gpu


@pytest.fixture
def chat(wgpt) -> Callable[..., object]:
    """Runs `wgpt chat` on lines of input."""
    return lambda lines, *args: wgpt("chat", "-m", TINY, *args, input="\n".join(lines) + "\n")


@pytest.fixture
def answers(chat) -> Callable[..., list[dict]]:
    """The answers of a chat that must succeed."""

    def run(lines: list[str], *args: str) -> list[dict]:
        result = chat(lines, "--json", *args)
        assert result.exit_code == 0, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    return run


@pytest.fixture(scope="module")
def model(device):
    with load(TINY, device=device) as model:
        yield model


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_every_line_is_a_turn_that_knows_those_before(answers, model: Model):
    first, second = answers(["Hello", "And now?"], *SHORT)
    messages = [user("Hello")]
    assert first["text"] == model.chat(messages, max_tokens=4, ignore_eos=True).text
    messages += [{"role": "assistant", "content": first["text"]}, user("And now?")]
    assert second["prompt_tokens"] == len(model.chat_ids(messages))
    assert second["text"] == model.chat(messages, max_tokens=4, ignore_eos=True).text


def test_what_is_known_is_not_read_again(answers, model: Model):
    first, second = answers(["Hello", "And now?"], *SHORT)
    assert first["cached_tokens"] == 0
    assert second["cached_tokens"] >= first["prompt_tokens"]


def test_plain_answers_on_stdout_and_nothing_else(chat, answers):
    lines = ["Hello", "", "And now?", "/exit", "never"]
    plain = chat(lines, *SHORT)
    assert plain.exit_code == 0
    assert plain.stdout == "".join(a["text"] + "\n" for a in answers(lines, *SHORT))
    assert plain.stderr == "(stopped at --max-tokens 4)\n" * 2


@pytest.mark.full
def test_kernels_in_triton_and_what_had_none(chat):
    """Sampling has no Triton kernel: reported once, at the end."""
    result = chat(["Hello", "And now?"], *SHORT, "--kernels", "triton", "-t", "0.5", "--seed", "1")
    assert result.exit_code == 0 and result.stderr.splitlines()[-1] == "hand-written kernels for: sample (1)"
    assert result.stderr.count("hand-written") == 1


def test_a_backslash_goes_on_in_the_next_line(answers, model: Model):
    (only,) = answers(["one\\", "two"], *SHORT)
    assert only["prompt_tokens"] == len(model.chat_ids([user("one\ntwo")]))


def test_reset_and_system(answers, chat, model: Model):
    system = {"role": "system", "content": "Be brief."}
    lines = ["a", "/reset", "a", "/system Be brief.", "/reset", "a", "/system", "b"]
    first, second, third, fourth = answers(lines, *SHORT)
    assert first["prompt_tokens"] == second["prompt_tokens"] and first["text"] == second["text"]
    assert third["prompt_tokens"] == len(model.chat_ids([system, user("a")]))
    after = [user("a"), {"role": "assistant", "content": third["text"]}, user("b")]
    assert fourth["prompt_tokens"] == len(model.chat_ids(after))
    result = chat(["a"], "--system", "Be brief.", "--json", *SHORT)
    assert json.loads(result.stdout)["text"] == third["text"]


def test_save_writes_the_messages(chat, tmp_path):
    file = tmp_path / "said.json"
    result = chat(["Hello", f"/save {file}", "/save", f"/save {tmp_path}/no/such"], "--system", "Be brief.", *SHORT)
    assert result.exit_code == 0
    assert [m["role"] for m in json.loads(file.read_text())] == ["system", "user", "assistant"]
    assert f"3 messages written to {file}" in result.stderr
    assert "needs a file name" in result.stderr and "no such folder" in result.stderr


def test_save_replaces_a_file_only_if_told_to(chat, tmp_path):
    file = tmp_path / "mine.json"
    file.write_text("mine")
    result = chat(["Hello", f"/save {file}", "/save ~nosuchuser/x", f"/save {tmp_path}"], *SHORT)
    assert file.read_text() == "mine" and f"{file} exists: /save! {file} overwrites it" in result.stderr
    assert "home directory" in result.stderr and "is a folder" in result.stderr and result.exit_code == 0
    chat(["Hello", f"/save! {file}"], *SHORT)
    assert [m["role"] for m in json.loads(file.read_text())] == ["user", "assistant"]


def test_help_stats_and_unknown_commands(chat):
    result = chat(["/stats", "Hello", "/stats", "/help", "/nonsense"], *SHORT)
    assert result.exit_code == 0
    assert "no answer yet" in result.stderr and "decode " in result.stderr
    assert "/save FILE" in result.stderr and "unknown command /nonsense" in result.stderr


def test_ctrl_c_stops_the_answer_and_keeps_it(chat, monkeypatch, tmp_path):
    """The second answer is interrupted after three pieces; the third still sees those pieces."""
    file, count, next_piece = tmp_path / "said.json", [0], Stream.__next__

    def interrupted(stream: Stream) -> str:
        piece = next_piece(stream)
        count[0] += 1
        if count[0] == 3:
            signal.raise_signal(signal.SIGINT)
        return piece

    monkeypatch.setattr(Stream, "__next__", interrupted)
    result = chat(["Hello", "Again", f"/save {file}"], "-n", "30", "-t", "1", "--seed", "1", "--ignore-eos")
    assert result.exit_code == 0
    messages = json.loads(file.read_text())
    assert [m.get("interrupted", False) for m in messages] == [False, True, False, False]
    assert len(messages[1]["content"]) < len(messages[3]["content"])
    assert "(interrupted; the answer so far stays in the conversation)" in result.stderr


def test_ctrl_c_while_the_prompt_is_read_leaves_no_trace(chat, monkeypatch, tmp_path):
    file, generate, stops = tmp_path / "said.json", Model.stream, [True]

    def interrupted(self: Model, ids, *, progress, **options):
        def stop(*step) -> None:
            if stops.pop() if stops else False:
                signal.raise_signal(signal.SIGINT)
            progress(*step)

        return generate(self, ids, progress=stop, **options)

    monkeypatch.setattr(Model, "stream", interrupted)
    result = chat(["Hello", "Again", f"/save {file}"], *SHORT)
    assert result.exit_code == 0 and "interrupted before the answer started" in result.stderr
    assert json.loads(file.read_text())[0]["content"] == "Again"


def test_a_turn_that_fails_does_not_end_the_conversation(chat, monkeypatch, tmp_path):
    file, stream, failing = tmp_path / "said.json", Model.stream, [False, True]

    def fails_once(self: Model, *args, **options):
        if failing.pop(0) if failing else False:
            raise AllocationError("out of GPU memory")
        return stream(self, *args, **options)

    monkeypatch.setattr(Model, "stream", fails_once)
    result = chat(["Hello", "Again", f"/save {file}"], "--json", *SHORT)
    assert [m["role"] for m in json.loads(file.read_text())] == ["user", "assistant"]
    assert result.exit_code == 2 and json.loads(result.stdout.splitlines()[1]) == {"error": "out of GPU memory"}


def test_a_full_context_is_said_and_reset_helps(chat):
    long = "word " * 15
    result = chat([long, long, "/reset", "Hello"], "--context", "96", "--json", *SHORT)
    assert result.exit_code == 2  # a turn of the pipe had no answer
    answered = [json.loads(line) for line in result.stdout.splitlines()]
    assert ["error" in answer for answer in answered] == [False, True, False]
    assert "tokens and the context length is 96: /reset starts a new conversation" in result.stderr


def test_a_context_that_fills_while_it_answers(chat):
    result = chat(["Hello"], "--context", "48", "-n", "100", "--ignore-eos")
    assert result.exit_code == 0
    assert "the context of 48 tokens is full: use /reset" in result.stderr


def test_a_sliding_context_forgets_the_oldest(chat, answers):
    long = "word " * 8
    result = chat([long] * 3, "--context", "96", "--overflow", "slide", "--json", *SHORT)
    assert result.exit_code == 0, result.stderr
    assert all(json.loads(line)["prompt_tokens"] <= 72 for line in result.stdout.splitlines())
    assert "oldest messages were forgotten" in result.stderr


def test_a_model_without_a_template_cannot_chat(wgpt, tmp_path):
    base = shutil.copytree(TINY, tmp_path / "base")
    (base / "tokenizer_config.json").write_text('{"bos_token": "<|im_start|>", "eos_token": "<|im_end|>"}')
    result = wgpt("chat", "-m", str(base), input="Hello\n")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and "has no chat template" in result.stderr
    plain = wgpt("run", "Hello", "-m", str(base), "-n", "3", "--json")
    assert json.loads(plain.stdout)["prompt_tokens"] == len(load_tokenizer(base).encode("Hello"))
    with_system = wgpt("run", "Hello", "-m", str(base), "--system", "Be brief.")
    assert with_system.exit_code == 2 and "--system needs a chat" in with_system.stderr


def test_text_that_is_no_utf8(wgpt):
    """The reported position counts from the start of the line, not of the stream."""
    result = wgpt("chat", "-m", TINY, *SHORT, input=b"/reset\n" * 2000 + b"ab\xff\n")
    assert result.exit_code == 2
    assert "line 2001 of stdin is not text in utf-8: invalid start byte at byte 2" in result.stderr


def test_a_person_sees_a_prompt_on_stderr_where_answers_go_to_a_file(monkeypatch, capsys):
    monkeypatch.setattr(builtins, "input", lambda prompt="": f"<{prompt}>")
    assert turns._input("> ") == "<>"
    assert capsys.readouterr().err == "> "
