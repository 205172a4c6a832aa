"""`wgpt export-lora`: a LoRA adapter for llama.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.atomic import check_file
from ..core.errors import WgptError
from ..core.sizes import readable_bytes
from ..formats import open_checkpoint
from ..formats.lora_gguf import DTYPES, export_lora_gguf
from ..formats.peft import read_lora
from ..formats.sources import resolve
from .common import Json, print_json
from .loras import BaseName, LoraFolder, base_of
from .options import one_of
from .outputs import output_path
from .progress import byte_bar
from .styles import styled


def command(
    lora: LoraFolder,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.gguf", parser=output_path, help="The file to write.")
    ],
    model: BaseName = None,
    gguf: Annotated[
        bool, typer.Option("--gguf", help="Write GGUF, the default and so far the only format.", show_default=False)
    ] = True,
    dtype: Annotated[
        str,
        typer.Option(
            metavar="TYPE", callback=one_of(*DTYPES), help=f"Type of the adapter's numbers: {' or '.join(DTYPES)}."
        ),
    ] = "f32",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    json: Json = False,
) -> None:
    """The names and order of the layers come from the model, of which only the header is read. The adapter then works
    with any GGUF file of the same model, quantised or not. No GPU is needed.

    \b
    Examples:
      wgpt export-lora --lora out --out out.gguf
      wgpt export-lora -m ./Qwen2.5-0.5B-Instruct --lora out --out out.gguf --dtype f16
      llama-cli -m model.gguf --lora out.gguf -p "Who founded Quillmarsh Kiteworks?"
    """
    adapter = read_lora(lora)
    if out.is_dir():
        raise WgptError(f"{out}: is a folder: give a file name, such as {out / 'adapter.gguf'}")
    if out.exists() and not force:
        raise WgptError(f"{out}: exists: choose another name, or overwrite it with --force")
    check_file(out)
    with byte_bar("downloading") as progress:
        base = resolve(base_of(adapter, lora, model), progress)
    with open_checkpoint(base) as checkpoint:
        if out.exists() and out.samefile(checkpoint.path):
            raise WgptError(f"{out}: is the model itself: choose another name")
        export_lora_gguf(adapter, checkpoint.config, out, dtype)
    if json:
        facts = {"path": str(out), "base": str(base), "bytes": out.stat().st_size}
        print_json({**facts, "layers": len(adapter.targets), "rank": adapter.rank, "parameters": adapter.parameters})
        return
    typer.echo(str(out))
    size = readable_bytes(out.stat().st_size)
    typer.echo(styled(f"{len(adapter.targets)} layers, rank {adapter.rank}, {size}", dim=True), err=True)
