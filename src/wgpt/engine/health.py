"""How an engine is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Health:
    """`step_age`: seconds since it last finished a step; 0 while it has nothing to do."""

    alive: bool
    running: int
    waiting: int
    step_age: float
    pages_used: int
    pages: int
    preemptions: int
    error: str = ""
    drafted: int = 0  # tokens that were guessed, by n-grams or a draft model, and checked
    accepted: int = 0  # those of them that were right
    compiling: bool = False  # it waits for kernels
    longest_step: float = 0.0  # seconds, without compiling
