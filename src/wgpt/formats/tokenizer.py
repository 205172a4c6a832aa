"""Loads the tokenizer of a checkpoint from either of its two sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .gguf_tokenizer import from_gguf
from .hf_tokenizer import from_folder
from .tokenizer_base import Tokenizer

__all__ = ["Tokenizer", "load_tokenizer"]


def load_tokenizer(source: dict[str, Any] | Path | str) -> Tokenizer:
    """The tokenizer of a GGUF file's `tokenizer.*` metadata, or of a folder with a tokenizer.json."""
    return from_gguf(source) if isinstance(source, dict) else from_folder(Path(source))
