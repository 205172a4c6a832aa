"""`--webgpu`: an option of every command that has `--gpu`."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, get_type_hints

import typer

from ..gpu.implementations import IMPLEMENTATIONS, VARIABLE
from .options import one_of

Webgpu = Annotated[
    str | None,
    typer.Option(
        "--webgpu",
        metavar="NAME",
        callback=one_of(*IMPLEMENTATIONS),
        help="WebGPU to use: auto (Dawn where the GPU has matrix units that pass a self-check, else wgpu-native), dawn "
        f"or wgpu. Default: {VARIABLE}, or auto.",
        show_default=False,
    ),
]


def with_webgpu(command: Callable[..., None]) -> Callable[..., None]:
    """The command with `--webgpu` added after `--gpu`; commands without `--gpu` are unchanged."""
    signature = inspect.signature(command)
    if "gpu" not in signature.parameters or "webgpu" in signature.parameters:
        return command
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
        if name == "gpu":
            added = inspect.Parameter("webgpu", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Webgpu)
            parameters.append(added)

    @functools.wraps(command)
    def run(*, webgpu: str | None, **values: Any) -> None:
        with _default(webgpu):
            command(**values)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


@contextmanager
def _default(webgpu: str | None) -> Iterator[None]:
    """Use this WebGPU for all devices of the command and of its child processes."""
    if webgpu is None:
        yield
        return
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = webgpu
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
