"""`wgpt embed` and `wgpt rerank` with encoders, and verbs that refuse them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from wgpt import load
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
GOLDEN = Path(__file__).parents[1] / "golden"
BERT, CROSS = (str(GOLDEN / "encoders" / name) for name in ("bert-tanh", "bert-cross"))
DECODER = str(GOLDEN / "models" / "llama-gqa")
TEXTS = ["the sky is blue", "grass is green", "a lazy dog"]


def test_vectors_of_an_encoder(wgpt, device: GpuDevice) -> None:
    with load(BERT, device=device) as model:
        expected = model.embed(TEXTS, prompt_name="query")
    result = wgpt("embed", *TEXTS, "-m", BERT, "--prompt-name", "query")
    assert result.exit_code == 0, result.stderr
    vectors = [json.loads(line)["vector"] for line in result.stdout.splitlines()]
    np.testing.assert_allclose(vectors, expected, atol=1e-5)
    result = wgpt("embed", "fox " * 90, "-m", BERT)
    assert result.exit_code == 2 and "92 tokens, but the context length is 48" in result.stderr
    assert wgpt("embed", "fox " * 90, "-m", BERT, "--truncate").exit_code == 0


def test_the_best_come_first(wgpt, device: GpuDevice, tmp_path: Path) -> None:
    with load(CROSS, device=device) as model:
        expected = model.rerank("what is blue", TEXTS)
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")
    for args in (TEXTS, ["--file", str(tmp_path / "texts.txt")]):
        result = wgpt("rerank", "what is blue", *args, "-m", CROSS)
        assert result.exit_code == 0, result.stderr
        lines = [line.split("  ", 1) for line in result.stdout.splitlines()]
        assert [text for _, text in lines] == [TEXTS[each.index] for each in expected]
        assert [float(score) for score, _ in lines] == pytest.approx([each.score for each in expected], abs=1e-4)
    result = wgpt("rerank", "what is blue", *TEXTS, "-m", CROSS, "--top", "1", "--json")
    (best,) = json.loads(result.stdout)["results"]
    assert (best["index"], best["text"]) == (expected[0].index, TEXTS[expected[0].index])
    assert best["score"] == pytest.approx(expected[0].score, abs=1e-6)


def test_texts_per_second(wgpt) -> None:
    result = wgpt("bench", "embed", "-m", BERT, "--tokens", "40", "--texts", "3", "--repeats", "3", "--json")
    assert result.exit_code == 0, result.stderr
    measured = json.loads(result.stdout)
    assert (measured["texts"], measured["tokens"], measured["rows"]) == (3, 40, 128)
    assert measured["texts_per_second"] > 0
    assert measured["dispatches"] == 4 + 2 * 9 + 1  # tables and their norm, nine in a layer, the sums
    layer = 2 * 32 * (4 * 32 + 2 * 48) + 4 * 40 * 32  # products and attention of a token
    assert measured["gflop_per_text"] == pytest.approx(40 * 2 * layer / 1e9)
    result = wgpt("bench", "embed", "-m", BERT, "--tokens", "65")
    assert result.exit_code == 2 and "exceed the model's context length of 64" in result.stderr


def test_what_is_refused(wgpt) -> None:
    for args, message in (
        (["rerank", "a", "b", "-m", BERT], "cannot rerank: it has no classification head"),
        (["rerank", "a", "b", "-m", DECODER], "neither a cross-encoder nor Qwen3-Reranker"),
        (["rerank", "", "b", "-m", CROSS], "the query is empty"),
        (["rerank", "a", "b", "-m", CROSS, "--instruction", "c"], "a cross-encoder takes none"),
        (["run", "a", "-m", BERT], "the model is an encoder (bert): it turns texts into vectors (embed)"),
        (["run", "a", "-m", CROSS], "the model is an encoder (bert): it scores texts (rerank)"),
        (["bench", "decode", "-m", BERT], "the model is an encoder"),
    ):
        result = wgpt(*args)
        assert result.exit_code == 2 and message in result.stderr, result.stderr
        assert len(result.stderr.strip().splitlines()) == 1 or "Usage" in result.stderr
