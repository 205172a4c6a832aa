"""Ways to break a whole model whose kernels are all right: plausible mistakes, as patches of the code around them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from wgpt.api.forward_pass import ForwardPass
from wgpt.engine import fixed_batch
from wgpt.engine.encoder import EncoderRunner
from wgpt.formats import wanted
from wgpt.formats.config import normalised
from wgpt.gpu import GpuDevice
from wgpt.models import residency, rope
from wgpt.models.bidirectional import Bidirectional
from wgpt.models.config import Config as ModelConfig
from wgpt.models.decoder import Decoder
from wgpt.models.family import family_of
from wgpt.models.inventory import Inventory
from wgpt.models.parts import Parts
from wgpt.models.tiny_models import CONFIGS
from wgpt.ops.encoding import Encoding
from wgpt.ops.forward import Forward
from wgpt.ops.resident import Arena

FORWARD, RESIDENT = "C-WGPU-FWD-001", "C-WGPU-RESIDENT-001"
Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class ModelMutation:
    obligation: str  # that must fail
    defect: str
    families: tuple[str, ...]  # in which it must fail
    patch: Patch

    def __str__(self) -> str:
        return f"{self.obligation}: {self.defect}"


def _instead(owner: Any, name: str, function: Callable[..., Any]) -> Patch:
    """Replace a method by `function`, whose first argument is the original method."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args, **named: function(original, *args, **named))

    return patch


def _unnormed(_: Any, self: Any, f: Forward) -> Any:
    x = f.embed(self.embedding)
    for i in range(len(self.layers)):
        x = f.block(self._block, i, x)
    return x


def _without_gains(layer: Any, self: Any, parts: Parts, i: int) -> Any:
    built = layer(self, parts, i)
    return built if self.config.layer(i).v_norm else replace(built, gains=None)


def _upload_again(original: Any, self: ForwardPass, *args: Any) -> Any:
    assert self._network is not None
    for linear in self._network.inventory.linears:
        for part in linear.parts:
            for plane in part.weight.planes.values():
                self.device.write(plane, self.device.read(plane))
    return original(self, *args)


def _record_again(original: Any, self: ForwardPass, *args: Any) -> Any:
    if self._reader is not None:
        self._reader.release()
    if self._encoder is not None:
        self._encoder.forget_programs()
    return original(self, *args)


def _one_result(original: Any, self: ForwardPass, ids: list[int]) -> Any:
    """Return every result in the same memory."""
    hidden = original(self, ids)
    memory = self.__dict__.setdefault("result", np.empty((64, hidden.shape[1]), np.float32))
    memory[: len(hidden)] = hidden
    return memory[: len(hidden)]


def _shared_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model's weights from the start of the same memory, which is left to the garbage collector."""
    buffers = list[Any]()

    class Shared(Arena):
        def __init__(self, device: GpuDevice) -> None:
            super().__init__(device)
            self._buffers, self._used = buffers, [0] * len(buffers)

        def release(self) -> None:
            pass

    monkeypatch.setattr(residency, "Arena", Shared)


def _returns_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return NaN, without detecting it."""
    _instead(Forward, "rmsnorm", lambda norm, f, x, gain, eps: norm(f, x, gain, -1e9))(monkeypatch)
    monkeypatch.setattr(ForwardPass, "_finite", lambda self, i, hidden: hidden)


def _positions_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every forward pass begins one position later, and sees the cache entries of the one before."""
    original, count = fixed_batch.chunks, itertools.count()

    def later(sequences: Any, starts: Any, *rest: Any) -> Any:
        at = next(count) % 16
        return original(sequences, {slot: start + at for slot, start in starts.items()}, *rest)

    monkeypatch.setattr(fixed_batch, "chunks", later)


def _one_span(original: Any, self: EncoderRunner, texts: Any, batch: Any, rows: int) -> Any:
    packed = original(self, texts, batch, rows)
    packed.inputs["spans"][:rows] = 0, rows
    return packed


