"""`wgpt bench embed`: texts per second of an encoder."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench.embedding import embed, print_embedding
from ..bench.models import Chosen
from .common import Gpu, Json, print_json, stdout
from .options import Dtype, ModelName, Preset, Resident, on_device
from .progress import progress_bar

_DEFAULT = "bert-base"


def command(
    model: ModelName = None,
    preset: Preset = None,
    dtype: Dtype = None,
    resident: Resident = "auto",
    tokens: Annotated[int, typer.Option(min=1, help="Tokens of a text.")] = 512,
    texts: Annotated[
        int | None,
        typer.Option(min=1, help="Number of texts. Default: 512; 4 on a software driver.", show_default=False),
    ] = None,
    repeats: Annotated[int, typer.Option(min=3, max=1000, help="Number of repetitions; the median counts.")] = 5,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time how many texts an encoder turns into vectors, from token ids to vectors in host memory.

    Without a model, BERT-base with random weights is timed.

    \b
    Examples:
      wgpt bench embed
      wgpt bench embed --preset modernbert-base --tokens 2048
      wgpt bench embed -m BAAI/bge-small-en-v1.5 --dtype f16 --json
    """
    chosen = Chosen(model, preset or (_DEFAULT if model is None else None), dtype, None, resident)
    with on_device(chosen, gpu, encodes=True) as network, progress_bar("embedding") as progress:
        result = embed(network, chosen, tokens, texts, repeats, progress)
    if json:
        print_json(result.to_dict())
    else:
        print_embedding(result, stdout())
