"""Writes tests/golden/models: tiny models of every family, and what transformers computes from them.

Run by hand, and again only when a model here changes (needs no GPU; about half a minute):

    python3 -m venv golden-venv
    golden-venv/bin/pip install torch==2.13.0 transformers safetensors tokenizers
    golden-venv/bin/python -m tests.golden.make_models [NAME ...]

The weights come from a seed (tests/models/made_up.py); transformers takes them, writes the folder, reads it again
and runs it in float64, except where its own code insists on float32 (RMSNorm and RoPE's angles).
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from tests.golden.archives import pack
from tests.models import made_up
from tests.models.vocabulary import EOS, SIZE, write_tokenizer
from wgpt.models.reference import Config

FOLDER = Path(__file__).parent / "models"
LENGTHS = (1, 17, 41)
FOLLOWING = 12
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,  # of the 8 pairs one stays, one is blended, and six are slowed
}
LLAMA_GQA = made_up.llama_like("llama", hidden=48, layers=3, heads=6, kv_heads=2, ffn=112)
GELU = {"hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh"}
PHI3 = made_up.llama_like(
    *("phi3",),
    **{"hidden": 64, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 56, "tied": False, "pad_token_id": None},
    rope_scaling={
        "type": "longrope",
        "short_factor": [1.0, 1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0],
        "long_factor": [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0],
    },
)
GPT2 = made_up.gpt2(hidden=48, layers=2, heads=3)


@dataclass(frozen=True)
class Tiny:
    """A model to write. `how` writes its config and weights; by default as transformers does."""

    config: Config
    seed: int
    dtype: torch.dtype = torch.float32
    how: Callable[[PreTrainedModel, Config, Path], None] = lambda model, config, folder: model.save_pretrained(folder)
    attention: str = "sdpa"
    norm: float | None = None  # the middle of the gains of norms; tensors are then those that transformers has
    lengths: tuple[int, ...] = LENGTHS
    auto: Any = AutoModelForCausalLM  # transformers' class that chooses the model's
    embed: float = 1.0  # factor of the embeddings: where they are scaled, smaller ones keep the text from repeating


def as_older(model: PreTrainedModel, config: Config, folder: Path) -> None:
    """With the config of a folder from before transformers 5: rope_theta, rope_scaling, torch_dtype."""
    model.save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def in_shards(model: PreTrainedModel, config: Config, folder: Path) -> None:
    model.save_pretrained(folder, max_shard_size="90KB")
    assert len(list(folder.glob("*.safetensors"))) > 2


def as_first_gpt2(model: PreTrainedModel, config: Config, folder: Path) -> None:
    """As the hub's gpt2 is: names without `transformer.`, and every layer's causal mask stored as `attn.bias`."""
    as_older(model, config, folder)
    tensors = {name.removeprefix("transformer."): t for name, t in model.state_dict().items() if "lm_head" not in name}
    mask = torch.ones(config["n_positions"], config["n_positions"], dtype=model.dtype).tril()
    tensors |= {f"h.{i}.attn.bias": mask[None, None].clone() for i in range(config["n_layer"])}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


MODELS = {
    "llama-gqa": Tiny(LLAMA_GQA, seed=1),
    "llama-gqa-bf16": Tiny(LLAMA_GQA, seed=2, dtype=torch.bfloat16),
    "llama3-rope": Tiny(
        made_up.llama_like(
            "llama", hidden=40, layers=2, heads=4, kv_heads=2, ffn=72, head_dim=16, tied=False, rope_scaling=LLAMA3
        ),
        seed=3,
        how=as_older,
    ),
    "llama-linear-rope": Tiny(
        made_up.llama_like(
            "llama", hidden=32, layers=2, heads=4, kv_heads=4, ffn=56, rope_scaling={"type": "linear", "factor": 4.0}
        ),
        seed=4,
        how=as_older,
    ),
    "mistral": Tiny(
        made_up.llama_like("mistral", hidden=36, layers=2, heads=3, kv_heads=1, ffn=60, head_dim=16, sliding_window=16),
        seed=5,
    ),
    "qwen2": Tiny(
        made_up.llama_like("qwen2", hidden=48, layers=2, heads=6, kv_heads=3, ffn=80, tied=False, rope_theta=1e6),
        seed=6,
    ),
    "qwen3": Tiny(
        made_up.llama_like("qwen3", hidden=40, layers=2, heads=4, kv_heads=2, ffn=96, head_dim=24, rope_theta=1e6),
        seed=7,
        how=in_shards,
    ),
    "gpt2": Tiny(GPT2, seed=8),
    "gpt2-f16": Tiny(GPT2, seed=9, dtype=torch.float16, how=as_first_gpt2),
    "gemma": Tiny(
        made_up.llama_like(
            "gemma", hidden=32, layers=2, heads=4, kv_heads=1, ffn=56, head_dim=16, hidden_act="gelu_pytorch_tanh"
        ),
        seed=10,
        norm=0.0,
        embed=0.3,
    ),
    # A window of 16 in layers 0 and 2. Scores and logits reach beyond their caps; sdpa would ignore that of scores.
    "gemma2": Tiny(
        made_up.llama_like(
            *("gemma2",),
            **{"hidden": 40, "layers": 3, "heads": 4, "kv_heads": 2, "ffn": 56, "head_dim": 16},
            **GELU,
            **{"sliding_window": 16, "query_pre_attn_scalar": 10},
            **{"attn_logit_softcapping": 2.0, "final_logit_softcapping": 4.0},
        ),
        seed=11,
        attention="eager",
        norm=0.0,
        embed=0.3,
    ),
    # The window and the smaller theta in the first five layers of six.
    "gemma3": Tiny(
        made_up.llama_like(
            *("gemma3_text",),
            **{"hidden": 32, "layers": 6, "heads": 4, "kv_heads": 2, "ffn": 40, "head_dim": 16},
            **GELU,
            **{"sliding_window": 16, "query_pre_attn_scalar": 12},
            **{
                "rope_theta": 1e6,
                "rope_local_base_freq": 1000.0,
                "rope_scaling": {"rope_type": "linear", "factor": 4.0},
            },
        ),
        seed=12,
        attention="eager",
        norm=0.0,
        embed=0.3,
    ),
    # Of 256 positions, the frequencies of contexts up to 128, and of longer ones.
    "phi3": Tiny(PHI3 | {"original_max_position_embeddings": 128}, seed=13, norm=1.0),
    "phi3-long": Tiny(
        PHI3 | {"original_max_position_embeddings": 16, "sliding_window": 24}, seed=14, norm=1.0, lengths=(17, 23, 41)
    ),
    # Twelve of the sixteen pairs are rotated.
    "phi4-mini": Tiny(
        PHI3
        | {"original_max_position_embeddings": 16, "partial_rotary_factor": 0.75}
        | {"num_attention_heads": 2, "num_key_value_heads": 1}
        | {
            "rope_scaling": {
                "type": "longrope",
                "short_factor": [1.0, 1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.1, 2.2, 2.3, 2.4],
                "long_factor": [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 24.0, 28.0, 30.0, 32.0],
            }
        },
        seed=18,
        norm=1.0,
        lengths=(17, 23, 41),
    ),
    "ministral": Tiny(
        made_up.llama_like(
            *("ministral",),
            **{"hidden": 32, "layers": 3, "heads": 4, "kv_heads": 2, "ffn": 40, "tied": False, "head_dim": 16},
            **{"sliding_window": 16, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]},
            rope_scaling={
                **{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
                **{"beta_fast": 4.0, "beta_slow": 1.0},
            },
        ),
        seed=15,
        norm=1.0,
    ),
    "olmo2": Tiny(
        made_up.llama_like(
            *("olmo2",),
            **{"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 40, "tied": False},
            pad_token_id=None,
        ),
        seed=19,
        norm=1.0,
    ),
    # The window in layers 0 to 2, yarn in layer 3.
    "olmo3": Tiny(
        made_up.llama_like(
            *("olmo3",),
            **{"hidden": 32, "layers": 4, "heads": 4, "kv_heads": 4, "ffn": 40, "tied": False, "pad_token_id": None},
            sliding_window=16,
            rope_theta=500000.0,  # that of both kinds of layers, whatever the format of the config
            rope_scaling={
                **{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
                **{"beta_fast": 4.0, "beta_slow": 1.0},
            },
        ),
        seed=20,
        norm=1.0,
    ),
    # No RoPE in layer 3; dynamic scaling, which changes nothing here.
    "smollm3": Tiny(
        made_up.llama_like(
            *("smollm3",),
            **{"hidden": 32, "layers": 5, "heads": 4, "kv_heads": 2, "ffn": 40, "pad_token_id": None},
            rope_scaling={"rope_type": "dynamic", "factor": 4.0},
        ),
        seed=16,
        norm=1.0,
    ),
    "granite": Tiny(
        made_up.llama_like(
            *("granite",),
            **{"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 56, "tied": False},
            **{"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.6},
            logits_scaling=0.5,
        ),
        seed=17,
        norm=1.0,
        embed=0.3,
    ),
}


def write(name: str, tiny: Tiny, parent: Path = FOLDER) -> PreTrainedModel:
    """The folder of one model, and the model as transformers reads it back from there, in float64."""
    folder = parent / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = tiny.config | {"torch_dtype": str(tiny.dtype).removeprefix("torch.")}
    model = tiny.auto.from_config(AutoConfig.for_model(**tiny.config))
    if tiny.norm is None:
        arrays = made_up.random_weights(config, tiny.seed)
    else:
        shapes = {name: tuple(t.shape) for name, t in model.state_dict().items()}
        if model.config.tie_word_embeddings:
            shapes.pop("lm_head.weight")
        arrays = made_up.weights_like(shapes, tiny.seed, tiny.norm, tiny.embed)
    weights = {key: torch.from_numpy(value) for key, value in arrays.items()}
    missing, unknown = model.load_state_dict(weights, strict=False)
    assert not unknown and set(missing) <= {"lm_head.weight"}, (missing, unknown)
    model.tie_weights()
    tiny.how(model.to(tiny.dtype), config, folder)
    write_tokenizer(folder)
    how = {"dtype": torch.float32, "attn_implementation": tiny.attention}
    return tiny.auto.from_pretrained(folder, **how).double().eval()


@torch.no_grad()
def forward(model: PreTrainedModel, ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Logits and final-norm hidden states, [tokens, ...], in float64."""
    output = model(torch.tensor([ids]), output_hidden_states=True, use_cache=False)
    return output.logits[0].numpy(), output.hidden_states[-1][0].numpy()


