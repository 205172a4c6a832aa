"""Contracts: YAML files that say what must hold, to what tolerance, and which cases try to break it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import yaml

from ..core.errors import WgptError
from ..gpu import Traits
from ..kernels import registry
from ..kernels.kernel import Case, Kernel, Problem, Variant
from ..quant.registry import TYPES
from ..quant.weight_type import WeightType

_REQUIRED = ("id", "title", "equation", "precondition", "tolerance", "kernel")
_OPTIONAL = ("check", "where", "variants", "needs", "cases", "options")
# `each`: one obligation for each weight type in a set; {type} and {equation} in its texts stand for that type's.
_EACH: dict[str, Callable[[WeightType], bool]] = {
    "types": lambda kind: True,
    "floats": lambda kind: kind.codes == "floats",
    "quantised": lambda kind: kind.codes != "floats",
    "unpacked": lambda kind: not kind.native_halves,
    "integers": lambda kind: kind.whole_codes,
}
_NEEDS = ("f16", "subgroups", "half_matrices")  # names of Traits
# The kinds of check, and the options that each needs.
CHECKS: dict[str, tuple[str, ...]] = {
    "reference": (),
    "deterministic": (),
    "refuses": (),
    "vector": ("inputs", "outputs"),
    "adjoint": ("of", "input", "output", "cotangent", "gradient"),
    "finite_difference": ("of", "inputs", "output", "cotangent", "gradients"),
    "dispatch_rule": ("rows",),
    "hidden_states": (),
    "resident_weights": (),
}
_LITERAL = ("refuses", "vector", "dispatch_rule")  # kinds that only use the cases of the contract
_WHOLE_MODEL = ("hidden_states", "resident_weights")  # kinds that run a model, not a kernel
_KERNEL_KEYS = ("kernel", "where", "variants", "cases")  # keys that only the other kinds have


class ContractError(WgptError):
    """A contract file says something that cannot be checked."""


@dataclass(frozen=True)
class Obligation:
    """One statement that must hold. `where` selects cases of the kernel, `variants` selects the ways to run them.

    `kernel` is empty for whole models. `needs` names what a GPU must support for it to apply (such as f16).
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
        """The `needs` that the GPU lacks; empty if the obligation applies."""
        return ", ".join(name for name in self.needs if not getattr(traits, name))

    def selects(self, case: Case) -> bool:
        return matches(self.where, case.problem)

    def admits(self, variant: Variant) -> bool:
        return matches(self.variants, variant)

    def kernel_cases(self) -> list[Case]:
        """The kernel's own cases that this obligation selects."""
        if not self.kernel:
            return []
        return [case for case in registry.get(self.kernel).cases if self.selects(case)]


@dataclass(frozen=True)
class Contract:
    """A file of obligations."""

    name: str
    title: str
    obligations: tuple[Obligation, ...]


