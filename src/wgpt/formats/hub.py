"""Downloads models from Hugging Face's hub, through its own client and cache.

The client is installed with tokenizers.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .errors import SourceError

_FILES = ["*.json", "*.safetensors", "*.jinja", "merges.txt", "tokenizer.model"]
# Subfolders contain other formats, except numbered ones: modules of sentence-transformers.
_IGNORED = ["[!0-9]*/*", "*/*/*", "consolidated*"]


@dataclass(frozen=True)
class HubModel:
    """A model that has another name at the hub."""

    repository: str


def offline() -> bool:
    """Whether the user forbids downloads."""
    return os.environ.get("WGPT_OFFLINE") not in (None, "", "0")


def download(repository: str, name: str | None = None, *, force: bool = False) -> Path:
    """The folder of a repository in the hub's cache, downloaded if necessary; `name` is the user's name for it."""
    called = f"{name} ({repository} on Hugging Face's hub)" if name else repository
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        subject = f"{name} is {repository} on" if name else f"{repository} looks like a model of"
        raise SourceError(
            f"{subject} Hugging Face's hub: install the package for it (pip install 'wgpt[hub]'), "
            "or download the model and give its folder"
        ) from None
    if force and offline():
        raise SourceError(f"{called} cannot be downloaded again because WGPT_OFFLINE is set: unset it")
    try:
        folder = snapshot_download(
            repository,
            allow_patterns=_FILES,
            ignore_patterns=_IGNORED,
            local_files_only=offline(),
            force_download=force,
        )
    except Exception as e:  # the hub's client raises many kinds of exceptions, and so do HTTP clients under it
        reason = " ".join(str(e).split())[:300] or type(e).__name__
        why = "WGPT_OFFLINE is set and it is not in the hub's cache" if offline() else f"{type(e).__name__}: {reason}"
        also = "" if name else "is not a local file or folder, and "
        raise SourceError(
            f"{called} {also}could not be downloaded from the hub ({why}): "
            "download the model elsewhere and give its folder"
        ) from None
    return Path(folder)


def cached(repository: str) -> Path | None:
    """The folder of a repository that was downloaded before, or None. Works without the hub's client."""
    try:
        from huggingface_hub import snapshot_download

        folder = Path(snapshot_download(repository, local_files_only=True))
    except Exception:  # not in the cache; the client has many exceptions for that
        return None
    # The cache may contain only a part of a repository, downloaded by another program.
    return folder if (folder / "config.json").is_file() and any(folder.glob("*.safetensors")) else None
