"""The encoder of BERT's families: bidirectional attention and LayerNorm; its tensors and forward.

The Config chooses learned positions or RoPE, norms before or after a block, gated or plain feed-forwards, and all
sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..formats.family import Row
from ..gpu import Tensor
from ..ops.encoding import Encoding
from ..ops.forward import Forward, Heads
from ..ops.lazy import Gated
from ..ops.resident import Linear
from .config import Config
from .encoder_config import EncoderSettings
from .family import ModelFamily
from .parts import Parts
from .weight_source import Source

Norm = tuple[Tensor, Tensor | None]  # gain, and bias if there is one
Names = Mapping[str, tuple[str, str]]  # part -> its names in Hugging Face's and GGUF files, with {} for the layer
_NORMS = ("embed_norm", "attention_norm", "ffn_norm", "norm", "head_norm")


def settings_of(c: Config) -> EncoderSettings:
    assert c.encoder is not None, f"{c.family} is not an encoder"
    return c.encoder


def table_of(names: Names) -> Callable[[Config], Iterable[Row]]:
    """The table of a family whose tensors have these names."""
    return lambda config: _table(config, names)


def _table(config: Config, names: Names) -> Iterator[Row]:
    def rows(c: Config, parts: Iterable[str], layer: int | None = None) -> Iterator[Row]:
        shapes, e = _shapes(c), settings_of(c)
        for part in parts:
            name, gguf = (name.format(layer) for name in names[part])
            yield Row(part, name, gguf, shapes[part], _biased(c, e, part), layer)

    e = settings_of(config)
    outside = {"embed": True, "positions": e.positions, "types": e.types, "embed_norm": True, "norm": config.pre_norms}
    yield from rows(config, (part for part, there in outside.items() if there))
    for i in range(config.layers):
        c = config.layer(i)
        norm = ("attention_norm",) if _has_attention_norm(c, i) else ()
        qkv = ("qkv",) if "qkv" in names else ("q", "k", "v")
        yield from rows(c, (*norm, *qkv, "o", "ffn_norm", *_inner(c, names), "down"), i)
    if e.labels:
        yield from rows(config, ("pooler" if e.head == "pooler" else "dense", "classifier"))
        if "head_norm" in names:
            yield from rows(config, ("head_norm",))


def _inner(c: Config, names: Names) -> tuple[str, ...]:
    """The first matrix of the feed-forward, or its two (gate and up)."""
    if not settings_of(c).gated:
        return ("up",)
    return ("gate_up",) if "gate_up" in names else ("gate", "up")


def _has_attention_norm(c: Config, i: int) -> bool:
    """Whether a layer has a norm before attention.

    With norms before blocks, the first layer uses the embeddings' norm.
    """
    return not c.pre_norms or i > 0


def _shapes(c: Config) -> dict[str, tuple[int, ...]]:
    e, hidden = settings_of(c), c.hidden
    tables = {"embed": c.vocab, "positions": e.positions, "types": e.types}
    joined = {"qkv": c.q_rows + 2 * c.kv_rows, "q": c.q_rows, "k": c.kv_rows, "v": c.kv_rows}
    inner = {"up": c.ffn, "gate": c.ffn, "gate_up": 2 * c.ffn}
    head = {"pooler": hidden, "dense": hidden, "classifier": e.labels}
    from_hidden = {part: (rows, hidden) for part, rows in (tables | joined | inner | head).items()}
    norms: dict[str, tuple[int, ...]] = {part: (hidden,) for part in _NORMS}
    return {**norms, **from_hidden, "o": (hidden, c.q_rows), "down": (hidden, c.ffn)}


def _biased(c: Config, e: EncoderSettings, part: str) -> bool:
    if part in _NORMS:
        return e.norm_bias
    if part == "dense":
        return e.dense_bias
    tables = {"embed": False, "positions": False, "types": False}
    attention = {"q": c.qkv_bias, "k": c.qkv_bias, "v": c.qkv_bias, "qkv": c.qkv_bias, "o": c.out_bias}
    return {**tables, **attention, "pooler": True, "classifier": True}.get(part, c.ffn_bias)


@dataclass(frozen=True, kw_only=True)
class EncoderFamily(ModelFamily):
    """A family of encoders. `prefixes`: of tensor names in a model with a head, which the bare model is saved
    without."""

    prefixes: tuple[str, ...] = ()

    def file_names(self, name: str) -> tuple[str, ...]:
        """Also TensorFlow's names of norms' parameters, which files from 2018 to 2020 still have."""
        names = [name, *(prefix + name for prefix in self.prefixes)]
        older = [n.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta") for n in names]
        return tuple(dict.fromkeys(names + older))

    def module(self, name: str) -> str:
        return name

    def target(self, module: str) -> str | None:
        bare = next((module.removeprefix(p) for p in self.prefixes if module.startswith(p)), module)
        return bare if self.layer_and_kind(bare) else None


@dataclass(frozen=True, eq=False)
class Layer:
    attention_norm: Norm | None
    qkv: Linear
    out: Linear
    ffn_norm: Norm
    inner: Linear
    down: Linear


@dataclass(frozen=True, eq=False)
class Classifier:
    """From a pooled hidden state to scores: tanh(dense), or norm(gelu(dense)), and one more layer."""

    dense: Linear
    norm: Norm | None
    out: Linear


class Encoder:
    """`forward` returns the hidden states of all rows; `scores` turns pooled hidden states into a classifier's
    scores."""

    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor], *, names: Names) -> None:
        self.config, self._steps, self._settings = config, steps, settings_of(config)
        self._names, e = names, self._settings
        parts = Parts(source, _table(config, names))
        self.embedding = parts.linear("embed")
        self.positions = parts.linear("positions") if e.positions else None
        self.types = parts.linear("types") if e.types else None
        self.embed_norm = self._norm(parts, "embed_norm")
        self.layers = [self._layer(parts, i) for i in range(config.layers)]
        self.norm = self._norm(parts, "norm") if config.pre_norms else None
        self.head = self.embedding  # no logits: engines that generate text refuse encoders
        self.classifier = self._classifier(parts) if e.labels else None

    def _classifier(self, parts: Parts) -> Classifier:
        dense, out = parts.linear("pooler" if self._settings.head == "pooler" else "dense"), parts.linear("classifier")
        if "head_norm" not in self._names:
            return Classifier(replace(dense, cap=1.0), None, out)  # tanh
        return Classifier(dense, self._norm(parts, "head_norm"), out)

    def _norm(self, parts: Parts, part: str) -> Norm:
        return parts.weight_and_bias(part) if self._settings.norm_bias else (parts.vector(part), None)

    def _layer(self, parts: Parts, i: int) -> Layer:
        c = self.config.layer(i)
        with parts.layer(i):
            return Layer(
                attention_norm=self._norm(parts, "attention_norm") if _has_attention_norm(c, i) else None,
                qkv=parts.linear(*(("qkv",) if "qkv" in self._names else ("q", "k", "v"))),
                out=parts.linear("o"),
                ffn_norm=self._norm(parts, "ffn_norm"),
                inner=parts.linear(*_inner(c, self._names)),
                down=parts.linear("down"),
            )

    def forward(self, f: Forward) -> Tensor:
        assert isinstance(f, Encoding), "an encoder attends in both directions"
        x = f.embed(self.embedding)
        if self.types is not None:
            x = f.add_types(x, self.types)
        if self.positions is not None:
            x = f.add_positions(x, self.positions)
        x = f.norm(x, *self.embed_norm, self.config.eps)
        for i in range(len(self.layers)):
            x = f.block(self._block, i, x)
        return x if self.norm is None else f.norm(x, *self.norm, self.config.eps)

    def _block(self, f: Forward, i: int, x: Tensor) -> Tensor:
        assert isinstance(f, Encoding)
        c, layer = self.config.layer(i), self.layers[i]
        if c.pre_norms:
            y = x if layer.attention_norm is None else f.norm(x, *layer.attention_norm, c.eps)
            x = f.linear(self._attention(f, i, y), layer.out, residual=x)
            return f.linear(self._inner(f, i, f.norm(x, *layer.ffn_norm, c.eps)), layer.down, residual=x)
        assert layer.attention_norm is not None
        x = f.linear(self._attention(f, i, x), layer.out, residual=x)
        x = f.norm(x, *layer.attention_norm, c.eps)
        x = f.linear(self._inner(f, i, x), layer.down, residual=x)
        return f.norm(x, *layer.ffn_norm, c.eps)

    def _attention(self, f: Encoding, i: int, x: Tensor) -> Tensor:
        c = self.config.layer(i)
        steps = self._steps[i] if c.rope else None
        heads = Heads(c.heads, c.kv_heads, c.head_dim, steps, window=c.window)
        return f.attention(i, f.linear(x, self.layers[i].qkv), heads)

    def _inner(self, f: Encoding, i: int, x: Tensor) -> Tensor | Gated:
        inner = f.gated if self._settings.gated else f.activated
        return inner(x, self.layers[i].inner, self.config.act)

    def scores(self, f: Encoding, pooled: Tensor) -> Tensor:
        """A classifier's scores [texts, labels], from hidden states [texts, hidden]."""
        head = self.classifier
        assert head is not None, "the model has no classification head"
        if head.norm is None:
            return f.linear(f.linear(pooled, head.dense), head.out)
        y = f.norm(f.activated(pooled, head.dense, "gelu_erf"), *head.norm, self.config.eps)
        return f.linear(y, head.out)
