"""Teams that GEMV chooses from: who shares a row, how many rows, and how x comes to them."""

from __future__ import annotations

from ...gpu import Traits
from ...quant.weights import weight_type
from .. import weighted
from ..kernel import Problem, Variant, distinct

# (threads, lanes, rows, unroll)
_THREAD = ((8, 1, 8, 1), (16, 1, 4, 1), (32, 1, 2, 1))
_SHORT_THREAD = ((8, 1, 16, 1), *_THREAD[1:])  # of types whose decoding is soon compiled: 4 % faster, twice the code
_STAGED = ((128, 16, 4, 1), (128, 16, 3, 1), (192, 16, 1, 1), (64, 8, 1, 1), (32, 4, 1, 1))
_DIGITS = ((128, 16, 2, 1), (128, 16, 3, 1), (128, 8, 1, 1), (128, 8, 2, 1))
_SUBGROUP = ((256, 32, 2, 3), (128, 32, 1, 3), (32, 8, 1, 2), (64, 4, 2, 2))
_WORKGROUP = ((64, 64, 1, 2), (128, 128, 1, 2), (256, 256, 2, 2))
# More for `wgpt tune` to choose from, where compiling them takes no minutes.
_MORE_SUBGROUP = ((256, 32, 1, 1), (64, 32, 1, 1), (64, 32, 2, 1))
_MORE_WORKGROUP = (
    (128, 128, 2, 1), (256, 256, 2, 1),
    (96, 96, 1, 1), (96, 96, 2, 1), (96, 96, 4, 1), (192, 192, 1, 1), (192, 192, 2, 1),
)  # fmt: skip
_MORE_DIGITS = ((128, 16, 4, 1), (256, 16, 1, 1), (288, 16, 1, 1), (256, 16, 2, 1), (384, 32, 1, 1))
_LATE_DIGITS = ((128, 8, 2, 1), (384, 32, 1, 1))  # weights only when x is there: better for long rows
_FEW_DIGITS = (16, 4, 2, 1)
_FEW_OUTPUTS = 512  # for which many rows a thread are not worth the seconds that a software driver compiles them
_TREE = ((256, 64, 1, 1), (256, 32, 2, 1), (256, 256, 1, 1))
_BUSY_LANES = 95_000  # under this many, more lanes a row keep more of a GPU busy
_BUSY_STAGED = 40_000  # the same where a lane takes 32 weights at a time
_MOST_STEPS = 12  # more units than this, one after the other, make a lane wait for memory too often
STRAIGHT = 12  # so many steps of known sizes are written out, one after the other
STAGE_BYTES = 36 << 10  # more workgroup memory than this leaves too few workgroups on a GPU's core


def _style(
    reduce: str, shape: tuple[int, int, int, int], width: int, *, subgroups: bool = False, stage: bool = False
) -> Variant:
    threads, lanes, rows, unroll = shape
    sizes = {"threads": threads, "lanes": lanes, "rows": rows, "unroll": unroll, "width": width}
    return {
        "reduce": reduce,
        "subgroups": subgroups,
        "stage": stage,
        "digits": 0,
        "ahead": False,
        "fixed": False,
        **sizes,
    }


def _digits(shape: tuple[int, int, int, int], ahead: bool = False) -> Variant:
    return {**_style("subgroup", shape, 4, subgroups=True, stage=True), "digits": 3, "ahead": ahead}


def _fixed(style: Variant, problem: Problem) -> Variant:
    """With the sizes in the code; how many steps a loop takes at a time is nothing to code without a loop."""
    straight = units(problem, style) <= STRAIGHT * style["lanes"]
    return {**style, "fixed": True, "unroll": 1 if straight else style["unroll"]}


def kind(style: Variant) -> str:
    """Which of the templates it is for."""
    if style["stage"]:
        return "digits" if style["digits"] else "staged"
    return "thread" if style["reduce"] == "thread" else "team"


def for_tuning(style: Variant) -> bool:
    shape = (style["threads"], style["lanes"], style["rows"])
    return style["fixed"] and any(shape == more[:3] for more in (*_MORE_SUBGROUP, *_MORE_WORKGROUP))


