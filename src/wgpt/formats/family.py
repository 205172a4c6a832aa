"""What files say about a family of models: its names, its config keys, its tensors. Families register from above.

No family's name appears in formats/: each family has its own file in models/families/.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..core.first_use import first_use
from .config_reader import ConfigReader
from .errors import FormatError, shown

HEAD = "lm_head"  # the matrix that makes logits, in most families' Hugging Face files
Config = Mapping[str, Any]  # the keys that formats/config.py lists


@dataclass(frozen=True)
class Stack:
    """How files have a matrix of the table that consists of one [N, K] for each expert, [experts * N, K].

    GGUF files have one tensor [experts, N, K]. Hugging Face's have a tensor for each expert, with its number after
    `experts.`; or, where there is none and `tensor` names it, one for all: an expert has `of` * N rows there, and these
    are every `step`-th from `first` on; rows are columns if it is `transposed`.
    """

    experts: int
    tensor: str = ""
    of: int = 1
    first: int = 0
    step: int = 1
    transposed: bool = False
    # `tensor` is a matrix of the rows of all heads, `flat` of each; these are some of them, from `first` on.
    flat: int = 0
    # GGUF files may have gates and ups in one tensor [experts, 2 N, K]: these rows begin at `gguf_first`.
    gguf_both: str = ""
    gguf_first: int = 0


@dataclass(frozen=True)
class Groups:
    """How files have a matrix of the table among the rows of another one: of each of its `count` groups of `size` rows,
    those from `first` on are this matrix's."""

    tensor: str  # the other one, without ".weight"
    count: int
    size: int
    first: int


@dataclass(frozen=True)
class Row:
    """A row of a family's table: a tensor that a model with a given config requires.

    `part` says what it is to the family's forward: embed, q, down, attention_norm. Names come without ".weight".
    """

    part: str
    name: str  # Hugging Face's
    gguf: str
    shape: tuple[int, ...]  # (N, K) of a matrix, (N,) of a vector
    bias: bool = False  # it has a vector ".bias" beside it
    layer: int | None = None  # None: outside the layers
    rope_heads: int = 0  # of q and k: heads that RoPE rotates
    by_head: int = 0  # of q, k and v in one: as many heads, each with its q, k and v; in GGUF files all q, all k, all v
    less: float = 0.0  # of a norm: Hugging Face's files have it less this number, GGUF files as it is
    stack: Stack | None = None  # of experts: the shape is that of all of them
    groups: Groups | None = None  # Hugging Face's files have it among the rows of another matrix
    gguf_groups: Groups | None = None  # GGUF files do
    module: bool = False  # Hugging Face's folders have it in a subfolder, as a module of sentence-transformers
    lora: bool = True  # of a matrix in a layer: LoRA adapters can change it
    bare: bool = False  # of a vector: Hugging Face's name has no ".weight" at its end
    gguf_end: str = "weight"  # of GGUF's name, after a dot; "": none
    log: bool = False  # of a vector: Hugging Face's files have the logarithm of its negative, GGUF files it itself
    folded: tuple[int, ...] = ()  # of a vector: its shape in files, where dimensions of 1 do not count

    @property
    def tensor(self) -> str:
        """Hugging Face's name of the tensor."""
        return self.name if self.bare else f"{self.name}.weight"

    @property
    def is_matrix(self) -> bool:
        return len(self.shape) == 2


