"""Tiny models of every family whose sizes are drawn at random: odd ones, which no chunk or tile divides.

A drawn model is a family's `tiny` with other numbers under the keys that it has, so a new family takes part by itself.
Sizes that a family refuses (experts that do not fill their groups, say) are drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wgpt.formats.config import normalised
from wgpt.formats.errors import FormatError
from wgpt.formats.family import families, named
from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.formats.wanted import wanted
from wgpt.models.config import Config as Settings
from wgpt.models.family import model_family
from wgpt.models.reference import Config, Weights
from wgpt.models.targets import linear_shapes
from wgpt.models.tiny_models import put_tensor, random_tensors, random_weights, write_folder
from wgpt.models.weight_recipe import WeightRecipe
from wgpt.quant.weights import pack, unpack

from .vocabulary import write_tokenizer

Rng = np.random.Generator
HEAD_DIMS = (8, 16, 24, 40, 56)  # others are refused
_HIDDEN = (30, 36, 63, 75, 90, 100, 102, 105, 331)
_FFN = (17, 21, 37, 55, 63, 75, 98, 102, 149, 331)
_SIZES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("hidden_size", "n_embd"), _HIDDEN),
    **dict.fromkeys(("intermediate_size", "n_inner", "shared_intermediate_size"), _FFN),
    **dict.fromkeys(("moe_intermediate_size", "shared_expert_intermediate_size"), _FFN),
    **dict.fromkeys(("head_dim", "global_head_dim", "v_head_dim", "qk_nope_head_dim", "qk_rope_head_dim"), HEAD_DIMS),
    **dict.fromkeys(("num_attention_heads", "n_head", "linear_num_value_heads"), (1, 2, 3, 4, 5, 6, 9)),
    **dict.fromkeys(("num_key_value_heads", "num_global_key_value_heads"), (1, 2, 3)),
    **dict.fromkeys(("num_experts", "num_local_experts", "n_routed_experts"), (3, 5, 7, 9, 12)),
    **dict.fromkeys(("num_experts_per_tok", "n_shared_experts", "linear_num_key_heads", "n_group"), (1, 2, 3)),
    **dict.fromkeys(("sliding_window", "local_attention"), (3, 7, 10, 18, 25)),
    **dict.fromkeys(("linear_key_head_dim", "linear_value_head_dim"), (4, 8, 12, 20)),
    **dict.fromkeys(("q_lora_rank", "kv_lora_rank"), (8, 13, 24, 31, 40)),
    **dict.fromkeys(("conv_L_cache", "linear_conv_kernel_dim"), (2, 3, 4)),
    "topk_group": (1, 2),
    "hidden_size_per_layer_input": (5, 13, 22),
    "type_vocab_size": (1, 2, 3),
    "vocab_size": (61, 97, 131, 331, 337),
}
# For golden files: as small as they can be.
SMALL = {"hidden_size": 27, "vocab_size": 61, "head_dim": 16, "num_attention_heads": 3, "num_key_value_heads": 1}
SMALL |= dict.fromkeys(("intermediate_size", "n_inner", "shared_intermediate_size"), 21)
SMALL |= {"moe_intermediate_size": 13, "shared_expert_intermediate_size": 11, "n_head": 3, "kv_lora_rank": 16}
_TRIES = 300


@dataclass(frozen=True)
class Drawn:
    """A model in a folder."""

    folder: Path
    config: Config
    seed: int  # of the weights
    weights: Weights

    @property
    def settings(self) -> Settings:
        return Settings.of(normalised(self.config, str(self.folder)))

    @property
    def vocab(self) -> int:
        return int(self.config["vocab_size"])


def drawn(folder: Path, family: str, rng: Rng, **fixed: Any) -> Drawn:
    """A model of this family with random weights, written to `folder`. `fixed`: values of keys that it has."""
    config = sizes(family, rng, **fixed)
    seed = int(rng.integers(1 << 31))
    weights = random_weights(config, seed)
    folder.mkdir(parents=True, exist_ok=True)
    write_folder(folder, config, weights)
    write_tokenizer(folder)
    return Drawn(folder, config, seed, weights)


def sizes(family: str, rng: Rng, **fixed: Any) -> Config:
    """The config.json alone."""
    refusal = ""
    for _ in range(_TRIES):
        config = _draw(dict(named(family).tiny), rng, fixed)
        try:
            Settings.of(normalised(config, family))
            return config
        except FormatError as e:
            refusal = str(e)
    raise AssertionError(f"{_TRIES} times, sizes of {family} with {fixed} were refused: {refusal}")


def _draw(config: Config, rng: Rng, fixed: Config) -> Config:
    for key, old in config.items():
        if key in _SIZES and old:
            config[key] = int(rng.choice(_SIZES[key]))
    if "tie_word_embeddings" in config:
        config["tie_word_embeddings"] = bool(rng.integers(2))
    head_dim = fixed.get("head_dim") or int(rng.choice(HEAD_DIMS))
    follows = not config.get("head_dim") and "kv_lora_rank" not in config  # the hidden size is that of all heads
    config |= {key: value for key, value in fixed.items() if config.get(key)}
    if follows:
        hidden, heads = ("n_embd", "n_head") if "n_embd" in config else ("hidden_size", "num_attention_heads")
        config[hidden] = config[heads] * head_dim
    if "kv_lora_rank" in config:  # every head has keys of its own
        config["num_key_value_heads"] = config["num_attention_heads"]
    if "short_factor" in (config.get("rope_scaling") or {}):  # longrope has one for each pair that turns
        dim = config["hidden_size"] // config["num_attention_heads"]
        pairs = np.arange(int(dim * config["partial_rotary_factor"]) // 2)
        factors = {"short_factor": (1 + 0.1 * pairs).tolist(), "long_factor": (1.2**pairs).tolist()}
        config["rope_scaling"] = config["rope_scaling"] | factors
    if "vocab_size_per_layer_input" in config:
        config["vocab_size_per_layer_input"] = config["vocab_size"]
    return config


def of_each_kind() -> list[str]:
    """One family for each way to build a model, with and without experts and states."""
    kinds: dict[object, str] = {}
    for family in map(model_family, families()):
        settings = Settings.of(normalised(family.tiny, family.name))
        experts = any(settings.layer(i).mixture for i in range(settings.layers))
        build = getattr(family.build, "func", family.build)
        kinds[build, experts, bool(settings.states)] = family.name
    return list(kinds.values())


def random_lora(model: Drawn, rng: Rng) -> LoraAdapter:
    """Of all layers that can have one, with a rank that no vector divides."""
    rank = int(rng.choice((1, 3, 5, 9)))

    def factors(n: int, k: int) -> Factors:
        a, b = rng.standard_normal((rank, k)) / k**0.5, 0.5 * rng.standard_normal((n, rank))
        return Factors(a.astype(np.float32), b.astype(np.float32), 1.5)

    return LoraAdapter(
        {name: factors(*shape) for name, shape in linear_shapes(model.settings).items()}, rank, 1.5 * rank
    )


def with_lora(model: Drawn, adapter: LoraAdapter) -> Weights:
    """The weights with an adapter merged into them."""
    changes: Weights = {}
    for tensor in wanted(normalised(model.config, str(model.folder))):
        factors = adapter.targets.get(tensor.row.name)
        if factors is not None and len(tensor.shape) == 2:
            change = factors.scale * factors.b.astype(np.float64) @ factors.a
            put_tensor(tensor, change.T if tensor.transposed else change, changes)
    return {name: w + changes[name] if name in changes else w for name, w in model.weights.items()}


def in_type(model: Drawn, dtype: str) -> Weights:
    """The weights as matrices of this type hold them."""
    type_of = WeightRecipe.parse(dtype).types(model.settings)
    weights: Weights = {}
    for tensor, values in random_tensors(model.config, model.seed):
        kind = type_of(tensor.row.name) if len(tensor.shape) == 2 else None
        if kind is not None:
            matrix = unpack(pack(values.T if tensor.transposed else values, kind.name))
            values = (matrix.T if tensor.transposed else matrix).astype(np.float32)
        put_tensor(tensor, values, weights)
    return weights
