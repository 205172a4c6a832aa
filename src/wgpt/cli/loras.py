"""The options of commands that take a LoRA adapter, and the choice of its base model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import WgptError
from ..formats.lora import LoraAdapter
from ..formats.sources import available_locally

LoraFolder = Annotated[
    Path, typer.Option("--lora", "-l", metavar="DIR", help="LoRA adapter: a folder written by wgpt finetune or peft.")
]
BaseName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME|PATH",
        help="The adapter's base model: a known name, a .gguf file, a Hugging Face folder, or ORG/NAME on the hub. "
        "Default: the one named in the adapter, if it is on this machine.",
        show_default=False,
    ),
]


def name_and_folder(option: str) -> tuple[str | None, str]:
    """The parts of NAME=DIR; a folder may be without a name, and have a = in its path."""
    name, equals, folder = option.partition("=")
    return (name, folder) if equals and not Path(option).is_dir() else (None, option)


def base_of(adapter: LoraAdapter, folder: Path, model: str | None) -> str:
    """The model from the command line, or the one named in the adapter."""
    base = model or available_locally(adapter.base)
    if base is None:
        statement = (
            f"names the base model {adapter.base!r}, which is not on this machine"
            if adapter.base
            else "names no base model"
        )
        raise WgptError(f"{folder} {statement}: give the model with --model")
    return base
