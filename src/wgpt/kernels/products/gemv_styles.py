"""Styles of GEMV: which threads share a row, how many rows they have, and how they read x."""

from __future__ import annotations

from ...gpu.traits import MEASURED_CORES, Traits
from ...quant.weights import weight_type
from .. import weighted
from ..grid import ceil_div
from ..kernel import Problem, Variant, distinct

# (threads, lanes, rows, unroll)
_THREAD = ((8, 1, 8, 1), (16, 1, 4, 1), (32, 1, 2, 1))
_SHORT_THREAD = ((8, 1, 16, 1), *_THREAD[1:])  # for types that compile fast: 4 % faster, twice the code
_STAGED = ((128, 16, 4, 1), (128, 16, 3, 1), (192, 16, 1, 1), (64, 8, 1, 1), (32, 4, 1, 1))
_DIGITS = ((256, 16, 2, 1), (640, 32, 1, 1), (128, 16, 2, 1), (128, 8, 1, 1), (128, 8, 2, 1))
_SUBGROUP = ((256, 32, 2, 3), (128, 32, 1, 3), (32, 8, 1, 2), (64, 4, 2, 2))
_WORKGROUP = ((64, 64, 1, 2), (128, 128, 1, 2), (256, 256, 2, 2))
# Further choices for `wgpt tune` on GPUs; a software driver would take minutes to compile them.
_MORE_SUBGROUP = ((256, 32, 1, 1), (64, 32, 1, 1), (64, 32, 2, 1))
_MORE_WORKGROUP = (
    (128, 128, 2, 1), (256, 256, 2, 1),
    (96, 96, 1, 1), (96, 96, 2, 1), (96, 96, 4, 1), (192, 192, 1, 1), (192, 192, 2, 1),
)  # fmt: skip
_MORE_DIGITS = (
    (128, 16, 3, 1), (128, 16, 4, 1), (256, 16, 1, 1), (288, 16, 1, 1), (384, 32, 1, 1),
    (160, 32, 2, 1), (320, 32, 1, 1), (320, 32, 2, 1), (512, 32, 1, 1), (640, 8, 1, 1),
)  # fmt: skip
# Those that load weights only after x: better for long rows, and for types that take many registers
_LATE_DIGITS = ((128, 8, 2, 1), (384, 32, 1, 1), (640, 8, 1, 1), (640, 32, 1, 1), (256, 8, 2, 1), (128, 8, 1, 1))
# In turns (see `turns`), with the number of workgroups per core; `unroll`: steps that are loaded ahead.
_TURNS = (
    ((256, 16, 2, 1), 3), ((256, 16, 4, 1), 2), ((256, 32, 4, 1), 2), ((512, 32, 2, 1), 2), ((320, 32, 2, 3), 1),
)  # fmt: skip
_MORE_TURNS = (
    ((256, 16, 2, 3), 3), ((256, 16, 4, 2), 2), ((256, 32, 4, 2), 2), ((512, 32, 2, 2), 1), ((512, 32, 1, 2), 2),
    ((128, 32, 4, 1), 6), ((256, 8, 4, 1), 2), ((256, 16, 4, 1), 3), ((256, 32, 2, 2), 4), ((384, 16, 2, 1), 2),
    ((512, 16, 1, 2), 2), ((512, 16, 2, 1), 1), ((512, 32, 4, 1), 1), ((768, 16, 2, 1), 1), ((256, 16, 8, 1), 2),
    # For one workgroup or two per core with the rows of models' usual sizes
    ((160, 32, 2, 3), 2), ((320, 32, 1, 2), 2), ((320, 32, 2, 2), 1), ((320, 32, 2, 5), 1), ((640, 32, 1, 2), 1),
    ((352, 32, 2, 3), 1), ((704, 32, 1, 2), 1), ((256, 32, 2, 3), 2), ((1024, 32, 1, 1), 1), ((256, 8, 2, 1), 3),
)  # fmt: skip
_FEW_DIGITS = (16, 4, 2, 1)
_FEW_OUTPUTS = 512  # up to this many, many rows per thread are not worth the seconds to compile them
_TREE = ((256, 64, 1, 1), (256, 32, 2, 1), (256, 256, 1, 1))
_BUSY_LANES = 95_000  # below this many, more lanes per row use more of a GPU
_BUSY_STAGED = 40_000  # the same if a lane loads 32 weights at a time
_MOST_STEPS = 12  # with more sequential units, a lane waits for memory too often
_MOST_DIGIT_STEPS = 32  # the same if x is staged as integers
STRAIGHT = 12  # loops of known length up to this many steps are unrolled completely
_EXACT, _SHORT = 3, 2  # bytes of x as integers: as exact as f32, or for problems that are `short`
STAGE_BYTES = 36 << 10  # with more workgroup memory, too few workgroups fit on a core
DIGIT_BYTES = 48 << 10  # the same for x as integers, which is worth it even so


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
        "groups": 0,
        "ahead": False,
        "fixed": False,
        **sizes,
    }


