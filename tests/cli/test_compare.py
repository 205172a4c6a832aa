"""compare on tiny models; and what it says is what the logits say."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.models import golden

import wgpt as package
from wgpt.api.comparing import Comparison

MODEL = str(golden.FOLDER / "models" / "llama-gqa")
TEXT = "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 4


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    return str(tmp_path / "text.txt")


def log_softmax(logits: np.ndarray) -> np.ndarray:
    values = logits.astype(np.float64)
    return values - np.logaddexp.reduce(values, axis=1, keepdims=True)


def test_the_numbers_are_those_of_the_logits():
    with package.load(MODEL) as a, package.load(MODEL, dtype="q4_0") as b:
        ids = a.ids(TEXT)[:60]
        comparison = package.compare(a, b, TEXT, context=41, stride=31, tokens=60)
        losses, divergences, agree = [], [], []
        for piece, first in ((ids[:41], 1), (ids[31:], 10)):
            log_a, log_b = (log_softmax(model.logits(piece)[first - 1 : -1]) for model in (a, b))
            losses += [-log_b[i, token] for i, token in enumerate(piece[first:])]
            divergences += (np.exp(log_a) * (log_a - log_b)).sum(axis=1).tolist()
            agree += (log_a.argmax(axis=1) == log_b.argmax(axis=1)).tolist()
        perplexity = a.perplexity(ids, context=41, stride=31)
    assert np.allclose(comparison.losses_b, losses, rtol=1e-9)
    assert np.allclose(comparison.divergence, divergences, rtol=1e-6, atol=1e-12)
    assert comparison.agree.tolist() == agree and comparison.positions.tolist() == [*range(1, 41), *range(10, 29)]
    assert comparison.perplexities[0] == pytest.approx(perplexity, rel=1e-4)
    assert 0 < comparison.summary()["kl_mean"] < comparison.summary()["kl_max"]


def test_by_position_covers_everything():
    count = 50
    made = Comparison(
        np.ones(count), np.full(count, 2.0), np.zeros(count), np.ones(count, bool), np.arange(1, count + 1)
    )
    groups = made.by_position(8)
    assert [groups[0]["first"], groups[-1]["last"]] == [1, count] and sum(g["tokens"] for g in groups) == count
    assert made.summary()["perplexity_ratio"] == pytest.approx(np.e) and made.summary()["agreement"] == 1


def test_the_command_and_its_page(wgpt, tmp_path, text):
    page = tmp_path / "page.html"
    result = wgpt("compare", MODEL, MODEL, "--text", text, "--context", "32", "--html", str(page))
    assert result.exit_code == 0, result.stderr
    assert "same likeliest token" in result.stdout and "100.00%" in result.stdout
    assert "<svg" in page.read_text() and "KL divergence of B from A" in page.read_text()
    facts = json.loads(wgpt("compare", MODEL, MODEL, "--text", text, "--tokens", "20", "--json").stdout)
    assert facts["tokens"] == 19 and facts["kl_max"] < 1e-9 and facts["by_position"]


def test_refusals(wgpt, tmp_path, text):
    (tmp_path / "empty").write_text(" ")
    for args, message in (
        ((MODEL, MODEL, "--text", str(tmp_path / "none")), "cannot be read"),
        ((MODEL, MODEL, "--text", str(tmp_path / "empty")), "has no text"),
        ((MODEL, MODEL, "--text", text, "--context", "100000"), "context must be"),
    ):
        result = wgpt("compare", *args)
        assert result.exit_code == 2 and message in result.stderr, (message, result.stderr)


def test_other_vocabularies_are_refused(monkeypatch):
    with package.load(MODEL) as a, package.load(MODEL) as b:
        monkeypatch.setattr(b, "ids", lambda text: [1, 2, 3])
        with pytest.raises(package.WgptError, match="the models have different vocabularies"):
            package.compare(a, b, TEXT)
