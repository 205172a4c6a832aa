"""A model's files, GGUF or Hugging Face, behind one interface: a config, and tensors by Hugging Face's names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import gguf_split, hf_folder
from .family import named
from .gguf_config import config_of
from .mapped import Mapped, impostor
from .nested import text_tensors
from .safetensors_scan import read_json
from .sentence_files import SentenceSettings, of_folder, of_gguf
from .stored import Stored
from .wanted import gather


@dataclass
class Checkpoint:
    """An open model with every tensor that its family requires, each of the shape that its config implies."""

    path: Path
    format: str  # "gguf" or "hf"
    config: dict[str, Any]  # formats/config.py lists its keys
    tensors: dict[str, Stored] = field(repr=False)
    # The tokenizer's source: a GGUF file's tokenizer.* metadata, or the folder of a Hugging Face model.
    tokenizer: dict[str, Any] | Path = field(repr=False)
    files: tuple[Mapped, ...] = field(repr=False)
    aside: str = ""  # a sentence about tensors that are ignored, such as those of a vision part
    quantisation: str | None = None  # for a Hugging Face folder: how its weights are quantised, as text

    @property
    def sentences(self) -> SentenceSettings:
        """How this model embeds texts."""
        dense = bool(self.config.get("dense_features"))
        if isinstance(self.tokenizer, Path):
            return of_folder(self.tokenizer, dense)
        lacks = named(self.config["model_type"]).dense_modules and not dense
        return of_gguf(self.config.get("pooling_type"), lacks)

    @property
    def nbytes(self) -> int:
        """The size of all parameters as stored."""
        return sum(t.nbytes for t in self.tensors.values())

    def close(self) -> None:
        """Close the memory maps; tensors can no longer be read."""
        for file in self.files:
            file.close()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_checkpoint(path: str | Path) -> Checkpoint:
    """Open a .gguf file, a Hugging Face folder, or a .safetensors file beside its config.json.

    Only headers are read; the data stays in the files until `Stored.rows` asks for it.

        with open_checkpoint("model.gguf") as checkpoint:
            first = checkpoint.tensors["model.embed_tokens.weight"].rows(0, 16)
    """
    path = Path(path)
    if os.path.isdir(path):  # unlike Path.is_dir, it accepts invalid file names
        return _open_hf(path, path, hf_folder.read_folder(path))
    file = Mapped(path)
    head = bytes(file.data[:4096])
    if head.startswith(b"GGUF") or path.suffix.lower() == ".gguf":
        return _open_gguf(file)
    if path.suffix.lower() == ".safetensors":
        return _open_hf(path, path.parent, hf_folder.read_file(file))
    raise file.error(impostor(head) or "unsupported model file: give a .gguf file, a .safetensors file or a folder")


def _open_gguf(file: Mapped) -> Checkpoint:
    header, files = gguf_split.scan(file)
    config = config_of(file, header)
    tensors = gather(config, header.tensors, str(file.path), is_gguf=True)
    tokenizer = {key: value for key, value in header.metadata.items() if key.startswith("tokenizer.")}
    return Checkpoint(file.path, "gguf", config, tensors, tokenizer, files)


def _open_hf(path: Path, folder: Path, weights: hf_folder.WeightFiles) -> Checkpoint:
    raw = read_json(folder / "config.json") if os.path.isfile(folder / "config.json") else {}
    scheme = hf_folder.scheme_of_folder(folder)
    entries, aside = text_tensors(raw, weights.entries)
    dense = hf_folder.read_dense(folder)
    entries |= dense.entries
    config = hf_folder.config_of(folder, entries)
    tensors = gather(config, entries, str(path), is_gguf=False, scheme=scheme)
    label = scheme.label if scheme else None
    return Checkpoint(path, "hf", config, tensors, folder, (*weights.files, *dense.files), aside, label)