def matches(filters: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether every key of `filters` has that value in `values`, or one of a list of values."""

    def is_one_of(value: Any, allowed: list[Any]) -> bool:
        return any(value == option and isinstance(value, bool) == isinstance(option, bool) for option in allowed)

    return all(is_one_of(values.get(key), v if isinstance(v, list) else [v]) for key, v in filters.items())


def contracts() -> tuple[Contract, ...]:
    """Every contract in this folder, for the registered weight types."""
    return _contracts(tuple(TYPES))


@cache
def _contracts(types: tuple[str, ...]) -> tuple[Contract, ...]:
    folder = resources.files(__package__)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    parsed = tuple(parse(folder.joinpath(name).read_text(), name.removesuffix(".yaml")) for name in names)
    _refuse_duplicates([o.id for contract in parsed for o in contract.obligations], "the contracts")
    return parsed


def obligations() -> list[Obligation]:
    return [obligation for contract in contracts() for obligation in contract.obligations]


def parse(text: str, name: str) -> Contract:
    """A contract from its YAML. Missing or unknown keys and obligations that cannot fail raise a ContractError."""
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as e:
        raise ContractError(f"{name}: invalid YAML: {e}") from e
    if not isinstance(raw, dict) or set(raw) != {"contract", "title", "obligations"}:
        raise ContractError(f"{name}: must be a mapping of exactly contract, title and obligations")
    if raw["contract"] != name:
        raise ContractError(f"{name}: its name is {raw['contract']!r}; the name must match the file")
    if not isinstance(raw["obligations"], list) or not raw["obligations"]:
        raise ContractError(f"{name}: obligations must be a list that is not empty")
    parsed = tuple(
        _obligation(obligation, name, i)
        for i, entry in enumerate(raw["obligations"])
        for obligation in _each(entry, f"{name}: obligation {i + 1}")
    )
    _refuse_duplicates([o.id for o in parsed], name)
    return Contract(name, str(raw["title"]), parsed)


def _each(entry: Any, where: str) -> Iterator[Any]:
    """The entry itself, or one entry for each weight type in its set."""
    if not isinstance(entry, dict) or "each" not in entry:
        yield entry
        return
    if entry["each"] not in _EACH:
        raise ContractError(f"{where}: each must be one of {', '.join(_EACH)}, not {entry['each']!r}")
    template = {key: value for key, value in entry.items() if key != "each"}
    yield from (_filled(template, kind) for kind in TYPES.values() if _EACH[entry["each"]](kind))


def _filled(value: Any, kind: WeightType) -> Any:
    if isinstance(value, str):
        return value.replace("{type}", kind.name).replace("{equation}", kind.equation)
    if isinstance(value, dict):
        return {key: _filled(item, kind) for key, item in value.items()}
    return [_filled(item, kind) for item in value] if isinstance(value, list) else value


def _refuse_duplicates(ids: Sequence[str], where: str) -> None:
    duplicates = sorted({i for i in ids if ids.count(i) > 1})
    if duplicates:
        raise ContractError(f"{where}: id {', '.join(duplicates)} is used twice")


def _obligation(entry: Any, contract: str, index: int) -> Obligation:
    where = f"{contract}: obligation {index + 1}"
    if not isinstance(entry, dict):
        raise ContractError(f"{where}: must be a mapping, not {entry!r}")
    where = f"{contract}: {entry.get('id', f'obligation {index + 1}')}"
    excluded = _KERNEL_KEYS if entry.get("check") in _WHOLE_MODEL else ()
    missing = [key for key in _REQUIRED if key not in (*entry, *excluded)]
    unknown = [key for key in entry if key not in _REQUIRED + _OPTIONAL or key in excluded]
    if missing or unknown:
        parts = [f"lacks {key}" for key in missing] + [f"unknown key {key!r}" for key in unknown]
        raise ContractError(f"{where}: {', '.join(parts)}")
    for key in ("id", "title", "equation", "precondition", "kernel"):
        if key not in excluded and (not isinstance(entry[key], str) or not entry[key].strip()):
            raise ContractError(f"{where}: {key} must be text, not {entry[key]!r}")
    kernel = None if excluded else _kernel(entry["kernel"], where)
    obligation = Obligation(
        contract=contract,
        id=entry["id"],
        title=entry["title"],
        equation=entry["equation"],
        precondition=entry["precondition"],
        tolerance=_tolerance(entry["tolerance"], where),
        kernel=kernel.name if kernel else "",
        check=entry.get("check", "reference"),
        where=_mapping(entry.get("where", {}), f"{where}: where"),
        variants=_mapping(entry.get("variants", {}), f"{where}: variants"),
        needs=_needs(entry.get("needs", []), where),
        cases=_cases(entry.get("cases", []), kernel, where) if kernel else (),
        options=_mapping(entry.get("options", {}), f"{where}: options"),
    )
    _check_kind(obligation, where)
    if kernel and not obligation.cases and not obligation.kernel_cases():
        raise ContractError(f"{where}: selects no case of {kernel.name} by {dict(obligation.where)}, so it cannot fail")
    return obligation


def _kernel(name: str, where: str) -> Kernel:
    try:
        return registry.get(name)
    except KeyError as e:
        raise ContractError(f"{where}: {e.args[0]}") from None


def _tolerance(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1 or math.isnan(value):
        hint = "; YAML needs a decimal point: 1.0e-5" if isinstance(value, str) else ""
        raise ContractError(f"{where}: tolerance must be a number from 0 (exact) to below 1, not {value!r}{hint}")
    return float(value)


def _needs(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(need in _NEEDS for need in value):
        raise ContractError(f"{where}: needs must be a list of {', '.join(_NEEDS)}, not {value!r}")
    return tuple(value)


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ContractError(f"{where} must be a mapping with names as keys, not {value!r}")
    return value


def _cases(entries: Any, kernel: Kernel, where: str) -> tuple[Case, ...]:
    """The cases of a contract: problem and why, with the keys of the kernel's own cases."""
    if not isinstance(entries, list):
        raise ContractError(f"{where}: cases must be a list")
    known = {key for case in kernel.cases for key in case.problem}
    required = known.intersection(*(set(case.problem) for case in kernel.cases))
    cases = []
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) != {"problem", "why"} or not isinstance(entry["why"], str):
            raise ContractError(f"{where}: a case is a mapping of problem and why, not {entry!r}")
        problem: Problem = _mapping(entry["problem"], f"{where}: problem")
        mistakes = [*(f"lacks {key}" for key in sorted(required - set(problem)))]
        mistakes += [f"unknown {key}" for key in sorted(set(problem) - known)]
        if mistakes:
            raise ContractError(f"{where}: problem {problem} does not fit {kernel.name}: {', '.join(mistakes)}")
        cases.append(Case(problem, entry["why"]))
    return tuple(cases)


def _check_kind(obligation: Obligation, where: str) -> None:
    if obligation.check not in CHECKS:
        raise ContractError(f"{where}: unknown check {obligation.check!r}; known: {', '.join(CHECKS)}")
    if obligation.check in _LITERAL and not obligation.cases:
        raise ContractError(f"{where}: check {obligation.check} needs cases")
    needed, options = CHECKS[obligation.check], sorted(obligation.options)
    if sorted(needed) != options:
        raise ContractError(
            f"{where}: check {obligation.check} takes the options {', '.join(needed) or 'none'}, not {options}"
        )
