"""Which variant runs on which case: all of them on a GPU, a selection on a software driver."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from functools import partial

from ..core.errors import PreconditionError
from ..gpu import GpuDevice
from ..kernels.grid import MOST
from ..kernels.kernel import Case, Kernel, Variant, variant_label

_HEAVY = 8_000_000  # bytes and FLOPs above which a software driver runs a case in its default variant only
LONG = 1_500  # characters of WGSL beyond which a software driver may compile for seconds
_WIDTHS = ("x", "load", "store", "a_load", "b_load")  # keys whose value is vec4 or scalar
_ACCESS = (*_WIDTHS, "half")  # half: packed or native
_TILE = 16  # a size that is not a multiple of it leaves a ragged edge

Pairs = list[tuple[Case, Variant]]


def schedule(device: GpuDevice, kernel: Kernel) -> Pairs:
    """Pairs of the kernel's own cases and variants, ordered by case, without cases that this GPU does not support.

    The variants of `defaults` run on every case. On a GPU, so do all others. On a software driver, each other variant
    runs on two light cases, one of them ragged, for each shader that it generates. If its shaders are long, only one is
    compiled: that of a ragged case, a different one for each variant; it also runs on a second case if one shares the
    shader. Of long variants that differ only in how they load and store, one stands for all (the defaults cover the
    others).
    """
    possible = [i for i, case in enumerate(kernel.cases) if _usable(device, kernel, case)]
    chosen = {i: [v for _, v in defaults(device, kernel, [kernel.cases[i]])] for i in possible}
    others = _others(device, kernel, chosen)
    for turn, (variant, where) in enumerate(_one_access(kernel, others) if device.software else others):
        for i in _rotated(kernel, variant, where, turn) if device.software else where:
            chosen[i].append(variant)
    return [(kernel.cases[i], variant) for i, variants in chosen.items() for variant in variants]


def defaults(device: GpuDevice, kernel: Kernel, cases: Iterable[Case]) -> Pairs:
    """The variants that run on each case in any event: the default, the tuned one if it differs, and one that needs
    more workgroups than a grid dimension allows, if there is one."""
    pairs: Pairs = []
    for case in cases:
        usable = kernel.usable(device.traits, case.problem)
        variants = [usable[0], kernel.choose(device, case.problem)]
        variants += [v for v in usable if math.prod(kernel.grid(case.problem, v)) > MOST][:1]
        pairs += [(case, v) for i, v in enumerate(variants) if v not in variants[:i]]
    return pairs


def ragged(case: Case) -> bool:
    """Whether some size is not a whole number of tiles, blocks or vectors."""
    return any(isinstance(v, int) and v % _TILE for v in case.problem.values())


def _others(device: GpuDevice, kernel: Kernel, chosen: dict[int, list[Variant]]) -> list[tuple[Variant, list[int]]]:
    """Every usable variant with the numbers of the cases that it supports but does not run on yet."""
    by_label: dict[str, tuple[Variant, list[int]]] = {}
    for i in chosen:
        for variant in kernel.usable(device.traits, kernel.cases[i].problem):
            if variant not in chosen[i]:
                by_label.setdefault(variant_label(variant), (variant, []))[1].append(i)
    return list(by_label.values())


def label_without_access(variant: Variant) -> str:
    """The label of a variant without how it loads and stores."""
    return variant_label({key: value for key, value in variant.items() if key not in _ACCESS})


def _one_access(kernel: Kernel, others: list[tuple[Variant, list[int]]]) -> list[tuple[Variant, list[int]]]:
    """Keep one of the variants with long shaders that differ only in access: the last scalar one, which supports any
    size and uses native halves where the defaults use packed ones."""
    by_label: dict[str, tuple[Variant, list[int]]] = {}
    for variant, where in others:
        long = any(len(_shader(kernel, variant, i)) > LONG for i in where)
        scalar = all(variant.get(key, "scalar") == "scalar" for key in _WIDTHS)
        label = label_without_access(variant) if long else variant_label(variant)
        if scalar or label not in by_label:
            by_label[label] = (variant, where)
    return list(by_label.values())


def _usable(device: GpuDevice, kernel: Kernel, case: Case) -> bool:
    try:
        return bool(kernel.usable(device.traits, case.problem))
    except PreconditionError:
        return False


def _rotated(kernel: Kernel, variant: Variant, where: list[int], turn: int) -> list[int]:
    light = [i for i in where if _cost(kernel, kernel.cases[i]) <= _HEAVY] or where
    groups = _grouped(light, lambda i: tuple(kernel.cases[i].problem[key] for key in kernel.static))
    long = [group for group in groups if len(_shader(kernel, variant, group[0])) > LONG]
    if long:
        ragged_groups = [group for group in long if any(ragged(kernel.cases[i]) for i in group)] or long
        chosen = ragged_groups[turn % len(ragged_groups)]
        groups = [*(group for group in groups if group not in long), _one_shader(kernel, variant, chosen, turn)]
    return sorted(i for group in groups for i in _two_of(kernel, group, turn))


def _one_shader(kernel: Kernel, variant: Variant, group: list[int], turn: int) -> list[int]:
    """The cases of a group that share a shader with a ragged case."""
    shaders = _grouped(group, partial(_shader, kernel, variant))
    ragged_groups = [alike for alike in shaders if any(ragged(kernel.cases[i]) for i in alike)] or shaders
    candidates = [alike for alike in ragged_groups if len(alike) > 1] or ragged_groups
    return candidates[turn % len(candidates)]


def _shader(kernel: Kernel, variant: Variant, i: int) -> str:
    return kernel.source(kernel.cases[i].problem, variant)


def _grouped(numbers: list[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    """The numbers grouped by key, in order."""
    groups: dict[Hashable, list[int]] = {}
    for i in numbers:
        groups.setdefault(key(i), []).append(i)
    return list(groups.values())


def _two_of(kernel: Kernel, group: list[int], turn: int) -> list[int]:
    ragged_cases = [i for i in group if ragged(kernel.cases[i])] or group
    first = ragged_cases[turn % len(ragged_cases)]
    rest = [i for i in group if i != first]
    return [first, rest[turn % len(rest)]] if rest else [first]


def _cost(kernel: Kernel, case: Case) -> int:
    return kernel.flops(case.problem) + kernel.bytes(case.problem)
