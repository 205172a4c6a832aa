"""The kept TTIR files as artifacts, and NumPy arrays of any type as tensors for them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wgpt.gpu import GpuDevice, Recorder, Tensor
from wgpt.ttir.artifact import Artifact

FOLDER = Path(__file__).parents[1] / "golden" / "triton"
INDEX: dict[str, Any] = json.loads((FOLDER / "index.json").read_text())


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.ttir").read_text()


@cache
def artifact(name: str) -> Artifact:
    facts = INDEX[name]
    return Artifact.of_ttir(text_of(name), tuple(facts["signature"]), facts["constants"], name=name)


def tensor(device: GpuDevice, array: NDArray[Any], dtype: str | None = None) -> Tensor:
    """A tensor; types that wgpt's tensors do not have lie packed in words."""
    if dtype is None and array.dtype in (np.float32, np.float16, np.int32):
        return device.tensor(array)
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return device.tensor(np.concatenate([raw, np.zeros(-raw.size % 4, np.uint8)]).view(np.uint32))


def run(
    device: GpuDevice,
    name: str,
    grid: tuple[int, ...],
    variant: str,
    outputs: dict[str, NDArray[Any]],
    **arguments: Any,
) -> dict[str, NDArray[Any]]:
    """Run a kernel by its stored TTIR; `outputs` has the arrays' initial values. Returns their values afterwards."""
    compiled = artifact(name)
    if variant not in compiled.shaders:
        variant = "plain"
    only = Artifact(
        compiled.name, compiled.arguments, compiled.constants, {"plain": compiled.shaders[variant]}, compiled.grid
    )
    placed = {k: tensor(device, v) for k, v in {**arguments, **outputs}.items() if isinstance(v, np.ndarray)}
    numbers = {k: v for k, v in arguments.items() if not isinstance(v, np.ndarray)}
    with Recorder(device) as recorder:
        only.record(recorder, grid=grid, **placed, **numbers)
        with recorder.finish(**{k: placed[k] for k in outputs}) as program:
            read = program.read()
    results = {}
    for key, before in outputs.items():
        raw = read[key].reshape(-1).view(np.uint8)[: before.nbytes]
        results[key] = raw.view(before.dtype).reshape(before.shape)
    return results
