"""The Ray cluster that this process is part of."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.errors import WgptError
from ..gpu import list_gpus

_NATIVE_LEVEL = "RAY_BACKEND_LOG_LEVEL"
_QUIET = {"log_to_driver": False, "include_dashboard": False, "configure_logging": False}


def ray_module() -> Any:
    """Ray, or one line that says how to install it."""
    try:
        return importlib.import_module("ray")
    except ImportError as e:
        raise WgptError(
            f"this needs Ray ({e}), which is an extra: pip install 'wgpt[ray]' (Linux, and macOS without several nodes)"
        ) from None


@contextmanager
def connected() -> Iterator[Any]:
    """Ray, connected: as this process already is; else to RAY_ADDRESS; else to the cluster that runs on this machine;
    else to one of this machine's GPUs, which ends with the block."""
    ray = ray_module()
    if ray.is_initialized():
        yield ray
        return
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    address = os.environ.get("RAY_ADDRESS") or "auto"
    gpus = len(list_gpus())
    try:
        with _sigterm_kept(), _without_remarks():
            try:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            except ConnectionError:
                if "RAY_ADDRESS" in os.environ:
                    raise
                ray.init(address="local", num_gpus=gpus, **_QUIET)
    except (ConnectionError, RuntimeError, ValueError) as e:
        raise WgptError(f"no Ray cluster at {address}: {e}") from e
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _sigterm_kept() -> Iterator[None]:
    """Ray sets a handler that exits with code 15 (or 1) in the middle of a step. Without it, too, a cluster of this
    process's own ends with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGTERM, handler)


@contextmanager
def _without_remarks() -> Iterator[None]:
    """Connect without Ray's remarks on its settings and actors on stderr: what goes wrong comes as an exception.

    Ray's native part writes them to stderr itself, as errors. It reads its level from the environment when it connects,
    and then writes a line about that: so nothing is written meanwhile. A level that the user has set is kept.
    """
    if _NATIVE_LEVEL in os.environ:
        yield
        return
    logger = logging.getLogger("ray")  # Ray sets its level when it is imported
    level = logger.level
    logger.setLevel(logging.ERROR)
    os.environ[_NATIVE_LEVEL] = "fatal"
    stderr, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        for file in (stderr, nothing):
            os.close(file)
        os.environ.pop(_NATIVE_LEVEL, None)
        logger.setLevel(level)


def gpu_here(ids: list[int]) -> int:
    """The number of the GPU that Ray has given to this actor. A node that was started with more GPUs than it has
    (`ray start --num-gpus`) shares them."""
    if not ids:
        raise WgptError("Ray gave this actor no GPU: ask for num_gpus=1")
    return int(ids[0]) % len(list_gpus())
