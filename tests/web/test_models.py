"""Exported models in Node with Dawn: the tokens of Python, its logits, its seeds. Tiny models of every family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt.engine.batch import TILE
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.gpu import GpuDevice

from .conftest import ROOT, Run, export

GOLDEN = ROOT / "tests" / "golden"
TINY = "models/llama-gqa"
# One of each family; the others there differ in their files, not in what runs.
FAMILIES = {
    "models": ("gemma", "gemma2", "gemma3", "gpt2", "granite", "olmo2", "phi3", "qwen2", "qwen3", "smollm3"),
    "dense": ("cohere2", "exaone4", "glm4", "gptneox", "granite4", "phi", "stablelm", "starcoder2"),
}
TOKENS = 6


def prompt_of(vocab: int) -> list[int]:
    """More than one tile, so that a chunk is padded."""
    return np.random.default_rng(5).integers(3, vocab, TILE + 7).tolist()


def same_as_python(device: GpuDevice, name: str, site: dict[str, Any], prompt: list[int]) -> None:
    greedy, sampled, penalised = site["results"]
    with wgpt.load(GOLDEN / name, device=device, cache="f32") as model:
        options: dict[str, Any] = {"max_tokens": TOKENS, "ignore_eos": True}
        assert greedy["ids"] == list(model.generate(prompt, **options).ids)
        seeded = {**options, "temperature": 1.3, "top_k": 20, "top_p": 0.9, "seed": 2**40 + 3}
        assert sampled["ids"] == list(model.generate(prompt, **seeded).ids)
        punished = {**options, "repetition_penalty": 1.5, "presence_penalty": 0.5, "frequency_penalty": 0.25}
        assert penalised["ids"] == list(model.generate(prompt, **punished).ids)
        with FixedBatch(model.network, 64, cache="f32", logits=True) as batch:
            batch.start({0: prompt + greedy["ids"][:-1]})
            logits = batch.step().result()["logits"].reshape(-1)
    assert np.abs(np.array(greedy["logits"]) - logits).max() < 1e-4


GENERATIONS: list[dict[str, Any]] = [
    {"options": {"logits": True}},
    {"options": {"temperature": 1.3, "topK": 20, "topP": 0.9, "seed": 2**40 + 3}},
    {"options": {"repetitionPenalty": 1.5, "presencePenalty": 0.5, "frequencyPenalty": 0.25}},
]


def run(node: Run, device: GpuDevice, folder: Path, names: list[str], **options: Any) -> None:
    sites = [str(export(GOLDEN / name, folder / name, cache="f32", **options)) for name in names]
    vocab = 61
    prompt = prompt_of(vocab)
    always = {"maxTokens": TOKENS, "ignoreEos": True}
    generations = [{"prompt": prompt, "options": {**always, **each["options"]}} for each in GENERATIONS]
    for name, site in zip(names, node("generate", sites=sites, generations=generations), strict=True):
        same_as_python(device, name, site, prompt)


@pytest.mark.gpu
@pytest.mark.full
def test_one_family(node: Run, device: GpuDevice, tmp_path: Path) -> None:
    run(node, device, tmp_path, [TINY])


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("kind", FAMILIES)
def test_every_family(node: Run, device: GpuDevice, tmp_path: Path, kind: str) -> None:
    run(node, device, tmp_path, [f"{kind}/{name}" for name in FAMILIES[kind]])
