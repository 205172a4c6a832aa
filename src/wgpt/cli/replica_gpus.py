"""Several GPUs on the command line: --gpu 0,1 --replicas."""

from __future__ import annotations

import typer

from ..gpu.gpus import listed


def replica_gpus(gpu: str | None, replicas: bool) -> tuple[str, ...]:
    """The GPUs of --replicas, which requires --gpu; empty without --replicas."""
    if not replicas:
        return ()
    if gpu is None:
        raise typer.BadParameter("--replicas needs the GPUs to run on, such as --gpu 0,1")
    return tuple(map(str, listed(gpu)))
