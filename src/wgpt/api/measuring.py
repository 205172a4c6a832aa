"""Importance matrices: how much each input of a model's matrices matters, measured on a text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..formats.aside import check_file, named
from ..formats.errors import FormatError
from ..formats.imatrix import write_imatrix
from ..gpu import WgptError
from ..gpu.arguments import whole_number
from ..gpu.naming import argument
from ..infer.importance import CHUNK, MULTIPLE, sums_of_squares
from ..models.family import family_of
from .checks import check_progress, check_type
from .comparing import Step
from .model import Model


def imatrix(
    model: Model,
    text: str,
    out: str | Path,
    *,
    context: int | None = None,
    tokens: int | None = None,
    force: bool = False,
    progress: Step | None = None,
) -> int:
    """Measure an importance matrix on a text and write it as a GGUF file, as llama-imatrix does; returns its matrices.

    The text is read in pieces of `context` tokens (512, if the model can), a multiple of 64; what is left over is not
    used. tokens: only so many of the text. `wgpt.quantize(..., imatrix=out)` uses it, and llama-quantize does as well.

    >>> wgpt.imatrix(model, "The sky is blue. " * 20, "imatrix.gguf", context=64)
    210
    """
    check_type("model", model, "a loaded Model", Model)
    check_type("text", text, "a text", str)
    check_progress(progress)
    path = named(out)
    if path.exists() and not force:
        raise FormatError(f"{path}: already exists: choose another name, or {argument('force', True)} to overwrite it")
    check_file(path)
    most = model.context // MULTIPLE * MULTIPLE
    size = min(CHUNK, most) if context is None else whole_number("context", context, MULTIPLE, most)
    if size % MULTIPLE or not size:
        raise WgptError(f"{argument('context')} must be a multiple of {MULTIPLE}, not {size}")
    ids = model.ids(text)
    if tokens is not None:
        ids = ids[: whole_number("tokens", tokens, 1)]
    pieces = [ids[i : i + size] for i in range(0, len(ids) - size + 1, size)]
    if not pieces:
        way_out = f"use a longer text, or a smaller {argument('context')}"
        raise WgptError(f"the text has {len(ids)} tokens, fewer than a piece of {size}: {way_out}")
    totals = sums_of_squares(model.network, pieces, progress)
    rows = {row.name: row for row in family_of(model.config).table(model.config)}
    sums = {f"{rows[name].gguf}.weight": total.astype(np.float32) for name, total in totals.items()}
    counts = dict.fromkeys(sums, size * len(pieces))
    write_imatrix(path, sums, counts, chunk=size, chunks=len(pieces), datasets=["text"])
    return len(sums)
