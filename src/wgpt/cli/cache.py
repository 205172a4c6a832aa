"""`wgpt cache`: the cached converted weights and lowered Triton kernels."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import WgptError
from ..core.sizes import readable_bytes
from ..formats import weight_cache
from ..formats.weight_cache import ConvertedModel
from ..table import Column, show
from ..triton_kernels import lowered
from .common import Json, print_json, stdout
from .failures import Commands

KERNELS = "kernels"  # the name by which `clear` removes the lowered kernels

app = typer.Typer(cls=Commands, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def command(ctx: typer.Context, json: Json = False) -> None:
    """A model loaded with --dtype is converted once. The result is cached in your cache directory, or in WGPT_HOME,
    and the next load reads it from there. If the model's file has changed, it is converted again. When the cache
    exceeds WGPT_CACHE_LIMIT (default 20GiB; 0 disables it), the least recently used entries are removed.

    The kernels of --kernels triton are lowered to WGSL once and cached beside them, a few megabytes at most.

    \b
    Examples:
      wgpt cache
      wgpt cache --json
      wgpt cache clear                     clear everything
      wgpt cache clear model.gguf          the weights of one model
      wgpt cache clear kernels             the lowered kernels
      WGPT_CACHE_LIMIT=100GiB wgpt run -m ./Qwen3-32B --dtype q4_k_m "Hello"
    """
    if ctx.invoked_subcommand is not None:
        if json:
            raise typer.BadParameter(f"put --json after {ctx.invoked_subcommand}")
        return
    entries, limit = weight_cache.entries(), weight_cache.limit()
    total = sum(entry.nbytes for entry in entries)
    if json:
        facts = {"folder": str(weight_cache.folder()), "limit_bytes": limit, "bytes": total}
        kernel_facts = {"folder": str(lowered.folder()), **_kernels()}
        print_json({**facts, "entries": [_as_dict(entry) for entry in entries], "kernels": kernel_facts})
        return
    if entries:
        columns = [Column("name", words=True), Column("model", words=True, least=20), Column("dtype", words=True)]
        columns += [Column("size"), Column("last used", words=True)]
        rows = [(e.name, _short(e.model), e.recipe, readable_bytes(e.nbytes), _time(e)) for e in entries]
        show(stdout(), columns, rows)
    usage = f"of {readable_bytes(limit)}" if limit else f"cached; {weight_cache.LIMIT} is 0, so nothing is added"
    typer.echo(f"{readable_bytes(total)} {usage} in {weight_cache.folder()}")
    kernels = _kernels()
    if kernels["count"]:
        typer.echo(f"{readable_bytes(kernels['bytes'])} of {_counted(kernels['count'])} in {lowered.folder()}")


@app.command("clear")
def clear(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="What to clear: a name or model shown by `wgpt cache`, or `kernels`. Default: everything.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Remove converted weights or lowered kernels. They are made again when they are needed.

    \b
    Examples:
      wgpt cache clear
      wgpt cache clear SmolLM2-135M-Instruct.Q4_1.gguf
      wgpt cache clear 0f745bd3d8af
      wgpt cache clear kernels
    """
    entries = weight_cache.entries()
    chosen = entries if name is None else [entry for entry in entries if _matches(name, entry)]
    if name not in (None, KERNELS) and not chosen:
        cached = ", ".join(f"{entry.name} ({Path(entry.model).name})" for entry in entries) or "nothing"
        raise WgptError(f"no converted weights {name!r} in the cache; it contains {cached}")
    freed_bytes, kernels = weight_cache.clear(None if name is None else chosen), 0
    if name in (None, KERNELS):
        kernels = len(lowered.cached())
        freed_bytes += lowered.clear()
    if json:
        print_json({"removed": [_as_dict(entry) for entry in chosen], "kernels": kernels, "bytes": freed_bytes})
    else:
        also = f" and {_counted(kernels)}" if kernels else ""
        typer.echo(f"removed {len(chosen)}{also}, {readable_bytes(freed_bytes)}")


def _kernels() -> dict[str, int]:
    sizes = []
    for path in lowered.cached():
        with suppress(OSError):  # another process has just removed it
            sizes.append(path.stat().st_size)
    return {"count": len(sizes), "bytes": sum(sizes)}


def _counted(kernels: int) -> str:
    return f"{kernels} lowered kernel{'' if kernels == 1 else 's'}"


def _matches(name: str, entry: ConvertedModel) -> bool:
    path = os.path.realpath(os.path.expanduser(name))
    return name in (entry.name, Path(entry.model).name) or path == entry.model


def _as_dict(entry: ConvertedModel) -> dict[str, Any]:
    used = datetime.fromtimestamp(entry.used, UTC).isoformat(timespec="seconds")
    facts = {"name": entry.name, "model": entry.model, "dtype": entry.recipe, "bytes": entry.nbytes}
    return {**facts, "last_used": used, "path": str(entry.path)}


def _short(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def _time(entry: ConvertedModel) -> str:
    return datetime.fromtimestamp(entry.used).strftime("%Y-%m-%d %H:%M")
