"""The decoder of families with LayerNorm and RoPE: tensors and forward.

The feed-forward has a gate or not; attention and feed-forward come one after the other or both start from the same
hidden states, with a norm each or one for both. Biases, windows, RoPE and all sizes come from the Config.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..formats.family import HEAD, Row
from ..gpu import Tensor
from ..ops.encoding import ACTIVATIONS
from ..ops.forward import Forward
from ..ops.resident import Linear
from .config import Config
from .decoder import heads_of
from .family import family_of
from .parts import Parts
from .weight_source import Source

# Names in transformers: of the model's parts, then of a layer's.
NAMES: Mapping[str, str] = {
    **{"embed": "model.embed_tokens", "norm": "model.norm", "head": HEAD, "layer": "model.layers.{}."},
    **{"attention_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"},
    **{"q": "self_attn.q_proj", "k": "self_attn.k_proj", "v": "self_attn.v_proj", "o": "self_attn.o_proj"},
    **{"gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj"},
}
_GGUF = {
    **{"attention_norm": "attn_norm", "ffn_norm": "ffn_norm", "qkv": "attn_qkv", "o": "attn_output"},
    **{"q": "attn_q", "k": "attn_k", "v": "attn_v", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"},
}


def table(config: Config, names: Mapping[str, str] = NAMES) -> Iterator[Row]:
    """The tensors; `names` are the family's own in transformers."""
    hidden = config.hidden
    yield Row("embed", names["embed"], "token_embd", (config.vocab, hidden))
    yield Row("norm", names["norm"], "output_norm", (hidden,), config.norm_bias)
    for i in range(config.layers):
        yield from _layer_table(config.layer(i), i, names)
    if not config.tied:
        yield Row("head", names["head"], "output", (config.vocab, hidden), config.head_bias)


def _layer_table(c: Config, i: int, names: Mapping[str, str]) -> Iterator[Row]:
    def row(part: str, *shape: int, bias: bool, by_head: int = 0) -> Row:
        name = names["layer"].format(i) + names[part]
        return Row(part, name, f"blk.{i}.{_GGUF[part]}", shape, bias, i, by_head=by_head)

    yield row("attention_norm", c.hidden, bias=c.norm_bias)
    if not c.one_norm:
        yield row("ffn_norm", c.hidden, bias=c.norm_bias)
    if c.by_head:
        yield row("qkv", c.q_rows + 2 * c.kv_rows, c.hidden, bias=c.qkv_bias, by_head=c.heads)
    else:
        yield row("q", c.q_rows, c.hidden, bias=c.qkv_bias)
        yield row("k", c.kv_rows, c.hidden, bias=c.qkv_bias)
        yield row("v", c.kv_rows, c.hidden, bias=c.qkv_bias)
    yield row("o", c.hidden, c.q_rows, bias=c.out_bias)
    if c.gated:
        yield row("gate", c.ffn, c.hidden, bias=c.ffn_bias)
    yield row("up", c.ffn, c.hidden, bias=c.ffn_bias)
    yield row("down", c.hidden, c.ffn, bias=c.ffn_bias)


Norm = tuple[Tensor, Tensor | None]  # gain and shift


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: Norm
    qkv: Linear
    out: Linear
    ffn_norm: Norm | None  # None: uses attention's norm
    up: Linear  # or gate and up
    down: Linear


class LayerNormDecoder:
    """`forward` returns the hidden states after the final norm; `head` turns them into logits."""

    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor]) -> None:
        self.config, self._steps = config, steps
        parts = Parts(source, family_of(config).table(config))
        self.embedding = parts.linear("embed")
        self.layers = [self._layer(parts, i) for i in range(config.layers)]
        self.norm = self._norm(parts, "norm")
        head = self.embedding if config.tied else parts.linear("head")
        self.head = replace(head, scale=config.logit_scale)

    def _norm(self, parts: Parts, part: str) -> Norm:
        return parts.weight_and_bias(part) if self.config.norm_bias else (parts.vector(part), None)

    def _layer(self, parts: Parts, i: int) -> Layer:
        c = self.config.layer(i)
        with parts.layer(i):
            return Layer(
                attention_norm=self._norm(parts, "attention_norm"),
                qkv=parts.linear(*(("qkv",) if c.by_head else ("q", "k", "v"))),
                out=parts.linear("o"),
                ffn_norm=None if c.one_norm else self._norm(parts, "ffn_norm"),
                up=parts.linear(*(("gate", "up") if c.gated else ("up",))),
                down=parts.linear("down"),
            )

    def forward(self, f: Forward) -> Tensor:
        x = f.embed(self.embedding)
        for i in range(len(self.layers)):
            x = f.block(self._block, i, x)
        return f.layernorm(x, *self.norm, self.config.eps)

    def _block(self, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config.layer(i), self.layers[i]
        normed = f.layernorm(x, *layer.attention_norm, c.eps)
        attended = f.attention(i, f.linear(normed, layer.qkv), heads_of(c, self._steps[i]))
        y = f.linear(attended, layer.out, residual=x)
        if layer.ffn_norm is not None:
            normed = f.layernorm(x if c.parallel else y, *layer.ffn_norm, c.eps)
        if c.gated:
            h = f.swiglu(normed, layer.up)
        else:
            h = f.gelu(normed, layer.up, ACTIVATIONS[c.act])
        return f.linear(h, layer.down, residual=y)
