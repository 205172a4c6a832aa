"""The list of kernels: every module here that has a KERNEL. Everything that lists kernels reads this."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from .kernel import Kernel


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels by name, sorted."""
    package = importlib.import_module("wgpt.kernels")
    found: dict[str, Kernel] = {}
    for module in pkgutil.iter_modules(package.__path__):
        kernel = getattr(importlib.import_module(f"wgpt.kernels.{module.name}"), "KERNEL", None)
        if isinstance(kernel, Kernel):
            found[kernel.name] = kernel
    return dict(sorted(found.items()))


def get(name: str) -> Kernel:
    try:
        return kernels()[name]
    except KeyError:
        raise KeyError(f"no kernel {name!r}; there are {', '.join(kernels())}") from None
