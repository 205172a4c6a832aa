"""A figure of a program: the schema of the peers' results, and of wgpt's when it is compared with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..core.errors import WgptError

CONTEXT, PROMPT = 64, 512  # context length for decoding and prompt length for prefill, the same for all programs
LORA = (4, 512, 16)  # batch size and sequence length, and the rank of a LoRA adapter on q and v
TASKS = {
    "decode": f"decode, one sequence from a context of {CONTEXT}",
    "prefill": f"prefill of {PROMPT} tokens",
    "lora": f"LoRA step, {LORA[0]} x {LORA[1]} tokens, r = {LORA[2]} on q and v",
}
UNIT_OF = {"decode": "tok/s", "prefill": "ms", "lora": "ms"}
UNITS = {"tok/s": True, "ms": False}  # whether a larger value is better, by unit


class SchemaError(WgptError):
    """A peer's output line that is not a valid figure."""


@dataclass(frozen=True)
class Figure:
    """A result: either `value` in `unit`, or the reason in `skipped`."""

    peer: str  # wgpt, torch, llama.cpp
    mode: str  # eager, compile, f16, Vulkan, ...
    what: str  # a key of TASKS
    model: str
    value: float | None = None
    unit: str = "tok/s"
    skipped: str | None = None

    def __post_init__(self) -> None:
        if self.what not in TASKS or self.unit not in UNITS:
            raise SchemaError(
                f"invalid figure {self}: what is one of {', '.join(TASKS)}, unit one of {', '.join(UNITS)}"
            )
        if (self.value is None) == (self.skipped is None):
            raise SchemaError(f"invalid figure {self}: it needs either a value or the reason it was skipped")
        if self.value is not None and not (math.isfinite(self.value) and self.value > 0):
            raise SchemaError(f"invalid figure {self}: the value must be a positive number")

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Figure:
        """Parse a peer's figure. Missing or unknown keys are errors."""
        try:
            value = data["value"]
            number = None if value is None else float(value)
            return cls(**{**data, "value": number})
        except (KeyError, TypeError, ValueError) as e:
            raise SchemaError(f"invalid figure from a peer: {dict(data)} ({e})") from None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def by_task(figures: Iterable[Figure]) -> dict[tuple[str, str, str], list[Figure]]:
    """Figures by (model, what, unit), the best first, skipped ones last."""
    groups: dict[tuple[str, str, str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.model, figure.what, figure.unit), []).append(figure)
    for (_, _, unit), group in groups.items():
        sign = -1 if UNITS[unit] else 1
        group.sort(key=lambda f: math.inf if f.value is None else sign * f.value)
    return groups
