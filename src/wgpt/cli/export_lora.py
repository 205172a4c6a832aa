"""`wgpt export-lora`: an adapter for llama.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..formats import open_checkpoint
from ..formats.lora_gguf import DTYPES, export_lora_gguf
from ..formats.peft import read_adapter
from ..formats.sources import resolve
from ..gpu import WgptError, readable_bytes
from .common import Json, byte_bar, print_json
from .loras import BaseName, LoraFolder, base_of
from .options import one_of


def command(
    lora: LoraFolder,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.gguf", help="The file to write.")],
    model: BaseName = None,
    gguf: Annotated[
        bool, typer.Option("--gguf", help="As GGUF: the only format so far, and the default.", show_default=False)
    ] = True,
    dtype: Annotated[
        str, typer.Option(metavar="TYPE", callback=one_of(*DTYPES), help=f"{' or '.join(DTYPES)}.")
    ] = "f32",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")] = False,
    json: Json = False,
) -> None:
    """Write a LoRA adapter as the GGUF file that llama.cpp loads beside a model.

    The model says how its layers are called and ordered in a GGUF file; only its header is read, and any GGUF of the
    same model, quantised or not, takes the adapter. Needs no GPU.

    \b
    Examples:
      wgpt export-lora --lora out --out out.gguf
      wgpt export-lora -m ./Qwen2.5-0.5B-Instruct --lora out --out out.gguf --dtype f16
      llama-cli -m model.gguf --lora out.gguf -p "Who founded Quillmarsh Kiteworks?"
    """
    adapter = read_adapter(lora)
    if out.is_dir():
        raise WgptError(f"{out}: is a folder: give the name of a file, such as {out / 'adapter.gguf'}")
    if out.exists() and not force:
        raise WgptError(f"{out}: is there already: give another name, or --force to replace it")
    with byte_bar("getting the model") as progress:
        base = resolve(base_of(adapter, lora, model), progress)
    with open_checkpoint(base) as checkpoint:
        if out.exists() and out.samefile(checkpoint.path):
            raise WgptError(f"{out}: is the model itself: give the adapter another name")
        export_lora_gguf(adapter, checkpoint.config, out, dtype)
    if json:
        facts = {"path": str(out), "base": str(base), "bytes": out.stat().st_size}
        print_json({**facts, "layers": len(adapter.targets), "rank": adapter.rank, "parameters": adapter.parameters})
        return
    typer.echo(str(out))
    size = readable_bytes(out.stat().st_size)
    typer.echo(typer.style(f"{len(adapter.targets)} layers, rank {adapter.rank}, {size}", dim=True), err=True)