ALL = tuple(CONFIGS)
SETTINGS = {family: ModelConfig.of(normalised(raw, family)) for family, raw in CONFIGS.items()}
ENCODERS = tuple(family for family, c in SETTINGS.items() if c.encoder is not None)
BIDIRECTIONAL = tuple(family for family in ENCODERS if family_of(SETTINGS[family]).build is Bidirectional)
BERTS = tuple(family for family in ENCODERS if family not in BIDIRECTIONAL)  # those of models/encoder.py


def _with(has: Callable[[ModelConfig], Any]) -> tuple[str, ...]:
    """The families whose tiny decoder has a setting, in some layer at least."""
    decoders = {name: c for name, c in SETTINGS.items() if name not in BERTS}
    return tuple(name for name, c in decoders.items() if any(has(c.layer(i)) for i in range(c.layers)))


LAYERNORMS = _with(lambda c: c.layer_norm)  # those of models/layernorm_decoder.py
LLAMAS = tuple(family for family in ALL if family not in ("gpt2", *LAYERNORMS, *BERTS))  # those of models/decoder.py
POST_NORMS = _with(lambda c: c.post_norms)
ADDING = _with(lambda c: c.post_norms or c.residual_scale != 1)  # whose residuals are not added by the projections
MODEL_MUTATIONS = (
    ModelMutation(
        FORWARD,
        "runs the layers backwards",
        ALL,
        _instead(Forward, "block", lambda block, f, run, i, x: run(f, 1 - i, x)),
    ),
    ModelMutation(
        FORWARD,
        "leaves the last layer out",
        ALL,
        _instead(Forward, "block", lambda block, f, run, i, x: x if i else block(f, run, i, x)),
    ),
    ModelMutation(
        FORWARD,
        "turns by another theta",
        (*LLAMAS, *LAYERNORMS, "nomic_bert", "modernbert"),
        _instead(rope, "steps_of", lambda steps, config: steps(replace(config, theta=1e4))),
    ),
    ModelMutation(
        FORWARD,
        "forgets eps of the norms",
        LLAMAS,
        _instead(Forward, "rmsnorm", lambda norm, f, x, gain, eps: norm(f, x, gain, 1e-9)),
    ),
    ModelMutation(
        FORWARD,
        "forgets eps of the norms",
        ("gpt2", *LAYERNORMS, *BERTS),
        _instead(Forward, "layernorm", lambda norm, f, x, gamma, beta, eps: norm(f, x, gamma, beta, 1e-9)),
    ),
    ModelMutation(
        FORWARD,
        "leaves the final norm out",
        tuple(family for family in LLAMAS if family not in ("deepseek2", "gemma4")),  # they have their own
        _instead(Decoder, "forward", _unnormed),
    ),
    ModelMutation(
        FORWARD,
        "forgets the biases",
        (*_with(lambda c: c.qkv_bias or c.out_bias or c.ffn_bias), "bert"),
        _instead(Inventory, "linear", lambda linear, self, k, *layers, bias=False: linear(self, k, *layers)),
    ),
    ModelMutation(
        FORWARD,
        "forgets the norms of q and k",
        _with(lambda c: c.qk_norm and not c.v_norm),  # norms of values need those of keys
        _instead(Decoder, "_layer", _without_gains),
    ),
    ModelMutation(
        FORWARD, "forgets the positions", ("gpt2",), _instead(Forward, "add_positions", lambda add, f, x, table: x)
    ),
    ModelMutation(
        FORWARD,
        "forgets the residuals",
        tuple(family for family in ALL if family not in ADDING),
        _instead(Forward, "linear", lambda linear, f, x, layer, residual=None: linear(f, x, layer)),
    ),
    ModelMutation(
        FORWARD,
        "forgets the residuals",
        ADDING,
        _instead(Forward, "add", lambda add, f, x, y, scale=1.0: y),
    ),
    ModelMutation(
        FORWARD,
        "forgets the scale of what is added",
        (*_with(lambda c: c.residual_scale != 1), "gemma4"),
        _instead(Forward, "add", lambda add, f, x, y, scale=1.0: add(f, x, y)),
    ),
    ModelMutation(
        FORWARD,
        "forgets the norms of all q and k heads",
        (*_with(lambda c: c.qk_row_norm), "deepseek2"),
        _instead(Forward, "norm_slices", lambda norm, f, x, slices, eps: x),
    ),
    ModelMutation(
        FORWARD,
        "rotates in every layer",
        (*(name for name in _with(lambda c: not c.rope) if name != "gpt2"), "bert"),
        _instead(ModelConfig, "layer", lambda layer, self, i: replace(layer(self, i), rope=True)),
    ),
    ModelMutation(
        FORWARD,
        "turns halves, not neighbours",
        _with(lambda c: c.interleaved),
        _instead(ModelConfig, "layer", lambda layer, self, i: replace(layer(self, i), interleaved=False)),
    ),
    ModelMutation(
        FORWARD,
        "lets no query grow",
        _with(lambda c: c.growth[0]),
        _instead(ModelConfig, "layer", lambda layer, self, i: replace(layer(self, i), growth=(0.0, 1))),
    ),
    ModelMutation(
        FORWARD,
        "takes one block after the other",
        _with(lambda c: c.parallel and not c.one_norm),
        _instead(ModelConfig, "layer", lambda layer, self, i: replace(layer(self, i), parallel=False)),
    ),
    ModelMutation(
        FORWARD,
        "takes the factors of long contexts",
        ("phi3",),
        _instead(rope, "steps_of", lambda steps, config: steps(replace(config, context=1 << 20))),
    ),
    ModelMutation(
        FORWARD,
        "forgets the scale of the embeddings",
        _with(lambda c: c.embed_scale != 1),
        _instead(Forward, "embed", lambda embed, f, table, scale=1.0: embed(f, table)),
    ),
    ModelMutation(
        FORWARD,
        "forgets the norm after attention",
        POST_NORMS,
        _instead(
            Decoder, "_layer", lambda layer, self, parts, i: replace(layer(self, parts, i), attention_post_norm=None)
        ),
    ),
    ModelMutation(
        FORWARD,
        "forgets that norms are relative to 1",
        _with(lambda c: c.norm_less),
        _instead(wanted, "Stored", lambda stored, *args, **named: replace(stored(*args, **named), less=0.0)),
    ),
    ModelMutation(
        FORWARD,
        "returns NaN",
        LLAMAS,
        _returns_nan,
    ),
    ModelMutation(
        FORWARD,
        "takes one norm for the other",
        ("gpt2", *_with(lambda c: c.norm_bias and not c.one_norm), "bert", "nomic_bert"),
        _instead(Parts, "weight_and_bias", lambda norm, self, part: norm(self, part.replace("ffn", "attention"))),
    ),
    ModelMutation(
        RESIDENT, "uploads the weights again", ALL, _instead(ForwardPass, "forward_hidden_batch", _upload_again)
    ),
    ModelMutation(
        RESIDENT, "records every forward anew", ALL, _instead(ForwardPass, "forward_hidden_batch", _record_again)
    ),
    ModelMutation(
        RESIDENT, "goes on from the last sequence", tuple(f for f in ALL if f not in ENCODERS), _positions_go_on
    ),
    ModelMutation(
        FORWARD, "forgets the positions", ("bert",), _instead(Encoding, "add_positions", lambda add, f, x, table: x)
    ),
    ModelMutation(
        FORWARD,
        "forgets the token types",
        ("bert", "nomic_bert"),
        _instead(Encoding, "add_types", lambda add, f, x, table: x),
    ),
    ModelMutation(FORWARD, "lets texts see each other", ENCODERS, _instead(EncoderRunner, "_packed", _one_span)),
    ModelMutation(
        FORWARD,
        "forgets the window",
        ("modernbert", *BIDIRECTIONAL),
        _instead(Encoding, "attention", lambda attend, f, i, qkv, heads: attend(f, i, qkv, replace(heads, window=0))),
    ),
    ModelMutation(RESIDENT, "overwrites results", ALL, _instead(ForwardPass, "forward_hidden", _one_result)),
    ModelMutation(RESIDENT, "gives two models the same memory", ALL, _shared_arena),
)
