"""Model files: quantising and converting them. No GPU is needed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..core.arguments import brief, check_progress, check_type
from ..core.atomic import check_folder, named, new_folder
from ..core.progress import Progress
from ..formats.checkpoint import Checkpoint, open_checkpoint
from ..formats.errors import FormatError
from ..formats.imatrix import read_imatrix
from ..formats.merge import check_place
from ..formats.sources import resolve
from ..formats.stored import PLAIN
from ..formats.write_gguf import write_gguf
from ..formats.write_model import DTYPES, write_model

Name = str | Path


def quantize(
    model: Name | None,
    out: Name,
    to: str = "q4_k_m",
    *,
    imatrix: Name | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[str]:
    """Write a model as a quantised GGUF file, which wgpt and llama.cpp load; returns notes.

    model: a name, a .gguf file, or a Hugging Face folder (None: the default model). to: one of the usual mixtures, such
    as q4_k_m, q5_k_m, q6_k or q8_0. imatrix: an importance matrix of `wgpt imatrix` or llama-imatrix, which makes small
    types better. force: overwrite an existing file. progress: called with (bytes done, bytes in all, tensor).

    >>> lost, larger = wgpt.quantize(model.path, "model.q8_0.gguf", "q8_0")
    >>> lost
    'the source is quantised (q4_1): what that lost does not come back'
    """
    _check(model, out, force, progress)
    check_type("to", to, "the name of a mixture, such as q4_k_m", str)
    check_type("imatrix", imatrix, "the path of an importance matrix", str, Path)
    if imatrix == "":
        raise FormatError("imatrix must be the path of an importance matrix, not an empty one")
    importance = None if imatrix is None else read_imatrix(imatrix)
    fields = {}
    if imatrix is not None and importance is not None:
        fields = {"quantize.imatrix.file": Path(imatrix).name, "quantize.imatrix.entries_count": len(importance)}
    with open_checkpoint(resolve(model, progress)) as checkpoint:
        return write_gguf(
            checkpoint, named(str(out)), to, importance=importance, fields=fields, progress=progress, force=force
        )


def convert(
    model: Name | None,
    out: Name,
    dtype: str | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> list[str]:
    """Write a model in the other format: `out` is a .gguf file, or a new Hugging Face folder; returns notes.

    dtype: f32, f16 or bf16. By default plain weights keep their type, and quantised ones become f16. force: overwrite
    an existing file or model folder.

    >>> wgpt.convert(model.path, "smollm2")
    []
    """
    _check(model, out, force, progress)
    check_type("dtype", dtype, "f32, f16 or bf16", str)
    if dtype is not None and dtype not in DTYPES:
        raise FormatError(f"unsupported dtype {brief(dtype)}; supported: {', '.join(DTYPES)}: use quantize for others")
    target = named(str(out))
    with open_checkpoint(resolve(model, progress)) as checkpoint:
        if target.suffix.lower() == ".gguf":
            return write_gguf(checkpoint, target, dtype or plain_type(checkpoint), progress=progress, force=force)
        check_folder(target)
        check_place(target, checkpoint.path, force)
        if checkpoint.format == "gguf":
            dtype = dtype or plain_type(checkpoint)
        with new_folder(target, replace=force) as aside:
            return write_model(checkpoint, lambda name: None, aside, dtype, progress)


def plain_type(checkpoint: Checkpoint) -> str:
    """The type that most of the matrices have, if it is a plain one; else f16."""
    kinds = Counter(t.type for t in checkpoint.tensors.values() if len(t.shape) > 1)
    kind = kinds.most_common(1)[0][0]
    return kind if kind in PLAIN else "f16"


def _check(model: Name | None, out: Name, force: bool, progress: Progress | None) -> None:
    check_type("model", model, "the name or path of a model", str, Path)
    check_type("out", out, "a path", str, Path)
    check_progress(progress)
