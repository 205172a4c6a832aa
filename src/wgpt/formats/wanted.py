"""Finds the tensors that a model needs in its files, each with the shape that the config implies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .config import normalised
from .errors import FormatError, shown
from .family import Family, Row, named
from .hf_quantised.scheme import Scheme
from .row_groups import rows_among
from .stacks import gathered, problem_of, quantised_matrix, stored_matrix
from .stored import Entry, Stored
from .tied_head import same_head

_NAMED_PROBLEMS = 4
# Unused tensors. All others are part of the model, which is never run without them.
_WITHOUT_EFFECT_HF = re.compile(
    r"(.*\.)?rotary_emb\.inv_freq"  # computed from rope_theta
    r"|(.*\.)?position_ids"  # 0, 1, 2, ...
)
_WITHOUT_EFFECT_GGUF = re.compile(
    r"rope_freqs\.weight"  # part of the config: see gguf_config
    r"|blk\.\d+\.attn_rot_embd(\.weight)?"  # computed from rope.freq_base; in files of 2023
    r"|rope_factors_(long|short)\.weight"  # the same
)

_NOTHING = r"(?!)"  # an empty pattern would match a tensor without a name


@dataclass(frozen=True)
class RequiredTensor:
    """A tensor that a model requires."""

    name: str  # Hugging Face's name
    gguf: str
    shape: tuple[int, ...]
    row: Row  # of the family's table; a bias has its matrix's part
    transposed: bool = False  # Hugging Face's files store [in, out]
    rope_heads: int = 0  # GGUF files store the rows of these heads in interleaved order
    less: float = 0.0  # Hugging Face's files store its values minus this number
    by_head: int = 0  # heads of q, k and v in one matrix, which GGUF files store separately


def wanted(config: Mapping[str, Any]) -> Iterator[RequiredTensor]:
    """The tensors of a model with this config."""
    family = named(config["model_type"])
    for row in family.rows(config):
        transposed = family.transposed and row.is_matrix and row.layer is not None
        rope_heads = row.rope_heads if family.interleaved else 0
        names = (row.tensor, f"{row.gguf}.{row.gguf_end}" if row.gguf_end else row.gguf)
        yield RequiredTensor(*names, row.shape, row, transposed, rope_heads, row.less, row.by_head)
        if row.bias:
            names = (f"{row.name}.bias", f"{row.gguf}.bias")
            yield RequiredTensor(*names, row.shape[:1], row, rope_heads=rope_heads, by_head=row.by_head)


def layer_kinds(family: Family) -> set[str]:
    """The names of a layer's matrices, without the layer."""
    rows = family.rows(normalised(family.tiny, family.name))
    inside = (family.layer_and_kind(row.name) for row in rows if row.is_matrix)
    return {place[1] for place in inside if place is not None}


