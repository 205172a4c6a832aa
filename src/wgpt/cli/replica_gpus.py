"""Several GPUs on the command line: --gpu 0,1 --replicas."""

from __future__ import annotations

import typer

from ..gpu.gpus import listed


def replica_gpus(gpu: str | None, replicas: bool) -> tuple[str, ...]:
    """Those of --replicas, which needs --gpu; none without it."""
    if not replicas:
        return ()
    if gpu is None:
        raise typer.BadParameter("--replicas needs the GPUs to run on, such as --gpu 0,1")
    return tuple(map(str, listed(gpu)))
