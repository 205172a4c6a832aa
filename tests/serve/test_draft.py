"""`--draft` and `--speculation`: guesses are counted in the metrics, and the texts are those without."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fuzzed_bodies import TINY
from .running import Running, serving

pytestmark = [pytest.mark.gpu, pytest.mark.full]


def guesses(server: Running) -> tuple[float, float]:
    """(made, right)."""
    return server.metric("spec_decode_num_draft_tokens_total"), server.metric("spec_decode_num_accepted_tokens_total")


def test_guesses_of_a_draft_model_are_counted(tmp_path: Path):
    """A model is as slow as itself, so guesses do not pay; it is tried after 32 plain steps, and all are right."""
    request = {"prompt": "a b c", "max_tokens": 120, "ignore_eos": True}
    with serving(tmp_path / "plain", TINY, "--no-warm-up") as server:
        text = server.complete(**request).json()["choices"][0]["text"]
        assert guesses(server) == (0, 0)
    with serving(tmp_path / "draft", TINY, "--no-warm-up", "--draft", str(TINY)) as server:
        short = server.complete(**{**request, "max_tokens": 8})
        assert text.startswith(short.json()["choices"][0]["text"])
        assert server.complete(**request).json()["choices"][0]["text"] == text
        made, right = guesses(server)
        assert made == right > 0


def test_guesses_by_n_grams_are_counted(tmp_path: Path):
    with serving(tmp_path, TINY, "--no-warm-up", "--speculation", "ngram") as server:
        answer = server.complete("a b c", max_tokens=100, ignore_eos=True, logit_bias={"65": 100})
        assert answer.json()["usage"]["completion_tokens"] == 100  # the same token again and again
        made, right = guesses(server)
        assert made >= right > 0, (made, right)
