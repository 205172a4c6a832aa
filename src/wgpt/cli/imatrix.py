"""`wgpt imatrix`: measures which inputs of a model's matrices matter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..api import load
from ..api.measuring import imatrix
from ..core.errors import WgptError
from .common import Gpu, Json, opened, print_json
from .model_files import Force, ModelFile, finished
from .outputs import check_in_folder, output_path
from .progress import byte_bar, progress_bar
from .texts import Text, read_some_text


def command(
    model: ModelFile,
    text: Text,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.gguf", parser=output_path, help="The file to write.")
    ],
    context: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Read the text in pieces of N tokens, a multiple of 64. Default: 512, or what the model can.",
            show_default=False,
        ),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Use the first N tokens of the text.", show_default=False)
    ] = None,
    force: Force = False,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """It has the mean square of every input of every matrix in the model's layers: an error in a weight counts as much
    as what it is multiplied with. Take a text like those that the model will read, of some ten thousand tokens or
    more, and the model in its largest type. The file is llama.cpp's: llama-quantize reads it, too.

    \b
    Examples:
      wgpt imatrix model.f16.gguf --text sample.txt --out imatrix.gguf
      wgpt quantize model.f16.gguf --to q4_k_m --imatrix imatrix.gguf --out model.q4_k_m.gguf
    """
    check_in_folder(out)
    if out.exists() and not force:
        raise WgptError(f"{out}: already exists: choose another name, or --force to overwrite it")
    content = read_some_text(text)
    with opened(gpu) as device:
        with byte_bar("loading") as progress:
            loaded = load(model, device=device, progress=progress)
        with loaded, progress_bar("measuring") as step:
            matrices = imatrix(loaded, content, out, context=context, tokens=tokens, force=force, progress=step)
    if json:
        print_json({"path": str(out), "matrices": matrices, "bytes": out.stat().st_size})
        return
    finished(out, f"{matrices} matrices", [])
