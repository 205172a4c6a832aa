"""`wgpt embed`: texts as vectors."""

from __future__ import annotations

import sys
from json import dumps, loads
from pathlib import Path
from typing import IO, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from ..core.atomic import replacing
from ..core.errors import WgptError
from ..engine.encoder import POOLINGS
from ..formats.errors import shown
from .common import Json, print_json
from .groups import grouped
from .options import ModelOptions, one_of
from .outputs import check_in_folder, output_path
from .progress import progress_bar
from .texts import read_stdin, read_text

# Texts that are read in one call, at first and at most: progress is shown in between.
_FIRST, _TOGETHER = 16, 512
_ENDINGS = (".npy", ".jsonl")

Texts = Annotated[
    list[str] | None,
    typer.Argument(metavar="TEXT...", help="Texts; none, with a pipe: each line of stdin.", show_default=False),
]
TextFile = Annotated[
    str | None,
    typer.Option(
        "--file",
        "-f",
        metavar="FILE|-",
        help='File with a text on each line; or, if it ends in .jsonl, an object such as {"text": "..."}.',
        show_default=False,
    ),
]


@grouped
def command(
    texts: Texts = None,
    file: TextFile = None,
    model: ModelOptions = ModelOptions(),
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            parser=output_path,
            help="Write a NumPy array [texts, hidden] (.npy), or JSON lines (.jsonl). Default: JSON lines on stdout.",
            show_default=False,
        ),
    ] = None,
    pooling: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(POOLINGS),
            callback=one_of(*POOLINGS),
            help="The mean of all hidden states, an encoder's first one (cls), or the last one. Default: as the "
            "model's files say; otherwise the mean.",
            show_default=False,
        ),
    ] = None,
    normalise: Annotated[
        bool | None,
        typer.Option(
            "--normalise/--no-normalise",
            help="Scale each vector to a length of 1. Default: as the model's files say; otherwise yes.",
            show_default=False,
        ),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='Put this before each text, such as "query: ".', show_default=False),
    ] = None,
    prompt_name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Put this prompt of the model's files before each text.", show_default=False),
    ] = None,
    truncate: Annotated[
        bool, typer.Option("--truncate", help="Cut texts that are too long, instead of refusing them.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output file.")] = False,
    json: Json = False,
) -> None:
    """A vector is the mean of the model's hidden states after the final norm, the first or the last of them, as the
    files of an embedding model say. Vectors of similar texts point in similar directions: with a length of 1, the
    product of two is their cosine similarity.

    \b
    Examples:
      wgpt embed "The sky is blue." "The sea is blue."
      wgpt embed --file texts.txt --out vectors.npy
      wgpt embed -m BAAI/bge-small-en-v1.5 "What is blue?"
      wgpt embed --file texts.jsonl --out vectors.jsonl --pooling last
      wgpt embed --json "What is blue?" | jq '.results[0].vector'
    """
    if out is not None:
        _check_output(out, force)
    read = read_texts(texts or [], file)
    options: dict[str, Any] = {"pooling": pooling, "normalise": normalise, "truncate": truncate}
    options |= {"prompt": prompt, "prompt_name": prompt_name}
    with model.loaded(encodes=True) as loaded, progress_bar("embedding") as progress:
        vectors = []
        at, together = 0, _FIRST
        progress(0, len(read), "")
        while at < len(read):
            vectors.append(loaded.embed(read[at : at + together], **options))
            at, together = at + together, min(2 * together, _TOGETHER)
            progress(min(at, len(read)), len(read), "")
    _write(read, np.concatenate(vectors), out, json)


def _check_output(out: Path, force: bool) -> None:
    if out.suffix not in _ENDINGS:
        raise typer.BadParameter(f"--out {out}: the name must end in {' or '.join(_ENDINGS)}")
    if out.exists() and not force:
        raise WgptError(f"{out} exists: choose another name, or overwrite it with --force")
    check_in_folder(out)


def read_texts(texts: list[str], file: str | None) -> list[str]:
    if texts and file is not None:
        raise typer.BadParameter("give texts or --file, not both")
    if not texts and file is None and sys.stdin.isatty():
        raise typer.BadParameter("give a text, --file, or a pipe")
    if not texts:
        texts = _lines(file or "-")
    empty = next((i for i, text in enumerate(texts, 1) if not text), None)
    if empty is not None:
        raise WgptError(f"text {empty} is empty: each text needs at least one token")
    if not texts:
        raise WgptError("there are no texts")
    return texts


def _lines(name: str) -> list[str]:
    """The texts of a file, or of stdin (-)."""
    if name == "-":
        return read_stdin().splitlines()
    text = read_text(name)
    lines = text.split("\n")[: -1 if text.endswith("\n") else None] if text else []
    if not name.endswith(".jsonl"):
        return lines
    return [_text_of(line, f"{name}, line {i}") for i, line in enumerate(lines, 1)]


def _text_of(line: str, where: str) -> str:
    """The text of a line of JSON: a string, or an object with a `text`."""
    try:
        value: Any = loads(line)
    except ValueError:
        raise WgptError(f"{where} is not JSON: {shown(line)}") from None
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str):
        raise WgptError(f'{where} must be a string or an object with a "text", not {shown(line)}')
    return text


def _write(texts: list[str], vectors: NDArray[np.float32], out: Path | None, json: bool) -> None:
    facts = {"texts": len(texts), "dimensions": vectors.shape[1]}
    if out is not None:
        with replacing(out) as file:
            _save(file, texts, vectors, out.suffix)
        if json:
            print_json({**facts, "out": str(out)})
    elif json:
        print_json({**facts, "results": _results(texts, vectors)})
    else:
        for line in _as_lines(texts, vectors):
            typer.echo(line)


def _save(file: IO[bytes], texts: list[str], vectors: NDArray[np.float32], suffix: str) -> None:
    if suffix == ".npy":
        np.save(file, vectors)
        return
    for line in _as_lines(texts, vectors):
        file.write(line.encode() + b"\n")


def _results(texts: list[str], vectors: NDArray[np.float32]) -> list[dict[str, Any]]:
    """Results with nine digits per value, which preserve f32 exactly."""
    rows = [[float(f"{value:.9g}") for value in vector] for vector in vectors]
    return [{"text": text, "vector": row} for text, row in zip(texts, rows, strict=True)]


def _as_lines(texts: list[str], vectors: NDArray[np.float32]) -> list[str]:
    return [dumps(each, ensure_ascii=False) for each in _results(texts, vectors)]