def units(problem: Problem, variant: Variant) -> int:
    """What a row is walked in: chunks of 16 bytes, or words."""
    return weighted.chunks_per_row(problem) * 4 // int(variant["width"])


def styles(traits: Traits, problem: Problem) -> list[Variant]:
    """Teams in order of preference on this GPU."""
    quantised = weighted.quantised(problem["weight"])
    width = 1 if quantised else 4
    teams = []
    if traits.subgroups:
        fit = traits.subgroup_size
        whole = weight_type(problem["weight"]).whole_codes and not traits.software
        if whole:
            teams += [_digits(s, ahead=True) for s in _DIGITS if s[1] <= fit]
        if quantised:
            floats = _STAGED[2:3] if whole else _STAGED
            teams += [_style("subgroup", s, 4, subgroups=True, stage=True) for s in floats if s[1] <= fit]
        teams += [_style("subgroup", s, width, subgroups=True) for s in _SUBGROUP if s[1] <= fit]
        groups = [(*s[:3], 1) for s in _WORKGROUP[::2]] if traits.software else _WORKGROUP
        teams += [_style("workgroup", s, width, subgroups=True) for s in groups]
        teams = _busiest_first(traits, teams, problem)
        if not traits.software:
            teams += [_style("subgroup", s, width, subgroups=True) for s in _MORE_SUBGROUP if s[1] <= fit]
            teams += [_style("workgroup", s, width, subgroups=True) for s in _MORE_WORKGROUP]
            if whole:
                teams += [_digits(s, ahead=True) for s in _MORE_DIGITS if s[1] <= fit]
                teams += [_digits(s) for s in _LATE_DIGITS if s[1] <= fit]
    # Without subgroups there is nothing else; where there are, one is there to be checked.
    trees = _TREE[1:] if traits.software else _TREE[:1] if traits.subgroups else _TREE
    teams += [_style("workgroup", s, width) for s in trees]
    # Scaled sums are one register a row, so many rows share the loads of x; others are four, and spill.
    shapes = _SHORT_THREAD if weight_type(problem["weight"]).short_code else _THREAD if quantised else _THREAD[::-1]
    one_thread = [_style("thread", s, 4) for s in shapes]
    if traits.software:
        one_thread.sort(key=lambda v: v["rows"] > 4 and problem["n"] <= _FEW_OUTPUTS)
        # What only a GPU would choose is there to be checked: once.
        checked = {"f16": _style("workgroup", _WORKGROUP[0], 4, subgroups=True)}
        checked |= {
            weight: _digits(_FEW_DIGITS)
            for weight in (weighted.NIBBLES, weighted.BYTES)
            if traits.subgroup_size >= _FEW_DIGITS[1]
        }
        extra = checked.get(problem["weight"]) if traits.subgroups else None
        return one_thread + teams + ([] if extra is None else [_fixed(extra, problem)])
    fitting = [v for v in teams if not v["stage"] or stage_bytes(v, problem) <= traits.workgroup_bytes]
    return distinct(_fixed(team, problem) for team in fitting) + one_thread


def stage_bytes(variant: Variant, problem: Problem) -> int:
    """Workgroup memory that x takes: floats, or digits with a scale; and a sum."""
    chunk = weight_type(problem["weight"]).chunk
    each = (variant["digits"] * chunk // 16 | 1) * 16 + 8 if variant["digits"] else 4 * chunk + 16 + 4
    return int(weighted.chunks_per_row(problem) * each)


def _busiest_first(traits: Traits, teams: list[Variant], problem: Problem) -> list[Variant]:
    """Those that fill a GPU, in the order given; then the others, the one with the most lanes at work first."""
    words = weighted.chunks_per_row(problem) * 4

    def lanes_at_work(v: Variant) -> float:
        return float(problem["n"] * min(v["lanes"], words // v["width"]) / v["rows"])

    def fills(v: Variant) -> bool:
        enough = lanes_at_work(v) >= traits.filling(_BUSY_STAGED if v["stage"] else _BUSY_LANES)
        return enough and words <= v["width"] * v["lanes"] * _MOST_STEPS

    return [v for v in teams if fills(v)] + sorted((v for v in teams if not fills(v)), key=lanes_at_work, reverse=True)
