"""The list of kernels: KERNEL or KERNELS of every module here, and what floors above add (Triton's, in their place).

Everything that lists kernels reads this.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import cache

from ..gpu.arguments import brief
from .kernel import Kernel

TRITON = "triton_"  # before the name of the hand-written kernel, in the name of the one in its place


@cache
def hand_written() -> dict[str, Kernel]:
    """Those of this package by name, sorted."""
    package = importlib.import_module("wgpt.kernels")
    by_name: dict[str, Kernel] = {}
    for info in pkgutil.walk_packages(package.__path__, "wgpt.kernels."):
        module = importlib.import_module(info.name)
        own = getattr(module, "KERNELS", None) or (getattr(module, "KERNEL", None),)
        by_name |= {kernel.name: kernel for kernel in own if isinstance(kernel, Kernel)}
    return dict(sorted(by_name.items()))


_added: list[Callable[[], Iterable[Kernel]]] = []


def add(more: Callable[[], Iterable[Kernel]]) -> None:
    """Kernels of a floor above, which registers them here. They are made when somebody first asks for all kernels."""
    if more not in _added:
        _added.append(more)
        kernels.cache_clear()


@cache
def kernels() -> dict[str, Kernel]:
    """All kernels by name, sorted."""
    more = {kernel.name: kernel for make in _added for kernel in make()}
    return dict(sorted((hand_written() | more).items()))


def get(name: str) -> Kernel:
    try:
        return hand_written()[name] if name in hand_written() else kernels()[name]
    except KeyError:
        raise KeyError(f"no kernel {brief(name)}; there are {', '.join(kernels())}") from None


def in_triton(name: str) -> Kernel | None:
    """What is written in Triton in the place of a kernel, if anything is."""
    return kernels().get(TRITON + name)
