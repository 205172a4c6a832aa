"""`wgpt quantize`: a model as a smaller GGUF file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..api.files import quantize
from ..core.atomic import check_file
from ..core.sizes import readable_bytes
from ..quant.mixtures import supported
from .common import Json, print_json
from .model_files import Force, ModelFile, finished
from .outputs import output_path
from .progress import byte_bar

_MIXTURES = ", ".join(supported())


def command(
    model: ModelFile,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.gguf", parser=output_path, help="The file to write.")
    ],
    to: Annotated[str, typer.Option("--to", "-t", metavar="MIXTURE", help=f"Types of the weights: {_MIXTURES}.")],
    imatrix: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.gguf",
            help="Importance matrix of this model, from `wgpt imatrix` or llama-imatrix: the errors of columns that "
            "matter more count more.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """The mixtures are llama.cpp's: most matrices have the named type, and those that lose most by it have more bits.
    Scales are searched for, weighted by an importance matrix if one is given. Rows that are not a multiple of 256 get
    types with blocks of 32. Tokenizer, chat template and RoPE scaling are written as well. The file appears only when
    it is complete. No GPU is needed.

    \b
    Examples:
      wgpt quantize ./Qwen2.5-0.5B-Instruct --to q4_k_m --out qwen.q4_k_m.gguf
      wgpt quantize model.f16.gguf --to q6_k -o model.q6_k.gguf --json
      wgpt imatrix model.f16.gguf --text sample.txt --out imatrix.gguf
      wgpt quantize model.f16.gguf --to q3_k_m --imatrix imatrix.gguf -o model.q3_k_m.gguf
    """
    check_file(out)
    with byte_bar("quantising") as progress:
        notes = quantize(model, out, to, imatrix=imatrix, force=force, progress=progress)
    if json:
        print_json({"path": str(out), "mixture": to.lower(), "bytes": out.stat().st_size, "notes": notes})
        return
    finished(out, readable_bytes(out.stat().st_size), notes)
