"""The mixtures of quantised GGUF files: which type each matrix of a model gets.

They are llama.cpp's: matrices that lose most by rounding (v, and down in some layers) get more bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import gguf

from ..core.arguments import brief
from ..core.errors import PreconditionError
from .registry import TYPES


class Row(Protocol):
    """A row of a family's table."""

    @property
    def part(self) -> str: ...
    @property
    def gguf(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def layer(self) -> int | None: ...


@dataclass(frozen=True)
class Place:
    """The position of a matrix: in the i-th of n layers with a matrix of its kind."""

    i: int
    n: int
    queries: int  # heads of q per head of k and v
    has_importance: bool

    @property
    def more_bits(self) -> bool:
        """Whether a layer is in the first or last eighth, or every third one in between."""
        eighth = self.n // 8
        return self.i < eighth or self.i >= 7 * self.n // 8 or (self.i - eighth) % 3 == 2

    @property
    def early(self) -> bool:
        return self.i < self.n // 8


Rule = Callable[[Place], str | None]  # None: the mixture's type


@dataclass(frozen=True)
class Mixture:
    """A type for most matrices, and rules for parts of a family's table."""

    type: str
    file_type: str  # its name in GGUF's general.file_type
    rules: Mapping[str, Rule] = field(default_factory=dict)
    table: str | None = None  # type of the head, also if tied; None: see table_type


def _always(kind: str) -> Rule:
    return lambda place: kind


def _q6_k_at_times(place: Place) -> str | None:
    return "q6_k" if place.more_bits else None


_Q3_K_M_V: Rule = lambda place: "q5_k" if place.i < 2 else "q4_k"
_Q3_K_M_DOWN: Rule = lambda place: "q5_k" if place.i < place.n // 16 else "q4_k"
_IQ4: dict[str, Rule] = {
    "v": lambda place: "q5_k" if place.queries >= 4 else None,
    "down": lambda place: "q5_k" if place.early and not place.has_importance else None,
}


def _early(kind: str) -> Rule:
    return lambda place: kind if place.early and place.has_importance else None


MIXTURES = {
    "f32": Mixture("f32", "ALL_F32", table="f32"),
    "bf16": Mixture("bf16", "MOSTLY_BF16", table="bf16"),
    "f16": Mixture("f16", "MOSTLY_F16", table="f16"),
    "q8_0": Mixture("q8_0", "MOSTLY_Q8_0", table="q8_0"),
    "q6_k": Mixture("q6_k", "MOSTLY_Q6_K"),
    "q5_k_m": Mixture("q5_k", "MOSTLY_Q5_K_M", {"v": _q6_k_at_times, "down": _q6_k_at_times}),
    "q5_k_s": Mixture("q5_k", "MOSTLY_Q5_K_S"),
    "q5_1": Mixture("q5_1", "MOSTLY_Q5_1"),
    "q5_0": Mixture("q5_0", "MOSTLY_Q5_0", {"down": _early("q5_1")}),
    "q4_k_m": Mixture("q4_k", "MOSTLY_Q4_K_M", {"v": _q6_k_at_times, "down": _q6_k_at_times}),
    "q4_k_s": Mixture(
        "q4_k",
        "MOSTLY_Q4_K_S",
        {
            "v": lambda place: "q5_k" if place.i < 4 else None,
            "down": lambda place: "q5_k" if place.early else None,
        },
    ),
    "q4_1": Mixture("q4_1", "MOSTLY_Q4_1"),
    "q4_0": Mixture("q4_0", "MOSTLY_Q4_0", {"down": _early("q4_1")}),
    "iq4_nl": Mixture("iq4_nl", "MOSTLY_IQ4_NL", _IQ4),
    "iq4_xs": Mixture("iq4_xs", "MOSTLY_IQ4_XS", _IQ4),
    "mxfp4": Mixture("mxfp4", "MOSTLY_MXFP4_MOE", table="q8_0"),
    "q3_k_l": Mixture("q3_k", "MOSTLY_Q3_K_L", {"v": _always("q5_k"), "down": _always("q5_k"), "o": _always("q5_k")}),
    "q3_k_m": Mixture("q3_k", "MOSTLY_Q3_K_M", {"v": _Q3_K_M_V, "down": _Q3_K_M_DOWN, "o": _always("q4_k")}),
    "q3_k_s": Mixture("q3_k", "MOSTLY_Q3_K_S"),
    "q2_k": Mixture(
        "q2_k",
        "MOSTLY_Q2_K",
        {
            "v": lambda place: "q4_k" if place.queries >= 4 else "q3_k",
            "down": _always("q3_k"),
            "o": _always("q3_k"),
        },
    ),
}
_SHORT = {"q5_k": "q5_k_m", "q4_k": "q4_k_m", "q3_k": "q3_k_m"}
# A matrix that contains v counts as v; experts count as the feed-forward.
_SAME_PART = {"qkv": "v", "down_exps": "down", "down_shexp": "down"}
_ALWAYS_F32 = ("positions", "router", "shexp_gate")  # small, or so sensitive that no mixture quantises them
_LAYERS_70B, _MIXTRAL = 80, 8  # layers of Llama 70B, experts of Mixtral
_LESS_THAN_Q5 = ("q2_k", "q3_k", "q4_k", "iq4_nl", "iq4_xs")


def mixture(name: str) -> Mixture:
    """The mixture with this name, in any case. Refuses mixtures with a type that wgpt does not run."""
    known = supported()
    chosen = MIXTURES.get(_SHORT.get(name.lower(), name.lower()))
    if chosen is None or not _runs(chosen):
        raise PreconditionError(f"unsupported mixture {brief(name)}; supported: {', '.join(known)}")
    return chosen


def supported() -> list[str]:
    """The names of the mixtures, the largest first."""
    return [name for name, each in MIXTURES.items() if _runs(each)]


def _runs(each: Mixture) -> bool:
    place = Place(0, 32, 4, False)
    types = {each.type, *(rule(place) or each.type for rule in each.rules.values())}
    return types <= TYPES.keys()


def types_of(each: Mixture, config: Mapping[str, Any], rows: Sequence[Row], has_importance: bool) -> dict[str, str]:
    """The type of each matrix of a model, by the GGUF name of its row."""
    counts: dict[str, int] = {}
    totals: dict[str, int] = {}
    for row in rows:
        if row.layer is not None:
            totals[row.part] = totals.get(row.part, 0) + 1
    types = {}
    queries = config["num_attention_heads"] // (config["num_key_value_heads"] or 1)
    tied = config["tie_word_embeddings"]
    for row in rows:
        if len(row.shape) < 2:
            continue
        i = counts.get(row.part, 0)
        counts[row.part] = i + 1
        place = Place(i, totals.get(row.part, 0), queries, has_importance)
        if row.part in _ALWAYS_F32:
            kind = "f32"
        elif row.part == "head" or (row.part == "embed" and tied):
            kind = _table_type(each, row.shape[-1])
        else:
            rule = each.rules.get(_SAME_PART.get(row.part, row.part))
            kind = (rule(place) if rule else None) or each.type
            kind = _where_little_is_gained(each, row.part, kind, config)
        types[row.gguf] = fallback(kind, row.shape[-1])
    return types


def _where_little_is_gained(each: Mixture, part: str, kind: str, config: Mapping[str, Any]) -> str:
    """More bits for matrices that are small compared with the rest of the model."""
    experts = config.get("num_experts") or 0
    if each.table is not None and experts and "exps" not in part:
        return each.table  # only the experts have the type
    if part == "v" and config["num_hidden_layers"] == _LAYERS_70B and kind in ("q3_k", "q4_k"):
        kind = "q5_k"  # 8 heads of q share one of v
    if experts == _MIXTRAL and part in ("v", "k"):
        return "q8_0"
    return "q5_k" if experts == _MIXTRAL and part == "o" and each.type in _LESS_THAN_Q5 else kind


def _table_type(each: Mixture, k: int) -> str:
    if each.table is not None:
        return each.table
    return "q8_0" if k % _block(each.type) else "q6_k"


def _block(kind: str) -> int:
    return int(gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind.upper()]][0])


def fallback(kind: str, k: int) -> str:
    """The type for rows of k values: with smaller blocks if they are not whole blocks, else f16."""
    if k % _block(kind):
        kind = TYPES[kind].rows_otherwise or kind
    return "f16" if k % _block(kind) else kind
