"""The Ray cluster that this process is part of."""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..gpu import WgptError, list_gpus

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
    try:
        with _sigterm_kept():
            try:
                ray.init(address=address, log_to_driver=False)
            except ConnectionError:
                if "RAY_ADDRESS" in os.environ:
                    raise
                ray.init(address="local", num_gpus=len(list_gpus()), **_QUIET)
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


def gpu_here(ids: list[int]) -> int:
    """The number of the GPU that Ray has given to this actor. A node that was started with more GPUs than it has
    (`ray start --num-gpus`) shares them."""
    if not ids:
        raise WgptError("Ray gave this actor no GPU: ask for num_gpus=1")
    return int(ids[0]) % len(list_gpus())
