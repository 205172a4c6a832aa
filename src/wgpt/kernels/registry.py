"""The list of kernels: every module here that has a KERNEL, and those written in Triton in their place.

Everything that lists kernels reads this.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .kernel import Kernel

TRITON = "triton_"  # before the name of the hand-written kernel, in the name of the one in its place


@cache
def hand_written() -> dict[str, Kernel]:
    """Those of this package by name, sorted."""
    package = importlib.import_module("wgpt.kernels")
    found: dict[str, Kernel] = {}
    for module in pkgutil.iter_modules(package.__path__):
        kernel = getattr(importlib.import_module(f"wgpt.kernels.{module.name}"), "KERNEL", None)
        if isinstance(kernel, Kernel):
            found[kernel.name] = kernel
    return dict(sorted(found.items()))


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels by name, sorted. Those written in Triton live floors above, so they are asked for by name."""
    written = importlib.import_module("wgpt.triton_kernels.calls").KERNELS
    return dict(sorted((hand_written() | {kernel.name: kernel for kernel in written}).items()))


def get(name: str) -> Kernel:
    try:
        return hand_written()[name] if name in hand_written() else kernels()[name]
    except KeyError:
        raise KeyError(f"no kernel {name!r}; there are {', '.join(kernels())}") from None


def in_triton(name: str) -> Kernel | None:
    """What is written in Triton in the place of a kernel, if anything is."""
    return kernels().get(TRITON + name)
