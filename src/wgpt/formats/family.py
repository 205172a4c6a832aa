"""What model files say about a family: its names, config keys and tensors. Families register from an upper layer.

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

HEAD = "lm_head"  # the output matrix, in most families' Hugging Face files
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
    # `tensor` holds the rows of all heads, `flat` rows of each; this matrix has some of them, from `first` on
    flat: int = 0
    # GGUF files may have gates and ups in one tensor [experts, 2 N, K]: these rows begin at `gguf_first`.
    gguf_both: str = ""
    gguf_first: int = 0


@dataclass(frozen=True)
class Groups:
    """A matrix whose rows the files store within another one: in each of its `count` groups of `size` rows, from
    `first` on.
    """

    tensor: str  # the other matrix, without ".weight"
    count: int
    size: int
    first: int


@dataclass(frozen=True)
class Row:
    """A row of a family's table: a tensor that a model with a given config requires.

    `part` is its role in the family's forward: embed, q, down, attention_norm. Names come without ".weight".
    """

    part: str
    name: str  # Hugging Face's name
    gguf: str
    shape: tuple[int, ...]  # (N, K) of a matrix, (N,) of a vector
    bias: bool = False  # there is a vector ".bias", too
    layer: int | None = None  # None: not in a layer
    rope_heads: int = 0  # for q and k: heads that RoPE rotates
    # for q, k and v in one matrix: number of heads, each with its q, k and v; GGUF files have all q, all k, all v
    by_head: int = 0
    less: float = 0.0  # for a norm: Hugging Face's files store its value minus this number, GGUF files the value
    stack: Stack | None = None  # for experts: the shape is that of all together
    groups: Groups | None = None  # Hugging Face's files store it within another matrix
    gguf_groups: Groups | None = None  # GGUF files store it within another matrix
    module: bool = False  # Hugging Face's folders store it in a subfolder, as a module of sentence-transformers
    lora: bool = True  # for a matrix in a layer: whether LoRA adapters can change it
    bare: bool = False  # for a vector: Hugging Face's name does not end with ".weight"
    gguf_end: str = "weight"  # the end of GGUF's name, after a dot; "": none
    log: bool = False  # for a vector: Hugging Face's files store the logarithm of its negative, GGUF files the value
    folded: tuple[int, ...] = ()  # for a vector: its shape in files, ignoring dimensions of 1

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
    gguf_aliases: tuple[str, ...] = ()  # other GGUF architecture names with the same meaning
    # Reads the keys listed in formats/config.py from a config.json, and writes them.
    read_config: Callable[[ConfigReader], dict[str, Any]]
    write_config: Callable[[Config], dict[str, Any]]
    # The values of fields of models/config.py that not every family has, such as qk_norm.
    settings: Callable[[Config], Mapping[str, Any]] = field(default=lambda config: {})
    check: Callable[[Config], None] = field(default=lambda config: None)  # refuses configs that can be read but not run
    tiny: Mapping[str, Any]  # config.json of a model of a few thousand weights, which `wgpt verify` runs
    # The family's own name of a config.json key -> the usual name, which then means nothing unless listed as itself.
    config_names: Mapping[str, str] = field(default_factory=dict)
    # config keys that only this family has -> GGUF's, without arch.
    gguf_keys: Mapping[str, str] = field(default_factory=dict)
    gguf_written: bool = True  # whether wgpt can write its models as GGUF files
    # GGUF values, by key without arch., that differ from the config's.
    gguf_values: Callable[[Config], Mapping[str, Any]] = field(default=lambda config: {})
    tied_by_default: bool = False  # the default where config.json has no value
    # model_type of a model that also reads images -> that of its text part, which is of this family (see nested.py).
    wrappers: Mapping[str, str] = field(default_factory=dict)
    text_defaults: Mapping[str, Any] = field(default_factory=dict)  # defaults that their nested configs omit
    prefix: str = "model."  # prefix of tensor names in a causal model, which the bare model is saved without
    embedding: str = "model.embed_tokens"
    layer: str = "model.layers.{}."
    head: str = HEAD
    transposed: bool = False  # Hugging Face's files store the layers' matrices as [in, out] (Conv1D)
    interleaved: bool = False  # GGUF files store the rows of q and k in the order of interleaved RoPE
    tokenizer_class: str | None = None  # transformers' tokenizer class if there is no tokenizer.json
    without_effect: str = ""  # pattern of unused tensors in Hugging Face's files
    further_layers: bool = False  # files may have more layers than the config, which predict further tokens
    without_effect_gguf: str = ""  # pattern of unused tensors in GGUF files
    # Its configs have this model_type of another family, and something else that distinguishes them.
    variant_of: str = ""
    is_variant: Callable[[Config], bool] = field(default=lambda raw: False)
    dense_modules: bool = False  # folders may have two dense layers after pooling, as sentence-transformers' modules

    @abstractmethod
    def rows(self, config: Config) -> Iterable[Row]:
        """The table of a model with this config."""

    # Names ------------------------------------------------------------------------------------------------

    def module(self, name: str) -> str:
        """The name of a tensor or layer in transformers' causal model."""
        return name if name.startswith((self.prefix, self.head)) else self.prefix + name

    def file_names(self, name: str) -> tuple[str, ...]:
        """Possible names of a tensor in Hugging Face's files: a bare model is saved without its prefix."""
        if name.startswith(self.head):
            return (name,)
        return (name, name.removeprefix(self.prefix) if name.startswith(self.prefix) else self.prefix + name)

    def layer_and_kind(self, target: str) -> tuple[int, str] | None:
        """(3, "self_attn.q_proj") of a layer's name; None if it is not in a layer of this family."""
        before, after = map(re.escape, self.layer.split("{}"))
        match = re.fullmatch(rf"{before}(\d+){after}([\w.]+)", target)
        return (int(match[1]), match[2]) if match else None

    def target(self, module: str) -> str | None:
        """The target name of a module of a bare or a causal model; None if it is not in a layer."""
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
    """All families, in order of registration."""
    first_use("families")
    return list(_families.values())


def named(name: str) -> Family:
    """The family with this name in wgpt."""
    known = {family.name: family for family in families()}
    if name not in known:
        raise FormatError(f"unsupported family {shown(name)}; supported: {', '.join(known)}")
    return known[name]


def model_types() -> dict[str, Family]:
    """Families by config.json's model_type."""
    return {kind: family for family in families() for kind in family.model_types}


def model_type_of(raw: Config) -> Any:
    """config.json's model_type; a variant's is replaced by that of its family here."""
    kind = raw.get("model_type")
    variants = (each for each in families() if each.variant_of and each.variant_of == kind and each.is_variant(raw))
    return next((next(iter(each.model_types)) for each in variants), kind)


def architectures() -> dict[str, Family]:
    """Families by GGUF's general.architecture."""
    return {arch: family for family in families() for arch in (family.gguf, *family.gguf_aliases) if arch}


def of_target(target: str) -> Family | None:
    """The first family with such a layer."""
    return next((family for family in families() if family.layer_and_kind(target)), None)
