"""Tiles of products on matrix units, and into how many blocks of k a product is cut: what takes a GPU's cores least.

The model of a core's time follows 399 measurements on an H200 of 16 to 128 rows of four products (bench/notes/dawn.md):
it is off by 9 % on average, and what it chooses is at most 15 % behind the best. Two things decide. Tiles have to come
out even: a GPU whose cores have two workgroups each, but for a few that have three, takes as long as if all had three.
And a core holds no more workgroups than share the memory that one may have.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ...gpu import Traits
from ..grid import ceil_div
from ..kernel import Variant
from .row_halves import block_size

# Subgroups down and across, fragments of each down and across, and depth.
SHAPES = (
    (2, 4, 4, 2, 64),
    (2, 5, 4, 2, 64),
    (2, 6, 4, 2, 64),
    (4, 4, 2, 2, 64),
    (2, 5, 3, 2, 64),
    (2, 7, 2, 2, 64),
    (2, 5, 2, 2, 64),
    (2, 3, 2, 2, 64),
    (2, 2, 2, 2, 64),
    (1, 5, 3, 1, 64),
    (1, 4, 3, 1, 64),
    (1, 8, 2, 1, 64),
    (1, 5, 2, 1, 64),
    (1, 4, 2, 1, 64),
    (1, 2, 2, 1, 64),
    (1, 4, 1, 1, 64),
    (1, 2, 1, 1, 64),
    (1, 2, 1, 1, 128),
)
_LEAST_DEPTH = 16
_FEW_FRAGMENTS = 2  # of a subgroup's sums, up to which two tiles are fetched ahead

# us of a core ...
_START, _WAVE = 3.6, 0.43  # for a dispatch, and for each workgroup after another
_STEP, _FRAGMENT, _UNPACK = 0.116, 0.0038, 0.218  # for a tile: alone, for each fragment, for 32 weights of a thread
_WRITTEN, _READ = 1.5e-6, 5.7e-6  # for each byte that goes into workgroup memory and comes out of it
_CROWD, _USUAL = 0.008, 6  # the share that each subgroup of a workgroup beyond the usual ones takes more
# us for the GPU: a byte that sums of blocks take more, and a kernel of their own that adds them up.
_SUM_BYTE, _SUMS = 0.33e-6, 7.0
_WORTH = 0.85  # of the time in one go; less is not worth another dispatch
_MOST_BLOCKS, _LEAST_BLOCK = 16, 256
_FEW_ROWS = 128  # up to which what follows a product always adds up its blocks


@dataclass(frozen=True)
class Sides:
    """What a product's sides are: halves of each value, whether w is [k, n], how many weights are unpacked at once, and
    bytes of workgroup memory beside the tiles."""

    x_parts: int = 1
    w_parts: int = 1
    across: bool = False
    unit: int = 8
    tables: int = 0


def tile(units: tuple[int, int, int], shape: tuple[int, ...], lanes: int) -> Variant:
    """A variant: a shape with products of these sizes."""
    (mm, mn, mk), (sm, sn, wm, wn, bk) = units, shape
    return {
        **{"mm": mm, "mn": mn, "mk": mk},
        **{"sm": sm, "sn": sn, "wm": wm, "wn": wn, "bk": bk},
        **{"bm": sm * wm * mm, "bn": sn * wn * mn, "lanes": lanes, "threads": sm * sn * lanes},
        "ahead": 2 if wm * wn <= _FEW_FRAGMENTS else 1,
    }


def fitting(traits: Traits, units: tuple[int, int, int], sides: Sides) -> tuple[Variant, ...]:
    """Tiles that fit into workgroup memory, as deep as they can be, and hold whole units of weights."""

    def fits(v: Variant) -> bool:
        small = v["threads"] <= traits.max_invocations and memory(v, sides) <= traits.workgroup_bytes
        return small and not cuts_units(v, sides)

    found, least = list[Variant](), max(_LEAST_DEPTH, units[2])
    for *shape, deepest in SHAPES:
        depths = (depth for depth in (deepest, deepest // 2, deepest // 4, deepest // 8) if depth >= least)
        tiles = (tile(units, (*shape, depth), traits.subgroup_size) for depth in depths)
        variant = next(filter(fits, tiles), None)
        if variant is not None and variant not in found:
            found.append(variant)
    return tuple(found)


def cuts_units(v: Variant, sides: Sides) -> bool:
    """Whether rows of a tile of weights are not whole units."""
    return bool(v["bn" if sides.across else "bk"] % sides.unit)


def memory(v: Variant, sides: Sides) -> int:
    """Bytes of workgroup memory: the tiles, or the sums of one row of fragments of each subgroup."""
    right = v["bk"] * (v["bn"] // 8 + 1) if sides.across else v["bn"] * (v["bk"] // 8 + 1)
    halves = sides.x_parts * v["bm"] * (v["bk"] // 8 + 1) + sides.w_parts * right
    sums = v["sm"] * v["sn"] * v["mm"] * (v["wn"] * v["mn"] // 4 + 1)
    return 16 * int(max(halves, sums)) + sides.tables


def microseconds(traits: Traits, v: Variant, sides: Sides, workgroups: int, k: int, blocks: int) -> float:
    """Time for this many workgroups, each of which sums over a block of k."""
    each = k if blocks == 1 else block_size(k, blocks)
    together = max(1, traits.workgroup_bytes // memory(v, sides))
    waves, rest = divmod(ceil_div(workgroups, traits.cores), together)
    rows, columns = v["wm"] * sides.x_parts, v["wn"] * sides.w_parts
    fragments = v["bk"] // v["mk"] * (rows + columns + v["wm"] * v["wn"] * (sides.x_parts + sides.w_parts - 1))
    written = 2 * v["bk"] * (v["bm"] * sides.x_parts + v["bn"] * sides.w_parts)
    read = 2 * v["bk"] * v["sm"] * v["sn"] * (rows * v["mm"] + columns * v["mn"])
    alone = _STEP + _FRAGMENT * fragments + _UNPACK * v["bn"] * v["bk"] / (32 * v["threads"])
    busy = _WRITTEN * written + _READ * read
    step = waves * (alone + together * busy) + (alone + rest * busy if rest else 0.0)
    step *= 1 + _CROWD * (v["sm"] * v["sn"] - _USUAL)
    return _START + _WAVE * (waves + (rest > 0)) + ceil_div(each, v["bk"]) * step


def sum_microseconds(m: int, n: int, blocks: int, *, joined: bool) -> float:
    """Time that it takes to write blocks of a product and to add them up, beyond that of a product in one go."""
    return 8 * (blocks - 1) * m * n * _SUM_BYTE + (_SUMS if blocks > 1 and not joined else 0.0)


@lru_cache(maxsize=4096)  # a step asks for each of its products
def blocks_of(traits: Traits, m: int, n: int, k: int, *, joined: bool = False, parts: int = 1) -> int:
    """How many blocks of k to sum separately: as many as make a product fastest, with what it takes to add them up.

    joined: the kernel that follows adds them up (sum_halves), which takes no dispatch more. parts: halves of a value.
    """
    unit = traits.half_matrices[0]
    sides = Sides(parts, parts)
    tiles = fitting(traits, (unit.m, unit.n, unit.k), sides)
    joined = joined or m <= _FEW_ROWS

    def in_tiles(v: Variant, blocks: int) -> float:
        workgroups = ceil_div(m, v["bm"]) * ceil_div(n, v["bn"]) * blocks
        return microseconds(traits, v, sides, workgroups, k, blocks)

    def cost(blocks: int) -> float:
        product = min(in_tiles(v, blocks) for v in tiles)
        if blocks == 1 and not joined:
            return _WORTH * product
        return product + sum_microseconds(m, n, blocks, joined=joined)

    sizes = ((blocks, block_size(k, blocks)) for blocks in range(2, _MOST_BLOCKS + 1))
    several = [blocks for blocks, size in sizes if size >= _LEAST_BLOCK and ceil_div(k, size) == blocks]
    return min((1, *several), key=cost)
