"""The options that constrain the text of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ..engine.grammar import Grammar
from .texts import read_text


@dataclass(frozen=True)
class GrammarOptions:
    """The required form of the answer."""

    json_schema: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|JSON", help="Answer with JSON that fits this schema: a file, or its text.", show_default=False
        ),
    ] = None
    regex: Annotated[
        str | None,
        typer.Option(metavar="PATTERN", help="Answer with text that this whole pattern matches.", show_default=False),
    ] = None
    grammar: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Answer with text of this context-free grammar (Lark syntax).", show_default=False
        ),
    ] = None

    def keywords(self) -> dict[str, Grammar]:
        """Keyword arguments of Model.generate."""
        names = [f"--{name.replace('_', '-')}" for name, value in vars(self).items() if value is not None]
        if len(names) > 1:
            raise typer.BadParameter(f"{' and '.join(names)} exclude each other: give one of them")
        if self.json_schema is not None:
            is_text = self.json_schema.lstrip().startswith("{")
            return {"grammar": Grammar.json_schema(self.json_schema if is_text else read_text(self.json_schema))}
        if self.regex is not None:
            return {"grammar": Grammar.regex(self.regex)}
        return {} if self.grammar is None else {"grammar": Grammar.lark(read_text(self.grammar))}
