"""`wgpt run`: the text on stdout, one line on stderr, JSON, stdin, stops and Ctrl-C; tiny models for nearly all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.api import Stream
from wgpt.cli import streaming
from wgpt.engine import chunk_sizes
from wgpt.engine.engine import Engine
from wgpt.engine.runner import Runner
from wgpt.gpu import Pending

MODELS = Path(__file__).parents[1] / "golden" / "models"
TINY = str(MODELS / "llama-gqa")
PROMPT = "The quick brown fox"

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def model(device):
    with load(TINY, device=device) as model:
        yield model


def test_streams_the_answer_and_one_line_of_figures(wgpt, model: Model):
    result = wgpt("run", PROMPT, "-m", TINY, "-n", "12")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.removesuffix("\n") == model.chat(PROMPT, max_tokens=12).text.removesuffix("\n")
    assert len(result.stderr.splitlines()) == 1
    for figure in ("prefill ", "decode ", " tok/s", "first token after ", "GPU memory "):
        assert figure in result.stderr


def test_raw_continues_the_text_and_a_system_prompt_comes_first(wgpt_json, model: Model):
    raw = wgpt_json("run", PROMPT, "--raw", "-m", TINY, "-n", "6")
    assert raw["ids"] == model.generate(PROMPT, max_tokens=6).ids
    assert raw["prompt_tokens"] == len(model.ids(PROMPT))
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": PROMPT}]
    answer = wgpt_json("run", PROMPT, "--system", "Be brief.", "-m", TINY, "-n", "6")
    assert answer["prompt_tokens"] == len(model.chat_ids(messages)) > len(model.chat_ids(PROMPT))
    assert answer["ids"] == model.chat(messages, max_tokens=6).ids


def test_every_sampling_option_reaches_the_model(wgpt, wgpt_json, model: Model):
    options = {"temperature": 1.5, "presence_penalty": 1.5, "frequency_penalty": 0.5, "typical_p": 0.8, "seed": 3}
    options |= {"xtc_probability": 0.5, "xtc_threshold": 0.05, "min_tokens": 8, "max_tokens": 12, "logprobs": 2}
    expected = model.generate(PROMPT, **options, stop_token_ids=[7, 9])
    written = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    ends = ("--stop-token-ids", "7", "--stop-token-ids", "9")
    answer = wgpt_json("run", PROMPT, "--raw", "-m", TINY, *written, *ends)
    assert answer["ids"] == expected.ids and answer["logprobs"] == pytest.approx(expected.logprobs)
    assert [len(each) for each in answer["top_logprobs"]] == [2] * len(expected.ids)
    free = [part for name in ("presence_penalty", "frequency_penalty") for part in (f"--{name.replace('_', '-')}", "0")]
    unguessed, guessed = (
        wgpt_json("run", PROMPT, "--raw", "-m", TINY, *draft, *written, *free) for draft in ((), ("--draft", TINY))
    )
    assert unguessed["ids"] == guessed["ids"] != answer["ids"], "guesses change no token"
    for command in (("run", PROMPT), ("chat",)):
        refused = wgpt(*command, "-m", TINY, "--logprobs", "2", input="Hello")
        assert refused.exit_code == 2 and "--logprobs needs --json" in refused.stderr
    refused = wgpt("run", PROMPT, "-m", TINY, "--typical-p", "0.5")
    assert refused.exit_code == 2 and "--typical-p needs a --temperature above 0" in refused.stderr


@pytest.mark.full
def test_a_draft_model_changes_nothing_but_the_speed(wgpt, wgpt_json, model: Model):
    """Whatever family it is of."""
    answer = wgpt_json("run", PROMPT, "--raw", "-m", TINY, "--draft", TINY, "-n", "60", "--ignore-eos")
    assert answer["ids"] == model.generate(PROMPT, max_tokens=60, ignore_eos=True).ids and answer["draft"] == TINY
    other = wgpt_json("run", PROMPT, "--raw", "-m", TINY, "--draft", str(MODELS / "gpt2"), "-n", "60", "--ignore-eos")
    assert other["ids"] == answer["ids"]
    refused = wgpt("run", PROMPT, "-m", TINY, "--draft", "no-such-model")
    assert refused.exit_code == 2 and "no-such-model" in refused.stderr


def test_the_form_of_the_answer(wgpt, wgpt_json, tmp_path: Path):
    assert wgpt_json("run", PROMPT, "-m", TINY, "--regex", "yes|no")["text"] in ("yes", "no")
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "boolean"}')
    assert wgpt_json("run", PROMPT, "-m", TINY, "--json-schema", str(schema))["text"] in ("true", "false")
    (tmp_path / "form.lark").write_text('start: "a" | "b"')
    assert wgpt_json("run", PROMPT, "-m", TINY, "--grammar", str(tmp_path / "form.lark"))["text"] in ("a", "b")
    refused = wgpt("run", PROMPT, "-m", TINY, "--json-schema", '{"type": "object", "if": {}}')
    assert refused.exit_code != 0 and '"if"' in refused.stderr
    assert "exclude each other" in wgpt("run", PROMPT, "-m", TINY, "--regex", "a", "--grammar", "b").stderr


def test_json_says_everything_and_stdout_holds_nothing_else(wgpt_json):
    data = wgpt_json("run", PROMPT, "-m", TINY, "-n", "5", "--ignore-eos")
    assert len(data["ids"]) == 5 and data["reason"] == "length"
    assert data["prefill_tokens_per_second"] > 0 and data["decode_tokens_per_second"] > 0
    assert 0 < data["compile_seconds"] < data["first_token_seconds"] <= data["seconds"]
    assert data["gpu_bytes"] > 100_000
    assert data["model"]["family"] == "llama" and data["gpu"]["name"]


def test_the_prompt_comes_from_stdin(wgpt):
    as_argument = wgpt("run", PROMPT, "-m", TINY, "-n", "4")
    for args in ((), ("-",)):
        piped = wgpt("run", *args, "-m", TINY, "-n", "4", input=PROMPT + "\n")
        assert piped.exit_code == 0 and piped.stdout == as_argument.stdout


def test_a_seed_repeats_and_none_does_not(wgpt_json):
    hot = ("run", PROMPT, "-m", TINY, "-n", "24", "-t", "1.5", "--ignore-eos")
    first, again = (wgpt_json(*hot, "--seed", "7") for _ in range(2))
    assert first["ids"] == again["ids"] and first["seed"] == 7
    free = [wgpt_json(*hot) for _ in range(2)]
    assert free[0]["seed"] != free[1]["seed"] and free[0]["ids"] != free[1]["ids"]


def test_a_logit_bias_forces_a_token_and_a_stop_string_ends(wgpt_json, model: Model):
    token = model.tokenizer.encode("b", special=False)[0]
    forced = wgpt_json("run", PROMPT, "-m", TINY, "-n", "9", "--logit-bias", f"{token}=1000")
    assert forced["ids"] == [token] * 9 and forced["text"] == "b" * 9
    stopped = wgpt_json("run", PROMPT, "-m", TINY, "-n", "9", "--logit-bias", f"{token}=1000", "--stop", "bbb")
    assert stopped["reason"] == "stop" and stopped["text"] == "" and len(stopped["ids"]) == 3


def test_a_full_context_stops_or_slides(wgpt, wgpt_json):
    small = ("run", PROMPT, "--raw", "-m", TINY, "-n", "40", "--ignore-eos", "--context", "16")
    full = wgpt(*small)
    assert full.exit_code == 0 and "the context of 16 tokens is full" in full.stderr
    slid = wgpt_json(*small, "--overflow", "slide")
    assert slid["reason"] == "length" and len(slid["ids"]) == 40


def test_ctrl_c_keeps_the_text_and_exits_130(wgpt, monkeypatch, model: Model):
    """The signal comes while the fourth piece is on its way: that piece is still shown, and what was generated
    meanwhile."""
    pieces, next_piece = [], Stream.__next__

    def interrupted(stream: Stream) -> str:
        pieces.append(next_piece(stream))
        if len(pieces) == 4:
            signal.raise_signal(signal.SIGINT)
        return pieces[-1]

    monkeypatch.setattr(Stream, "__next__", interrupted)
    result = wgpt("run", PROMPT, "-m", TINY, "-n", "200", "-t", "1", "--seed", "1", "--ignore-eos")
    assert result.exit_code == 130
    assert 4 <= len(pieces) <= 6 and result.stdout.removesuffix("\n") == "".join(pieces).removesuffix("\n")
    assert len(result.stderr.splitlines()) == 1 and result.stderr.endswith("; interrupted\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_does_not_wait():
    with pytest.raises(KeyboardInterrupt), streaming.deferred_ctrl_c() as pressed:
        signal.raise_signal(signal.SIGINT)
        assert pressed()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_does_not_wait_for_the_prompt_to_be_read(wgpt, monkeypatch):
    """The signal comes before the first chunk is done: a chunk of a large model takes seconds without a GPU."""
    submitted, done, wait, submit = [], [], Pending.result, Runner.prefill
    for size in ("_MOST_CHUNK", "_SOFTWARE_CHUNK"):
        monkeypatch.setattr(chunk_sizes, size, 16)
    closing, close = threading.Event(), Engine.close

    def noted(runner: Runner, *args: object, **how: object) -> Pending:
        submitted.append(args)
        return submit(runner, *args, **how)

    def closed(engine: Engine, *args: object) -> None:
        closing.set()
        close(engine, *args)

    def interrupted(pending: Pending, timeout: float | None = None) -> dict[str, np.ndarray]:
        if "done" in pending._outputs:  # of a prompt's chunk, in the engine's thread
            if not done:
                os.kill(os.getpid(), signal.SIGINT)
                assert closing.wait(60), "the command ends while the chunk runs"
            done.append(pending)
        return wait(pending, timeout)

    monkeypatch.setattr(Pending, "result", interrupted)
    monkeypatch.setattr(Runner, "prefill", noted)
    monkeypatch.setattr(Engine, "close", closed)
    result = wgpt("run", " ".join(f"word{i}" for i in range(30)), "-m", TINY, "-n", "5")  # six chunks or more
    assert result.exit_code == 130 and result.stderr == "interrupted\n" and result.stdout == ""
    assert len(done) == 1 and len(submitted) <= 4, "the rest of the prompt is not read"


def endless() -> subprocess.Popen[str]:
    """A real process that would run for minutes and has begun its answer."""
    command = [sys.executable, "-m", "wgpt", "run", PROMPT, "-m", TINY, "-n", "1000000", "--ignore-eos"]
    process = subprocess.Popen(
        [*command, "--overflow", "slide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.read(1)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a child")
def test_ctrl_c_in_a_real_process():
    process = endless()
    try:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()  # nothing, if it has ended
    assert process.returncode == 130
    assert len(err.splitlines()) == 1 and err.endswith("; interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_broken_pipe_ends_quietly():
    process = endless()
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    try:
        assert process.wait(60) == 1
    finally:
        process.kill()
    err = process.stderr.read()
    assert err == ""


def test_a_terminal_that_lacks_a_character(model: Model):
    """The answer to this prompt has a non-ASCII character."""
    command = [sys.executable, "-m", "wgpt", "run", PROMPT, "-m", TINY, "-n", "12"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    result = subprocess.run(command, capture_output=True, env=environment, timeout=120)
    answer = model.chat(PROMPT, max_tokens=12).text
    assert not answer.isascii()
    assert result.returncode == 0 and result.stdout.rstrip(b"\n") == answer.encode("ascii", "replace").rstrip(b"\n")


def test_the_real_model_knows_the_capital_of_france(wgpt, smollm2_path):
    result = wgpt("run", "What is the capital of France?", "-m", str(smollm2_path), "-n", "24")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "The capital of France is Paris.\n"


def test_json_is_the_last_word_where_ctrl_c_was_pressed(wgpt, monkeypatch):
    next_piece, pieces = Stream.__next__, []

    def interrupted(stream: Stream) -> str:
        pieces.append(next_piece(stream))
        if len(pieces) == 1:
            signal.raise_signal(signal.SIGINT)
        return pieces[-1]

    monkeypatch.setattr(Stream, "__next__", interrupted)
    result = wgpt("run", PROMPT, "--raw", "-m", TINY, "-n", "50", "--ignore-eos", "--json")
    assert result.exit_code == 130
    facts = json.loads(result.stdout)
    assert facts["reason"] == "interrupted" and len(facts["ids"]) < 50 and facts["text"] == "".join(pieces)


@pytest.mark.full
def test_kernels_in_triton_and_what_had_none(wgpt, wgpt_json):
    """A separate line, or a field in JSON; nothing if there are no fallbacks."""
    command = ("run", PROMPT, "-m", TINY, "-n", "2", "--kernels", "triton")
    assert len(wgpt(*command).stderr.splitlines()) == 1
    result = wgpt(*command, "--dtype", "nf4")
    assert result.exit_code == 0, result.stderr
    # Three layers of four products, for the prompt with the first token, and for a step.
    fallbacks = "gemm_fused with nf4 weights (12), gemv_fused with nf4 weights (12)"
    assert result.stderr.splitlines()[1:] == [f"hand-written kernels for: {fallbacks}"]
    facts = wgpt_json(*command, "--dtype", "nf4")
    assert facts["kernels"] == "triton"
    assert facts["fallbacks"][1] == {"kernel": "gemv_fused", "reason": "nf4 weights", "dispatches": 12}
    assert wgpt_json(*command[:-2], "--dtype", "nf4")["fallbacks"] == []
