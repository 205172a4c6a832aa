"""Sampling options on the command line, made from the table in core.generation."""

from __future__ import annotations

import secrets
from dataclasses import field, make_dataclass
from typing import Annotated, Any, get_type_hints

import typer

from ..core.generation import MOST_BIAS, OPTIONS, OVERFLOWS, SAMPLING, Generation, Option

_HINTS = get_type_hints(Generation)
# The command-line form of options that are not a number or a switch.
_TYPES: dict[str, Any] = {
    "stop": list[str] | None,
    "stop_token_ids": list[int] | None,
    "logit_bias": list[str] | None,
}


def _overflow(value: str) -> str:
    if value not in OVERFLOWS:
        raise typer.BadParameter(f"choose one of {', '.join(OVERFLOWS)}")
    return value


def _field(entry: Option) -> tuple[str, Any, Any]:
    """An option as a field of a dataclass for `grouped`."""
    kind = _TYPES.get(entry.name, _HINTS[entry.name])
    default = None if entry.name in _TYPES else entry.default
    long, more = f"--{entry.name.replace('_', '-')}", dict[str, Any]()
    if entry.bounds is not None and entry.name not in SAMPLING:
        more = {"min": entry.bounds.least, "max": entry.bounds.most}
    if entry.name == "overflow":
        more = {"callback": _overflow}
    written = typer.Option(
        long, *entry.flags, metavar=entry.metavar, help=entry.help, show_default=default is not None, **more
    )
    return entry.name, Annotated[kind, written], field(default=default)


_Fields: Any = make_dataclass("_Fields", [_field(entry) for entry in OPTIONS.values() if entry.cli], frozen=True)


class SamplingOptions(_Fields):
    """How tokens are chosen, and when to stop."""

    def keywords(self) -> dict[str, Any]:
        """Keyword arguments of Model.generate. Invalid values raise here, before a model is loaded."""
        from ..engine.options import Options

        seed = secrets.randbits(32) if self.seed is None else self.seed
        keywords = vars(self) | {
            "seed": seed,
            "stop": tuple(self.stop or ()),
            "stop_token_ids": tuple(self.stop_token_ids or ()),
            "logit_bias": dict(map(_bias, self.logit_bias or ())),
        }
        Options.of(keywords)
        return keywords


def _bias(text: str) -> tuple[int, float]:
    token, _, value = text.partition("=")
    try:
        bias = int(token), float(value)
    except ValueError:
        raise typer.BadParameter(f"--logit-bias {text!r}: write ID=VALUE, such as 42=-5") from None
    if not abs(bias[1]) <= MOST_BIAS:
        raise typer.BadParameter(f"--logit-bias {text!r}: the value must be from -1e6 to 1e6; -100 excludes a token")
    return bias