@dataclass(frozen=True, kw_only=True)
class Family(ABC):
    """`model_types` and `gguf` are its names in files, `name` is its name in wgpt."""

    name: str
    model_types: Mapping[str, str]  # config.json's model_type -> its entry in `architectures`
    gguf: str  # general.architecture; empty if GGUF files have its models as another family's
    gguf_aliases: tuple[str, ...] = ()  # others that mean the same
    # Reads the keys that formats/config.py lists out of a config.json's, and writes them as one.
    read_config: Callable[[ConfigReader], dict[str, Any]]
    write_config: Callable[[Config], dict[str, Any]]
    # What these keys mean for the fields of models/config.py that not every family has, such as qk_norm.
    settings: Callable[[Config], Mapping[str, Any]] = field(default=lambda config: {})
    check: Callable[[Config], None] = field(default=lambda config: None)  # refuses configs that can be read but not run
    tiny: Mapping[str, Any]  # config.json of a model of a few thousand weights, which `wgpt verify` runs
    # Its own name of a config.json key -> the usual one, which then means nothing unless it is here as well, as itself.
    config_names: Mapping[str, str] = field(default_factory=dict)
    gguf_keys: Mapping[str, str] = field(default_factory=dict)  # config keys that only it has -> GGUF's, without arch.
    gguf_written: bool = True  # whether wgpt can write its models as GGUF files
    # Values of GGUF keys, without arch., that are not those of the config's keys.
    gguf_values: Callable[[Config], Mapping[str, Any]] = field(default=lambda config: {})
    tied_by_default: bool = False  # where config.json does not say
    # model_type of a model that also reads images -> that of its text part, which is of this family (see nested.py).
    wrappers: Mapping[str, str] = field(default_factory=dict)
    text_defaults: Mapping[str, Any] = field(default_factory=dict)  # what their nested configs leave out
    prefix: str = "model."  # what a causal model's tensors have before the names that the bare model saves
    embedding: str = "model.embed_tokens"
    layer: str = "model.layers.{}."
    head: str = HEAD
    transposed: bool = False  # Hugging Face's files have the matrices of its layers as [in, out] (Conv1D)
    interleaved: bool = False  # GGUF files have the rows of q and k in the order of interleaved RoPE
    tokenizer_class: str | None = None  # transformers', where there is no tokenizer.json
    without_effect: str = ""  # pattern of tensors in Hugging Face's files that change nothing
    further_layers: bool = False  # files may have layers beyond those of the config, which predict further tokens
    without_effect_gguf: str = ""  # those of GGUF files
    # Its configs have this model_type of another family, and something else that distinguishes them.
    variant_of: str = ""
    is_variant: Callable[[Config], bool] = field(default=lambda raw: False)
    dense_modules: bool = False  # folders may have two dense layers after pooling, as sentence-transformers' modules

    @abstractmethod
    def rows(self, config: Config) -> Iterable[Row]:
        """The table of a model with this config."""

    # Names ------------------------------------------------------------------------------------------------

    def module(self, name: str) -> str:
        """A tensor or layer as the causal model of transformers calls it."""
        return name if name.startswith((self.prefix, self.head)) else self.prefix + name

    def file_names(self, name: str) -> tuple[str, ...]:
        """How a tensor may be called in Hugging Face's files: a bare model is saved without its prefix."""
        if name.startswith(self.head):
            return (name,)
        return (name, name.removeprefix(self.prefix) if name.startswith(self.prefix) else self.prefix + name)

    def layer_and_kind(self, target: str) -> tuple[int, str] | None:
        """(3, "self_attn.q_proj") of a layer's name; None if it is not in a layer of this family."""
        before, after = map(re.escape, self.layer.split("{}"))
        match = re.fullmatch(rf"{before}(\d+){after}([\w.]+)", target)
        return (int(match[1]), match[2]) if match else None

    def target(self, module: str) -> str | None:
        """The name here of a module that may be a bare or a causal model's; None if it is not in a layer."""
        return next((name for name in self.file_names(module) if self.layer_and_kind(name)), None)


F = TypeVar("F", bound="Family")
_families: dict[str, Family] = {}


def register(family: F) -> F:
    """Make a family known to the loader.

    FAMILY = register(dataclasses.replace(LLAMA, name="pebble", ...))
    """
    for other in _families.values():
        taken = {*family.model_types} & {*other.model_types} or _gguf_names(family) & _gguf_names(other)
        if taken:
            raise FormatError(f"a family named {shown(sorted(taken)[0])} is already registered: choose another name")
    _families[family.name] = family
    return family


def _gguf_names(family: Family) -> set[str]:
    return {family.name, family.gguf, *family.gguf_aliases} - {""}


def families() -> list[Family]:
    """All of them, in the order in which they registered."""
    first_use("families")
    return list(_families.values())


def named(name: str) -> Family:
    """By the name that wgpt's own configs have."""
    known = {family.name: family for family in families()}
    if name not in known:
        raise FormatError(f"unsupported family {shown(name)}; supported: {', '.join(known)}")
    return known[name]


def model_types() -> dict[str, Family]:
    """By config.json's model_type."""
    return {kind: family for family in families() for kind in family.model_types}


def model_type_of(raw: Config) -> Any:
    """config.json's model_type; of a variant, that of its family here."""
    kind = raw.get("model_type")
    variants = (each for each in families() if each.variant_of and each.variant_of == kind and each.is_variant(raw))
    return next((next(iter(each.model_types)) for each in variants), kind)


def architectures() -> dict[str, Family]:
    """By GGUF's general.architecture."""
    return {arch: family for family in families() for arch in (family.gguf, *family.gguf_aliases) if arch}


def of_target(target: str) -> Family | None:
    """The first family that has such a layer."""
    return next((family for family in families() if family.layer_and_kind(target)), None)
