"""Which variant runs on which case: everything on a GPU, a rotation on a software driver."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from functools import partial

from ..gpu import GpuDevice, PreconditionError
from ..kernels.grid import MOST
from ..kernels.kernel import Case, Kernel, Variant, variant_label

_HEAVY = 8_000_000  # bytes and FLOPs of a case that a software driver runs in its default variant only
LONG = 1_500  # characters of WGSL beyond which a software driver may compile for seconds
_WIDTHS = ("x", "load", "store", "a_load", "b_load")  # vec4 or scalar
_ACCESS = (*_WIDTHS, "half")  # packed or native
_TILE = 16  # a size that is no multiple of it leaves a ragged edge

Pairs = list[tuple[Case, Variant]]


def schedule(device: GpuDevice, kernel: Kernel) -> Pairs:
    """Pairs of the kernel's own cases and variants, ordered by case; cases beyond this adapter are left out.

    `defaults` run on every case. On a GPU so does every other variant; on a software driver every other runs on
    two light cases, one of them ragged, for each shader it makes. Of long shaders it compiles one, a ragged case's,
    which changes by turns, and runs it on a second case where another has the very same; and of variants that differ
    in nothing but how they load and store, one stands for all (the defaults do so in every way).
    """
    possible = [i for i, case in enumerate(kernel.cases) if _usable(device, kernel, case)]
    chosen = {i: [v for _, v in defaults(device, kernel, [kernel.cases[i]])] for i in possible}
    others = _others(device, kernel, chosen)
    for turn, (variant, where) in enumerate(_one_access(kernel, others) if device.software else others):
        for i in _rotated(kernel, variant, where, turn) if device.software else where:
            chosen[i].append(variant)
    return [(kernel.cases[i], variant) for i, variants in chosen.items() for variant in variants]


def defaults(device: GpuDevice, kernel: Kernel, cases: Iterable[Case]) -> Pairs:
    """The variants that each case runs in any event: the default one, the tuned one where it is another, and
    one that needs more workgroups than a dimension has, where there is such a one."""
    found: Pairs = []
    for case in cases:
        usable = kernel.usable(device.traits, case.problem)
        wanted = [usable[0], kernel.choose(device, case.problem)]
        wanted += [v for v in usable if math.prod(kernel.grid(case.problem, v)) > MOST][:1]
        found += [(case, v) for i, v in enumerate(wanted) if v not in wanted[:i]]
    return found


def ragged(case: Case) -> bool:
    """Whether some size leaves a part of a tile, a block or a vector over."""
    return any(isinstance(v, int) and v % _TILE for v in case.problem.values())


def _others(device: GpuDevice, kernel: Kernel, chosen: dict[int, list[Variant]]) -> list[tuple[Variant, list[int]]]:
    """Every usable variant with the numbers of the cases it could run on and does not yet."""
    found: dict[str, tuple[Variant, list[int]]] = {}
    for i in chosen:
        for variant in kernel.usable(device.traits, kernel.cases[i].problem):
            if variant not in chosen[i]:
                found.setdefault(variant_label(variant), (variant, []))[1].append(i)
    return list(found.values())


def but_access(variant: Variant) -> str:
    """A variant without how it loads and stores."""
    return variant_label({key: value for key, value in variant.items() if key not in _ACCESS})


def _one_access(kernel: Kernel, others: list[tuple[Variant, list[int]]]) -> list[tuple[Variant, list[int]]]:
    """Of those with long shaders that are the same but for their access, one: the last scalar one, which takes any
    size, with native halves where the defaults have packed ones."""
    found: dict[str, tuple[Variant, list[int]]] = {}
    for variant, where in others:
        long = any(len(_shader(kernel, variant, i)) > LONG for i in where)
        scalar = all(variant.get(key, "scalar") == "scalar" for key in _WIDTHS)
        label = but_access(variant) if long else variant_label(variant)
        if scalar or label not in found:
            found[label] = (variant, where)
    return list(found.values())


def _usable(device: GpuDevice, kernel: Kernel, case: Case) -> bool:
    try:
        return bool(kernel.usable(device.traits, case.problem))
    except PreconditionError:
        return False


def _rotated(kernel: Kernel, variant: Variant, where: list[int], turn: int) -> list[int]:
    light = [i for i in where if _cost(kernel, kernel.cases[i]) <= _HEAVY] or where
    groups = _alike(light, lambda i: tuple(kernel.cases[i].problem[key] for key in kernel.static))
    long = [group for group in groups if len(_shader(kernel, variant, group[0])) > LONG]
    if long:
        edged = [group for group in long if any(ragged(kernel.cases[i]) for i in group)] or long
        chosen = edged[turn % len(edged)]
        groups = [*(group for group in groups if group not in long), _one_shader(kernel, variant, chosen, turn)]
    return sorted(i for group in groups for i in _two_of(kernel, group, turn))


def _one_shader(kernel: Kernel, variant: Variant, group: list[int], turn: int) -> list[int]:
    """Those of a group that share a shader, one that a ragged case has."""
    shaders = _alike(group, partial(_shader, kernel, variant))
    edged = [alike for alike in shaders if any(ragged(kernel.cases[i]) for i in alike)] or shaders
    enough = [alike for alike in edged if len(alike) > 1] or edged
    return enough[turn % len(enough)]


def _shader(kernel: Kernel, variant: Variant, i: int) -> str:
    return kernel.source(kernel.cases[i].problem, variant)


def _alike(numbers: list[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    """The numbers of each key, in the order given."""
    groups: dict[Hashable, list[int]] = {}
    for i in numbers:
        groups.setdefault(key(i), []).append(i)
    return list(groups.values())


def _two_of(kernel: Kernel, group: list[int], turn: int) -> list[int]:
    edges = [i for i in group if ragged(kernel.cases[i])] or group
    first = edges[turn % len(edges)]
    rest = [i for i in group if i != first]
    return [first, rest[turn % len(rest)]] if rest else [first]


def _cost(kernel: Kernel, case: Case) -> int:
    return kernel.flops(case.problem) + kernel.bytes(case.problem)
