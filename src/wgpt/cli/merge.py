"""`wgpt merge`: merges a LoRA adapter into its model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.atomic import check_folder
from ..core.errors import WgptError
from ..core.sizes import readable_bytes
from ..formats import open_checkpoint
from ..formats.merge import check_place, merge
from ..formats.peft import read_lora
from ..formats.sources import resolve
from ..formats.write_model import DTYPES
from .common import Json, print_json
from .loras import BaseName, LoraFolder, base_of
from .options import one_of
from .outputs import output_path
from .progress import byte_bar
from .styles import styled


def command(
    lora: LoraFolder,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", parser=output_path, help="Folder of the new model.")
    ],
    model: BaseName = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*DTYPES),
            help=f"Weight type: {', '.join(DTYPES)}. Default: the model's; f16 if that is quantised or a GGUF file.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing model in --out.")] = False,
    json: Json = False,
) -> None:
    """Adds scale * B A to the weights of every adapted layer and writes the model as safetensors, with config.json and
    the tokenizer, to a new folder that wgpt and transformers load without the adapter. Quantised weights become f16,
    or the type given with --dtype. The folder appears only when it is complete. No GPU is needed.

    \b
    Examples:
      wgpt merge --lora out --out merged
      wgpt run -m merged "Who founded Quillmarsh Kiteworks?"
      wgpt merge -m ./Qwen2.5-0.5B-Instruct --lora out --out merged --dtype bf16
      wgpt merge -m model.gguf --lora out --out merged --force --json
    """
    adapter = read_lora(lora)
    check_folder(out)
    with byte_bar("merging") as progress:
        base = resolve(base_of(adapter, lora, model), progress)
        check_place(out, base, force)
        if force and out.resolve() in (lora.resolve(), *lora.resolve().parents):
            raise WgptError(f"{out}: contains the adapter, which would be overwritten: choose another folder")
        with open_checkpoint(base) as checkpoint:
            notes = merge(checkpoint, adapter, out, dtype, progress, force=force)
    files = sorted(out.iterdir())
    nbytes = sum(file.stat().st_size for file in files)
    if json:
        names = [file.name for file in files]
        print_json({"path": str(out), "base": str(base), "bytes": nbytes, "files": names, "not_written": notes})
        return
    typer.echo(str(out))
    typer.echo(styled(f"{len(files)} files, {readable_bytes(nbytes)}", dim=True), err=True)
    for note in notes:
        typer.echo(note, err=True)
