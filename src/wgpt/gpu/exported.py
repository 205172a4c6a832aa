"""Programs as plain data: `Program.export` writes it, `Program.load` and a browser replay it.

docs/browser.md describes the schema. Readers refuse other versions.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .launch import Launch
from .steps import bound_bytes, packed_params

FORMAT, VERSION = "wgpt-program", 1
ALIGN = 256  # alignment of parameter blocks: WebGPU's default, valid on every GPU
PARAMS = -1  # in a bind group, stands for the parameters' buffer
_JSON, _CONTENTS = "program.json", "contents.bin"
_EXTENSIONS = {"packed_4x8_integer_dot_product": re.compile(r"\b(dot4[IU]8Packed|(un)?pack4x[IU]8(Clamp)?)\b")}


class Recorded(Protocol):
    """The parts of a Program that are exported."""

    device: GpuDevice
    launches: tuple[Launch, ...]
    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]


@dataclass(frozen=True)
class Exported:
    """`manifest` is JSON; `contents` are the bytes of buffers that are not all zero at first, by buffer number."""

    manifest: dict[str, Any]
    contents: Mapping[int, NDArray[np.uint8]] = field(repr=False)

    def save(self, folder: Path) -> None:
        """Write program.json and contents.bin into a folder, which must exist."""
        places, at = {}, 0
        with (folder / _CONTENTS).open("wb") as file:
            for number, data in self.contents.items():
                places[str(number)] = [at, data.nbytes]
                file.write(data.data)
                at += data.nbytes
        (folder / _JSON).write_text(json.dumps({**self.manifest, "contents": places}), encoding="utf-8")

    @classmethod
    def open(cls, folder: Path) -> Exported:
        """Read what `save` wrote."""
        try:
            manifest = json.loads((folder / _JSON).read_text(encoding="utf-8"))
            blob = np.fromfile(folder / _CONTENTS, np.uint8)
            places = dict(manifest.pop("contents"))
            contents = {int(number): blob[at : at + size] for number, (at, size) in places.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
            raise WgptError(f"{folder}: has no exported Program: {e}") from None
        if any(contents[int(number)].nbytes != size for number, (_, size) in places.items()):
            raise WgptError(f"{folder / _CONTENTS}: is cut short")
        return cls(manifest, contents)


def export_programs(
    programs: Mapping[str, Recorded], tensors: Mapping[str, Tensor] | None = None, *, with_contents: bool = True
) -> Exported:
    """Export Programs that share buffers. `tensors` are further windows that the host reads or writes by name.

    >>> export_programs({"step": step}, {"state": state}).manifest["version"]  # doctest: +SKIP
    1
    """
    return _Export(programs, tensors or {}).exported(with_contents)


class _Export:
    """Collects buffers, shaders and bind groups, each only once."""

    def __init__(self, programs: Mapping[str, Recorded], tensors: Mapping[str, Tensor]) -> None:
        self._programs, self._tensors = programs, tensors
        self.buffers: list[Buffer] = []
        self._numbers: dict[int, int] = {}  # the numbers of buffers, by id
        self._shaders: dict[tuple[str, tuple[str, ...]], int] = {}
        self._described: list[dict[str, Any]] = []  # the shaders
        self._groups: dict[tuple[int, tuple[tuple[int, int, int], ...]], int] = {}
        every = [launch for program in programs.values() for launch in program.launches]
        self._params, self._at = packed_params(every, ALIGN)

    def exported(self, with_contents: bool) -> Exported:
        recorded = {
            name: {
                "dispatches": [self._dispatch(launch) for launch in program.launches],
                "inputs": self._windows(program.inputs),
                "outputs": self._windows(program.outputs),
            }
            for name, program in self._programs.items()
        }
        tensors = self._windows(self._tensors)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "features": self._features(),
            "language": self._language(),
            "limits": self._limits(),
            "buffers": [{"label": buffer.label, "bytes": buffer.size} for buffer in self.buffers],
            "params": base64.b64encode(self._params).decode(),
            "shaders": self._described,
            "groups": [[shader, [list(entry) for entry in entries]] for shader, entries in self._groups],
            "programs": recorded,
            "tensors": tensors,
        }
        return Exported(manifest, self.contents() if with_contents else {})

    def contents(self) -> dict[int, NDArray[np.uint8]]:
        contents = {}
        for number, buffer in enumerate(self.buffers):
            data = buffer_contents(buffer)
            if data is not None:
                contents[number] = data
        return contents

    def _number(self, buffer: Buffer) -> int:
        if id(buffer) not in self._numbers:
            self._numbers[id(buffer)] = len(self.buffers)
            self.buffers.append(buffer)
        return self._numbers[id(buffer)]

    def _windows(self, tensors: Mapping[str, Tensor]) -> dict[str, Any]:
        return {
            name: {"buffer": self._number(t.buffer), "offset": t.offset, "shape": list(t.shape), "dtype": t.dtype}
            for name, t in tensors.items()
        }

    def _dispatch(self, launch: Launch) -> list[Any]:
        if launch.is_copy:
            source, target = (b.tensor for b in launch.bindings)
            numbers = self._number(source.buffer), self._number(target.buffer)
            return ["copy", numbers[0], source.offset, numbers[1], target.offset, source.nbytes]
        entries = [(PARAMS, self._at[launch.params], len(launch.params))] if launch.params else []
        entries += [(self._number(b.tensor.buffer), b.tensor.offset, bound_bytes(b.tensor)) for b in launch.bindings]
        group = (self._shader(launch), tuple(entries))
        return [self._groups.setdefault(group, len(self._groups)), *launch.grid]

    def _shader(self, launch: Launch) -> int:
        key = (launch.wgsl, launch.access)
        if key not in self._shaders:
            self._shaders[key] = len(self._described)
            names = [b.name for b in launch.bindings]
            described = {"kernel": launch.kernel, "variant": launch.variant, "access": list(launch.access)}
            self._described.append({**described, "names": names, "wgsl": launch.wgsl})
        return self._shaders[key]

    def _features(self) -> list[str]:
        """The WebGPU features that the shaders need."""
        sources = [shader["wgsl"] for shader in self._described]
        words = {"shader-f16": "enable f16;", "subgroups": "subgroup"}
        return [feature for feature, word in words.items() if any(word in source for source in sources)]

    def _language(self) -> list[str]:
        """The WGSL extensions that the shaders need: older browsers lack some."""
        sources = [shader["wgsl"] for shader in self._described]
        return [name for name, words in _EXTENSIONS.items() if any(words.search(source) for source in sources)]

    def _limits(self) -> dict[str, int]:
        """The limits that a device must have, by WebGPU's names."""
        windows = [entry for _, entries in self._groups for entry in entries if entry[0] != PARAMS]
        storage = [sum(mode != "uniform" for mode in shader["access"]) for shader in self._described]
        return {
            "maxBufferSize": max((buffer.size for buffer in self.buffers), default=0),
            "maxStorageBufferBindingSize": max((size for _, _, size in windows), default=0),
            "maxStorageBuffersPerShaderStage": max(storage, default=0),
        }


