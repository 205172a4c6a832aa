"""GPT-2: LayerNorm, learned positions, GELU, biases everywhere."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...formats import FormatError
from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.family import HEAD, Row, register
from ...formats.family import Config as FileConfig
from ...formats.hf_config import shortest
from ...gpu import Tensor
from ...ops.forward import Forward, Heads
from ...ops.lazy import Normed
from ...ops.resident import Linear
from .. import reference
from ..config import Config
from ..family import Array, ModelFamily, Weights
from ..parts import Parts
from ..weight_source import Source

# Its config keys -----------------------------------------------------------------------------------------------

CONFIG_NAMES = {
    "n_embd": "hidden_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_positions": "max_position_embeddings",
    "n_inner": "intermediate_size",
    "activation_function": "hidden_act",
}
# transformers also reads these under their usual names.
BOTH_NAMES = ("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings")
GELU_TANH = ("gelu_new", "gelu_pytorch_tanh", "gelu_fast")


def read_config(read: ConfigReader) -> dict[str, Any]:
    sizes = read_sizes(read, own_head_dim=False, grouped=False, ffn_over_hidden=4, tied=True)
    read.only("scale_attn_weights", True)
    read.only("scale_attn_by_inverse_layer_idx", False)
    read.only("add_cross_attention", False)
    read.only("hidden_act", *GELU_TANH, "gelu")
    act = read.get("hidden_act", "gelu_new")
    return {
        **sizes,
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-5, most=1),
        "hidden_act": "gelu_new" if act in GELU_TANH else act,
        "attention_bias": True,
        "attention_output_bias": True,
        "mlp_bias": True,
    }


def write_config(config: FileConfig) -> dict[str, Any]:
    named = {own: config[usual] for own, usual in CONFIG_NAMES.items()}
    more = {"n_ctx": config["max_position_embeddings"], "layer_norm_epsilon": shortest(config["layer_norm_epsilon"])}
    return {"model_type": "gpt2", **named, **more}


def check(config: FileConfig) -> None:
    if config["hidden_act"] != "gelu_new":
        raise FormatError(f"GPT-2: unsupported activation {config['hidden_act']}; supported: gelu_new")


# Its tensors ---------------------------------------------------------------------------------------------------


def table(c: Config) -> Iterator[Row]:
    yield Row("embed", "wte", "token_embd", (c.vocab, c.hidden))
    yield Row("positions", "wpe", "position_embd", (c.context, c.hidden))
    yield Row("norm", "ln_f", "output_norm", (c.hidden,), bias=True)
    for i in range(c.layers):
        for part, name, gguf, shape in (
            ("attention_norm", "ln_1", "attn_norm", (c.hidden,)),
            ("ffn_norm", "ln_2", "ffn_norm", (c.hidden,)),
            ("qkv", "attn.c_attn", "attn_qkv", (3 * c.hidden, c.hidden)),
            ("o", "attn.c_proj", "attn_output", (c.hidden, c.hidden)),
            ("up", "mlp.c_fc", "ffn_up", (c.ffn, c.hidden)),
            ("down", "mlp.c_proj", "ffn_down", (c.hidden, c.ffn)),
        ):
            yield Row(part, f"h.{i}.{name}", f"blk.{i}.{gguf}", shape, bias=True, layer=i)
    if not c.tied:
        yield Row("head", HEAD, "output", (c.vocab, c.hidden))


# Its forward ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: tuple[Tensor, Tensor]
    qkv: Linear
    out: Linear
    ffn_norm: tuple[Tensor, Tensor]
    up: Linear
    down: Linear


class Gpt2:
    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor]) -> None:
        self.config = config
        parts = Parts(source, table(config))
        self.embedding = parts.linear("embed")
        self.positions = parts.linear("positions")
        self.layers = [self._layer(parts, i) for i in range(config.layers)]
        self.norm = parts.weight_and_bias("norm")
        self.head = self.embedding if config.tied else parts.linear("head")

    def _layer(self, parts: Parts, i: int) -> Layer:
        with parts.layer(i):
            return Layer(
                attention_norm=parts.weight_and_bias("attention_norm"),
                qkv=parts.linear("qkv"),
                out=parts.linear("o"),
                ffn_norm=parts.weight_and_bias("ffn_norm"),
                up=parts.linear("up"),
                down=parts.linear("down"),
            )

    def forward(self, f: Forward) -> Tensor | Normed:
        x = f.add_positions(f.embed(self.embedding), self.positions)
        for i in range(len(self.layers)):
            x = f.block(self._block, i, x)
        return f.layernorm(x, *self.norm, self.config.eps)

    def _block(self, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config, self.layers[i]
        qkv = f.linear(f.layernorm(x, *layer.attention_norm, c.eps), layer.qkv)
        x = f.linear(f.attention(i, qkv, Heads(c.heads, c.kv_heads, c.head_dim)), layer.out, residual=x)
        h = f.gelu(f.layernorm(x, *layer.ffn_norm, c.eps), layer.up)
        return f.linear(h, layer.down, residual=x)


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    w = {name.removeprefix("transformer."): value for name, value in w.items()}
    eps = config["layer_norm_epsilon"]

    def conv(x: Array, name: str) -> Array:
        return x @ w[f"{name}.weight"] + w[f"{name}.bias"]  # [in, out], not [out, in]

    def norm(x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
        return centred / scale * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["wte.weight"][ids] + w["wpe.weight"][: len(ids)]
    for i in range(config["n_layer"]):
        q, k, v = np.split(conv(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn"), 3, axis=-1)
        q, k, v = (reference.split_heads(part, config["n_head"]) for part in (q, k, v))
        x = x + conv(reference.attention(q, k, v, None, block), f"h.{i}.attn.c_proj")
        y = conv(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")
        gelu = 0.5 * y * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        x = x + conv(gelu, f"h.{i}.mlp.c_proj")
    return norm(x, "ln_f")


FAMILY = register(
    ModelFamily(
        name="gpt2",
        model_types={"gpt2": "GPT2LMHeadModel"},
        gguf="gpt2",
        config_names={**CONFIG_NAMES, **{name: name for name in BOTH_NAMES}},
        tied_by_default=True,
        prefix="transformer.",
        embedding="wte",
        layer="h.{}.",
        transposed=True,
        tokenizer_class="GPT2Tokenizer",
        without_effect=r"(transformer\.)?h\.\d+\.attn\.(bias|masked_bias)",  # the causal mask and its fill value
        read_config=read_config,
        write_config=write_config,
        check=check,
        table=table,
        build=Gpt2,
        reference=forward_in_numpy,
        tiny={
            "model_type": "gpt2",
            "n_embd": 48,
            "n_layer": 2,
            "n_head": 3,
            "n_positions": 64,
            "n_inner": 75,
            "activation_function": "gelu_new",
            "layer_norm_epsilon": 1e-3,
            "vocab_size": 61,
        },
        presets={
            "gpt2": Config(
                *("gpt2", 50257, 768, 3072, 12, 12, 12, 64, 1024, 1e-5), qkv_bias=True, out_bias=True, ffn_bias=True
            )
        },
    )
)
