"""Digests of every shader: `python -m tests.contracts.shader_digests FILE` before a change, and again with `--compare`.

A change of templates that should alter nothing keeps all of them. What counts is the code, without comments, blank
lines and indentation. It covers every contract case with every usable variant, on seven kinds of GPU (made_up.py); it
needs no GPU.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from wgpt.core.errors import PreconditionError
from wgpt.kernels import registry

from .made_up import ADAPTERS, MadeUpDevice


def normal_form(wgsl: str) -> str:
    """The lines that a compiler reads."""
    lines = (line.partition("//")[0].strip() for line in wgsl.splitlines())
    return "\n".join(line for line in lines if line)


def digests() -> Iterator[tuple[str, str]]:
    for gpu, traits in ADAPTERS.items():
        for name, kernel in registry.hand_written().items():
            for case in kernel.cases:
                try:
                    usable = kernel.usable(traits, case.problem)
                    default = kernel.choose(MadeUpDevice(traits), case.problem)  # type: ignore[arg-type]
                except PreconditionError:
                    continue
                for variant in usable:
                    source = normal_form(kernel.source(case.problem, variant))
                    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
                    marked = "default " if variant == default else ""
                    yield f"{gpu} {name} {case.label} {marked}{sorted(variant.items())}", digest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare with FILE instead of writing it")
    args = parser.parse_args()
    current = dict(digests())
    if not args.compare:
        args.file.write_text(json.dumps(current, indent=0))
        print(f"{len(current)} shaders")
        return 0
    before = json.loads(args.file.read_text())
    changed = [key for key, digest in current.items() if before.get(key, digest) != digest]
    added, gone = sorted(current.keys() - before), sorted(before.keys() - current)
    for title, keys in ("changed", changed), ("new", added), ("gone", gone):
        print(f"{title}: {len(keys)}", *keys[:5], sep="\n  ")
    return 1 if changed or added or gone else 0


if __name__ == "__main__":
    sys.exit(main())
