"""GGUF files: damaged anywhere, with hostile fields, with layers or tensors that are not the config's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.formats import made

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .mutations import BINARY, HUGE
from .opened import use_checkpoint

_FAMILIES = (("llama", "q4_1"), ("llama", "f32"), ("gpt2", "f16"), ("qwen2", "q8_0"), ("qwen3", "q5_0"))
_KEYS = (
    *("block_count", "context_length", "embedding_length", "feed_forward_length", "attention.head_count"),
    *("attention.head_count_kv", "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"),
    *("rope.freq_base", "rope.scaling.type", "rope.scaling.factor", "rope.scale_linear", "rope.dimension_count"),
    *("attention.key_length", "attention.value_length", "attention.sliding_window", "vocab_size", "expert_count"),
)
_VALUES = (0, 1, 2, 3, 7, 1 << 31, 0.0, 1e-3, 1e-38, 1e38, float("nan"), float("inf"), -1.0, "", "linear", "yarn", True)
_LISTS = ([], [1], [1, 2], ["a"], [1.5] * 4)


def _tiny(family: str, layers: int = 2) -> dict[str, Any]:
    key = "n_layer" if family == "gpt2" else "num_hidden_layers"
    sizes = {} if family == "gpt2" else {"intermediate_size": 64, "head_dim": 8}
    return made.config(family, **{key: layers}, **sizes)


@cache
def _sound(family: str, kind: str, folder: Path) -> bytes:
    path = made.write_gguf(folder / "sound.gguf", _tiny(family), made.state(_tiny(family)), kind, rope_freqs=np.ones(4))
    return path.read_bytes()


@area("gguf")
def gguf_file(rng: Rng, folder: Path) -> Case:
    family, kind = pick(rng, _FAMILIES)
    path = folder / "m.gguf"
    chance = rng.random()
    if chance < 0.7:
        return _damaged(rng, path, family, kind)
    model = _tiny(family)
    weights = made.state(model)
    if chance < 0.72:
        made.write_gguf(path, model, weights, kind)
        return Case(f"a sound {family}", ACCEPTED, lambda: use_checkpoint(path))
    if chance < 0.76:
        made.write_gguf(path, model, weights, kind, **{f"{family}.block_count": 1})
        return Case(f"a {family} whose config counts one layer of two", REFUSED, lambda: use_checkpoint(path))
    if chance < 0.8:
        name = pick(rng, ("blk.2.attn_q.weight", "blk.0.attn_k.bias", "token_types.weight", "cls.weight", "x"))
        if family in ("qwen2", "gpt2") and name.endswith("bias"):
            name = "blk.0.ffn_gate_inp.weight"
        made.write_gguf(path, model, weights, kind, extra={name: np.ones((32, 32), np.float32)})
        return Case(f"a {family} with {name}", REFUSED, lambda: use_checkpoint(path))
    key, value = f"{family}.{pick(rng, _KEYS)}", pick(rng, (*_VALUES, *_LISTS))
    made.write_gguf(path, model, weights, kind, **{key: value})
    return Case(f"a {family} whose {key} is {value!r}", EITHER, lambda: use_checkpoint(path))


def _damaged(rng: Rng, path: Path, family: str, kind: str) -> Case:
    raw = bytearray(_sound(family, kind, path.parent))
    header = bytes(raw).index(b"rope_freqs.weight") + 64  # the last of the header
    for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
        reach = header if rng.integers(8) else len(raw)
        pick(rng, BINARY)(raw, rng, max(1, min(reach, len(raw))))
    if not rng.integers(10):  # the counts of tensors and keys, which all else follows from
        raw[8:16] = int(rng.choice(np.array(HUGE, np.uint64))).to_bytes(8, "little")
    path.write_bytes(raw)
    return Case(f"a damaged {family} in {kind}", EITHER, lambda: use_checkpoint(path))
