"""Several GPUs on the command line: --gpu 0,1."""

from __future__ import annotations

import typer


def gpu_list(gpu: str | None) -> tuple[str, ...]:
    """The GPUs of `--gpu 0,1`, each an index of `wgpt info` or a part of a name; one may be named twice."""
    gpus = tuple(each.strip() for each in (gpu or "").split(","))
    if not all(gpus):
        raise typer.BadParameter(f"--gpu {gpu!r}: write the GPUs with commas between them, such as 0,1")
    return gpus


def replica_gpus(gpu: str | None, replicas: bool) -> tuple[str, ...]:
    """Those of --replicas, which needs --gpu; none without it."""
    if not replicas:
        return ()
    if gpu is None:
        raise typer.BadParameter("--replicas needs the GPUs to run on, such as --gpu 0,1")
    return gpu_list(gpu)