def buffer_contents(buffer: Buffer) -> NDArray[np.uint8] | None:
    """The bytes of a buffer; None if all are zero."""
    device = buffer.device
    assert isinstance(device, GpuDevice)
    if not device.holds(buffer):
        return None
    words = device.read(Tensor(buffer, (buffer.size // 4,), "u32"))
    return words.view(np.uint8) if words.any() else None


def checked_manifest(manifest: Mapping[str, Any]) -> None:
    """The manifest, if it is one of this version."""
    if manifest.get("format") != FORMAT:
        raise WgptError(f"not an exported Program: its format is {manifest.get('format')!r}, not {FORMAT!r}")
    if manifest.get("version") != VERSION:
        raise WgptError(
            f"the exported Program has version {manifest.get('version')!r}, and this wgpt reads version {VERSION}: "
            "export it again"
        )


def params_of(manifest: Mapping[str, Any]) -> bytes:
    """The parameter blocks as laid out in the uniform buffer."""
    return base64.b64decode(manifest["params"], validate=True)


def tensor_of(window: Mapping[str, Any], buffers: Sequence[Buffer]) -> Tensor:
    """A named tensor of an export, as a window of these buffers."""
    tensor = Tensor(buffers[window["buffer"]], tuple(window["shape"]), window["dtype"], window["offset"])
    if tensor.offset < 0 or tensor.offset + tensor.nbytes > tensor.buffer.size:
        raise WgptError(f"the exported Program is damaged: {tensor} lies outside its buffer")
    return tensor
