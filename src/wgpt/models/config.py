"""A model's sizes and constants, the same for all families."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..formats import FormatError
from ..kernels.attending import MOST_HEAD_DIM


@dataclass(frozen=True)
class Config:
    """`Config.of` makes it from a checkpoint's config; presets.py has some without one."""

    family: str  # llama, qwen2, qwen3, gpt2
    vocab: int
    hidden: int
    ffn: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    context: int
    eps: float
    tied: bool = True
    qkv_bias: bool = False
    out_bias: bool = False
    ffn_bias: bool = False
    theta: float = 10000.0
    rope_scaling: dict[str, Any] | None = field(default=None, hash=False)
    window: int = 0
    bos: int | None = None
    eos: tuple[int, ...] = ()

    @classmethod
    def of(cls, config: dict[str, Any]) -> Config:
        """From the keys that formats/config.py lists."""
        if config["model_type"] == "gpt2" and config["hidden_act"] != "gelu_new":
            raise FormatError(f"GPT-2 is run with gelu_new, not with {config['hidden_act']}")
        if config["head_dim"] % 8 or config["head_dim"] > MOST_HEAD_DIM:
            raise FormatError(f"head_dim is {config['head_dim']}; it must be a multiple of 8 up to {MOST_HEAD_DIM}")
        return cls(
            family=config["model_type"],
            vocab=config["vocab_size"],
            hidden=config["hidden_size"],
            ffn=config["intermediate_size"],
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            kv_heads=config["num_key_value_heads"],
            head_dim=config["head_dim"],
            context=config["max_position_embeddings"],
            eps=config.get("rms_norm_eps") or config["layer_norm_epsilon"],
            tied=config["tie_word_embeddings"],
            qkv_bias=config["attention_bias"],
            out_bias=config["attention_output_bias"],
            ffn_bias=config["mlp_bias"],
            theta=config.get("rope_theta", 10000.0),
            rope_scaling=config.get("rope_scaling"),
            window=config.get("sliding_window") or 0,
            bos=config["bos_token_id"],
            eos=tuple(config["eos_token_id"]),
        )

    @property
    def q_rows(self) -> int:
        return self.heads * self.head_dim

    @property
    def kv_rows(self) -> int:
        return self.kv_heads * self.head_dim
