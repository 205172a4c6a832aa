"""The weight type of each matrix of a model: one for all, a named mix, or a type for each part.

q4_1                                          all matrices
embed=q8_0,head=q8_0,attn=q8_0,ffn=q4_1       by part
q4_k_m                                        a named mix
q4_k_m,embed=q8_0                             one of these, except for some parts
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ..core.arguments import brief
from ..core.errors import PreconditionError
from ..quant.weights import TYPES, WeightType, weight_type
from .config import Config
from .matrix_names import GROUP_OF, GROUPS, matrices, parts_of, row_sizes

PARTS = tuple(dict.fromkeys([*GROUPS, *GROUP_OF]))  # valid in a recipe, groups first
EXAMPLE = "embed=q8_0,head=q8_0,attn=q8_0,ffn=q4_1"
TypeOf = Callable[[str], WeightType | None]  # the new type by matrix name; None: unchanged


_NEEDY = ("v", "down", "down_exps", "down_shexp")  # parts that lose most from few bits


class _Place(NamedTuple):
    """What a mix depends on. A tied embedding counts as the head."""

    part: str
    layer: int
    layers: int
    k: int


def _by_group(tables: str, attn: str, ffn: str) -> Callable[[_Place], str | None]:
    types = {"embed": tables, "head": tables, "attn": attn, "ffn": ffn}
    return lambda place: types[GROUP_OF[place.part]]


def _of_llama_cpp(usual: str, qkv: str) -> Callable[[_Place], str | None]:
    """llama.cpp's mixes named _m: q6_k for the head, and for v and down in the most sensitive layers."""

    def mix(place: _Place) -> str | None:
        if place.part == "positions":
            return None
        more = place.part == "head" or (place.part in _NEEDY and _more_bits(place.layer, place.layers))
        name = "q6_k" if more else qkv if place.part == "qkv" else usual
        # for incomplete blocks, padding would cost more bits than another type
        return name if place.k % weight_type(name).block == 0 else weight_type(name).rows_otherwise

    return mix


def _more_bits(layer: int, layers: int) -> bool:
    """Whether a layer is in the first or last eighth, or every third one in between."""
    eighth = layers // 8
    return layer < eighth or layer >= 7 * layers // 8 or (layer - eighth) % 3 == 2


MIXES: dict[str, Callable[[_Place], str | None]] = {
    "q4_k_m": _of_llama_cpp("q4_k", qkv="q5_k"),
    "q5_k_m": _of_llama_cpp("q5_k", qkv="q6_k"),
    # Bits of the tables, of attention and of the feed-forward.
    "8/8/4": _by_group("q8_0", "q8_0", "q4_1"),
    "8/4/4": _by_group("q8_0", "q4_1", "q4_1"),
}


@dataclass(frozen=True)
class WeightRecipe:
    """`base` is a type or a mix for parts not in `parts`; None leaves them unchanged. str() is canonical."""

    base: str | None = None
    parts: tuple[tuple[str, str], ...] = ()  # (part or group, type), in the order of PARTS

    @classmethod
    def parse(cls, text: str | None, table: str | None = None) -> WeightRecipe:
        """Parse a recipe, or raise PreconditionError. None: no conversion. `table`: the type of embedding and head.

        >>> str(WeightRecipe.parse("ffn=Q4_1, embed=q8_0"))
        'embed=q8_0,ffn=q4_1'
        """
        base, parts = None, dict[str, str]()
        for i, item in enumerate([] if text is None else text.lower().split(",")):
            part, equals, name = (piece.strip() for piece in item.partition("="))
            if not equals and i == 0:
                base = _known_base(part)
            elif not equals:
                raise PreconditionError(f"{brief(part)} in the recipe {brief(text)}: write PART=TYPE, as in {EXAMPLE}")
            elif part not in PARTS:
                where = f"{brief(part)} in the recipe {brief(text)}"
                raise PreconditionError(f"unknown part {where}; supported: {', '.join(PARTS)}")
            elif part in parts:
                raise PreconditionError(f"the recipe {brief(text)} names {part} twice")
            else:
                parts[part] = _known_type(name)
        if table is not None:
            if twice := [part for part in ("embed", "head") if part in parts]:
                raise PreconditionError(f"the recipe {brief(text)} already names {twice[0]}: omit the table type")
            parts |= {"embed": _known_type(table), "head": _known_type(table)}
        return cls(base, tuple((part, parts[part]) for part in PARTS if part in parts))

    def __str__(self) -> str:
        return ",".join([*([self.base] if self.base else []), *(f"{part}={name}" for part, name in self.parts)])

    @property
    def one_type(self) -> str | None:
        """The type's name, if the recipe is a single type."""
        return self.base if self.base in TYPES and not self.parts else None

    def types(self, config: Config) -> TypeOf:
        """The type of each matrix of a model by its name; PreconditionError if the model lacks a named part."""
        named = dict(self.parts)
        self._check(config, named)
        widths, places = row_sizes(config), matrices(config)

        def type_of(name: str) -> WeightType | None:
            part, layer = places[name]
            shared = config.tied and part == "embed"
            explicit = named.get(part) or named.get(GROUP_OF[part]) or (named.get("head") if shared else None)
            if explicit is not None:
                return weight_type(explicit)
            if GROUP_OF[part] == "router":  # small, and rounding errors would choose other experts
                return None
            if self.base in MIXES:
                place = _Place("head" if shared else part, layer or 0, config.layers, widths[name])
                mixed = MIXES[self.base](place)
                return None if mixed is None else weight_type(mixed)
            kind = None if self.base is None else weight_type(self.base)
            return None if kind is not None and kind.layers_only and layer is None else kind

        return type_of

    def _check(self, config: Config, named: dict[str, str]) -> None:
        parts = parts_of(config)
        for part in named:
            if part not in parts and part not in GROUPS:
                raise PreconditionError(
                    f"{part}={named[part]}: this {config.family} model has no {part} matrix; it has {', '.join(parts)}"
                )
        embed, head = named.get("embed"), named.get("head")
        if config.tied and embed and head and embed != head:
            raise PreconditionError(
                f"embed={embed},head={head}: this model's embedding and head are one matrix; use the same type for both"
            )


def canonical(dtype: str | None) -> str | None:
    """The canonical spelling of a recipe; None stays None."""
    if dtype is None:
        return None
    if not isinstance(dtype, str):
        raise PreconditionError(f"dtype must be a weight type, or a recipe such as {EXAMPLE}, not {brief(dtype)}")
    try:
        return str(WeightRecipe.parse(dtype))
    except PreconditionError as e:
        raise PreconditionError(f"dtype: {e}") from None


def _known_base(name: str) -> str:
    if name not in TYPES and name not in MIXES:
        raise PreconditionError(
            f"unknown weight type {brief(name)}; supported: {', '.join(TYPES)}, the mixes {', '.join(MIXES)}, "
            f"and types by part, such as {EXAMPLE}"
        )
    return name


def _known_type(name: str) -> str:
    if name not in TYPES:
        raise PreconditionError(f"unknown weight type {brief(name)} of a part; supported: {', '.join(TYPES)}")
    return name
