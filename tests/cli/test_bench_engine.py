"""`wgpt bench engine`: loads, scenarios, the table and the page; real runs of a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wgpt.bench import engine
from wgpt.bench.engine import Load
from wgpt.models import presets
from wgpt.models.config import Config

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
SMALL = Config("llama", 512, 64, 96, 2, 4, 2, 16, 512, 1e-5)
SMALL_LOAD = ("--requests", "1,3", "--prompt", "5-9", "--new", "4", "--rate", "200")

pytestmark = pytest.mark.gpu


@pytest.fixture
def random(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Options for a small preset with random weights."""
    monkeypatch.setitem(presets.PRESETS, "gpt2", SMALL)
    return ("--preset", "gpt2", "--random", "--dtype", "f16")


def test_loads_of_a_random_model(wgpt_json, random):
    data = wgpt_json("bench", "engine", *random, *SMALL_LOAD)
    assert data["bench"] == "engine" and data["model"]["random"] and data["prompt"] == [5, 9] and data["new"] == 4
    loads = data["loads"]
    assert [(load["requests"], load["rate"]) for load in loads] == [(1, 0), (3, 0), (3, 200)]
    for load in loads:
        assert load["tokens_per_second"] == pytest.approx(4 * load["requests"] / load["seconds"])
        assert 0 < load["first_median"] <= load["first_p99"] and 0 < load["gap_median"] <= load["gap_longest"]
        assert 5 * load["requests"] <= load["prompt_tokens"] <= 9 * load["requests"] and load["cached_tokens"] == 0


def test_a_table_and_a_page(wgpt, tmp_path: Path):
    page = tmp_path / "engine.html"
    result = wgpt("bench", "engine", "-m", TINY, "--requests", "2", "--new", "3", "--html", str(page))
    assert result.exit_code == 0, result.stderr
    for text in ("tok/s", "first token ms", "longest", "at once", "(25%)", "(50%)", "(90%)", "before it was measured"):
        assert text in result.stdout
    html = page.read_text()
    assert html.count("<svg") == 3 and "Time to the first token" in html
    page.write_text("notes")
    refused = wgpt("bench", "engine", "-m", TINY, "--html", str(page))
    assert refused.exit_code == 2 and "was not written by this command" in refused.stderr


def test_a_draft_model(wgpt, wgpt_json, random):
    data = wgpt_json("bench", "engine", *random, "--draft", "gpt2", "--requests", "2", "--new", "60", "--rate", "200")
    assert data["draft"] == "gpt2, random f16 weights"
    assert all(0 <= load["accepted"] <= load["drafted"] for load in data["loads"])
    result = wgpt("bench", "engine", "-m", TINY, "--draft", TINY, "--requests", "1", "--new", "3")
    assert result.exit_code == 0 and "draft model" in result.stdout and "right guesses" in result.stdout
    refused = wgpt("bench", "engine", *random, "--draft", "smollm2-135m")
    assert refused.exit_code == 2 and "has a vocabulary of 49152 tokens, and the model one of 512" in refused.stderr


def test_a_common_prefix_comes_from_the_cache(wgpt_json, random):
    data = wgpt_json("bench", "engine", *random, "--scenario", "prefix", "--prompt", "192")
    assert data["prefix"] == 192 and data["cached_tokens"] == 192
    assert data["ratio"] == pytest.approx(data["first_seconds"] / data["second_seconds"])


def test_prompts_that_arrive_while_others_run(wgpt_json, random):
    data = wgpt_json("bench", "engine", *random, "--scenario", "stall", "--prompt", "100")
    assert data["gap_longest"] >= data["gap_median"] > 0 and data["prompt_tokens_per_second"] > 0


@pytest.mark.full
def test_sequences_with_lora_adapters(wgpt_json, random):
    options = ("--scenario", "lora", "--adapters", "3", "--rank", "4", "--requests", "4", "--new", "4")
    data = wgpt_json("bench", "engine", *random, *options)
    assert (data["adapters"], data["rank"], data["requests"]) == (3, 4, 4)
    assert data["share"] == pytest.approx(data["tokens_per_second"] / data["base_tokens_per_second"])


def test_what_is_refused(wgpt):
    for args, message in {
        ("--requests", "1,x"): "--requests 1,x: give numbers",
        ("--requests", "0"): "--requests 0: give numbers",
        ("--rate", "-1"): "--rate -1: give requests per second",
        ("--prompt", "9-4"): "--prompt 9-4: give a number of tokens, or a range",
        ("--scenario", "rain"): "choose one of load, prefix, stall, lora",
        ("--scenario", "stall", "--prompt", "5-9"): "takes one number of tokens",
        ("--scenario", "prefix", "--html", "x.html"): "--html is for --scenario load",
        ("--scenario", "lora", "--requests", "1,2"): "takes one number",
        ("--prompt", "250", "--new", "20"): "need 270 positions",
        ("--random",): "--random goes with --preset",
    }.items():
        result = wgpt("bench", "engine", "-m", TINY, *args)
        assert result.exit_code == 2 and message in result.stderr, (args, result.stderr)


def test_arrivals_are_a_poisson_process():
    prompts = engine.Prompts(100)
    times = prompts.arrivals(2000, 50.0)
    assert times == sorted(times) and times[-1] == pytest.approx(2000 / 50, rel=0.15)
    assert prompts.arrivals(3, 0) == [0.0] * 3


def test_arrivals_by_name():
    load = json.loads('{"requests": 4, "rate": 0, "share": 0}')
    rest = dict.fromkeys([name for name in Load.__dataclass_fields__ if name not in load], 0)
    assert Load(**load, **rest).arrivals == "at once"
    assert Load(**load | {"rate": 12.34, "share": 0.5}, **rest).arrivals == "12.3/s (50%)"
    assert Load(**load | {"rate": 2.0}, **rest).arrivals == "2/s"
