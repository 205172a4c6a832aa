"""A tiny model of each family with random weights, as a Hugging Face folder, for `wgpt verify`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats.config import normalised
from ..formats.family import families
from ..formats.row_groups import put_among
from ..formats.safetensors_write import write_safetensors
from ..formats.stacks import scattered
from ..formats.wanted import RequiredTensor, wanted
from .reference import Config, Weights

CONFIGS: dict[str, Config] = {family.name: dict(family.tiny) for family in families()}
VOCAB = 61  # vocabulary size of all tiny models
_ATTENDING = ("q", "k", "qkv")
_TABLES = ("embed", "positions", "types", "head")


def random_weights(config: Config, seed: int = 0) -> Weights:
    """f32 weights by Hugging Face names, large enough that every tensor matters and attention is far from uniform."""
    weights: Weights = {}
    for tensor, values in random_tensors(config, seed):
        put_tensor(tensor, values, weights)
    return weights


def random_tensors(config: Config, seed: int = 0) -> Iterator[tuple[RequiredTensor, NDArray[np.float32]]]:
    """As random_weights, by the rows of the family's table."""
    rng = np.random.default_rng(seed)
    for tensor in wanted(normalised(config, "verify")):
        yield tensor, _draw(rng, tensor).astype(np.float32)


def put_tensor(tensor: RequiredTensor, values: NDArray[Any], weights: Weights) -> None:
    """Store a tensor as Hugging Face's files do: under its name, or within others."""
    if tensor.row.stack is not None:
        scattered(tensor.row.stack, tensor.name, values, weights)
    elif tensor.row.groups is not None:
        put_among(tensor.row.groups, values, weights)
    else:
        weights[tensor.name] = values.reshape(tensor.row.folded) if tensor.row.folded else values


def _draw(rng: np.random.Generator, tensor: RequiredTensor) -> NDArray[np.float64]:
    if tensor.row.log:
        return rng.uniform(-3.0, -0.5, tensor.shape)
    if tensor.name.endswith(".bias"):
        return 0.3 * rng.standard_normal(tensor.shape)
    if len(tensor.shape) == 1:
        return rng.uniform(0.5, 1.5, tensor.shape)
    if tensor.row.part in _TABLES:
        return 0.4 * rng.standard_normal(tensor.shape)
    gain = 1.5 if tensor.row.part in _ATTENDING else 1.0
    matrix: NDArray[np.float64] = gain / tensor.shape[1] ** 0.5 * rng.standard_normal(tensor.shape)
    return matrix.T if tensor.transposed else matrix


def write_folder(folder: Path, config: Config, weights: dict[str, NDArray[Any]]) -> None:
    (folder / "config.json").write_text(json.dumps(config))
    write_safetensors(folder / "model.safetensors", weights)
