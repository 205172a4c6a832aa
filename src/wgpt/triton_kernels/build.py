"""Compiles sources/ to compiled/: `python -m wgpt.triton_kernels.build [PART-OF-A-NAME]`. Needs Triton, but no GPU."""

from __future__ import annotations

import importlib
import sys
import time
from statistics import median
from typing import Any

from ..triton_backend import ahead
from ..ttir.artifact import Artifact
from .artifacts import COMPILED
from .specs import Spec, every


def source_of(spec: Spec) -> Any:
    module, _, function = spec.kernel.partition(".")
    return getattr(importlib.import_module(f"{__package__}.sources.{module}"), function)


def compiled(spec: Spec) -> tuple[Artifact, float]:
    """The artifact, and seconds of a shader's lowering, from TTIR to WGSL."""
    _, text = ahead.ttir_of(source_of(spec), spec.signature, spec.constants, spec.warps)
    before = time.process_time()
    found = ahead.artifact_of(text, spec.signature, spec.constants, spec.warps, name=spec.name)
    return found, (time.process_time() - before) / 2  # with f16 in buffers, and without


def main(only: str = "") -> None:
    specs = every()
    if not only:
        for old in [*COMPILED.glob("*.json"), *COMPILED.glob("*.wgsl")]:
            old.unlink()
    took = {}
    for spec in specs:
        if only in spec.name:
            artifact, took[spec.name] = compiled(spec)
            artifact.save(COMPILED)
    slowest = sorted(took.items(), key=lambda item: -item[1])[:5]
    print(f"{len(took)} kernels; from TTIR to WGSL {1e3 * median(took.values()):.0f} ms in the median; the slowest:")
    for name, seconds in slowest:
        print(f"  {1e3 * seconds:4.0f} ms  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
