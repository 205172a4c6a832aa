"""Config keys of families whose layers with and without a window have different heads, and where layers share keys and
values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..formats.config_reader import ConfigReader
from ..formats.errors import shown
from .decoder_config import FULL, SLIDING

PERIOD = 6  # default period: the last layer of each group has no window


def read_kinds(read: ConfigReader) -> list[str]:
    """The kind of each layer. transformers gives the last one no window, even if the config does."""
    count, pattern = read.whole("num_hidden_layers"), read.get("sliding_window_pattern", None)
    kinds = read.get("layer_types", [FULL if (i + 1) % PERIOD == 0 else SLIDING for i in range(count)])
    if read.is_gguf and pattern is not None:
        if not isinstance(pattern, list) or len(pattern) != count:
            read.refuse(
                f"{read.name('sliding_window_pattern')} is {shown(pattern)}, not a value for each of {count} layers"
            )
        kinds = [SLIDING if local else FULL for local in pattern]
    if not isinstance(kinds, list) or len(kinds) != count or not {SLIDING, FULL}.issuperset(map(str, kinds)):
        read.refuse(f"layer_types is {shown(kinds)}, not a list of {SLIDING} or {FULL} for each of {count} layers")
    return [*kinds[:-1], FULL]


def read_ffn(read: ConfigReader, own: int, count: int) -> tuple[int, bool]:
    """The size of the feed-forward, and whether layers that share keys have twice that size."""
    sizes = read.get("intermediate_size")
    if not isinstance(sizes, list):
        return read.whole("intermediate_size"), read.flag("use_double_wide_mlp", False)
    first = sizes[0] if sizes else None
    for wide in (False, True):
        if type(first) is int and sizes == [first] * own + [first * (1 + wide)] * (count - own):
            return first, wide
    read.refuse(f"{read.name('intermediate_size')} is {shown(sizes)}: unsupported sizes of {count} layers")


def read_shapes(read: ConfigReader, kinds: Sequence[str]) -> tuple[int, int, int, int]:
    """head_dim and the number of key-value heads, each with and without a window."""
    head_dim, heads = read.whole("head_dim", 256), read.get("num_key_value_heads")
    if isinstance(heads, list) and len(heads) == len(kinds):  # GGUF
        of_kind = {kind: {n for n, each in zip(heads, kinds, strict=True) if each == kind} for kind in (SLIDING, FULL)}
        if any(len(found) > 1 for found in of_kind.values()) or not all(type(n) is int and n > 0 for n in heads):
            read.refuse(f"{read.name('num_key_value_heads')} is {shown(heads)}: unsupported heads of layers")
        kv_heads, global_kv_heads = (next(iter(of_kind[kind] or of_kind[FULL])) for kind in (SLIDING, FULL))
    else:
        kv_heads = global_kv_heads = read.whole("num_key_value_heads", 4)
    if not read.is_gguf and read.flag("attention_k_eq_v", False):
        global_kv_heads = read.whole("num_global_key_value_heads", kv_heads)
    layers = read.get("per_layer_config", None)
    if layers is None:
        global_head_dim = read.whole("global_head_dim", 512)
    else:  # transformers 5.22 writes only the differences from the other layers
        full = {i for i, kind in enumerate(kinds) if kind == FULL}
        if not isinstance(layers, dict) or any(not isinstance(each, dict) for each in layers.values()):
            read.refuse(f"per_layer_config is {shown(layers)}, not settings of layers")
        numbers = {int(i) for i in layers if str(i).isdecimal()}
        each: Mapping[str, Any] = next(iter(layers.values()), {})
        sizes = {"head_dim": head_dim, "num_key_value_heads": kv_heads}
        if layers and (
            numbers != full or any(one != each for one in layers.values()) or not sizes.keys() >= each.keys()
        ):
            read.refuse(
                f"unsupported per_layer_config {shown(layers)}; supported: the same head_dim of all {FULL} layers"
            )
        inner = ConfigReader({**sizes, **each}, read.where)
        global_head_dim, global_kv_heads = inner.whole("head_dim"), inner.whole("num_key_value_heads")
    lengths = {"gguf_v": head_dim, "gguf_rotary": head_dim}
    lengths |= {"gguf_global_v": global_head_dim, "gguf_global_rotary": global_head_dim}
    for key, length in lengths.items() if read.is_gguf else ():
        read.only(key, length)
    return head_dim, global_head_dim, kv_heads, global_kv_heads


def read_k_eq_v(read: ConfigReader, full: list[int]) -> bool:
    """Whether values are the keys. GGUF files do not say, but lack the projection."""
    if not read.is_gguf:
        return read.flag("attention_k_eq_v", False)
    without = [i for i in read.get("layers_without_v", []) if i in full]
    if without and without != full:
        read.refuse(f"layer {without[0]} has no blk.{without[0]}.attn_v.weight, but others have one")
    return bool(without)
