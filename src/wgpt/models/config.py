"""A model's sizes and constants, in the same form for all families."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..formats import FormatError
from ..formats.family import named
from ..kernels.attention.attending import MOST_HEAD_DIM
from ..ops.cache import KVShape
from .encoder_config import EncoderSettings
from .mixture import Mixture
from .state_layers import StateLayer


@dataclass(frozen=True)
class Latent:
    """Sizes of latent attention.

    A head of q and k has `nope` dimensions without RoPE beside the rotated ones; a value has `values` dimensions. The
    cache stores a vector of `rank` dimensions, from which keys and values are computed, and the keys' rotated part.
    `q_rank`: size of the queries' own latent vector; 0: none.
    """

    rank: int
    q_rank: int
    nope: int
    values: int


@dataclass(frozen=True)
class Config:
    """`Config.of` reads it from a checkpoint's config; families also have presets of known models.

    `per_layer` has the settings in which each layer differs from the model's; `layer(i)` applies them.
    """

    family: str
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
    rope: bool = True
    rotary: int = 0  # how many dimensions of a head are rotated, from the first on; 0: all
    theta: float = 10000.0
    rope_scaling: dict[str, Any] | None = field(default=None, hash=False)
    window: int = 0
    bos: int | None = None
    eos: tuple[int, ...] = ()
    qk_norm: bool = False  # norms of the q and k heads
    qk_row_norm: bool = False  # norms of all q heads together, and of all k heads
    act: str = "silu"  # activation of the gate, or gelu (its tanh form), or gelu_erf (exact)
    norm_less: float = 0.0  # Hugging Face's files store the norms' gains minus this number
    pre_norms: bool = True  # norms before attention and before the feed-forward
    post_norms: bool = False  # norms after attention and after the feed-forward, before the residual sum
    fused: bool = False  # q, k and v are one matrix, and so are gate and up
    fused_ffn: bool = False  # gate and up are one matrix
    interleaved: bool = False  # RoPE rotates pairs of neighbouring dimensions, not dimensions half a head apart
    by_head: bool = False  # the rows of the matrix of q, k and v are grouped by head
    growth: tuple[float, int] = (0.0, 1)  # queries times 1 + growth[0] log(1 + floor(position / growth[1]))
    layer_norm: bool = False  # LayerNorm instead of RMSNorm: layernorm_decoder.py
    norm_bias: bool = False  # LayerNorm has a shift
    parallel: bool = False  # attention and feed-forward have the same input
    one_norm: bool = False  # attention and feed-forward share one norm
    gated: bool = True  # the feed-forward has a gate
    head_bias: bool = False
    embed_scale: float = 1.0  # factor of the embeddings
    residual_scale: float = 1.0  # factor of what each block adds to the hidden states
    logit_scale: float = 1.0  # factor of the logits
    attention_scale: float = 0.0  # factor of the scores; 0: 1 / sqrt(head_dim)
    attention_cap: float = 0.0  # soft cap of the scores; 0: none
    logit_cap: float = 0.0  # soft cap of the logits; 0: none
    gated_heads: bool = False  # each q head has gates for its results
    sinks: bool = False  # each head has an additional score without a value
    mixture: Mixture | None = None  # mixture of experts, instead of one feed-forward
    v_norm: bool = False  # values are normalised, without gains
    v_is_k: bool = False  # the keys' projection also makes the values
    kv_layer: int | None = None  # the layer whose keys and values this one uses; None: its own
    latent: Latent | None = None  # keys and values are computed from one latent vector
    per_layer_input: int = 0  # size of the per-layer input; 0: none
    state: StateLayer | None = None  # what a layer has instead of attention: a state of fixed size, without keys
    per_layer: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    encoder: EncoderSettings | None = None  # settings of a model with bidirectional attention

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Config:
        """Read the keys that formats/config.py lists. Refuses unsupported models."""
        named(config["model_type"]).check(config)
        result = cls.read(config)
        for layer in map(result.layer, range(result.layers)):
            if layer.head_dim % 8 or layer.head_dim > MOST_HEAD_DIM:
                raise FormatError(f"head_dim is {layer.head_dim}; it must be a multiple of 8 up to {MOST_HEAD_DIM}")
        return result

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> Config:
        """Read the same keys of any model, even an unsupported one, to list its tensors."""
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
            **named(config["model_type"]).settings(config),
        )

    def limited(self, context: int | None) -> Config:
        """The config for contexts up to this length. Only longrope depends on it: short contexts have other
        frequencies."""
        if context is None or (self.rope_scaling or {}).get("rope_type") != "longrope":
            return self
        return replace(self, context=min(context, self.context))

    def layer(self, i: int) -> Config:
        """The settings of the i-th layer."""
        return replace(self, per_layer=(), **self.per_layer[i]) if self.per_layer else self

    @property
    def states(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The shapes of a sequence's state, for each layer that has one."""
        each = (self.layer(i).state for i in range(self.layers))
        return tuple(state.states(self.hidden) for state in each if state is not None)

    @property
    def q_rows(self) -> int:
        return self.heads * self.head_dim

    @property
    def cache_layers(self) -> tuple[KVShape, ...]:
        """What each layer stores in the KV cache."""
        layers = [self.layer(i) for i in range(self.layers)]
        return tuple(
            KVShape(c.kv_heads if c.kv_layer is None and c.state is None else 0, c.head_dim, values=c.latent is None)
            for c in layers
        )

    @property
    def kv_rows(self) -> int:
        return self.kv_heads * self.head_dim
