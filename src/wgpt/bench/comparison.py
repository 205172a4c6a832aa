"""One figure of one program: the schema in which peers answer, and in which our own figures stand beside theirs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..gpu import WgptError

CONTEXT, PROMPT = 64, 512  # tokens that all programs begin to decode from, and read
LORA = (4, 512, 16)  # sequences and tokens of a step, and the adapters' rank, on q and v
WHATS = {
    "decode": f"decode, one sequence from a context of {CONTEXT}",
    "prefill": f"prefill of {PROMPT} tokens",
    "lora": f"LoRA step, {LORA[0]} x {LORA[1]} tokens, r = {LORA[2]} on q and v",
}
UNIT_OF = {"decode": "tok/s", "prefill": "ms", "lora": "ms"}
UNITS = {"tok/s": True, "ms": False}  # whether more is better


class SchemaError(WgptError):
    """A line that is no figure."""


@dataclass(frozen=True)
class Figure:
    """`value` in `unit`, or why there is none in `skipped`; never both."""

    peer: str  # wgpt, torch, llama.cpp
    mode: str  # eager, compile, f16, Vulkan, ...
    what: str  # a key of WHATS
    model: str
    value: float | None = None
    unit: str = "tok/s"
    skipped: str | None = None

    def __post_init__(self) -> None:
        if self.what not in WHATS or self.unit not in UNITS:
            raise SchemaError(f"a figure is of {', '.join(WHATS)}, in {', '.join(UNITS)}; not {self}")
        if (self.value is None) == (self.skipped is None):
            raise SchemaError(f"a figure has either a value or the reason why it was skipped: {self}")
        if self.value is not None and not (math.isfinite(self.value) and self.value > 0):
            raise SchemaError(f"the value of a figure is a positive number: {self}")

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Figure:
        """From a peer's line; anything missing or unknown is an error."""
        try:
            value = data["value"]
            number = None if value is None else float(value)
            return cls(**{**data, "value": number})
        except (KeyError, TypeError, ValueError) as e:
            raise SchemaError(f"no figure of a peer: {dict(data)} ({e})") from None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def beside(figures: Iterable[Figure]) -> dict[tuple[str, str, str], list[Figure]]:
    """By (model, what, unit), the best first, what was skipped last."""
    groups: dict[tuple[str, str, str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.model, figure.what, figure.unit), []).append(figure)
    for (_, _, unit), found in groups.items():
        sign = -1 if UNITS[unit] else 1
        found.sort(key=lambda f: math.inf if f.value is None else sign * f.value)
    return groups
