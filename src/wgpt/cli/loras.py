"""The options of commands about a LoRA adapter, and which model it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..formats.peft import Adapter
from ..formats.sources import at_hand
from ..gpu import WgptError

LoraFolder = Annotated[
    Path, typer.Option("--lora", "-l", metavar="DIR", help="The adapter: a folder of wgpt finetune, or of peft.")
]
BaseName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME|PATH",
        help="The model that it adapts: a known name, a .gguf file, a Hugging Face folder, or ORG/NAME of the hub. "
        "Default: the one that the adapter names, if it is at hand.",
        show_default=False,
    ),
]


def base_of(adapter: Adapter, folder: Path, model: str | None) -> str:
    """The model that was given, else the adapter's own."""
    found = model or at_hand(adapter.base)
    if found is None:
        says = f"says that it adapts {adapter.base!r}" if adapter.base else "does not say what it adapts"
        raise WgptError(f"{folder} {says}: give the model with --model")
    return found
