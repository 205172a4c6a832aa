"""mkdocs hook: the pages of the reference that are made from the code, so that they cannot disagree with it.

`reference/cli.md` comes from the commands themselves, `reference/api.md` and `reference/ops.md` from the public names
and their docstrings. The table of `docs/reference/environment.md` is made here, too, and written by `write_docs.py`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from wgpt import api, ops, public
from wgpt.cli.app import make
from wgpt.core.environment import VARIABLES


def on_files(files: Any, config: Any) -> Any:
    """Called by mkdocs: add the generated pages to the hand-written ones."""
    from mkdocs.structure.files import File

    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> dict[str, str]:
    return {
        "reference/cli.md": cli_page(),
        "reference/api.md": api_page(),
        "reference/ops.md": ops_page(),
    }


# The command line ---------------------------------------------------------------------------------------------


def commands() -> Iterator[tuple[str, Any]]:
    """Every command of the app with its full name, groups before their subcommands."""
    yield from _walk("wgpt", typer.main.get_command(make()))


def _walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for child, below in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {child}", below)


def cli_page() -> str:
    sections = [
        "# Command line",
        "This page is made from the commands themselves: it says what `--help` says.",
        *(_command_section(name, command) for name, command in commands()),
    ]
    return "\n\n".join(sections) + "\n"


def _command_section(name: str, command: Any) -> str:
    level = "##" if name.count(" ") < 2 else "###"
    parts = [f"{level} {name}", *_help_parts(inspect.cleandoc(command.help or ""))]
    below = getattr(command, "commands", {})
    if below:
        anchor = name.replace(" ", "-")
        rows = [
            (f"[`{child}`](#{anchor}-{child})", subcommand.get_short_help_str(100))
            for child, subcommand in below.items()
        ]
        parts.append(_table(("Command", "What it does"), rows))
    context = command.make_context(name, [], resilient_parsing=True)
    records = {"argument": list[Any](), "option": list[Any]()}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            records[parameter.param_type_name].append((f"`{record[0]}`", record[1]))
    for kind, rows in records.items():
        if rows:
            parts.append(_table((kind.capitalize(), "Meaning"), rows))
    return "\n\n".join(parts)


def _help_parts(text: str) -> Iterator[str]:
    """Paragraphs as text; those marked with \\b, such as examples, as they stand."""
    for block in re.split(r"\n\s*\n(?!\s\s)", text):
        if block.startswith("\b"):
            title, _, body = block.removeprefix("\b").strip("\n").partition("\n")
            yield title
            yield "```sh\n" + inspect.cleandoc(body) + "\n```"
        elif block.strip():
            yield " ".join(block.split())


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    return "\n".join([*lines, *(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows)])


def _cell(text: str) -> str:
    """Escape `|`, which ends a cell, and `*` and `<`, which are markup outside of code."""
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if text.startswith("`") else text.replace("*", "\\*").replace("<", "&lt;")


# Environment --------------------------------------------------------------------------------------------------


def environment_table() -> str:
    return _table(("Variable", "Meaning"), [(f"`{v.name}={v.example}`", v.meaning) for v in VARIABLES])


# Python -------------------------------------------------------------------------------------------------------


def api_page() -> str:
    names = [name for name in public.__all__ if name not in (*ops.__all__, "ops")]
    shared = [name for name in public.__all__ if name in ops.__all__]
    parts = [
        "# Python API",
        "`import wgpt` offers these names. Every example on this page runs as a test.",
        *(_directive(getattr(public, name)) for name in (*names, *shared)),
        _directive(api.Stream),
    ]
    return "\n\n".join(parts) + "\n"


def ops_page() -> str:
    shared = set(public.__all__)
    functions = [name for name in ops.__all__ if name not in shared and not name.endswith("_async")]
    parts = [
        "# Operations on arrays",
        inspect.cleandoc(ops.__doc__ or "").split("\n\nBackward")[0],
        "Every function has a twin for asyncio, `NAME_async`, with the same arguments.",
        *(_directive(getattr(ops, name)) for name in functions),
    ]
    return "\n\n".join(parts) + "\n"


def _directive(public_object: Any) -> str:
    return f"::: {public_object.__module__}.{public_object.__qualname__}"
