"""`wgpt bench decode` and `prefill` run every kind of model, with random weights; encoders are refused by name."""

from __future__ import annotations

import pytest

from wgpt.formats.config import normalised
from wgpt.models import presets
from wgpt.models.config import Config
from wgpt.models.tiny_models import CONFIGS

pytestmark = [pytest.mark.gpu, pytest.mark.compiling]
KINDS = {
    "states beside attention": "qwen35",
    "states of convolutions": "lfm2",
    "sliding windows": "gemma3",
    "latent attention and experts": "deepseek2",
    "experts": "olmoe",
    "sinks": "gpt_oss",
}


def tiny(monkeypatch: pytest.MonkeyPatch, family: str) -> Config:
    """The preset "gpt2" is the family's tiny model."""
    config = Config.of(normalised(CONFIGS[family], family))
    monkeypatch.setitem(presets.PRESETS, "gpt2", config)
    return config


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model(kind: str, wgpt_json, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny(monkeypatch, KINDS[kind])
    assert bool(config.states) == kind.startswith("states")
    common = ("--preset", "gpt2", "--random", "--context", "9", "--repeats", "3")
    decode = wgpt_json("bench", "decode", *common, "--tokens", "2")
    assert decode["tokens"] == 2 and decode["tokens_per_second"] > 0 and decode["step"]["weight_bytes"] > 0
    assert decode["step"]["layer"]["layers"] == config.layers
    prefill = wgpt_json("bench", "prefill", *common)
    assert prefill["tokens"] == 9 and prefill["tokens_per_second"] > 0


@pytest.mark.parametrize("verb", ["decode", "prefill"])
def test_encoders_are_refused_by_name(verb: str, wgpt, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny(monkeypatch, "bert")
    result = wgpt("bench", verb, "--preset", "gpt2", "--random", "--context", "9")
    assert result.exit_code == 2 and "the model is an encoder (bert)" in result.stderr
