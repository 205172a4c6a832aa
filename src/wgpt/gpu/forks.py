"""A forked child cannot use its parent's GPU: the driver's threads do not exist in it, and calls would hang.

In the child, every use of a device raises at once; releasing and closing do nothing. So a child that leaves the GPU
alone exits normally.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, NoReturn, Protocol
from weakref import WeakSet

from .errors import ForkError
from .webgpu.dawn.objects import abandon
from .webgpu.direct import abandon_objects


class Forkable(Protocol):
    def after_fork(self) -> None:
        """Called in the child."""


_devices: WeakSet[Any] = WeakSet()
_in_use = False  # whether this process has used WebGPU
_inherited = False  # whether a parent had used it before the fork


def note_use() -> None:
    """Call before the first use of WebGPU. Raises ForkError if a parent had used it."""
    global _in_use
    check()
    _in_use = True


def register(device: Forkable) -> None:
    """Have `after_fork` called in forked children."""
    _devices.add(device)


def check() -> None:
    if _inherited:
        _refuse()


def _refuse() -> NoReturn:
    raise ForkError(
        "this process was forked from one that had used the GPU, and cannot use it: start it with "
        'multiprocessing.get_context("spawn"), or fork before the first use of the GPU'
    )


class ForkedWebGpu:
    """Replaces the device's WebGPU in a forked child."""

    def __getattr__(self, name: str) -> NoReturn:
        _refuse()


def _after_fork() -> None:
    global _inherited
    if _in_use:
        _inherited = True
        abandon_objects()
        abandon()
        _skip_exit_handlers()
        for device in list(_devices):
            device.after_fork()


def _skip_exit_handlers() -> None:
    """Exit before Mesa's exit handlers run: they join threads that do not exist in the child, and crash.

    C runs exit handlers in reverse order of registration, after Python's own. on_exit, which passes the exit status,
    exists only in glibc.
    """
    libc = ctypes.CDLL(None)
    if hasattr(libc, "on_exit"):
        libc.on_exit(libc._exit, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
