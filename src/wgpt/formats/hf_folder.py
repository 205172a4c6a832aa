"""A Hugging Face folder: config.json, and one safetensors file or shards with an index."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .config import normalised
from .errors import FormatError, shown
from .family import Family, model_type_of, model_types
from .hf_quantised.method import KEYS, scheme_of
from .hf_quantised.scheme import Scheme
from .mapped import Mapped
from .nested import text_config
from .safetensors_scan import read_json, scan
from .sentence_files import dense_folders
from .stored import Entry
from .tied_head import same_head

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
MAX_SHARDS = 4096
# The dense layers after pooling: their tensors' names here, and in their modules' files.
DENSE = ("dense_2.linear.weight", "dense_3.linear.weight")
_LINEAR = "linear.weight"


@dataclass(frozen=True)
class WeightFiles:
    """The tensors of all files of a model, by their names in the files."""

    entries: dict[str, Entry]
    files: tuple[Mapped, ...]


def read_file(file: Mapped) -> WeightFiles:
    return WeightFiles(scan(file), (file,))


def read_folder(folder: Path) -> WeightFiles:
    if not os.path.isfile(folder / "config.json"):
        raise FormatError(f"{folder}: {_without_config(folder)}")
    if os.path.isfile(folder / INDEX):
        return _read_shards(folder)
    if os.path.isfile(folder / SINGLE):
        return read_file(Mapped(folder / SINGLE))
    bins = " (PyTorch's .bin files are unsupported)" if list(folder.glob("*.bin"))[:1] else ""
    raise FormatError(f"{folder}: has neither {SINGLE} nor {INDEX}{bins}: download the model's safetensors files")


def _without_config(folder: Path) -> str:
    if os.path.isfile(folder / "adapter_config.json"):
        return "is a PEFT adapter, not a model: give the folder of the model that it adapts"
    if ggufs := sorted(folder.glob("*.gguf")):
        return f"has no config.json, but GGUF files: give one of them, such as {shown(ggufs[0].name)}"
    return "has no config.json: give a Hugging Face model's folder or a .gguf file"


def _read_shards(folder: Path) -> WeightFiles:
    index = folder / INDEX
    weight_map = read_json(index).get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map:
        raise FormatError(f"{index}: weight_map is {shown(weight_map)}, not an object that maps tensors to files")
    names = set()
    for name, shard in weight_map.items():
        if not _is_plain(shard):
            raise FormatError(
                f"{index}: tensor {shown(name)} is in {shown(shard)}, which is not the name of a safetensors file in "
                "the folder; no other place is read"
            )
        names.add(shard)
    if len(names) > MAX_SHARDS:
        raise FormatError(f"{index}: names {len(names)} files; the limit is {MAX_SHARDS}")
    if missing := sorted(name for name in names if not os.path.isfile(folder / name)):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise FormatError(f"{folder}: shard {shown(missing[0])}{more} of {INDEX} is missing: download it")
    files = {name: Mapped(folder / name) for name in sorted(names)}
    shards = {name: scan(file) for name, file in files.items()}
    for name, shard in weight_map.items():
        if name not in shards[shard]:
            raise FormatError(f"{folder / shard}: lacks tensor {shown(name)}, which {INDEX} says it has: download both")
    return WeightFiles({name: shards[shard][name] for name, shard in weight_map.items()}, tuple(files.values()))


def _is_plain(name: Any) -> bool:
    """Whether this is a plain file name: without folder or drive, so that it cannot leave the model's folder."""
    if not isinstance(name, str) or not name.endswith(".safetensors"):
        return False
    return name.isprintable() and not set(name) & set("/\\:")


def scheme_of_folder(folder: Path) -> Scheme | None:
    """How the folder's weights are quantised; None if they are not."""
    path = folder / "config.json"
    return scheme_of(read_json(path), str(path))


def read_dense(folder: Path) -> WeightFiles:
    """Read the dense layers after pooling, for families that have them."""
    family = _family(read_json(folder / "config.json")) if os.path.isfile(folder / "config.json") else None
    if family is None or not family.dense_modules:
        return WeightFiles({}, ())
    paths = dense_folders(folder)
    if paths and len(paths) != len(DENSE):
        raise FormatError(f"{folder}: modules.json has {len(paths)} Dense modules; supported: none or {len(DENSE)}")
    files = [Mapped(path / SINGLE) for path in paths]
    found = [scan(file) for file in files]
    for file, entries in zip(files, found, strict=True):
        if set(entries) != {_LINEAR}:
            raise file.error(f"has {shown(sorted(entries))}; supported: {_LINEAR} alone")
    layers = {name: replace(own[_LINEAR], name=name) for name, own in zip(DENSE, found, strict=False)}
    return WeightFiles(layers, tuple(files))


def _family(raw: Mapping[str, Any]) -> Family | None:
    kind = model_type_of(raw)
    return model_types().get(kind) if isinstance(kind, str) else None


def config_of(folder: Path, entries: Mapping[str, Entry]) -> dict[str, Any]:
    path = folder / "config.json"
    raw = text_config(read_json(path), str(path))
    raw = {key: value for key, value in raw.items() if key not in KEYS}
    family = _family(raw)
    if DENSE[0] in entries:
        raw["dense_features"] = (entries[DENSE[0]].shape or (None,))[0]
    if family is not None:
        names = family.file_names(f"{family.embedding}.weight")
        table = next((entries[name] for name in names if name in entries), None)
        if raw.get("vocab_size") is None and table and table.shape:
            raw["vocab_size"] = table.shape[0]
        head = f"{family.head}.weight"
        if raw.get("tie_word_embeddings") is None and (not family.tied_by_default or head in entries):
            raw["tie_word_embeddings"] = head not in entries or (family.tied_by_default and same_head(family, entries))
    # Often only this file has the ids that end a chat model's reply.
    generation = folder / "generation_config.json"
    if os.path.isfile(generation):
        ends = [raw.get("eos_token_id"), read_json(generation).get("eos_token_id")]
        flat = [i for end in ends for i in (end if isinstance(end, list) else [end])]
        raw["eos_token_id"] = [i for i in flat if i is not None]
    return normalised(raw, str(path))
