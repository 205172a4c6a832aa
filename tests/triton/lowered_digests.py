"""Digests of the shipped kernels' lowered shaders: `python -m tests.triton.lowered_digests` records them.

The record shows every change of the lowering, or of the kernels' TTIR, in a diff. It needs neither Triton nor a GPU.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from wgpt.triton_kernels import lowered

RECORD = Path(__file__).parents[1] / "golden" / "triton_lowered.txt"


def digests(part: str = "") -> Iterator[str]:
    """A line for each shader of the kernels with `part` in their names: its digest, kernel and variant."""
    for name, spec in sorted(lowered.by_name().items()):
        if part in name:
            for native_f16 in (False, True) if spec.halves else (False,):
                facts = json.dumps(asdict(lowered.lower(spec, native_f16)), sort_keys=True)
                digest = hashlib.sha256(facts.encode()).hexdigest()[:16]
                yield f"{digest}  {name} {'f16' if native_f16 else 'plain'}"


def recorded() -> list[str]:
    return RECORD.read_text().splitlines()


if __name__ == "__main__":
    if sys.argv[1:]:
        print(*digests(sys.argv[1]), sep="\n")
    else:
        RECORD.write_text("\n".join(digests()) + "\n", newline="\n")
        print(f"{len(recorded())} shaders in {RECORD}")
