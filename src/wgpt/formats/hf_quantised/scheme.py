"""The interface of quantisation methods, and checked access to their settings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...gpu.dtypes import from_bf16
from ...quant.repack import LEAST_GROUP
from ..errors import FormatError, shown
from ..stored import Entry

_WAY_OUT = "use the unquantised model or a GGUF file"
_ELEMENTS = {"u8": "u1", "i8": "i1", "f8_e4m3": "u1", "i32": "<u4", "u32": "<u4", "i64": "<i8"}
_ELEMENTS |= {"f16": "<f2", "f32": "<f4", "bf16": "<u2"}
FLOATS = ("f16", "bf16", "f32")


@dataclass(frozen=True)
class Matrix:
    """A quantised matrix: the weight type that it is read as, its source tensors, and a function for its rows."""

    type: str
    parts: tuple[Entry, ...]
    rows: Callable[[int, int], NDArray[Any]]  # lo .. hi, as `Stored.rows` gives them

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)


@dataclass(frozen=True)
class Stacked:
    """The matrices of a layer's experts: the weight type that they are read as, their source tensors, and a function
    for an expert's rows.
    """

    type: str
    parts: tuple[Entry, ...]
    rows: Callable[[int, slice], NDArray[Any]]


class Scheme(ABC):
    """A method with its settings."""

    label: str  # its name in `wgpt info`

    @abstractmethod
    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        """The matrix [N, K] of a module; None if it is not quantised."""

    def stacked(self, tensor: str, shape: tuple[int, int, int], tensors: Tensors) -> Stacked | None:
        """A layer's experts [E, N, K] stored under one name; None if they are not quantised."""
        return None


class Tensors:
    """A model's tensors by name, checked for type and shape on access."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries

    def get(self, name: str) -> Entry | None:
        return self._entries.get(name)

    def take(self, name: str, types: tuple[str, ...], *shape: int) -> Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise FormatError(f"tensor {shown(name)} is missing: the model is incomplete, or its config is another's")
        if entry.type not in types or entry.shape != shape:
            raise entry.source.error(
                f"tensor {shown(name)} is {entry.type} {list(entry.shape)}, not {' or '.join(types)} {list(shape)}"
            )
        return entry


def array(entry: Entry) -> NDArray[Any]:
    """A tensor's elements in the mapped file; bf16 as uint16, signed words as unsigned ones."""
    raw = entry.source.data[entry.offset : entry.offset + entry.nbytes]
    if entry.offset % np.dtype(_ELEMENTS[entry.type]).itemsize:
        raw = raw.copy()
    return raw.view(_ELEMENTS[entry.type]).reshape(entry.shape)


def floats(values: NDArray[Any]) -> NDArray[np.float32]:
    return from_bf16(values) if values.dtype == np.uint16 else values.astype(np.float32)


class Settings:
    """A quantization_config. Every setting must be read, known to change nothing, or it is refused by name."""

    def __init__(self, raw: Mapping[str, Any], where: str, method: str) -> None:
        self.raw, self._where, self._method = raw, where, method
        self._read = {"quant_method"}

    def refuse(self, problem: str) -> NoReturn:
        raise FormatError(f"{self._where}: quantization_config of {self._method}: {problem}: {_WAY_OUT}")

    def one_of(self, key: str, *supported: Any, default: Any = None) -> Any:
        """A setting that must have one of these values."""
        self._read.add(key)
        value = self.raw.get(key, default)
        if not any(type(value) is type(s) and value == s for s in supported):
            names = ", ".join(str(s).lower() if isinstance(s, bool | None) else str(s) for s in supported)
            self.refuse(f"unsupported {key} {shown(value)}; supported: {names}")
        return value

    def group(self, key: str = "group_size", default: int = 128) -> int:
        """The number of weights that share a scale; -1 for whole rows."""
        self._read.add(key)
        value = self.raw.get(key, default)
        if type(value) is not int or value == 0 or value < -1 or (value > 0 and value % LEAST_GROUP):
            self.refuse(
                f"unsupported {key} {shown(value)}; supported: multiples of {LEAST_GROUP}, and -1 for whole rows"
            )
        return value

    def skip(self, *keys: str) -> None:
        """Ignore settings that change nothing in the files."""
        self._read.update(keys)

    def finish(self) -> None:
        if unknown := sorted(key for key in self.raw if key not in self._read):
            self.refuse(f"unknown setting {shown(unknown[0])}")


def groups_of(module: str, k: int, group: int) -> int:
    """The number of groups in a row."""
    size = k if group == -1 else group
    if k % size or k % LEAST_GROUP:
        raise FormatError(f"{module} has rows of {k}, not whole groups of {size} and of {LEAST_GROUP}: {_WAY_OUT}")
    return k // size