def _digits(shape: tuple[int, int, int, int], ahead: bool = False) -> Variant:
    return {**_style("subgroup", shape, 4, subgroups=True, stage=True), "digits": _EXACT, "ahead": ahead}


def _in_turns(traits: Traits, shape: tuple[int, int, int, int], per_core: int) -> Variant:
    return {**_digits(shape, ahead=True), "groups": traits.filling(MEASURED_CORES * per_core)}


def with_digits(style: Variant, problem: Problem) -> Variant:
    """The style with x in as many bytes as the problem asks for, if it is staged as integers."""
    return {**style, "digits": _SHORT if problem.get("short") else _EXACT} if style.get("digits") else style


def outputs(variant: Variant) -> int:
    """Outputs of a workgroup in one turn."""
    return int(variant["threads"] // variant["lanes"] * variant["rows"])


def turns(variant: Variant, count: int) -> int:
    """How many times its outputs a workgroup computes, so that about `groups` workgroups have all `count` outputs.

    x is staged only once for all of them. Without `groups`, it is once.
    """
    return ceil_div(count, outputs(variant) * variant["groups"]) if variant["groups"] else 1


def _fixed(style: Variant, problem: Problem) -> Variant:
    """The style with sizes as constants in the code. Without a loop, `unroll` has no effect, so it is 1."""
    if style["groups"]:
        steps = ceil_div(units(problem, style) * _experts(problem), style["lanes"])
        return {**style, "fixed": True, "unroll": min(steps, style["unroll"])}
    straight = units(problem, style) <= STRAIGHT * style["lanes"]
    return {**style, "fixed": True, "unroll": 1 if straight else style["unroll"]}


def _experts(problem: Problem) -> int:
    """Rows of x that a result is the sum of."""
    return int(problem["top"]) if problem.get("gather") == "sum" else 1


def kind(style: Variant) -> str:
    """The template that implements the style."""
    if style["stage"]:
        return "digits" if style["digits"] else "staged"
    return "thread" if style["reduce"] == "thread" else "team"


def for_tuning(style: Variant) -> bool:
    shape = (style["threads"], style["lanes"], style["rows"])
    return style["fixed"] and any(shape == more[:3] for more in (*_MORE_SUBGROUP, *_MORE_WORKGROUP))


def units(problem: Problem, variant: Variant) -> int:
    """Number of units in a row: chunks of 16 bytes, or words."""
    return weighted.chunks_per_row(problem) * 4 // int(variant["width"])


def styles(traits: Traits, problem: Problem) -> list[Variant]:
    """Styles in order of preference for this GPU."""
    quantised = weighted.quantised(problem["weight"])
    width = 1 if quantised else 4
    by_words = weight_type(problem["weight"]).by_words
    teams = []
    if traits.subgroups:
        fit = traits.subgroup_size
        whole = weight_type(problem["weight"]).whole_codes and not traits.software
        if whole:
            teams += [_digits(s, ahead=True) for s in _DIGITS if s[1] <= fit]
            teams += [_in_turns(traits, s, per_core) for s, per_core in _TURNS if s[1] <= fit]
        if quantised and not by_words:
            floats = _STAGED[2:3] if whole else _STAGED
            teams += [_style("subgroup", s, 4, subgroups=True, stage=True) for s in floats if s[1] <= fit]
        teams += [_style("subgroup", s, width, subgroups=True) for s in _SUBGROUP if s[1] <= fit]
        groups = [(*s[:3], 1) for s in _WORKGROUP[::2]] if traits.software else _WORKGROUP
        teams += [_style("workgroup", s, width, subgroups=True) for s in groups]
        teams = _busiest_first(traits, teams, problem)
        if whole and by_words:
            teams = [v for v in _by_words(traits, problem) if v["lanes"] <= fit] + teams
        if not traits.software:
            teams += [_style("subgroup", s, width, subgroups=True) for s in _MORE_SUBGROUP if s[1] <= fit]
            teams += [_style("workgroup", s, width, subgroups=True) for s in _MORE_WORKGROUP]
            if whole:
                teams += [_digits(s, ahead=True) for s in _MORE_DIGITS if s[1] <= fit]
                teams += [_digits(s) for s in _LATE_DIGITS if s[1] <= fit]
                teams += [_in_turns(traits, s, per_core) for s, per_core in _MORE_TURNS if s[1] <= fit]
    # Without subgroups these are the only teams; with subgroups one of them is included as a check.
    trees = _TREE[1:] if traits.software else _TREE[:1] if traits.subgroups else _TREE
    teams += [_style("workgroup", s, width) for s in trees]
    # Scaled sums take one register per row, so many rows can share the loads of x; others take four, and spill.
    shapes = _SHORT_THREAD if weight_type(problem["weight"]).short_code else _THREAD if quantised else _THREAD[::-1]
    one_thread = [_style("thread", s, 1 if by_words else 4) for s in shapes]
    if traits.software:
        one_thread.sort(key=lambda v: v["rows"] > 4 and problem["n"] <= _FEW_OUTPUTS)
        # Styles that are only fast on GPUs are included once, so that they are checked.
        checked = {"f16": _style("workgroup", _WORKGROUP[0], 4, subgroups=True)}
        if traits.subgroup_size >= _FEW_DIGITS[1]:
            checked |= {weight: _digits(_FEW_DIGITS) for weight in (weighted.NIBBLES, weighted.BYTES)}
            few_groups = {**_digits(_FEW_DIGITS), "ahead": True, "groups": 2}
            others = (weighted.GROUPS, weighted.TWO_SCALES, weighted.FIFTH_BITS, weighted.SMALL_FLOATS)
            checked |= dict.fromkeys((*others, weighted.PAIRS, weighted.THIRD_BITS), few_groups)
        extra = [checked[problem["weight"]]] if traits.subgroups and problem["weight"] in checked else []
        extra = [with_digits(v, problem) for v in extra]
        return one_thread + teams + [_fixed(v, problem) for v in extra if _fits(traits, v, problem)]
    fitting = [v for v in (with_digits(team, problem) for team in teams) if _fits(traits, v, problem)]
    return distinct(_fixed(team, problem) for team in fitting) + one_thread


def _fits(traits: Traits, variant: Variant, problem: Problem) -> bool:
    return not variant["stage"] or stage_bytes(variant, problem) <= traits.workgroup_bytes


def inner_styles(traits: Traits, problem: Problem) -> list[Variant]:
    """Styles for LoRA whose first product every workgroup computes: few, large workgroups."""
    width = 1 if weighted.quantised(problem["weight"]) else 4
    lanes = min(4 if traits.software else 32, traits.subgroup_size)
    sizes = ((4, 1),) if traits.software else ((16, 1), (8, 1), (8, 2), (16, 2))
    if not traits.subgroups:
        return []
    shapes = [(lanes * teams, lanes, rows, 1) for teams, rows in sizes]
    return [_fixed(_style("subgroup", shape, width, subgroups=True), problem) for shape in shapes]


def low_parts(variant: Variant) -> int:
    """Parts of k that LoRA's first product is computed in: as many as occupy all teams at rank 16."""
    return max(1, int(variant["threads"] // variant["lanes"] // 4))


def low_batch(variant: Variant) -> int:
    """Steps of LoRA's first product whose loads overlap; few on a software driver, which compiles slowly."""
    return STRAIGHT if variant["threads"] >= 64 else 2


def stage_bytes(variant: Variant, problem: Problem) -> int:
    """Bytes of workgroup memory: x as floats, or digits and a scale; a sum per chunk, sums of squares, and a grid."""
    kind = weight_type(problem["weight"])
    parts = 4 if kind.by_words else 1  # of a chunk, with a scale each
    each = variant["digits"] * kind.chunk + 4 * parts if variant["digits"] else 4 * kind.chunk + 16
    each += 4 * parts if kind.offset else 0
    squares = 4 * variant["threads"] if problem.get("norm") else 0
    return int(weighted.chunks_per_row(problem) * _experts(problem) * each + squares + kind.head.nbytes)


def most_stage_bytes(variant: Variant) -> int:
    return DIGIT_BYTES if variant["digits"] else STAGE_BYTES


def _by_words(traits: Traits, problem: Problem) -> list[Variant]:
    """The best styles for types that are read by words, 64 weights at a time: few lanes, so that each has several.

    Grids take much code, so they are read in turns, which is a loop: if the kernels of a model's step do not fit into
    the cache for instructions, each dispatch waits for its own again.
    """
    many = _in_turns(traits, (256, 8, 2, 1), 3)
    each, some, few = map(_digits, ((640, 8, 2, 1), (128, 8, 1, 1), (640, 32, 1, 1)))
    if weight_type(problem["weight"]).codes == "grid":
        loops = (((640, 8, 2, 1), 1), ((384, 16, 2, 1), 2), ((640, 32, 1, 2), 1))
        each, some, few = (_in_turns(traits, shape, per_core) for shape, per_core in loops)
    cores, count = traits.filling(MEASURED_CORES), problem["n"]
    best = [many] if turns(many, count) > 1 else []
    best += [each] if 0.9 * cores <= ceil_div(count, outputs(each)) <= cores else []  # one workgroup per core
    best += [some] if 8 * count >= traits.filling(_BUSY_STAGED) else []
    return [*best, few]


def _busiest_first(traits: Traits, teams: list[Variant], problem: Problem) -> list[Variant]:
    """Teams that fill the GPU, in the same order; then the others, those with the most active lanes first."""
    words = weighted.chunks_per_row(problem) * 4

    def lanes_at_work(v: Variant) -> float:
        return float(problem["n"] * min(v["lanes"], words // v["width"]) / v["rows"])

    def fills(v: Variant) -> bool:
        enough = lanes_at_work(v) >= traits.filling(_BUSY_STAGED if v["stage"] else _BUSY_LANES)
        return enough and words <= v["width"] * v["lanes"] * (_MOST_DIGIT_STEPS if v["digits"] else _MOST_STEPS)

    return [v for v in teams if fills(v)] + sorted((v for v in teams if not fills(v)), key=lanes_at_work, reverse=True)
