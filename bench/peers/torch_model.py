"""Llama and Qwen2 in plain PyTorch, with a static KV cache, as CUDA graphs and torch.compile require."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

FAMILIES = ("llama", "qwen2")


class Lora(nn.Module):
    """A frozen linear layer with a LoRA adapter in f32."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.base = base
        device = base.weight.device
        self.a = nn.Parameter(torch.randn(rank, base.in_features, device=device, dtype=torch.float32) * 0.02)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, device=device, dtype=torch.float32))

    def forward(self, x: Tensor) -> Tensor:
        low = F.linear(x, self.a.to(x.dtype))
        return self.base(x) + 2.0 * F.linear(low, self.b.to(x.dtype))


class Layer(nn.Module):
    def __init__(self, sizes: dict[str, Any], batch: int, capacity: int) -> None:
        super().__init__()
        hidden, ffn = sizes["hidden"], sizes["ffn"]
        self.heads, self.kv, self.dim, self.eps = sizes["heads"], sizes["kv_heads"], sizes["head_dim"], sizes["eps"]
        bias = sizes["qkv_bias"]
        self.q = nn.Linear(hidden, self.heads * self.dim, bias=bias)
        self.k = nn.Linear(hidden, self.kv * self.dim, bias=bias)
        self.v = nn.Linear(hidden, self.kv * self.dim, bias=bias)
        self.o = nn.Linear(self.heads * self.dim, hidden, bias=False)
        self.gate = nn.Linear(hidden, ffn, bias=False)
        self.up = nn.Linear(hidden, ffn, bias=False)
        self.down = nn.Linear(ffn, hidden, bias=False)
        self.norm1, self.norm2 = nn.Parameter(torch.ones(hidden)), nn.Parameter(torch.ones(hidden))
        shape = (batch, self.kv, capacity, self.dim)
        self.register_buffer("keys", torch.zeros(shape), persistent=False)
        self.register_buffer("values", torch.zeros(shape), persistent=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], at: Tensor | None, mask: Tensor | None) -> Tensor:
        """`at`: positions to keep keys and values at, None in training. `mask`: of the cache, None for a prompt."""
        b, t, _ = x.shape
        h = F.rms_norm(x, x.shape[-1:], self.norm1, self.eps)
        q = rotated(self.q(h).view(b, t, self.heads, self.dim).transpose(1, 2), turn)
        k = rotated(self.k(h).view(b, t, self.kv, self.dim).transpose(1, 2), turn)
        v = self.v(h).view(b, t, self.kv, self.dim).transpose(1, 2)
        if at is not None:
            self.keys.index_copy_(2, at, k)
            self.values.index_copy_(2, at, v)
        if mask is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=self.heads != self.kv)
            y = y.transpose(1, 2)
        else:  # one token: query heads that share a key head are rows of one product
            shared = q.reshape(b, self.kv, self.heads // self.kv, self.dim)
            y = F.scaled_dot_product_attention(shared, self.keys, self.values, attn_mask=mask)
        x = x + self.o(y.reshape(b, t, self.heads * self.dim))
        h = F.rms_norm(x, x.shape[-1:], self.norm2, self.eps)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Model(nn.Module):
    """`sizes` as wgpt's presets have them."""

    def __init__(self, sizes: dict[str, Any], batch: int, capacity: int) -> None:
        super().__init__()
        self.eps = sizes["eps"]
        self.embed = nn.Embedding(sizes["vocab"], sizes["hidden"])
        nn.init.normal_(self.embed.weight, std=0.02)
        self.layers = nn.ModuleList(Layer(sizes, batch, capacity) for _ in range(sizes["layers"]))
        self.norm = nn.Parameter(torch.ones(sizes["hidden"]))
        self.head = None if sizes["tied"] else nn.Linear(sizes["hidden"], sizes["vocab"], bias=False)
        half = sizes["head_dim"] // 2
        turns = torch.arange(capacity, dtype=torch.float64)[:, None] * sizes["theta"] ** (
            -torch.arange(half, dtype=torch.float64) / half
        )
        for name, table in (("cos", turns.cos()), ("sin", turns.sin())):
            self.register_buffer(name, torch.cat([table, table], -1).to(torch.get_default_dtype()), persistent=False)
        self.register_buffer("places", torch.arange(capacity), persistent=False)

    def through(self, ids: Tensor, positions: Tensor, at: Tensor | None, mask: Tensor | None) -> Tensor:
        x = self.embed(ids)
        turn = self.cos[positions], self.sin[positions]
        for layer in self.layers:
            x = layer(x, turn, at, mask)
        return F.rms_norm(x, x.shape[-1:], self.norm, self.eps)

    def logits(self, x: Tensor) -> Tensor:
        return F.linear(x, self.embed.weight) if self.head is None else self.head(x)

    def prompt(self, ids: Tensor) -> Tensor:
        """[batch, 1]: the likeliest token after each prompt; the cache has the prompts."""
        at = self.places[: ids.shape[1]]
        return self.logits(self.through(ids, at, at, None)[:, -1:]).argmax(-1)

    def step(self, ids: Tensor, position: Tensor) -> Tensor:
        """[batch, 1]: the token after `ids` [batch, 1], which stands at `position` [1]."""
        mask = (self.places <= position)[None, None, None]
        return self.logits(self.through(ids, position, position, mask)).argmax(-1)

    def loss(self, ids: Tensor) -> Tensor:
        logits = self.logits(self.through(ids, self.places[: ids.shape[1]], None, None))
        return F.cross_entropy(logits[:, :-1].float().flatten(0, 1), ids[:, 1:].flatten())

    def adapt(self, rank: int) -> list[nn.Parameter]:
        """Freeze all weights and add LoRA adapters to q and v; returns the trainable parameters."""
        self.requires_grad_(False)
        for layer in self.layers:
            layer.q, layer.v = Lora(layer.q, rank), Lora(layer.v, rank)
        return [p for p in self.parameters() if p.requires_grad]


def rotated(x: Tensor, rotation: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = rotation
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin
