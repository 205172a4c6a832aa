"""Contracts: YAML files that say what must hold, to what tolerance, and which cases try to break it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import yaml

from ..gpu import Traits, WgptError
from ..kernels import registry
from ..kernels.kernel import Case, Kernel, Problem, Variant

_REQUIRED = ("id", "title", "equation", "precondition", "tolerance", "kernel")
_OPTIONAL = ("check", "where", "variants", "needs", "cases", "options")
_NEEDS = ("f16",)  # names of Traits
# The kinds of check, and the options that each needs.
CHECKS: dict[str, tuple[str, ...]] = {
    "reference": (),
    "deterministic": (),
    "refuses": (),
    "vector": ("inputs", "outputs"),
    "adjoint": ("of", "input", "output", "cotangent", "gradient"),
    "finite_difference": ("of", "inputs", "output", "cotangent", "gradients"),
    "dispatch_rule": ("rows",),
}
_LITERAL = ("refuses", "vector", "dispatch_rule")  # kinds that try their own cases only


class ContractError(WgptError):
    """A contract file says something that cannot be checked."""


@dataclass(frozen=True)
class Obligation:
    """One thing that must hold. `where` picks cases of the kernel, `variants` picks ways to run them.

    `needs` names what an adapter must have for it to be asked at all (f16 arithmetic, say).
    """

    contract: str
    id: str
    title: str
    equation: str
    precondition: str
    tolerance: float
    kernel: str
    check: str = "reference"
    where: Mapping[str, Any] = field(default_factory=dict)
    variants: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def lacking(self, traits: Traits) -> str:
        """What the adapter lacks of `needs`; empty when the obligation applies."""
        return ", ".join(name for name in self.needs if not getattr(traits, name))

    def selects(self, case: Case) -> bool:
        return matches(self.where, case.problem)

    def admits(self, variant: Variant) -> bool:
        return matches(self.variants, variant)

    def kernel_cases(self) -> list[Case]:
        """The kernel's own cases that this obligation is about."""
        return [case for case in registry.get(self.kernel).cases if self.selects(case)]


@dataclass(frozen=True)
class Contract:
    """A file of obligations."""

    name: str
    title: str
    obligations: tuple[Obligation, ...]


