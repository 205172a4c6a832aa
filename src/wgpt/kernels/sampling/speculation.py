"""State by slot of speculative decoding: the tokens of the sequence, and guesses of the next ones.

`history` [slots, capacity] has the token at each position of a sequence. `guesses` [slots, GUESS_WORDS] has the number
of guesses, then the tokens that may follow the newest one. `hits` [slots, 2] counts how many first guesses were right,
and how many were made. With a draft model there is no history: `recent` [slots, RECENT] has the newest tokens, each at
its position modulo RECENT.
"""

from __future__ import annotations

MOST_GUESSES = 15
GUESS_WORDS = 1 + MOST_GUESSES
HIT_WORDS = 2
RECENT = 32  # more than a step draws and the draft model may be behind
WIDTHS = (4, 8, 16)  # rows of a sequence in a speculative step: its newest token, then guesses


def constants() -> dict[str, int]:
    """The layout, for the WGSL of kernels that use this state."""
    return {"MOST_GUESSES": MOST_GUESSES, "GUESS_WORDS": GUESS_WORDS, "RECENT": RECENT}


def refused_width(width: int) -> str | None:
    """Why a speculative step cannot have this number of rows for each sequence; None if it can."""
    allowed = ", ".join(map(str, WIDTHS))
    return None if width in WIDTHS else f"width must be one of {allowed}, and is {width}"
