"""The rows of a forward."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpu import Tensor


@dataclass(frozen=True, eq=False)
class Rows:
    """The tokens that a forward runs over, in any mixture of sequences.

    `ids` are their token ids, `places` the (slot, position) of each. `decoding`: every row is the next token of a
    different sequence. Otherwise aligned runs of `tile` rows belong to one sequence.
    """

    m: int
    ids: Tensor  # u32 [M]
    places: Tensor  # u32 [M, 2]
    decoding: bool = False
    tile: int = 16
