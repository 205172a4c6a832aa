"""`wgpt convert`: a model in the other format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..api.files import convert
from ..core.sizes import readable_bytes
from ..formats.write_model import DTYPES
from .common import Json, print_json
from .model_files import Force, ModelFile, finished
from .options import one_of
from .outputs import output_path
from .progress import byte_bar


def command(
    model: ModelFile,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.gguf|DIR",
            parser=output_path,
            help="A file that ends in .gguf, or a new folder of safetensors.",
        ),
    ],
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*DTYPES),
            help=f"Weight type: {', '.join(DTYPES)}. Default: the model's; f16 if that is quantised.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """To a .gguf file: with tokenizer, chat template and RoPE scaling, as llama.cpp reads them (`wgpt quantize` makes
    it smaller). To a folder: safetensors, config.json and the tokenizer, which transformers and wgpt load. What the
    other format cannot express is refused before anything is written. No GPU is needed.

    \b
    Examples:
      wgpt convert ./Qwen2.5-0.5B-Instruct --out qwen.gguf
      wgpt convert model.gguf --out model-hf --dtype bf16
    """
    with byte_bar("converting") as progress:
        notes = convert(model, out, dtype, force=force, progress=progress)
    files = sorted(out.iterdir()) if out.is_dir() else [out]
    nbytes = sum(file.stat().st_size for file in files)
    if json:
        print_json({"path": str(out), "bytes": nbytes, "files": [file.name for file in files], "notes": notes})
        return
    finished(out, f"{len(files)} files, {readable_bytes(nbytes)}" if out.is_dir() else readable_bytes(nbytes), notes)
