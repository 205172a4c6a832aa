"""Describes a model's files from their headers alone, even if wgpt cannot run them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import gguf_scan, hf_folder
from .errors import FormatError
from .family import architectures, model_type_of, model_types
from .gguf_config import gguf_names
from .mapped import Mapped
from .safetensors_scan import read_json
from .stored import Entry

# The displayed config values: the key at Hugging Face (gguf_config has GGUF's), and a label.
SIZES = {
    "num_hidden_layers": "layers",
    "hidden_size": "hidden",
    "intermediate_size": "feed_forward",
    "num_attention_heads": "heads",
    "num_key_value_heads": "kv_heads",
    "max_position_embeddings": "context",
    "vocab_size": "vocabulary",
}


@dataclass(frozen=True)
class Stored:
    """The tensors of one type."""

    tensors: int = 0
    parameters: int = 0
    nbytes: int = 0


@dataclass
class Description:
    """What the headers say; None where they say nothing."""

    path: Path
    format: str  # "gguf", "hf", or "unknown"
    nbytes: int = 0  # size of the files
    files: int = 0
    name: str | None = None
    architecture: str | None = None  # general.architecture, or model_type
    family: str | None = None  # the architecture's name in wgpt
    sizes: dict[str, int] = field(default_factory=dict)  # sizes by the names in SIZES
    types: dict[str, Stored] = field(default_factory=dict)  # the largest first
    tokenizer: str | None = None
    chat_template: bool = False
    problem: str | None = None  # why the headers could not be read

    @property
    def parameters(self) -> int:
        return sum(each.parameters for each in self.types.values())


def describe(path: Path) -> Description:
    """Describe a .gguf file, a Hugging Face folder, or a .safetensors file beside its config.json."""
    is_folder = os.path.isdir(path)
    description = Description(path, "hf" if is_folder or path.suffix.lower() == ".safetensors" else "unknown")
    try:
        if description.format == "hf":
            _read_folder(description, path if is_folder else path.parent, None if is_folder else path)
        else:
            _read_gguf(description)
    except FormatError as e:
        description.problem = str(e)
    return description


def _read_gguf(description: Description) -> None:
    file = Mapped(description.path)
    try:
        if bytes(file.data[:4]) == b"GGUF":
            description.format = "gguf"
        description.nbytes, description.files = file.size, 1
        header = gguf_scan.scan(file)
        meta = header.metadata
        arch = meta.get("general.architecture")
        if isinstance(arch, str):
            description.architecture = arch
            description.family = architectures()[arch].name if arch in architectures() else None
            _sizes(description, {key: meta.get(f"{arch}.{name}") for key, name in gguf_names(None).items()})
        tokens = meta.get("tokenizer.ggml.tokens")
        if "vocabulary" not in description.sizes and isinstance(tokens, list):
            description.sizes["vocabulary"] = len(tokens)
        name, kind, pre = (meta.get(key) for key in ("general.name", "tokenizer.ggml.model", "tokenizer.ggml.pre"))
        description.name = name if isinstance(name, str) else None
        description.tokenizer = f"{kind} ({pre})" if pre else kind
        description.chat_template = "tokenizer.chat_template" in meta
        _types(description, header.tensors.values())
    finally:
        file.close()


def add_files(description: Description, others: Iterable[Mapped]) -> None:
    """Add the remaining files of a model in several GGUF files."""
    for file in others:
        description.nbytes += file.size
        description.files += 1
        _types(description, gguf_scan.scan(file).tensors.values())


def _read_folder(description: Description, folder: Path, single: Path | None) -> None:
    weights = None
    try:
        if os.path.isfile(folder / "config.json"):
            config = read_json(folder / "config.json")
            kind = config.get("model_type")
            description.architecture = kind if isinstance(kind, str) else None
            family = model_types().get(model_type_of(config)) if isinstance(kind, str) else None
            description.family = None if family is None else family.name
            inner = config.get("text_config")
            names = {} if family is None else family.config_names
            nested: Mapping[str, Any] = inner if isinstance(inner, dict) else {}
            _sizes(description, {names.get(key, key): value for key, value in {**nested, **config}.items()})
        description.name = folder.resolve().name
        there = [name for name in ("tokenizer.json", "vocab.json", "tokenizer.model") if (folder / name).is_file()]
        description.tokenizer = there[0] if there else None
        settings = folder / "tokenizer_config.json"
        description.chat_template = (folder / "chat_template.jinja").is_file() or (
            settings.is_file() and bool(read_json(settings).get("chat_template"))
        )
        weights = hf_folder.read_file(Mapped(single)) if single else hf_folder.read_folder(folder)
        description.files = len(weights.files)
        description.nbytes = sum(file.size for file in weights.files)
        _types(description, weights.entries.values())
    finally:
        for file in weights.files if weights else ():
            file.close()


def _sizes(description: Description, values: Mapping[str, Any]) -> None:
    for key, name in SIZES.items():
        value = values.get(key)
        if isinstance(value, list) and value and all(type(v) is int for v in value):
            value = max(value)  # the largest of a list with one value per layer
        if type(value) is int:
            description.sizes[name] = value


def _types(description: Description, entries: Iterable[Entry]) -> None:
    found = dict(description.types)
    for entry in entries:
        old = found.get(entry.type, Stored())
        found[entry.type] = Stored(old.tensors + 1, old.parameters + math.prod(entry.shape), old.nbytes + entry.nbytes)
    description.types = dict(sorted(found.items(), key=lambda item: -item[1].nbytes))
