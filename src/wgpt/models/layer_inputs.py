"""A decoder whose layers scale their results and may have per-layer inputs, or experts parallel to the feed-forward.

The inputs of all layers are computed once: from a table by token, and from the embedding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ..formats.family import Row
from ..gpu import Tensor
from ..ops.forward import Forward
from ..ops.lazy import Normed
from ..ops.resident import Linear
from .config import Config
from .decoder import Decoder, FeedForward, Layer, table
from .parallel_experts import ParallelExperts, parallel_expert_rows
from .parts import Parts
from .weight_source import Source


def tensors(config: Config) -> Iterator[Row]:
    """The tensors, with their names in transformers and GGUF."""
    yield from table(config)
    n = config.per_layer_input
    if n:
        width = config.layers * n
        yield Row("layers_embed", "model.embed_tokens_per_layer", "per_layer_token_embd", (config.vocab, width))
        yield Row("layers_input", "model.per_layer_model_projection", "per_layer_model_proj", (width, config.hidden))
        yield Row("layers_norm", "model.per_layer_projection_norm", "per_layer_proj_norm", (n,))
    for i in range(config.layers):

        def row(part: str, name: str, gguf: str, *shape: int, bare: bool = False, i: int = i) -> Row:
            return Row(part, f"model.layers.{i}.{name}", f"blk.{i}.{gguf}", shape, layer=i, bare=bare)

        if config.layer(i).mixture is not None:
            yield from parallel_expert_rows(config, i)
        yield row("factor", "layer_scalar", "layer_output_scale", 1, bare=True)
        if n:
            yield row("layer_gate", "per_layer_input_gate", "inp_gate", n, config.hidden)
            yield row("layer_out", "per_layer_projection", "proj", config.hidden, n)
            yield row("layer_norm", "post_per_layer_input_norm", "post_norm", config.hidden)


@dataclass(frozen=True, eq=False)
class OwnInput:
    """The weights that add a per-layer input to the hidden states."""

    gate: Linear
    out: Linear
    norm: Tensor


class LayerInputs(Decoder):
    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor]) -> None:
        self._factors: list[Tensor] = []
        self._inputs: list[OwnInput] = []
        self._experts: list[ParallelExperts | None] = []
        super().__init__(config, source, steps)

    def _outside(self, parts: Parts) -> None:
        if self.config.per_layer_input:
            self._table, self._projection = parts.linear("layers_embed"), parts.linear("layers_input")
            self._input_norm = parts.vector("layers_norm")

    def _weights(self, parts: Parts, c: Config) -> Layer:
        layer = super()._weights(parts, c)
        self._factors.append(parts.vector("factor"))
        self._experts.append(None if c.mixture is None else ParallelExperts.of(parts, c))
        if c.per_layer_input:
            gate, out = parts.linear("layer_gate"), parts.linear("layer_out")
            self._inputs.append(OwnInput(gate, out, parts.vector("layer_norm")))
        return layer

    def forward(self, f: Forward) -> Normed:
        x = f.embed(self.embedding, self.config.embed_scale)
        inputs = self._all_inputs(f, x) if self.config.per_layer_input else None
        for i in range(len(self.layers)):
            x = f.block(partial(self._run, inputs), i, x)
        return f.rmsnorm(x, self.norm, self.config.eps)

    def _all_inputs(self, f: Forward, x: Tensor) -> Tensor:
        """[M, layers * per_layer_input]: (the token's table row times sqrt(n) + the normalised projection of its
        embedding) / sqrt(2)."""
        n, rows = self.config.per_layer_input, x.shape[0] * self.config.layers
        by_token = f.embed(self._table, (n / 2) ** 0.5)
        projected = f.linear(x, self._projection).reshape(rows, n)
        # The projection is divided by sqrt(hidden) before its norm, where only eps makes a difference.
        normed = f.value(f.rmsnorm(projected, self._input_norm, self.config.eps * self.config.hidden))
        return f.add(by_token, normed.reshape(*by_token.shape), 0.5**0.5)

    def _run(self, inputs: Tensor | None, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config.layer(i), self.layers[i]
        x = self._attended(f, i, x)
        assert isinstance(layer.ffn, FeedForward) and layer.ffn_post_norm is not None
        gated = self._gated(f, c, self._normed(f, x, layer.ffn_norm), layer.ffn)
        y, experts = f.linear(gated, layer.ffn.down), self._experts[i]
        if experts is not None:
            y = experts.plus(f, x, y, c.eps)
        y = f.value(f.rmsnorm(y, layer.ffn_post_norm, c.eps))
        if inputs is not None:
            x, own = f.add(x, y), self._inputs[i]
            more = f.linear(f.gate_slice(f.linear(x, own.gate), inputs, i * c.per_layer_input), own.out)
            y = f.value(f.rmsnorm(more, own.norm, c.eps))
        return f.add_times(x, y, self._factors[i])
