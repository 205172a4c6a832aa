"""Trials of kernels with their expected results: `wgpt verify` on the visitor's GPU."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

import numpy as np

from ..contracts import trial
from ..contracts.contract import Obligation, contracts
from ..core.errors import PreconditionError
from ..gpu.dry import ExportDevice
from ..gpu.exported import export_programs
from ..kernels import registry
from ..kernels.kernel import Case, Kernel
from .recording import UsedKernel
from .targets import Target

_EACH = 2  # trials per kernel
_LOOKED_AT = 8  # cases of a kernel to prepare at most, to find these
_MOST_BYTES = 48 << 10  # most bytes of a trial's inputs and results: the page fetches them all


def trials(device: ExportDevice, target: Target, used: set[UsedKernel]) -> list[dict[str, Any]]:
    """For each kernel of the Programs: exported Programs of some of its cases, as verify.js reads them."""
    with device.as_if(target.traits, target.tuned):
        return [
            _described(device, prepared, obligation)
            for kernel in sorted(used, key=str)
            for prepared, obligation in _chosen(device, kernel)
        ]


def _chosen(device: ExportDevice, used: UsedKernel) -> list[tuple[trial.Prepared, Obligation]]:
    """Small cases for which the kernel's contract has a reference, in the kernel's chosen variant."""
    kernel = registry.get(used.name)
    held = [o for c in contracts() for o in c.obligations if o.kernel == used.name and o.check == "reference"]
    candidates = [
        (case, obligation)
        for obligation in held
        if not obligation.lacking(device.traits)
        for case in obligation.kernel_cases()
        if used.weight in (None, case.problem.get("weight", used.weight)) and _applies(device, kernel, case, obligation)
    ]
    candidates.sort(key=lambda pair: kernel.bytes(pair[0].problem))
    small = [(_prepared(used.name, case.label), obligation) for case, obligation in candidates[:_LOOKED_AT]]
    # The largest of the small ones: they have several workgroups and odd sizes.
    return [(prepared, obligation) for prepared, obligation in small if prepared is not None][-_EACH:]


@cache
def _prepared(name: str, label: str) -> trial.Prepared | None:
    """A case by its label, the same for every target; None if it is too large for a page."""
    kernel = registry.get(name)
    prepared = trial.prepare(kernel, next(case for case in kernel.cases if case.label == label))
    arrays = (*prepared.inputs.values(), *prepared.references.values())
    return prepared if sum(array.nbytes for array in arrays) <= _MOST_BYTES else None


def _applies(device: ExportDevice, kernel: Kernel, case: Case, obligation: Obligation) -> bool:
    """Whether the obligation concerns the variant that this kind of GPU would run."""
    try:
        return obligation.admits(kernel.choose(device, case.problem))
    except PreconditionError:
        return False


def _described(device: ExportDevice, prepared: trial.Prepared, obligation: Obligation) -> dict[str, Any]:
    kernel, case = prepared.kernel, prepared.case
    exported = export_programs({"main": trial.record(prepared, device)})
    return {
        "kernel": kernel.name,
        "case": case.label,
        "tolerance": obligation.tolerance,
        "guard": trial.GUARD,
        "manifest": exported.manifest,
        "contents": {str(number): _text(data) for number, data in exported.contents.items()},
        "expected": {
            name: {"dtype": out.dtype, "values": _text(prepared.references[name].astype("<f8"))}
            for name, out in kernel.outputs(case.problem).items()
        },
    }


def _text(array: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
