"""What the GPU knows about a sequence: a record by slot.

The engine changes records through the kernel `begin_step`; choosing a token advances them.
"""

from __future__ import annotations

RECORD_WORDS = 32
# Words of a record.
TOKEN, POSITION, COUNTER, LORA, FLAGS, MIN_TOKENS, STOP_COUNT = range(7)
DRAFTED = 7  # positions that the draft model has run, too; more than there are: it does not guess
SETTINGS = 8  # the words of settings.py
STOP_IDS, MOST_STOP_IDS = 24, 8  # tokens that are not chosen while COUNTER < MIN_TOKENS
# Bits of FLAGS: which of the arrays beside the records this sequence uses.
BIASED, PENALISED, MASKED = 1, 2, 4
PROMPTED = 1 << 31  # bit of a token's count: it is in the prompt; the other bits count how often it was generated
IDLE = 0xFFFFFFFF  # the position of a slot (or row) without a sequence; also the slot of a padding row
NO_TOKEN = 0xFFFFFFFF  # what is reported if no logit is above -inf (all are NaN, or all tokens are ruled out)


def constants() -> dict[str, int]:
    """The layout, for the WGSL of kernels that read records."""
    names = ("RECORD_WORDS", "TOKEN", "POSITION", "COUNTER", "LORA", "FLAGS", "MIN_TOKENS", "STOP_COUNT", "SETTINGS")
    more = ("DRAFTED", "STOP_IDS", "MOST_STOP_IDS", "BIASED", "PENALISED", "MASKED")
    return {name: globals()[name] for name in (*names, *more)}
