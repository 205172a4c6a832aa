"""Rebuilds an exported Program on a GPU: buffers, shaders and dispatches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import WgptError
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .exported import PARAMS, Exported, checked_manifest, params_of, tensor_of
from .launch import Bound, Launch
from .steps import check_launch, compile_shaders, steps_of
from .webgpu.failures import translated
from .webgpu.interface import Steps


class Rebuilt(NamedTuple):
    """The parts of a Program."""

    launches: list[Launch]
    steps: Steps
    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]
    owned: list[Buffer]


def rebuild(device: GpuDevice, exported: Exported) -> tuple[dict[str, Rebuilt], dict[str, Tensor]]:
    """The Programs of an export, and its named tensors.

    All share memory, which the first Program owns. Shaders from a file are not trusted, and are compiled with bounds
    checks.
    """
    manifest = exported.manifest
    checked_manifest(manifest)
    missing = [feature for feature in manifest["features"] if not _has(device, feature)]
    if missing:
        raise WgptError(f"{device.info.name} lacks {', '.join(missing)}, which the exported Program needs")
    buffers: list[Buffer] = []
    try:
        buffers += [device.buffer(int(entry["bytes"]), str(entry["label"])) for entry in manifest["buffers"]]
        for number, data in exported.contents.items():
            window = Tensor(buffers[number], (data.nbytes // 4,), "u32")
            device.write(window, data.view(np.uint32))
        launches = _Launches(device, manifest, buffers)
        programs: dict[str, Rebuilt] = {}
        for name, recorded in manifest["programs"].items():
            programs[name] = _rebuilt(device, launches, recorded, buffers, owned=[] if programs else buffers)
        tensors = {name: tensor_of(window, buffers) for name, window in manifest["tensors"].items()}
        return programs, tensors
    except (KeyError, IndexError, TypeError, ValueError) as e:
        _release(buffers)
        raise WgptError(f"the exported Program is damaged: {type(e).__name__} {e}") from e
    except BaseException:
        _release(buffers)
        raise


def _rebuilt(
    device: GpuDevice, launches: _Launches, recorded: Mapping[str, Any], buffers: list[Buffer], owned: list[Buffer]
) -> Rebuilt:
    every = [launches.of(dispatch) for dispatch in recorded["dispatches"]]
    for launch in every:
        check_launch(device, launch)
    with device.lock, translated("loading a Program"):
        device.check_alive()
        compile_shaders(device, every)
        steps, params = steps_of(device, every)
    named = [{name: tensor_of(w, buffers) for name, w in recorded[key].items()} for key in ("inputs", "outputs")]
    return Rebuilt(every, steps, named[0], named[1], [*owned, *params])


class _Launches:
    """Converts an export's dispatches to launches."""

    def __init__(self, device: GpuDevice, manifest: Mapping[str, Any], buffers: list[Buffer]) -> None:
        self._device, self._manifest, self._buffers = device, manifest, buffers
        self._params = params_of(manifest)

    def of(self, dispatch: list[Any]) -> Launch:
        if dispatch[0] == "copy":
            _, source, source_at, target, target_at, size = dispatch
            return Launch.copy_of(self._words(source, source_at, size), self._words(target, target_at, size))
        number, *grid = dispatch
        shader_number, entries = self._manifest["groups"][number]
        shader = self._manifest["shaders"][shader_number]
        params = b""
        if entries and entries[0][0] == PARAMS:
            _, at, size = entries[0]
            params, entries = self._params[at : at + size], entries[1:]
        modes = [mode for mode in shader["access"] if mode != "uniform"]
        bindings = tuple(
            Bound(name, mode, self._words(*entry))
            for name, mode, entry in zip(shader["names"], modes, entries, strict=True)
        )
        x, y, z = (int(n) for n in grid)
        return Launch(shader["kernel"], shader["variant"], shader["wgsl"], params, bindings, (x, y, z))

    def _words(self, buffer: int, offset: int, size: int) -> Tensor:
        if buffer < 0 or offset < 0:
            raise ValueError(f"buffer {buffer} at byte {offset}")
        return Tensor(self._buffers[buffer], (size // 4,), "u32", offset)


def _has(device: GpuDevice, feature: str) -> bool:
    """Whether a device has a feature, by WebGPU's name; wgpu-native has another name for subgroups."""
    return feature in device.features or {"subgroups": "subgroup"}.get(feature) in device.features


def _release(buffers: list[Buffer]) -> None:
    for buffer in buffers:
        buffer.release()
