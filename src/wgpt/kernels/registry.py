"""The list of all kernels: KERNEL or KERNELS of every module in this package, and those that other packages add.

Everything that lists kernels uses it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import cache

from ..core.arguments import brief
from ..core.first_use import first_use
from .kernel import Kernel

TRITON = "triton_"  # prefix of a Triton kernel's name, before the name of the hand-written kernel that it replaces


@cache
def hand_written() -> dict[str, Kernel]:
    """The kernels of this package by name, sorted."""
    package = importlib.import_module("wgpt.kernels")
    by_name: dict[str, Kernel] = {}
    for info in pkgutil.walk_packages(package.__path__, "wgpt.kernels."):
        module = importlib.import_module(info.name)
        own = getattr(module, "KERNELS", None) or (getattr(module, "KERNEL", None),)
        by_name |= {kernel.name: kernel for kernel in own if isinstance(kernel, Kernel)}
    return dict(sorted(by_name.items()))


_added: list[Callable[[], Iterable[Kernel]]] = []


def add(more: Callable[[], Iterable[Kernel]]) -> None:
    """Register kernels of another package. `more` is called when all kernels are first needed."""
    if more not in _added:
        _added.append(more)
        kernels.cache_clear()


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels by name, sorted."""
    first_use("kernels")
    more = {kernel.name: kernel for make in _added for kernel in make()}
    return dict(sorted((hand_written() | more).items()))


def get(name: str) -> Kernel:
    try:
        return hand_written()[name] if name in hand_written() else kernels()[name]
    except KeyError:
        raise KeyError(f"no kernel {brief(name)}; there are {', '.join(kernels())}") from None


def in_triton(name: str) -> Kernel | None:
    """The Triton kernel that replaces a hand-written one; None if there is none."""
    return kernels().get(TRITON + name)
