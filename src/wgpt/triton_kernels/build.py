"""Builds ttir.tar.xz from sources/: `python -m wgpt.triton_kernels.build [PART-OF-A-NAME]`. Needs Triton, no GPU."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

import triton

from ..triton_backend import ahead
from . import archive
from .specs import Spec, every

_NAMED_LOCATION = re.compile(r"^#loc.*\n", re.M)
_INNER = r'(?:[^()"]|"[^"]*")'
_LOCATION = re.compile(rf" loc\((?:{_INNER}|\((?:{_INNER}|\({_INNER}*\))*\))*\)")


def source_of(spec: Spec) -> Any:
    module, _, function = spec.kernel.partition(".")
    return getattr(importlib.import_module(f"{__package__}.sources.{module}"), function)


def ttir_of(spec: Spec) -> str:
    """TTIR without locations: comments in sources/ do not change it, and the archive is half as large."""
    _, text = ahead.ttir_of(source_of(spec), spec.signature, spec.constants, spec.warps)
    return _LOCATION.sub("", _NAMED_LOCATION.sub("", text))


def main(only: str = "") -> None:
    """Build the kernels with `only` in their name; the others are copied from the existing archive."""
    specs = every()
    texts = {spec.name: ttir_of(spec) if only in spec.name else archive.ttir(spec.name) for spec in specs}
    archive.write(texts, triton.__version__)
    print(f"{archive.ARCHIVE}: {len(texts)} kernels, {archive.ARCHIVE.stat().st_size} bytes")
    print("Record what they are lowered to: python -m tests.triton.lowered_digests")


if __name__ == "__main__":
    main(*sys.argv[1:])
