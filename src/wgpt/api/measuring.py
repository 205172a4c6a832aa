"""Importance matrices: how much each input of a model's matrices matters, measured on a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_progress, check_type, whole_number
from ..core.atomic import check_file, named
from ..core.errors import PreconditionError, WgptError
from ..core.naming import argument
from ..core.progress import Progress
from ..engine.fixed_batch import FixedBatch
from ..formats.errors import FormatError
from ..formats.imatrix import write_imatrix
from ..models.family import family_of
from ..models.network import Network
from .model import Model

F64 = NDArray[np.float64]
_CHUNK = 512  # tokens of a piece, by default
_MULTIPLE = 64  # pieces of a multiple of it have no padding, which would be counted


def imatrix(
    model: Model,
    text: str,
    out: str | Path,
    *,
    context: int | None = None,
    tokens: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> int:
    """Measure an importance matrix on a text and write it as a GGUF file, as llama-imatrix does; returns its matrices.

    The text is read in pieces of `context` tokens (512, if the model can), a multiple of 64; what is left over is not
    used. tokens: use only this number of the text's tokens. `wgpt.quantize(..., imatrix=out)` uses the matrices, and
    llama-quantize does as well.

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
    most = model.context // _MULTIPLE * _MULTIPLE
    size = min(_CHUNK, most) if context is None else whole_number("context", context, _MULTIPLE, most)
    if size % _MULTIPLE or not size:
        raise WgptError(f"{argument('context')} must be a multiple of {_MULTIPLE}, not {size}")
    ids = model.ids(text)
    if tokens is not None:
        ids = ids[: whole_number("tokens", tokens, 1)]
    pieces = [ids[i : i + size] for i in range(0, len(ids) - size + 1, size)]
    if not pieces:
        way_out = f"use a longer text, or a smaller {argument('context')}"
        raise WgptError(f"the text has {len(ids)} tokens, fewer than a piece of {size}: {way_out}")
    totals = _sums_of_squares(model.network.whole("an importance matrix"), pieces, progress)
    rows = {row.name: row for row in family_of(model.config).table(model.config)}
    sums = {f"{rows[name].gguf}.weight": total.astype(np.float32) for name, total in totals.items()}
    counts = dict.fromkeys(sums, size * len(pieces))
    write_imatrix(path, sums, counts, chunk=size, chunks=len(pieces), datasets=["text"])
    return len(sums)


def _sums_of_squares(network: Network, pieces: Sequence[Sequence[int]], progress: Progress | None) -> dict[str, F64]:
    """Over pieces of equal length: [K] by the names of the matrices in the model's blocks."""
    network.check_generates()
    if any(network.config.layer(i).mixture is not None for i in range(network.config.layers)):
        raise PreconditionError(f"{network.config.family}: importance matrices of experts are unsupported")
    joined = {linear.slices[0].name: [each.name for each in linear.slices] for linear in network.inventory.linears}
    totals: dict[str, F64] = {}
    with FixedBatch(network, len(pieces[0]), cache="f32") as batch:
        for i, piece in enumerate(pieces):
            if progress is not None:
                progress(i, len(pieces), "")
            for first, sums in batch.squares(piece).items():
                for name in joined[first]:
                    totals[name] = totals.get(name, np.zeros(1)) + sums.astype(np.float64)
    return totals
