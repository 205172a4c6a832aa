"""The decoder of most families: RMSNorm, RoPE, grouped queries and a gated feed-forward; its tensors and forward.

The Config determines biases, further norms, scales, soft caps, windows, RoPE, sizes, and layers with a state instead of
attention (state_layers.py), separately for each layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from ..formats.family import HEAD, Row
from ..gpu import Tensor
from ..ops.encoding import ACTIVATIONS
from ..ops.experts import Experts, mixture
from ..ops.forward import Forward, Heads
from ..ops.gates import gated_attention
from ..ops.lazy import Gated, Lazy, Normed
from ..ops.resident import Linear
from ..ops.states import StateWeights, with_state
from .config import Config
from .family import family_of
from .mixture import expert_rows, expert_weights
from .parts import Parts
from .rope import amplitude
from .state_layers import StateLayer
from .weight_source import Source


def table(config: Config) -> Iterator[Row]:
    """The tensors, with their names in transformers and GGUF."""
    yield Row("embed", "model.embed_tokens", "token_embd", (config.vocab, config.hidden))
    yield Row("norm", "model.norm", "output_norm", (config.hidden,), less=config.norm_less)
    for i in range(config.layers):
        yield from _layer_table(config.layer(i), i)
    if not config.tied:
        yield Row("head", HEAD, "output", (config.vocab, config.hidden))


def _layer_table(c: Config, i: int) -> Iterator[Row]:
    def row(part: str, name: str, gguf: str, *shape: int, bias: bool = False, rope_heads: int = 0) -> Row:
        return Row(part, f"model.layers.{i}.{name}", f"blk.{i}.{gguf}", shape, bias, i, rope_heads)

    def norm(part: str, name: str, gguf: str, n: int = c.hidden) -> Row:
        return Row(part, f"model.layers.{i}.{name}", f"blk.{i}.{gguf}", (n,), layer=i, less=c.norm_less)

    if c.pre_norms:
        yield norm("attention_norm", "input_layernorm", "attn_norm")
        before = "pre_feedforward_layernorm" if c.post_norms else "post_attention_layernorm"
        yield norm("ffn_norm", before, "ffn_norm")
    if c.post_norms:
        yield norm("attention_post_norm", "post_attention_layernorm", "post_attention_norm")
        yield norm("ffn_post_norm", "post_feedforward_layernorm", "post_ffw_norm")
    yield from _attention_table(c, i) if c.state is None else c.state.rows(c.hidden, i)
    if c.mixture is not None:
        yield from expert_rows(c.mixture, c.hidden, i)
        if not c.mixture.beside:
            return
    if c.fused or c.fused_ffn:
        yield row("gate_up", "mlp.gate_up_proj", "ffn_up", 2 * c.ffn, c.hidden, bias=c.ffn_bias)
    else:
        yield row("gate", "mlp.gate_proj", "ffn_gate", c.ffn, c.hidden, bias=c.ffn_bias)
        yield row("up", "mlp.up_proj", "ffn_up", c.ffn, c.hidden, bias=c.ffn_bias)
    yield row("down", "mlp.down_proj", "ffn_down", c.hidden, c.ffn, bias=c.ffn_bias)


def _attention_table(c: Config, i: int) -> Iterator[Row]:
    def row(part: str, name: str, gguf: str, *shape: int, bias: bool = False, rope_heads: int = 0) -> Row:
        return Row(part, f"model.layers.{i}.self_attn.{name}", f"blk.{i}.{gguf}", shape, bias, i, rope_heads)

    own = c.kv_layer is None
    if c.qk_norm or c.qk_row_norm:
        norms = (("q_norm", "attn_q_norm", c.q_rows), ("k_norm", "attn_k_norm", c.kv_rows))
        for part, gguf, n in norms if own else norms[:1]:
            yield replace(row(part, part, gguf, n if c.qk_row_norm else c.head_dim), less=c.norm_less)
    if c.fused:
        yield row("qkv", "qkv_proj", "attn_qkv", c.q_rows + 2 * c.kv_rows, c.hidden, bias=c.qkv_bias)
    else:
        yield row(
            "q", "q_proj", "attn_q", (1 + c.gated_heads) * c.q_rows, c.hidden, bias=c.qkv_bias, rope_heads=c.heads
        )
        if own:
            yield row("k", "k_proj", "attn_k", c.kv_rows, c.hidden, bias=c.qkv_bias, rope_heads=c.kv_heads)
        if own and not c.v_is_k:
            yield row("v", "v_proj", "attn_v", c.kv_rows, c.hidden, bias=c.qkv_bias)
    yield row("o", "o_proj", "attn_output", c.hidden, c.q_rows, bias=c.out_bias)
    if c.sinks:
        yield replace(row("sinks", "sinks", "attn_sinks", c.heads), bare=True)


class FeedForward(NamedTuple):
    gate_up: Linear
    down: Linear


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: Tensor | None
    qkv: Linear  # or the projections of a layer with a state
    out: Linear
    ffn_norm: Tensor | None
    ffn: FeedForward | Experts
    gains: Tensor | None = None  # gains of the q and k norms
    row_gains: tuple[Tensor, Tensor] | None = None  # gains of the norms over all q and over all k heads
    attention_post_norm: Tensor | None = None
    ffn_post_norm: Tensor | None = None
    sinks: Tensor | None = None
    state: StateWeights | None = None


class Decoder:
    """`forward` returns the hidden states after the final norm; `head` turns them into logits."""

    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor]) -> None:
        self.config, self._steps = config, steps
        parts = Parts(source, family_of(config).table(config))
        self.embedding = parts.linear("embed")
        self._outside(parts)
        self.layers = [self._layer(parts, i) for i in range(config.layers)]
        with_states = [i for i, layer in enumerate(self.layers) if layer.state is not None]
        self._states = {layer: i for i, layer in enumerate(with_states)}
        self.norm = parts.vector("norm")
        head = self.embedding if config.tied else parts.linear("head")
        self.head = replace(head, scale=config.logit_scale, cap=config.logit_cap)

    def _outside(self, parts: Parts) -> None:
        """Request weights outside the layers that only this family has."""

    def _layer(self, parts: Parts, i: int) -> Layer:
        with parts.layer(i):
            c = self.config.layer(i)
            return self._weights(parts, c) if c.state is None else self._state_layer(parts, c, c.state)

    def _weights(self, parts: Parts, c: Config) -> Layer:
        norms = ("q_norm", "k_norm") if c.kv_layer is None else ("q_norm",)
        return Layer(
            attention_norm=parts.vector("attention_norm") if c.pre_norms else None,
            qkv=parts.linear(*_projections(c)),
            out=parts.linear("o"),
            ffn_norm=parts.vector("ffn_norm") if c.pre_norms else None,
            ffn=self._ffn(parts, c),
            gains=parts.vector(*norms) if c.qk_norm else None,
            row_gains=(parts.vector("q_norm"), parts.vector("k_norm")) if c.qk_row_norm else None,
            attention_post_norm=parts.vector("attention_post_norm") if c.post_norms else None,
            ffn_post_norm=parts.vector("ffn_post_norm") if c.post_norms else None,
            sinks=parts.vector("sinks") if c.sinks else None,
        )

    def _state_layer(self, parts: Parts, c: Config, state: StateLayer) -> Layer:
        return Layer(
            attention_norm=parts.vector("attention_norm"),
            qkv=parts.linear(*state.inputs),
            out=parts.linear(state.output),
            ffn_norm=parts.vector("ffn_norm"),
            ffn=self._ffn(parts, c),
            state=state.weights(parts, c.eps),
        )

    def _ffn(self, parts: Parts, c: Config) -> FeedForward | Experts:
        if c.mixture is not None and not c.mixture.beside:
            return expert_weights(c.mixture, parts, c.residual_scale)
        gate_up = parts.linear(*(("gate_up",) if c.fused or c.fused_ffn else ("gate", "up")))
        return FeedForward(gate_up, parts.linear("down"))

    def forward(self, f: Forward) -> Normed:
        x = f.embed(self.embedding, self.config.embed_scale)
        for i in range(len(self.layers)):
            x = f.block(self._block, i, x)
        return f.rmsnorm(x, self.norm, self.config.eps)

    def _block(self, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config.layer(i), self.layers[i]
        x = self._attended(f, i, x)
        y = self._normed(f, x, layer.ffn_norm)
        if isinstance(layer.ffn, Experts):
            return mixture(f, y, layer.ffn, residual=x)
        return self._plus(f, x, self._gated(f, c, y, layer.ffn), layer.ffn.down, layer.ffn_post_norm)

    def _attended(self, f: Forward, i: int, x: Tensor) -> Tensor:
        """x + the layer's attention."""
        c, layer = self.config.layer(i), self.layers[i]
        qkv = f.linear(self._normed(f, x, layer.attention_norm), layer.qkv)
        if layer.row_gains is not None:
            qkv = f.norm_slices(qkv, tuple(zip(layer.row_gains, (0, c.q_rows), strict=True)), c.eps)
        if layer.state is not None:
            mixed: Tensor | Lazy = with_state(f, self._states[i], qkv, layer.state)
        else:
            attend = partial(gated_attention, f) if c.gated_heads else f.attention
            heads = heads_of(c, self._steps[i], layer.gains, layer.sinks)
            mixed = attend(i if c.kv_layer is None else c.kv_layer, qkv, heads)
        return self._plus(f, x, mixed, layer.out, layer.attention_post_norm)

    def _gated(self, f: Forward, c: Config, y: Tensor | Normed, ffn: FeedForward) -> Tensor | Gated:
        if c.act == "silu":
            return f.swiglu(y, ffn.gate_up)
        return f.geglu(y, ffn.gate_up, ACTIVATIONS[c.act])

    def _normed(self, f: Forward, x: Tensor, norm: Tensor | None) -> Tensor | Normed:
        return x if norm is None else f.rmsnorm(x, norm, self.config.eps)

    def _plus(self, f: Forward, x: Tensor, y: Tensor | Lazy, layer: Linear, norm: Tensor | None) -> Tensor:
        """x + scale * y . W^T, normalised if there is a norm."""
        scale = self.config.residual_scale
        if norm is None and scale == 1.0:
            return f.linear(y, layer, residual=x)
        more = f.linear(y, layer)
        return f.add(x, more if norm is None else f.value(f.rmsnorm(more, norm, self.config.eps)), scale)


