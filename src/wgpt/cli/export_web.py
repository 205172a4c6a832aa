"""`wgpt export-web`: a model as a static web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..core.atomic import check_folder, new_folder
from ..core.errors import WgptError
from ..core.sizes import readable_bytes
from ..formats import open_checkpoint
from ..formats.peft import read_lora
from ..formats.sources import DEFAULT, resolve
from ..formats.tokenizer import load_tokenizer
from ..web.site import CONTEXT, Request, export_site
from ..web.targets import BROWSER, TARGETS
from .common import Json, print_json
from .loras import base_of
from .options import Cache, Dtype, ModelName
from .outputs import output_path
from .progress import byte_bar
from .styles import styled

_OPTIONAL = [name for name in TARGETS if name != BROWSER.name]


def _targets(names: list[str]) -> list[str]:
    for name in names:
        if name not in TARGETS:
            raise typer.BadParameter(f"unknown target {name!r}; supported: {', '.join(TARGETS)}")
    return names


def command(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", parser=output_path, help="Folder of the site.")],
    model: ModelName = None,
    dtype: Dtype = None,
    context: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help=f"Context length in tokens: the page's memory grows with it. Default: the model's, at most {CONTEXT}.",
            show_default=False,
        ),
    ] = None,
    cache: Cache = "f16",
    lora: Annotated[
        Path | None,
        typer.Option("--lora", "-l", metavar="DIR", help="LoRA adapter to export with the model.", show_default=False),
    ] = None,
    target: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            callback=_targets,
            help="Programs for a kind of GPU, beside those for any GPU: "
            + "; ".join(f"{name}, {TARGETS[name].note}" for name in _OPTIONAL)
            + ". The page takes the first that fits. May be given several times. Default: nvidia and subgroups.",
            show_default=False,
        ),
    ] = ["nvidia", "subgroups"],  # noqa: B006  (typer copies it)
    name: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Name of the model on the page.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing folder.")] = False,
    json: Json = False,
) -> None:
    """The folder is a static site: any web server can serve it, and nothing is sent to it. It has the recorded Programs
    of the model, its weights in files of at most 32 MiB with their SHA-256, its tokenizer and chat template as plain
    data, and a JavaScript runtime without dependencies. The folder appears only when it is complete. No GPU is needed.

    \b
    Examples:
      wgpt export-web --out site
      wgpt serve --web site                         shows it on http://127.0.0.1:8000
      wgpt export-web -m ./Qwen2.5-0.5B-Instruct --dtype q4_1 --context 2048 --out site
      wgpt export-web --lora facts --out site --name "All about kites"
    """
    adapter = None if lora is None else read_lora(lora)
    check_folder(out)
    if out.is_dir() and any(out.iterdir()) and not force:
        raise WgptError(f"{out}: is not empty: choose another folder, or overwrite it with --force")
    with byte_bar("exporting") as progress:
        path = resolve(base_of(adapter, lora, model) if adapter and lora else model, progress)
        if force and out.resolve() in (path.resolve(), *path.resolve().parents):
            raise WgptError(f"{out}: contains the model, which would be overwritten: choose another folder")
        with open_checkpoint(path) as checkpoint, new_folder(out, replace=force) as folder:
            request = Request(
                checkpoint,
                load_tokenizer(checkpoint.tokenizer),
                name or Path(str(model or DEFAULT)).name,
                dtype,
                context,
                cache,
                adapter,
                target,
            )
            site = export_site(request, folder, progress)
    memory = max(site.gpu_bytes.values())
    if json:
        facts = {"path": str(out), "base": str(path), "context": site.context, "weight_bytes": site.weight_bytes}
        print_json({**facts, "shards": site.shards, "gpu_bytes": dict(site.gpu_bytes), "targets": list(site.gpu_bytes)})
        return
    typer.echo(str(out))
    sizes = f"{readable_bytes(site.weight_bytes)} to download, {readable_bytes(memory)} of GPU memory"
    typer.echo(styled(f"{sizes}, context {site.context}, for {', '.join(site.gpu_bytes)}", dim=True), err=True)
    if not site.chats:
        typer.echo("the model has no chat template: the page continues texts", err=True)
