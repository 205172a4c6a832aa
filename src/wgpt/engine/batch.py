"""Rows of several sequences in one forward: which token goes where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice
from ..kernels.attention.attending import PADDING

TILE = 16  # rows of one sequence that attention processes together, if that needs little padding
_TILES = (TILE, TILE // 2, 1)  # the last one needs no padding
_FEW = (1, 2, 4, 8, 12, 16, 24, 32)  # rows of small Programs; others have multiples of TILE
BUCKETS = (1, 4, 8, 16, 32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
_MOST_PADDING = 1 / 16  # of the rows; beyond it, reading keys once for several rows saves less than their products cost


FEW_ROWS, _MANY_KEYS = 64, 512


@dataclass(frozen=True)
class Chunk:
    """Rows that run together. `where[slot]` are the row numbers of each sequence, in order.

    Aligned runs of `tile` rows belong to one sequence; `decoding`: every row belongs to a different sequence.
    """

    ids: NDArray[np.uint32]  # [M]
    places: NDArray[np.uint32]  # [M, 2]: (slot, position); padding has position 0xffffffff
    where: Mapping[int, NDArray[np.intp]]
    tile: int
    decoding: bool

    @property
    def m(self) -> int:
        return len(self.ids)

    @property
    def length(self) -> int:
        """Length of the longest sequence, including these tokens."""
        return 1 + max(int(self.places[rows[-1], 1]) for rows in self.where.values())


def chunks(
    sequences: Mapping[int, Sequence[int]],
    starts: Mapping[int, int],
    most: int,
    rows: Callable[[int], int] | None = None,
    tile: int | None = None,
) -> list[Chunk]:
    """Tokens of the sequences (by slot), from their `starts` on, in chunks of at most `most` rows.

    `most` is a multiple of TILE. `rows`: the size of the Program for a number of rows; `tile`: the default is the
    largest that needs little padding, or none if every row belongs to a different sequence.
    """
    running = {slot: tokens for slot, tokens in sequences.items() if len(tokens)}
    if not running:
        return []
    packs, tile = tile is None, tile or _tile_for([len(tokens) for tokens in running.values()])
    if len(running) == 1:
        ((slot, tokens),) = running.items()
        if len(tokens) <= most:
            return [_alone(slot, tokens, starts[slot], tile, (rows or _rows)(len(tokens)), packs)]
    ids, places = zip(*(_padded(slot, tokens, starts[slot], tile) for slot, tokens in running.items()), strict=True)
    all_ids, all_places = np.concatenate(ids), np.concatenate(places)
    spans = range(0, len(all_ids), most)
    return [_chunk(all_ids[at : at + most], all_places[at : at + most], tile, rows or _rows, packs) for at in spans]


def _alone(slot: int, tokens: Sequence[int], start: int, tile: int, m: int, packs: bool) -> Chunk:
    """A chunk of one sequence, which a user may be waiting for: made in a fifth of the time."""
    count = len(tokens)
    decoding = packs and count == 1
    ids, places = np.zeros(m, np.uint32), np.full((m, 2), PADDING, np.uint32)
    ids[:count] = tokens
    places[: count if decoding else -(-count // tile) * tile, 0] = slot
    places[:count, 1] = np.arange(start, start + count)
    return Chunk(ids, places, {slot: np.arange(count)}, tile, decoding)


def _tile_for(lengths: Sequence[int]) -> int:
    """The largest tile that adds few rows; the last sequence's padding is cut off and does not count."""
    tokens = sum(lengths)

    def padding(tile: int) -> int:
        return sum(-n % tile for n in lengths[:-1])

    return next(tile for tile in _TILES if padding(tile) <= _MOST_PADDING * tokens)


def _padded(slot: int, tokens: Sequence[int], start: int, tile: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """A sequence's ids and places, padded to whole tiles."""
    count = -(-len(tokens) // tile) * tile
    ids, places = np.zeros(count, np.uint32), np.full((count, 2), PADDING, np.uint32)
    ids[: len(tokens)] = tokens
    places[:, 0] = slot
    places[: len(tokens), 1] = np.arange(start, start + len(tokens))
    return ids, places


def _chunk(
    ids: NDArray[np.uint32], places: NDArray[np.uint32], tile: int, rows: Callable[[int], int], packs: bool
) -> Chunk:
    used = np.flatnonzero(places[:, 1] != PADDING)
    slots = places[used, 0]
    distinct = dict.fromkeys(slots.tolist())  # in order
    decoding = packs and len(distinct) == len(slots)
    if decoding:
        ids, places, used = ids[used], places[used], np.arange(len(used))
    where = {slot: used[slots == slot] for slot in distinct}
    return padded(Chunk(ids, places, where, 1 if decoding else tile, decoding), rows(int(used[-1]) + 1))


def _rows(count: int) -> int:
    """Rows of the Program that runs `count` rows. One Program for each count would be too many (and, for few rows on
    GPUs, too many shaders); kernels process few rows in fours and eights anyway."""
    return next((rows for rows in _FEW if count <= rows), -(-count // TILE) * TILE)


def bucket(count: int) -> int:
    """The same with fewer sizes, for prompts of all lengths: one that was not seen before costs a recording."""
    return next((rows for rows in BUCKETS if count <= rows), -(-count // BUCKETS[-1]) * BUCKETS[-1])


def single_rows(rows: int, keys: int, device: GpuDevice) -> bool:
    """Whether each row is a tile of its own because few attend to many keys: tiles of more would not fill a GPU."""
    return rows <= FEW_ROWS and keys >= _MANY_KEYS and not device.software


def ends_with_step(count: int) -> bool:
    """Whether one row more costs little after the last `count` rows of a prompt, so that the first step can run in the
    same Program."""
    return count < FEW_ROWS or bucket(count + 1) == bucket(count)


def padded(chunk: Chunk, m: int) -> Chunk:
    """The same rows in a chunk of `m`, which has room for all but padding."""
    ids, places = np.zeros(m, np.uint32), np.full((m, 2), PADDING, np.uint32)
    ids[: chunk.m], places[: chunk.m] = chunk.ids[:m], chunk.places[:m]
    return replace(chunk, ids=ids, places=places)
