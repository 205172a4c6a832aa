"""Reads the header of a GGUF file strictly: every count, length and offset is checked before it is used.

gguf.GGUFReader trusts its input: it loops over claimed counts, slices past the end and makes NumPy views of
every string, so a few flipped bits cost gigabytes or end in an IndexError. A scanner has to walk the header
anyway to check it; this one keeps what it sees, so nothing is read twice. gguf gives the types and sizes.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import gguf
import numpy as np

from .errors import FormatError, shown
from .mapped import Mapped, impostor
from .stored import Entry, readable_types, refuse_overlaps

# Far above any real model (the largest vocabularies have 262,144 tokens, the deepest models some thousand
# tensors), low enough that a hostile header ends at once.
MAX_HEADER = 64 << 20  # Python's lists take up to eight times the space in the file
MAX_KEYS = 1 << 16
MAX_TENSORS = 1 << 17
MAX_NAME = (1 << 16) - 1
MAX_TEXT = 1 << 24
MAX_ARRAY = 1 << 22
MAX_DIMS = 4

_STRING, _ARRAY, _BOOL = 8, 9, 7
_NUMBERS = {0: "<u1", 1: "<i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", _BOOL: "|u1"}
_NUMBERS |= {10: "<u8", 11: "<i8", 12: "<f8"}
_DTYPES = {code: np.dtype(name) for code, name in _NUMBERS.items()}
# The least size of a key with its value, and of a tensor's description.
_LEAST_KEY = 8 + 1 + 4 + 1
_LEAST_TENSOR = 8 + 1 + 4 + 8 + 4 + 8


@dataclass(frozen=True)
class GgufHeader:
    """A GGUF file without its tensor data."""

    version: int
    metadata: dict[str, Any]  # numbers, bools, strings, or lists of one type
    tensors: dict[str, Entry]  # by GGUF's names
    types: dict[str, tuple[int, int | None]]  # by key: the type code, and that of a list's values


def scan(file: Mapped) -> GgufHeader:
    """Read and check the header; the data is not touched."""
    at = _Cursor(file)
    head = bytes(at.data[:4])
    if head != b"GGUF":
        raise file.error(impostor(bytes(at.data[:4096])) or f"is not a GGUF file: it begins with {shown(head)}")
    at.skip(4, "the magic number")
    version = at.u32("the version")
    if version in (2 << 24, 3 << 24):
        raise file.error("is a big-endian GGUF file, which is unsupported: convert it to little-endian")
    if version not in (2, 3):
        raise file.error(f"unsupported GGUF version {version}; supported: 2, 3: convert the model again")
    n_tensors, n_keys = at.u64("the number of tensors"), at.u64("the number of keys")
    at.check_count(n_tensors, MAX_TENSORS, _LEAST_TENSOR, "tensors")
    at.check_count(n_keys, MAX_KEYS, _LEAST_KEY, "metadata keys")
    metadata, types = _metadata(at, n_keys)
    return GgufHeader(version, metadata, _tensors(at, n_tensors, _alignment(file, metadata)), types)


def _metadata(at: _Cursor, count: int) -> tuple[dict[str, Any], dict[str, tuple[int, int | None]]]:
    metadata: dict[str, Any] = {}
    types: dict[str, tuple[int, int | None]] = {}
    for i in range(count):
        key = at.name(f"the name of metadata key {i}")
        if key in metadata:
            raise at.error(f"duplicate metadata key {shown(key)}")
        start = at.pos
        metadata[key] = at.value(shown(key))
        code, inner = struct.unpack_from("<II", at.data, start) if at.pos - start >= 8 else (at.data[start], 0)
        types[key] = (code, inner if code == _ARRAY else None)
    return metadata, types


def _alignment(file: Mapped, metadata: dict[str, Any]) -> int:
    alignment = metadata.get("general.alignment", gguf.GGUF_DEFAULT_ALIGNMENT)
    if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
        raise file.error(f"general.alignment is {shown(alignment)}, not a power of two")
    return alignment


def _tensors(at: _Cursor, count: int, alignment: int) -> dict[str, Entry]:
    described: dict[str, tuple[str, tuple[int, ...], int, int]] = {}
    for i in range(count):
        name = at.name(f"the name of tensor {i}")
        if name in described:
            raise at.error(f"duplicate tensor {shown(name)}")
        described[name] = _describe(at, shown(name), alignment)
    start = -(-at.pos // alignment) * alignment
    size = at.file.size
    tensors = {}
    for name, (kind, shape, nbytes, offset) in described.items():
        if start + offset + nbytes > size:
            raise at.error(
                f"tensor {shown(name)} ends at byte {start + offset + nbytes}, the file at {size}: "
                "the file is truncated or damaged; download it again"
            )
        tensors[name] = Entry(name, kind, shape, nbytes, at.file, start + offset)
    refuse_overlaps(tensors.values())
    return tensors


def _describe(at: _Cursor, name: str, alignment: int) -> tuple[str, tuple[int, ...], int, int]:
    """(type, shape, bytes, offset in the data) of the tensor at the cursor."""
    n_dims = at.u32(f"the dimensions of tensor {name}")
    if not 1 <= n_dims <= MAX_DIMS:
        raise at.error(f"tensor {name} has {n_dims} dimensions; 1 to {MAX_DIMS} are allowed")
    dims = [at.u64(f"the dimensions of tensor {name}") for _ in range(n_dims)]
    if 0 in dims:
        raise at.error(f"tensor {name} has a dimension of 0: {dims}")
    code, offset = at.u32(f"the type of tensor {name}"), at.u64(f"the offset of tensor {name}")
    try:
        quant = gguf.GGMLQuantizationType(code)
    except ValueError:
        raise at.error(f"tensor {name} has the unknown type {code}; {readable_types()}") from None
    block, block_bytes = gguf.GGML_QUANT_SIZES[quant]
    if dims[0] % block:
        raise at.error(
            f"tensor {name} has rows of {dims[0]} values, not a multiple of {quant.name}'s block size {block}"
        )
    if offset % alignment:
        raise at.error(f"tensor {name} is at offset {offset}, not a multiple of the alignment {alignment}")
    # GGUF names the fastest dimension first; NumPy and Hugging Face name it last.
    return quant.name.lower(), tuple(reversed(dims)), math.prod(dims) // block * block_bytes, offset


_LENGTH = struct.Struct("<Q")


class _Cursor:
    """A position in the file that only moves forward, and never past the end."""

    def __init__(self, file: Mapped) -> None:
        self.file = file
        self.data = file.data.data
        self.pos = 0
        self.end = min(file.size, MAX_HEADER)

    def error(self, message: str) -> FormatError:
        return self.file.error(message)

    def skip(self, nbytes: int, label: str) -> int:
        """Move past `nbytes`; returns where they begin."""
        start = self.pos
        if nbytes > self.end - start:
            if self.end < self.file.size:
                raise self.error(f"has a header of more than {MAX_HEADER} bytes: the file is damaged")
            raise self.error(
                f"ends inside its header: {label} takes {nbytes} bytes at byte {start}, the file has "
                f"{self.file.size}: the file is truncated or damaged; download it again"
            )
        self.pos = start + nbytes
        return start

    def u32(self, label: str) -> int:
        return int(struct.unpack_from("<I", self.data, self.skip(4, label))[0])

    def u64(self, label: str) -> int:
        return int(struct.unpack_from("<Q", self.data, self.skip(8, label))[0])

    def check_count(self, count: int, most: int, least_bytes: int, label: str) -> None:
        """Refuse a count that the rest of the file cannot hold."""
        if count > most:
            raise self.error(f"claims {count} {label}; the limit is {most}: the header is damaged")
        if count * least_bytes > self.end - self.pos:
            raise self.error(
                f"claims {count} {label}, more than its {self.file.size} bytes can hold: the file is damaged"
            )

    def text(self, longest: int, label: str) -> str:
        length = self.u64(label)
        if length > longest:
            raise self.error(f"{label} is {length} bytes long; the limit is {longest}: the header is damaged")
        start = self.skip(length, label)
        try:
            return str(self.data[start : self.pos], "utf-8")
        except UnicodeDecodeError:
            raise self.error(f"{label} is not UTF-8: {shown(bytes(self.data[start : self.pos][:40]))}") from None

    def name(self, label: str) -> str:
        name = self.text(MAX_NAME, label)
        if not name:
            raise self.error(f"{label} is empty: the header is damaged")
        return name

    def value(self, key: str) -> Any:
        code = self.u32(f"the type of {key}")
        if code == _ARRAY:
            return self._array(key)
        if code == _STRING:
            return self.text(MAX_TEXT, f"the value of {key}")
        return self._numbers(code, 1, key)[0]

    def _array(self, key: str) -> list[Any]:
        code, count = self.u32(f"the type of {key}"), self.u64(f"the length of {key}")
        if code == _ARRAY:
            raise self.error(f"metadata key {key} is an array of arrays, which is unsupported")
        least = 8 if code == _STRING else _DTYPES[code].itemsize if code in _DTYPES else 1
        self.check_count(count, MAX_ARRAY, least, f"values of {key}")
        if code != _STRING:
            return self._numbers(code, count, key)
        return self._texts(count, f"a value of {key}")

    def _texts(self, count: int, label: str) -> list[str]:
        """The texts of a vocabulary: faster than `text` for each, which handles only those that are not plain."""
        texts: list[str] = []
        data, end, length_at = self.data, self.end, _LENGTH.unpack_from
        while len(texts) < count:
            start = self.pos + 8
            stop = start + length_at(data, self.pos)[0] if start <= end else end + 1
            if stop > end or stop - start > MAX_TEXT:
                texts.append(self.text(MAX_TEXT, label))
                continue
            try:
                texts.append(str(data[start:stop], "utf-8"))
            except UnicodeDecodeError:
                texts.append(self.text(MAX_TEXT, label))
            self.pos = stop
        return texts

    def _numbers(self, code: int, count: int, key: str) -> list[Any]:
        if code not in _DTYPES:
            raise self.error(f"metadata key {key} has the unknown value type {code}: the header is damaged")
        dtype = _DTYPES[code]
        start = self.skip(count * dtype.itemsize, f"the value of {key}")
        values: list[Any] = np.frombuffer(self.data[start : self.pos], dtype).tolist()
        if code != _BOOL:
            return values
        if any(v > 1 for v in values):
            raise self.error(f"metadata key {key} is a bool of {max(values)}: the header is damaged")
        return [v == 1 for v in values]
