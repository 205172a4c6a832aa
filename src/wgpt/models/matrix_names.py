"""The part and layer of each matrix of a model, by its name in a checkpoint without ".weight"."""

from __future__ import annotations

from .config import Config
from .family import family_of

DELTA = ("delta_qkv", "delta_q", "delta_k", "delta_v", "delta_z", "delta_b", "delta_a", "delta_out")
# Parts of a family's table, by group; `embed` and `head` name both a group and a part.
GROUPS = {
    "embed": ("embed", "positions", "types", "layers_embed"),
    "head": ("head", "pooler", "dense", "classifier", "dense_2", "dense_3"),
    "attn": ("q", "k", "v", "qkv", "o", "q_a", "q_b", "kv_a", "k_b", "v_b", "conv_in", "conv_out", *DELTA),
    "ffn": (
        "gate",
        "up",
        "gate_up",
        "down",
        "gate_exps",
        "up_exps",
        "down_exps",
        "gate_shexp",
        "up_shexp",
        "down_shexp",
        "layers_input",
        "layer_gate",
        "layer_out",
    ),
    "router": ("router", "shexp_gate"),
}
GROUP_OF = {part: group for group, parts in GROUPS.items() for part in parts}


def matrices(config: Config) -> dict[str, tuple[str, int | None]]:
    """The part and the layer of each matrix of a model; the layer of tables is None."""
    return {row.name: (row.part, row.layer) for row in family_of(config).table(config) if row.is_matrix}


def row_sizes(config: Config) -> dict[str, int]:
    """K of each matrix of a model."""
    return {row.name: row.shape[1] for row in family_of(config).table(config) if row.is_matrix}


def parts_of(config: Config) -> list[str]:
    """The parts of a model, by group. One matrix may be both embed and head."""
    present = {part for part, _ in matrices(config).values()} | {"head"}
    return [part for part in GROUP_OF if part in present]
