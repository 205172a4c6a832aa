"""Searches weights for NaN and Inf on the GPU, where this takes milliseconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..gpu import GpuDevice, Recorder, Tensor
from ..gpu.bindings import most_bytes
from ..gpu.dry import ExportDevice
from ..kernels import registry
from ..kernels.grid import MOST
from ..kernels.memory.find_nonfinite import problem_of, span_of
from ..quant.weights import FloatWords
from .backend import GpuBackend
from .linear import Weight


@dataclass(frozen=True)
class _Group:
    """Weights of one layout in one binding: one dispatch for all of them, as each dispatch costs CPU time."""

    layout: FloatWords
    head: int  # words in front of each plane that are no numbers
    members: list[int]  # numbers of the weights
    planes: list[Tensor]

    @property
    def begin(self) -> int:
        return self.planes[0].offset

    def binding(self) -> Tensor:
        """From the first plane to the end of the last."""
        last = self.planes[-1]
        return Tensor(last.buffer, ((last.offset + last.nbytes - self.begin) // 4,), "u32", self.begin)


def find_nonfinite(device: GpuDevice, weights: Sequence[Weight]) -> list[int]:
    """The numbers of the weights that contain NaN or Inf, with one submit and one wait.

    >>> find_nonfinite(device, [weight])        # doctest: +SKIP
    []
    """
    if not weights:
        return []
    if isinstance(device, ExportDevice):
        return [i for i, weight in enumerate(weights) if _on_host(device, weight)]
    groups = list(_grouped(weights, most_bytes(device)))
    spans = [
        span_of(g.layout, (plane.offset - g.begin) // 4 + g.head, plane.size - g.head)
        for g in groups
        for plane in g.planes
    ]
    with Recorder(device) as recorder:
        backend, at = GpuBackend(recorder), 0
        table = recorder.upload(np.array(spans, np.uint32))
        flags = recorder.upload(np.zeros(len(spans), np.uint32))
        for group in groups:
            words, count = sum(plane.size for plane in group.planes), len(group.planes)
            problem = problem_of(group.layout, words, count, at, len(spans))
            backend.apply("find_nonfinite", problem, x=group.binding(), spans=table, flags=flags)
            at += count
        with recorder.finish(flags=flags) as program:
            nonfinite = program.read()["flags"]
    members = [member for group in groups for member in group.members]
    return sorted(members[i] for i in np.flatnonzero(nonfinite))


def _on_host(device: ExportDevice, weight: Weight) -> bool:
    """The check of one weight where there is no GPU."""
    plane, layout = weight.planes[weight.type.float_plane], weight.type.floats
    inputs = {
        "x": device.read(plane).reshape(-1),
        "spans": np.array([span_of(layout, 0, plane.size)], np.uint32),
        "flags": np.zeros(1, np.uint32),
    }
    problem = problem_of(layout, plane.size, 1, 0, 1)
    return bool(registry.get("find_nonfinite").reference(inputs, problem)["flags"][0])


def _grouped(weights: Sequence[Weight], limit: int) -> Iterator[_Group]:
    alike: dict[tuple[int, FloatWords, int], list[tuple[int, Tensor]]] = {}
    for i, weight in enumerate(weights):
        plane = weight.planes[weight.type.float_plane]
        alike.setdefault((id(plane.buffer), weight.type.floats, weight.type.head.size), []).append((i, plane))
    for (_, layout, head), planes in alike.items():
        group: _Group | None = None
        for i, plane in sorted(planes, key=lambda entry: entry[1].offset):
            if group and plane.offset + plane.nbytes - group.begin <= limit and len(group.planes) < MOST:
                group.members.append(i)
                group.planes.append(plane)
                continue
            if group:
                yield group
            group = _Group(layout, head, [i], [plane])
        if group:
            yield group