def matches(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether every key of `wanted` has that value in `found`, or one of them where a list is given."""

    def is_one_of(value: Any, allowed: list[Any]) -> bool:
        return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in allowed)

    return all(is_one_of(found.get(key), v if isinstance(v, list) else [v]) for key, v in wanted.items())


@cache
def contracts() -> tuple[Contract, ...]:
    """Every contract beside this module."""
    folder = resources.files(__package__)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    found = tuple(parse(folder.joinpath(name).read_text(), name.removesuffix(".yaml")) for name in names)
    _refuse_duplicates([o.id for contract in found for o in contract.obligations], "the contracts")
    return found


def obligations() -> list[Obligation]:
    return [obligation for contract in contracts() for obligation in contract.obligations]


def parse(text: str, name: str) -> Contract:
    """A contract from its YAML; what is missing, misspelt or cannot fail is refused with its place."""
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as e:
        raise ContractError(f"{name}: not YAML: {e}") from e
    if not isinstance(raw, dict) or set(raw) != {"contract", "title", "obligations"}:
        raise ContractError(f"{name}: must be a mapping of exactly contract, title and obligations")
    if raw["contract"] != name:
        raise ContractError(f"{name}: calls itself {raw['contract']!r}; file and name must agree")
    if not isinstance(raw["obligations"], list) or not raw["obligations"]:
        raise ContractError(f"{name}: obligations must be a list with something in it")
    found = tuple(_obligation(entry, name, i) for i, entry in enumerate(raw["obligations"]))
    _refuse_duplicates([o.id for o in found], name)
    return Contract(name, str(raw["title"]), found)


def _refuse_duplicates(ids: Sequence[str], where: str) -> None:
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise ContractError(f"{where}: id {', '.join(twice)} is used twice")


def _obligation(entry: Any, contract: str, index: int) -> Obligation:
    where = f"{contract}: obligation {index + 1}"
    if not isinstance(entry, dict):
        raise ContractError(f"{where}: must be a mapping, not {entry!r}")
    where = f"{contract}: {entry.get('id', f'obligation {index + 1}')}"
    missing = [key for key in _REQUIRED if key not in entry]
    unknown = [key for key in entry if key not in _REQUIRED + _OPTIONAL]
    if missing or unknown:
        parts = [f"lacks {key}" for key in missing] + [f"unknown key {key!r}" for key in unknown]
        raise ContractError(f"{where}: {', '.join(parts)}")
    for key in ("id", "title", "equation", "precondition", "kernel"):
        if not isinstance(entry[key], str) or not entry[key].strip():
            raise ContractError(f"{where}: {key} must be text, not {entry[key]!r}")
    kernel = _kernel(entry["kernel"], where)
    found = Obligation(
        contract=contract,
        id=entry["id"],
        title=entry["title"],
        equation=entry["equation"],
        precondition=entry["precondition"],
        tolerance=_tolerance(entry["tolerance"], where),
        kernel=entry["kernel"],
        check=entry.get("check", "reference"),
        where=_mapping(entry.get("where", {}), f"{where}: where"),
        variants=_mapping(entry.get("variants", {}), f"{where}: variants"),
        needs=_needs(entry.get("needs", []), where),
        cases=_cases(entry.get("cases", []), kernel, where),
        options=_mapping(entry.get("options", {}), f"{where}: options"),
    )
    _check_kind(found, where)
    if not found.cases and not found.kernel_cases():
        raise ContractError(f"{where}: selects no case of {kernel.name} by {dict(found.where)}, so it cannot fail")
    return found


def _kernel(name: str, where: str) -> Kernel:
    try:
        return registry.get(name)
    except KeyError as e:
        raise ContractError(f"{where}: {e.args[0]}") from None


def _tolerance(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1 or math.isnan(value):
        hint = "; YAML wants a point in it: 1.0e-5" if isinstance(value, str) else ""
        raise ContractError(f"{where}: tolerance must be a number from 0 (exact) to below 1, not {value!r}{hint}")
    return float(value)


def _needs(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(one in _NEEDS for one in value):
        raise ContractError(f"{where}: needs must be a list out of {', '.join(_NEEDS)}, not {value!r}")
    return tuple(value)


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ContractError(f"{where} must be a mapping with names as keys, not {value!r}")
    return value


def _cases(entries: Any, kernel: Kernel, where: str) -> tuple[Case, ...]:
    """Literal cases: problem and why, in the shape of the kernel's own."""
    if not isinstance(entries, list):
        raise ContractError(f"{where}: cases must be a list")
    known = {key for case in kernel.cases for key in case.problem}
    always = known.intersection(*(set(case.problem) for case in kernel.cases))
    found = []
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"problem", "why"} or not isinstance(entry["why"], str):
            raise ContractError(f"{where}: a case is a mapping of problem and why, not {entry!r}")
        problem: Problem = _mapping(entry["problem"], f"{where}: problem")
        wrong = [*(f"lacks {key}" for key in sorted(always - set(problem)))]
        wrong += [f"unknown {key}" for key in sorted(set(problem) - known)]
        if wrong:
            raise ContractError(f"{where}: problem {problem} does not fit {kernel.name}: {', '.join(wrong)}")
        found.append(Case(problem, entry["why"]))
    return tuple(found)


def _check_kind(obligation: Obligation, where: str) -> None:
    if obligation.check not in CHECKS:
        raise ContractError(f"{where}: no check {obligation.check!r}; there are {', '.join(CHECKS)}")
    if obligation.check in _LITERAL and not obligation.cases:
        raise ContractError(f"{where}: check {obligation.check} needs cases of its own")
    needed, given = CHECKS[obligation.check], sorted(obligation.options)
    if sorted(needed) != given:
        raise ContractError(
            f"{where}: check {obligation.check} takes the options {', '.join(needed) or 'none'}; given: {given}"
        )