def _projections(c: Config) -> tuple[str, ...]:
    """The parts of a layer that project its queries, keys and values."""
    if c.fused:
        return ("qkv",)
    if c.kv_layer is not None:
        return ("q",)
    return ("q", "k") if c.v_is_k else ("q", "k", "v")


def heads_of(c: Config, steps: Tensor, gains: Tensor | None = None, sinks: Tensor | None = None) -> Heads:
    """How attention reads the projections of a layer with these settings. `gains`: of the q and k norms."""
    turn = (steps if c.rope else None, gains, c.eps)
    factor = amplitude(c) if c.rope else 1.0
    scale, more = c.attention_scale, dict[str, float]()
    if c.rotary:
        more = {"rotary": c.rotary, "amplitude": factor}
    elif factor != 1.0:  # a factor of all dimensions is applied to the scores instead
        scale = (scale or c.head_dim**-0.5) * factor**2
    return Heads(
        *(c.heads, c.kv_heads, c.head_dim, *turn, c.window, scale, c.attention_cap),
        **more,  # type: ignore[arg-type]
        interleaved=c.interleaved,
        by_head=c.by_head,
        growth=c.growth,
        sinks=sinks,
        v_norm=c.v_norm,
        v_is_k=c.v_is_k,
        latent=0 if c.latent is None else c.latent.rank,
        stored=c.kv_layer is not None,
    )
