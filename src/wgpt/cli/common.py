"""What every command shares: its options and its console."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.console import Console

from ..core.errors import WgptError
from ..gpu import GpuDevice
from ..gpu.gpus import several
from ..kernels import registry
from .styles import console

Gpu = Annotated[
    str | None,
    typer.Option(
        "--gpu",
        "-a",
        metavar="N|NAME",
        help="GPU to use: its index in `wgpt info`, or part of its name. Default: WGPT_GPU, or the best GPU. Where "
        "text is generated, 0,1 splits the model's layers over GPUs 0 and 1.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]


_NEAREST = 30  # similar kernel names to suggest


def _known_kernel(name: str | None) -> str | None:
    if name is not None and name not in registry.kernels():
        nearest = difflib.get_close_matches(name, registry.kernels(), _NEAREST, cutoff=0)
        more = len(registry.kernels()) - len(nearest)
        raise typer.BadParameter(f"unknown kernel {name!r}; known: {', '.join(nearest)} and {more} others")
    return name


KernelName = Annotated[
    str | None,
    typer.Option(
        "--kernel",
        "-k",
        metavar="K",
        callback=_known_kernel,
        help="Restrict to this kernel. Default: all.",
        show_default=False,
    ),
]


@contextmanager
def opened(gpu: str | None, *, allow_faulty: bool = False) -> Iterator[GpuDevice]:
    """Open the device for a command, and close it at the end."""
    device = GpuDevice.open(gpu, allow_faulty=allow_faulty)
    try:
        yield device
    finally:
        device.close()


@contextmanager
def opened_all(gpu: str | None) -> Iterator[list[GpuDevice]]:
    """As `opened`, for a command that can split a model over several GPUs."""
    names = several(gpu)
    with ExitStack() as stack:
        each = [gpu] if names is None else list(map(str, names))
        yield [stack.enter_context(opened(name)) for name in each]


def require(subject: str, extra: str, *modules: str) -> None:
    """Refuse what needs modules of an extra that is not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise WgptError(f"{subject} needs {', '.join(missing)}: pip install 'wgpt[{extra}]'")


def check_one_gpu(gpu: str | None, **options: object) -> None:
    """Refuse these options if there are several GPUs, unless they are None, False or empty."""
    name = next((name for name, value in options.items() if value), None)
    if name is not None and several(gpu) is not None:
        raise WgptError(f"--{name} and --gpu {gpu} exclude each other: choose one GPU")


def stdout() -> Console:
    """The console for results."""
    return console()


def print_json(data: Any) -> None:
    typer.echo(as_json(data))


def as_json(data: Any) -> str:
    """Plain data with NaN and infinities as null, which JSON lacks."""
    return json.dumps(_finite(data), indent=2, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
