"""The golden models: tiny folders that transformers wrote, with what transformers computes from them."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wgpt.models.reference import Array, Config, Weights

FOLDER = Path(__file__).parents[1] / "golden"
CONTEXTS = {"phi3": 128}  # with which a model must be loaded: longrope has other frequencies for longer ones
# GGUF has no place for a setting of these: a window in all layers (mistral) or in some (ministral) of a llama, or in
# others than the usual ones (gemma3-vision). Without RoPE, Granite 4 is refused there.
NOT_IN_GGUF = ("mistral", "ministral", "gemma3-vision", "granite4-nope")
FOLDERS = ("models", "dense")  # archives of them
NAMES = tuple(sorted(path.parent.name for each in FOLDERS for path in (FOLDER / each).glob("*/config.json")))
QUICK = ("gemma3", "gpt2", "gptneox", "llama-gqa", "phi3", "qwen2", "qwen3")  # the others are in the full part


@dataclass(frozen=True)
class Run:
    """One sequence of tokens, and the truth about it."""

    ids: list[int]
    logits: Array  # [tokens, vocabulary], f32
    hidden: Array  # [tokens, hidden], f32, after the final norm
    greedy: list[int]  # the likeliest 12 tokens that follow


@dataclass(frozen=True)
class Golden:
    folder: Path
    config: Config
    weights: Weights
    runs: list[Run]

    @property
    def context(self) -> int | None:
        return CONTEXTS.get(self.folder.name)


def parameters(names: Iterable[str] = NAMES, quick: Container[str] = QUICK) -> list[Any]:
    """For a test that compiles a whole model for each of them."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.full) for name in names]


def folder_of(name: str) -> Path:
    return next(FOLDER / each / name for each in FOLDERS if (FOLDER / each / name).is_dir())


def text_part(config: Config, weights: Weights) -> tuple[Config, Weights]:
    """Of a model that also reads images, what a text model has."""
    text = {name: w for name, w in weights.items() if name.startswith(("language_model.", "model.", "lm_head."))}
    plain = {name.replace("language_model.", ""): w for name, w in text.items() if "visual." not in name}
    return config["text_config"] | {"tie_word_embeddings": "lm_head.weight" not in plain}, plain


def load(name: str, among: str | None = None) -> Golden:
    """`among`: the archive that has it, if it is none of FOLDERS."""
    folder = folder_of(name) if among is None else FOLDER / among / name
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    weights: Weights = {}
    for file in sorted(folder.glob("*.safetensors")):
        weights |= read_safetensors(file)
    if "text_config" in config:
        config, weights = text_part(config, weights)
    with np.load(folder / "golden.npz") as saved:
        runs = [
            Run(saved[f"ids_{i}"].tolist(), saved[f"logits_{i}"], saved[f"hidden_{i}"], saved[f"greedy_{i}"].tolist())
            for i in range(sum(key.startswith("ids_") for key in saved))
        ]
    return Golden(folder, config, weights, runs)


def read_safetensors(file: Path) -> Weights:
    """Every tensor; bf16, which NumPy lacks, as f32. An independent reader, to compare the package's with."""
    raw = file.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__", None)
    weights: Weights = {}
    for name, facts in header.items():
        first, last = facts["data_offsets"]
        kind = {"F32": np.float32, "F16": np.float16, "BF16": np.uint16, "BOOL": np.bool_}[facts["dtype"]]
        values = np.frombuffer(raw[start + first : start + last], kind).reshape(facts["shape"])
        weights[name] = (values.astype(np.uint32) << 16).view(np.float32) if facts["dtype"] == "BF16" else values
    return weights
