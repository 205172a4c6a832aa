"""`wgpt merge`: a model and its adapter become one model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..formats import open_checkpoint
from ..formats.merge import check_place, merge
from ..formats.peft import read_adapter
from ..formats.sources import resolve
from ..formats.write_model import DTYPES
from ..gpu import WgptError, readable_bytes
from .common import Json, byte_bar, print_json
from .loras import BaseName, LoraFolder, base_of
from .options import one_of


def command(
    lora: LoraFolder,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The new model's folder.")],
    model: BaseName = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*DTYPES),
            help=f"{', '.join(DTYPES)}. Default: as the model is; f16 where it is quantised or a GGUF file.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a model that is in --out already.")] = False,
    json: Json = False,
) -> None:
    """Fold a LoRA adapter into its model.

    W + scale * B A of every layer that it adapts is written as safetensors, with config.json and the tokenizer, into
    a new folder that wgpt and transformers load: no adapter is needed any more. Quantised weights become f16, or
    what --dtype says. The folder appears when it is complete. Needs no GPU.

    \b
    Examples:
      wgpt merge --lora out --out merged
      wgpt run -m merged "Who founded Quillmarsh Kiteworks?"
      wgpt merge -m ./Qwen2.5-0.5B-Instruct --lora out --out merged --dtype bf16
      wgpt merge -m model.gguf --lora out --out merged --force --json
    """
    adapter = read_adapter(lora)
    with byte_bar("merging") as progress:
        base = resolve(base_of(adapter, lora, model), progress)
        check_place(out, base, force)
        if force and out.resolve() in (lora.resolve(), *lora.resolve().parents):
            raise WgptError(f"{out}: is where the adapter is, which would be lost: give another folder")
        with open_checkpoint(base) as checkpoint:
            notes = merge(checkpoint, adapter, out, dtype, progress, force=force)
    files = sorted(out.iterdir())
    nbytes = sum(file.stat().st_size for file in files)
    if json:
        names = [file.name for file in files]
        print_json({"path": str(out), "base": str(base), "bytes": nbytes, "files": names, "not_written": notes})
        return
    typer.echo(str(out))
    typer.echo(typer.style(f"{len(files)} files, {readable_bytes(nbytes)}", dim=True), err=True)
    for note in notes:
        typer.echo(note, err=True)