def follow(model: PreTrainedModel, ids: list[int]) -> list[int] | None:
    """The greedy continuation, if f32 rounding cannot change any choice and no token ends the text."""
    sequence = list(ids)
    for _ in range(FOLLOWING):
        last = forward(model, sequence)[0][-1]
        second, first = np.sort(last)[-2:]
        if first - second < 0.02:
            return None
        sequence.append(int(last.argmax()))
    after = sequence[len(ids) :]
    return after if EOS not in after and len(set(after)) > 3 else None


def truth(model: PreTrainedModel, seed: int, lengths: tuple[int, ...]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    arrays: dict[str, np.ndarray] = {}
    for i, length in enumerate(lengths):
        for _ in range(300):
            ids = rng.integers(0, SIZE, length).tolist()
            after = follow(model, ids)
            if after is not None:
                break
        else:
            raise SystemExit("no continuation is clear enough: change the model")
        logits, hidden = forward(model, ids)
        arrays |= {f"ids_{i}": np.array(ids, np.int32), f"greedy_{i}": np.array(after, np.int32)}
        arrays |= {f"logits_{i}": logits.astype(np.float32), f"hidden_{i}": hidden.astype(np.float32)}
    return arrays


def main(names: list[str], models: Mapping[str, Tiny] = MODELS, folder: Path = FOLDER) -> None:
    for name in names or models:
        model = write(name, models[name], folder)
        arrays = truth(model, models[name].seed, models[name].lengths)
        np.savez_compressed(folder / name / "golden.npz", **arrays)
        print(f"{name}: logits up to {np.abs(arrays['logits_2']).max():.1f}, then {arrays['greedy_2'].tolist()}")
    pack(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