def gather(
    config: Mapping[str, Any],
    entries: Mapping[str, Entry],
    where: str,
    is_gguf: bool,
    scheme: Scheme | None = None,
) -> dict[str, Stored]:
    """Exactly the tensors that the model needs, each of the shape that the config implies.

    scheme: how Hugging Face's files are quantised, where they are.
    """
    tensors: dict[str, Stored] = {}
    problems, used = list[str](), set[str]()
    family = named(config["model_type"])
    for want in wanted(config):
        if (stack := want.row.stack) is not None:
            stacked = gathered(stack, (want.name, want.gguf), want.shape, entries, family, is_gguf, scheme)
            problems += stacked.problems
            used |= stacked.used
            if stacked.stored:  # a flat stack's heads are rows of one matrix
                matrices = stacked.stored.matrices if stack.flat else stack.experts
                tensors[want.name] = replace(stacked.stored, matrices=matrices)
            continue
        groups = want.row.gguf_groups if is_gguf else want.row.groups
        if groups is not None:
            other = f"{groups.tensor}.weight"
            among = rows_among(
                groups, (other,) if is_gguf else family.file_names(other), want.name, want.shape, entries
            )
            problems += among.problems
            used |= among.used
            tensors |= {want.name: among.stored} if among.stored else {}
            continue
        names = (want.gguf,) if is_gguf else family.file_names(want.name)
        if not want.transposed and (matrix := quantised_matrix(scheme, want.shape, names, entries)):
            used.update(part.name for part in matrix.parts)
            tensors[want.name] = stored_matrix(want.name, want.shape, matrix)
            continue
        entry = next((entries[n] for n in names if n in entries), None)
        transposed = want.transposed and not is_gguf
        if problem := _problem(want, entry, transposed, names[0]):
            problems.append(problem)
        elif entry:
            used.add(entry.name)
            rope_heads = want.rope_heads if is_gguf else 0
            place = (entry.type, entry.nbytes, entry.source, entry.offset)
            less = 0.0 if is_gguf else want.less
            apart = want.by_head if is_gguf else 0
            tensors[want.name] = Stored(want.name, want.shape, *place, rope_heads, less, transposed, apart_heads=apart)
            if want.row.log and not is_gguf:
                tensors[want.name] = replace(tensors[want.name], log=True)
    if not problems and config["tie_word_embeddings"] and not is_gguf and not same_head(family, entries):
        head, table = f"{family.head}.weight", f"{family.embedding}.weight"
        raise FormatError(
            f"{where}: tie_word_embeddings is true, but {head} is not the same as {table}: "
            "set tie_word_embeddings to false in config.json, or remove one of the two tensors"
        )
    if not problems:
        problems = [f"unexpected {name}" for name in _unused(family, config, entries, used, is_gguf)]
    if problems:
        more = f"; and {len(problems) - _NAMED_PROBLEMS} more" if len(problems) > _NAMED_PROBLEMS else ""
        raise FormatError(
            f"{where}: the tensors are not those of a {config['model_type']} of {config['num_hidden_layers']} layers "
            f"and hidden size {config['hidden_size']}: {'; '.join(problems[:_NAMED_PROBLEMS])}{more}: "
            "the model is incomplete, or its config is another model's"
        )
    return tensors


def _unused(
    family: Family, config: Mapping[str, Any], entries: Iterable[str], used: set[str], is_gguf: bool
) -> list[str]:
    """Tensors of the file that the model would not use."""
    harmless = _WITHOUT_EFFECT_GGUF if is_gguf else _WITHOUT_EFFECT_HF
    own = re.compile((family.without_effect_gguf if is_gguf else family.without_effect) or _NOTHING)
    tied = f"{family.head}.weight" if config["tie_word_embeddings"] and not is_gguf else None
    layers, extra = config["num_hidden_layers"], config.get("num_nextn_predict_layers", 0)
    if is_gguf and extra:  # layers that predict further tokens, which are not run
        aside = re.compile("|".join(rf"blk\.{i}\..*" for i in range(layers, layers + extra)))
        entries = [name for name in entries if not aside.fullmatch(name)]
    return [
        shown(name)
        for name in entries
        if name not in used and name != tied and not harmless.fullmatch(name) and not own.fullmatch(name)
        if not (family.further_layers and _is_beyond(name, config["num_hidden_layers"]))
    ]


def _is_beyond(name: str, layers: int) -> bool:
    """Whether a tensor belongs to a layer beyond the model's number of layers."""
    match = re.match(r"(?:(?:model\.)?layers|blk)\.(\d{1,6})\.", name)
    return match is not None and int(match[1]) >= layers


def _problem(want: RequiredTensor, entry: Entry | None, transposed: bool, name: str) -> str | None:
    shape = want.shape[::-1] if transposed else want.shape
    if entry is not None and want.row.folded and tuple(n for n in entry.shape if n > 1) == want.row.folded:
        shape = entry.shape
    if entry is not None and len(shape) == 2 and shape[0] == 1 and entry.shape == shape[1:]:
        shape = shape[1:]  # GGUF files store a matrix with one row as a vector
    return problem_of(entry, shape, len(want.shape) == 1, name)
