"""Llama 2 and 3, SmolLM2, Mistral: RMSNorm, RoPE, grouped queries, SwiGLU."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpu import Tensor
from ..ops.forward import Forward, Heads, Normed
from ..ops.resident import Linear
from .config import Config
from .source import Source


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: Tensor
    qkv: Linear
    out: Linear
    ffn_norm: Tensor
    gate_up: Linear
    down: Linear
    gains: Tensor | None = None  # of the norms of q and k, where a family has them


class Llama:
    """`forward` gives the final norm's hidden states; `head` are the rows that make logits of them."""

    qk_norm = False

    def __init__(self, config: Config, source: Source, steps: Tensor) -> None:
        self.config, self._steps = config, steps
        self.embedding = source.linear(config.hidden, ("model.embed_tokens", config.vocab))
        self.layers = [self._layer(source, i) for i in range(config.layers)]
        self.norm = source.vector(("model.norm.weight", config.hidden))
        self.head = self.embedding if config.tied else source.linear(config.hidden, ("lm_head", config.vocab))

    def _layer(self, source: Source, i: int) -> Layer:
        c, at = self.config, f"model.layers.{i}"
        names = {x: f"{at}.self_attn.{x}_proj" for x in "qkvo"}
        mlp = {x: f"{at}.mlp.{x}_proj" for x in ("gate", "up", "down")}
        qkv = ((names["q"], c.q_rows), (names["k"], c.kv_rows), (names["v"], c.kv_rows))
        norms = [(f"{at}.self_attn.{x}_norm.weight", c.head_dim) for x in "qk"]
        return Layer(
            attention_norm=source.vector((f"{at}.input_layernorm.weight", c.hidden)),
            qkv=source.linear(c.hidden, *qkv, bias=c.qkv_bias),
            out=source.linear(c.q_rows, (names["o"], c.hidden), bias=c.out_bias),
            ffn_norm=source.vector((f"{at}.post_attention_layernorm.weight", c.hidden)),
            gate_up=source.linear(c.hidden, (mlp["gate"], c.ffn), (mlp["up"], c.ffn), bias=c.ffn_bias),
            down=source.linear(c.ffn, (mlp["down"], c.hidden), bias=c.ffn_bias),
            gains=source.vector(*norms) if self.qk_norm else None,
        )

    def forward(self, f: Forward) -> Normed:
        x = f.embed(self.embedding)
        for i in range(len(self.layers)):
            x = f.block(self._block, i, x)
        return f.rmsnorm(x, self.norm, self.config.eps)

    def _block(self, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config, self.layers[i]
        heads = Heads(c.heads, c.kv_heads, c.head_dim, self._steps, layer.gains, c.eps, c.window)
        qkv = f.linear(f.rmsnorm(x, layer.attention_norm, c.eps), layer.qkv)
        x = f.linear(f.attention(i, qkv, heads), layer.out, residual=x)
        h = f.swiglu(f.rmsnorm(x, layer.ffn_norm, c.eps), layer.gate_up)
        return f.linear(h, layer.down, residual=x)
