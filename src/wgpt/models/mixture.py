"""Mixtures of experts: their settings, config keys and tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..formats.config_reader import ConfigReader
from ..formats.errors import shown
from ..formats.family import Row, Stack
from ..kernels.experts.router import MOST_EXPERTS
from ..ops.experts import Experts
from .parts import Parts

# Config keys -> GGUF's. Missing keys have the family's defaults.
GGUF_KEYS = {
    "num_experts": "expert_count",
    "num_experts_per_tok": "expert_used_count",
    "moe_intermediate_size": "expert_feed_forward_length",
}


@dataclass(frozen=True)
class Names:
    """The names of a layer's tensors in Hugging Face's files, after `model.layers.0.`."""

    router: str = "mlp.gate"
    gate: str = "mlp.experts.gate_proj"
    up: str = "mlp.experts.up_proj"
    down: str = "mlp.experts.down_proj"
    # One tensor for all experts: of gates and ups (`interleaved`: row by row), and of downs; "": a tensor per expert.
    gate_up: str = ""
    all_down: str = ""
    interleaved: bool = False
    transposed: bool = False
    shared: str = "mlp.shared_expert"
    shared_gate: str = "mlp.shared_expert_gate"
    choice_bias: str = "mlp.gate.e_score_correction_bias"


@dataclass(frozen=True)
class Mixture:
    """`norm`: normalise the weights of a row's experts to 1. `shared`: hidden size of the shared expert; 0: none."""

    experts: int
    top: int
    ffn: int
    norm: bool = True
    shared: int = 0
    shared_gate: bool = False
    bias: bool = False  # biases of the router and all experts
    choice_bias: bool = False  # a bias is used to choose experts but not to weight them
    beside: bool = False  # parallel to a feed-forward: parallel_experts.py
    choice: Mapping[str, Any] = field(default_factory=dict, hash=False)  # further parameters of the router kernel
    act: Mapping[str, Any] = field(default_factory=lambda: {"act": "swiglu"}, hash=False)
    names: Names = Names()


def read_experts(read: ConfigReader, key: str = "num_experts", ffn: str = "moe_intermediate_size") -> dict[str, Any]:
    """The keys that mixtures share: num_experts, num_experts_per_tok, moe_intermediate_size.

    `key` and `ffn`: what config.json calls the first and the last.
    """
    # transformers 5 writes num_local_experts where older versions wrote num_experts.
    names = [k for k in (key, "num_experts", "num_local_experts") if read.raw.get(k) is not None]
    spelled, *others = names or [key]
    for other in others:
        if read.raw[other] != read.raw[spelled]:
            values = f"{read.name(spelled)} is {shown(read.raw[spelled])} but {other} is {shown(read.raw[other])}"
            read.refuse(f"{values}: remove one of them")
    experts = read.whole(spelled)
    if experts > MOST_EXPERTS:
        read.refuse(f"unsupported {read.name(spelled)} {experts}; supported: up to {MOST_EXPERTS}")
    top = read.whole("num_experts_per_tok")
    if top > experts:
        read.refuse(f"{read.name('num_experts_per_tok')} is {top}, but there are only {experts} experts")
    own = read.is_gguf and read.raw.get("moe_intermediate_size") is not None
    hidden = read.whole("moe_intermediate_size" if own else ffn)
    return {"num_experts": experts, "num_experts_per_tok": top, "moe_intermediate_size": hidden}


def read_sparse_layers(read: ConfigReader) -> list[int]:
    """The layers with experts, by decoder_sparse_step and mlp_only_layers."""
    count, step = read.whole("num_hidden_layers"), read.whole("decoder_sparse_step", 1)
    dense = read.get("mlp_only_layers", [])
    if not isinstance(dense, list) or not all(type(i) is int for i in dense):
        read.refuse(f"mlp_only_layers is {shown(dense)}, not a list of layers")
    return [i for i in range(count) if i not in dense and (i + 1) % step == 0]


def with_experts(settings: Mapping[str, Any], mixture: Mixture, layers: int, sparse: list[int]) -> dict[str, Any]:
    """Settings of models/config.py with the mixture in the `sparse` layers."""
    if len(sparse) == layers:
        return {**settings, "mixture": mixture}
    own: Sequence[Mapping[str, Any]] = settings.get("per_layer") or ({},) * layers
    each = tuple({**one, "mixture": mixture if i in sparse else None} for i, one in enumerate(own))
    return {**settings, "per_layer": each}


def expert_rows(m: Mixture, hidden: int, i: int) -> Iterator[Row]:
    """The tensors of a layer's experts."""

    def row(part: str, name: str, gguf: str, *shape: int, bias: bool = False, stack: Stack | None = None) -> Row:
        names = (f"model.layers.{i}.{name}", f"blk.{i}.{gguf}")
        return Row(part, *names, shape, bias, i, stack=stack, lora=False)

    n = m.names

    def of_both(first: int) -> Stack:
        gguf: dict[str, Any] = {"gguf_both": f"blk.{i}.ffn_gate_up_exps.weight", "gguf_first": first * m.ffn}
        if not n.gate_up:
            return Stack(m.experts, **gguf)
        at, step = (first, 2) if n.interleaved else (first * m.ffn, 1)
        return Stack(m.experts, f"model.layers.{i}.{n.gate_up}", 2, at, step, n.transposed, **gguf)

    down = Stack(m.experts, f"model.layers.{i}.{n.all_down}" if n.all_down else "", transposed=n.transposed)
    yield row("router", n.router, "ffn_gate_inp", m.experts, hidden, bias=m.bias)
    if m.choice_bias:
        names = (f"model.layers.{i}.{n.choice_bias}", f"blk.{i}.exp_probs_b")
        yield Row("choice_bias", *names, (m.experts,), layer=i, bare=True, gguf_end="bias")
    yield row("gate_exps", n.gate, "ffn_gate_exps", m.experts * m.ffn, hidden, bias=m.bias, stack=of_both(0))
    yield row("up_exps", n.up, "ffn_up_exps", m.experts * m.ffn, hidden, bias=m.bias, stack=of_both(1))
    yield row("down_exps", n.down, "ffn_down_exps", m.experts * hidden, m.ffn, bias=m.bias, stack=down)
    if m.shared:
        yield row("gate_shexp", f"{n.shared}.gate_proj", "ffn_gate_shexp", m.shared, hidden)
        yield row("up_shexp", f"{n.shared}.up_proj", "ffn_up_shexp", m.shared, hidden)
        yield row("down_shexp", f"{n.shared}.down_proj", "ffn_down_shexp", hidden, m.shared)
    if m.shared_gate:
        yield row("shexp_gate", n.shared_gate, "ffn_gate_inp_shexp", 1, hidden)


def expert_weights(m: Mixture, parts: Parts, scale: float) -> Experts:
    """The weights of a layer; `scale` is a factor of the experts' sum."""
    return Experts(
        router=parts.linear("router", *(["shexp_gate"] if m.shared_gate else [])),
        gate_up=parts.linear("gate_exps", "up_exps"),
        down=parts.linear("down_exps"),
        count=m.experts,
        top=m.top,
        n=m.ffn,
        choice={"norm": m.norm, "scale": scale, "bias": m.choice_bias, "factors": m.beside} | dict(m.choice),
        bias=parts.vector("choice_bias") if m.choice_bias else None,
        act=m.act,
        shared=(parts.linear("gate_shexp", "up_shexp"), parts.linear("down_shexp")) if m.shared else None,
        shared_gate=m.shared_gate,
    )
