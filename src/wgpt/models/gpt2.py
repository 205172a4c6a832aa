"""GPT-2: LayerNorm, learned positions, GELU, biases everywhere."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpu import Tensor
from ..ops.forward import Forward, Heads, Normed
from ..ops.resident import Linear
from .config import Config
from .source import Source


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: tuple[Tensor, Tensor]
    qkv: Linear
    out: Linear
    ffn_norm: tuple[Tensor, Tensor]
    up: Linear
    down: Linear


class Gpt2:
    def __init__(self, config: Config, source: Source, steps: Tensor | None = None) -> None:
        self.config = config
        self.embedding = source.linear(config.hidden, ("wte", config.vocab))
        self.positions = source.linear(config.hidden, ("wpe", config.context))
        self.layers = [self._layer(source, i) for i in range(config.layers)]
        self.norm = self._norm(source, "ln_f")
        self.head = self.embedding if config.tied else source.linear(config.hidden, ("lm_head", config.vocab))

    def _norm(self, source: Source, name: str) -> tuple[Tensor, Tensor]:
        hidden = self.config.hidden
        return source.vector((f"{name}.weight", hidden)), source.vector((f"{name}.bias", hidden))

    def _layer(self, source: Source, i: int) -> Layer:
        c, at = self.config, f"h.{i}"
        return Layer(
            attention_norm=self._norm(source, f"{at}.ln_1"),
            qkv=source.linear(c.hidden, (f"{at}.attn.c_attn", 3 * c.hidden), bias=True),
            out=source.linear(c.hidden, (f"{at}.attn.c_proj", c.hidden), bias=True),
            ffn_norm=self._norm(source, f"{at}.ln_2"),
            up=source.linear(c.hidden, (f"{at}.mlp.c_fc", c.ffn), bias=True),
            down=source.linear(c.ffn, (f"{at}.mlp.c_proj", c.hidden), bias=True),
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
