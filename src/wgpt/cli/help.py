"""`wgpt help`: the help of a command, and the table of weight types."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..models.matrix_names import GROUPS
from ..models.weight_recipe import EXAMPLE, MIXES
from ..quant.weights import TYPES
from ..table import Column, show
from .common import Json, print_json, stdout

_TYPES = "types"


def command(
    ctx: typer.Context,
    topic: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=f"[{_TYPES}|COMMAND]", help="types, or a command. Default: all commands.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """The weight types are those that --dtype takes: their bits per weight, with scales, and what each is good for.

    \b
    Examples:
      wgpt help
      wgpt help types
      wgpt help types --json
      wgpt help bench decode
    """
    if topic == [_TYPES]:
        _print_types(json)
        return
    text = _help_of(ctx.find_root(), topic or [])
    if json:
        print_json({"help": text})
    else:
        typer.echo(text)


def _help_of(context: Any, names: list[str]) -> str:
    """What `wgpt NAMES --help` prints."""
    for name in names:
        below = getattr(context.command, "commands", {})
        if name not in below:
            known = ", ".join([_TYPES, *below] if context.parent is None else below)
            raise typer.BadParameter(f"no help on {' '.join(names)!r}; choose one of {known or 'the commands'}")
        context = type(context)(below[name], info_name=name, parent=context)
    return str(context.command.get_help(context))


def _print_types(json: bool) -> None:
    if json:
        facts = [
            {
                "type": kind.name,
                "bits_per_weight": kind.bits_per_weight,
                "in_gguf": kind.file_type is not None,
                "layers_only": kind.layers_only,
                "good_for": kind.good_for,
            }
            for kind in TYPES.values()
        ]
        print_json({"types": facts, "mixes": list(MIXES), "groups": {group: GROUPS[group] for group in GROUPS}})
        return
    columns = [Column("type", words=True), Column("bits/weight"), Column("good for", words=True, least=20)]
    layers_only = {kind.name: " (layers only)" for kind in TYPES.values() if kind.layers_only}
    rows = [
        (kind.name, f"{kind.bits_per_weight:.4g}", kind.good_for + layers_only.get(kind.name, ""))
        for kind in TYPES.values()
    ]
    show(stdout(), columns, rows)
    typer.echo(f"\nmixes of types: {', '.join(MIXES)}")
    typer.echo(f"types by part: PART=TYPE,..., such as {EXAMPLE}; parts that are not named keep their type")
    for group, parts in GROUPS.items():
        typer.echo(f"  {group}: {', '.join(parts)}" if parts != (group,) else f"  {group}")
