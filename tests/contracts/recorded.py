"""The digest of every kernel's shaders when it last passed on all its cases: `make digests`, that is

python -m tests.contracts.recorded       verify the kernels whose shaders have changed, and record them if all pass

The quick tier runs a kernel whose digest is the recorded one on its smallest case only (test_quick.py); the full tier
runs everything, and notices when digests.txt is out of date. A digest covers each case with each usable variant on GPUs
that are made up, so it is the same on every machine.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from wgpt.contracts import obligations, print_report, verify
from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.kernels.kernel import Kernel

from . import matrix_units
from .made_up import ADAPTERS_OF_DAWN, BARE, LAVAPIPE
from .shader_digests import normal_form

FILE = Path(__file__).with_name("digests.txt")
# A software driver with vectors of 256 and of 128 bits, without anything optional, and with matrix units.
GPUS = (LAVAPIPE, replace(LAVAPIPE, subgroup_size=4), BARE, ADAPTERS_OF_DAWN["new lavapipe"])


@cache
def digest(name: str) -> str:
    """What a kernel's shaders are, and the cases and tolerances that they are tried with."""
    kernel, text = registry.get(name), hashlib.sha256()
    for line in sorted({*shaders(kernel), *(f"{o.id} {o.tolerance}" for o in obligations() if o.kernel == name)}):
        text.update(line.encode())
    return text.hexdigest()[:16]


def shaders(kernel: Kernel) -> set[str]:
    """Each case and variant with its shader and its grid."""
    lines = set()
    for traits in GPUS:
        for case in kernel.cases:
            try:
                usable = kernel.usable(traits, case.problem)
            except PreconditionError:
                continue
            for variant in usable:
                grid, source = kernel.grid(case.problem, variant), kernel.source(case.problem, variant)
                lines.add(f"{case.label} {sorted(variant.items())} {grid}\n{normal_form(source)}")
    return lines


@cache
def recorded() -> dict[str, str]:
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    return dict(line.split() for line in lines)


def changed(name: str) -> bool:
    """Whether a kernel differs from the one that was recorded."""
    return recorded().get(name) != digest(name)


def check(name: str, device: GpuDevice) -> bool:
    """Whether a kernel passes on all its cases; without matrix units, also on those in software."""
    report = verify(device, only=name)
    if report.failed or report.stopped:
        print_report(report)
        return False
    if name in matrix_units.NAMES and not device.traits.half_matrices:
        with pytest.MonkeyPatch.context() as patch:
            matrix_units.install(name, device, patch)
            for case in registry.get(name).cases:
                matrix_units.check_case(name, case, device)
    return True


def main() -> int:
    names = [name for name in registry.kernels() if changed(name)]
    device = GpuDevice.open()
    for number, name in enumerate(names, 1):
        print(f"{number} of {len(names)}: {name}", flush=True)
        if not check(name, device):
            return 1
    write()
    return 0


def write() -> None:
    FILE.write_text("".join(f"{name} {digest(name)}\n" for name in registry.kernels()), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
