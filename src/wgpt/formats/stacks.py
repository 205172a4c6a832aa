"""Finds the matrices of a layer's experts in files and combines them into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .family import Family, Stack
from .hf_quantised.scheme import Matrix, Scheme, Tensors
from .stored import TYPES, Entry, Stored, readable_types


@dataclass
class Gathered:
    """The combined matrix, or what is wrong; and the names of the tensors that it uses."""

    stored: Stored | None = None
    problems: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)


def gathered(
    stack: Stack,
    names: tuple[str, str],
    shape: tuple[int, ...],
    entries: Mapping[str, Entry],
    family: Family,
    is_gguf: bool,
    scheme: Scheme | None,
) -> Gathered:
    """`names`: Hugging Face's and GGUF's; `shape`: of all experts together; `scheme`: how files are quantised."""
    name, gguf = names
    each = (shape[0] // stack.experts, *shape[1:])
    if is_gguf and gguf not in entries and stack.gguf_both in entries:
        both = Stack(stack.experts, stack.gguf_both, 2, stack.gguf_first)
        return _slices(both, name, each, entries, family)
    if is_gguf:
        return _whole(entries.get(gguf), gguf, name, shape, (stack.experts, *each))
    if stack.flat:
        return _of_heads(stack, name, each, entries, family, scheme)
    if stack.tensor and not _is_apart(name, each, entries, family, scheme):
        quantised = _quantised_slices(stack, name, each, entries, family, scheme)
        return quantised or _slices(stack, name, each, entries, family)
    result, pieces = Gathered(), list[Stored]()
    for expert in range(stack.experts):
        own = name.replace(".experts.", f".experts.{expert}.", 1)
        if matrix := quantised_matrix(scheme, each, family.file_names(own), entries):
            result.used.update(part.name for part in matrix.parts)
            pieces.append(stored_matrix(own, each, matrix))
            continue
        entry = _entry(own, entries, family)
        if problem := problem_of(entry, each, len(shape) == 1, own):
            result.problems.append(problem)
        elif entry:
            result.used.add(entry.name)
            pieces.append(Stored(own, each, entry.type, entry.nbytes, entry.source, entry.offset))
    if len({piece.type for piece in pieces}) > 1:
        kinds = ", ".join(sorted({piece.type for piece in pieces}))
        result.problems.append(f"the experts of {name} have different types: {kinds}")
    if not result.problems:
        result.stored = joined(name, shape, pieces)
    return result


def _is_apart(
    name: str, each: tuple[int, ...], entries: Mapping[str, Entry], family: Family, scheme: Scheme | None
) -> bool:
    """Whether files have one tensor per expert, although others have one for all."""
    first = name.replace(".experts.", ".experts.0.", 1)
    if first == name:
        return False
    quantised = quantised_matrix(scheme, each, family.file_names(first), entries)
    return quantised is not None or _entry(first, entries, family) is not None


def _whole(entry: Entry | None, name: str, as_name: str, shape: tuple[int, ...], stacked: tuple[int, ...]) -> Gathered:
    if problem := problem_of(entry, stacked, len(shape) == 1, name):
        return Gathered(problems=[problem])
    assert entry is not None
    return Gathered(Stored(as_name, shape, entry.type, entry.nbytes, entry.source, entry.offset), used={entry.name})


def _slices(stack: Stack, name: str, each: tuple[int, ...], entries: Mapping[str, Entry], family: Family) -> Gathered:
    """Slices of one tensor of all experts: [experts, rows, K], [experts, K, rows], or biases [experts, rows]."""
    n, wide = each[0], stack.of * each[0]
    is_bias = len(each) == 1
    tensor = f"{stack.tensor}_bias" if is_bias else stack.tensor
    inner = (*each[1:], wide) if stack.transposed else (wide, *each[1:])
    entry = _entry(tensor, entries, family)
    if problem := problem_of(entry, (stack.experts, *inner), is_bias, tensor):
        return Gathered(problems=[problem])
    assert entry is not None
    size, apart = entry.nbytes // stack.experts, stack.transposed or stack.step > 1
    if apart and TYPES[entry.type][0] > 1:
        return Gathered(problems=[f"{tensor} has the unsupported type {entry.type}; supported: f32, f16, bf16"])
    pieces = []
    for expert in range(stack.experts):
        at = entry.offset + expert * size
        if apart:
            among = (wide, stack.first, stack.step)
            pieces.append(Stored(name, each, entry.type, size, entry.source, at, among=among))
        else:
            row = size // wide
            pieces.append(Stored(name, each, entry.type, n * row, entry.source, at + stack.first * row))
    return Gathered(joined(name, (stack.experts * n, *each[1:]), pieces), used={entry.name})


def _of_heads(
    stack: Stack,
    name: str,
    each: tuple[int, ...],
    entries: Mapping[str, Entry],
    family: Family,
    scheme: Scheme | None,
) -> Gathered:
    """Rows of each head from one matrix [heads * flat, K], or its columns as rows."""
    rows, k = each[::-1] if stack.transposed else each
    shape = (stack.experts * stack.flat, k)
    starts = [head * stack.flat + stack.first for head in range(stack.experts)]
    pieces = []
    if matrix := quantised_matrix(scheme, shape, family.file_names(stack.tensor), entries):
        whole, used = stored_matrix(name, shape, matrix), {part.name for part in matrix.parts}
        for at in starts:

            def read(lo: int, hi: int, at: int = at) -> NDArray[Any]:
                if stack.transposed:
                    return np.ascontiguousarray(whole.rows(at, at + rows)[:, lo:hi].T)
                return whole.rows(at + lo, at + hi)

            share = matrix.nbytes * rows // shape[0]
            pieces.append(Stored(name, each, whole.type, share, whole.source, whole.offset, read=read))
    else:
        entry = _entry(stack.tensor, entries, family)
        if problem := problem_of(entry, shape, False, stack.tensor):
            return Gathered(problems=[problem])
        assert entry is not None
        whole, used = Stored(name, shape, entry.type, entry.nbytes, entry.source, entry.offset), {entry.name}
        size = entry.nbytes // shape[0]
        for at in starts:
            place = (rows * size, entry.source, entry.offset + at * size)
            pieces.append(Stored(name, each, entry.type, *place, transposed=stack.transposed))
    if stack.transposed and whole.quantised:
        return Gathered(problems=[f"{stack.tensor} has the unsupported type {whole.type}; supported: f32, f16, bf16"])
    return Gathered(joined(name, (stack.experts * each[0], each[1]), pieces), used=used)


def _quantised_slices(
    stack: Stack,
    name: str,
    each: tuple[int, ...],
    entries: Mapping[str, Entry],
    family: Family,
    scheme: Scheme | None,
) -> Gathered | None:
    """Slices of quantised experts, whose tensors have rows before columns; None if they are not quantised."""
    if scheme is None or len(each) != 2:
        return None
    shape, tensors = (stack.experts, stack.of * each[0], each[1]), Tensors(entries)
    found = next(filter(None, (scheme.stacked(n, shape, tensors) for n in family.file_names(stack.tensor))), None)
    if found is None:
        return None

    def rows(expert: int) -> Callable[[int, int], NDArray[Any]]:
        first, step = stack.first, stack.step
        return lambda lo, hi: found.rows(expert, slice(first + lo * step, first + hi * step, step))

    size, place = sum(part.nbytes for part in found.parts), (found.parts[0].source, found.parts[0].offset)
    share = size // (stack.experts * stack.of)
    pieces = [Stored(name, each, found.type, share, *place, read=rows(i)) for i in range(stack.experts)]
    whole = joined(name, (stack.experts * each[0], each[1]), pieces)
    return Gathered(whole, used={part.name for part in found.parts})


def quantised_matrix(
    scheme: Scheme | None, shape: tuple[int, ...], names: Iterable[str], entries: Mapping[str, Entry]
) -> Matrix | None:
    """A matrix that is several tensors in the file; None if it is stored plainly."""
    if scheme is None or len(shape) != 2:
        return None
    tensors = Tensors(entries)
    modules = (name.removesuffix(".weight") for name in names)
    return next(filter(None, (scheme.matrix(m, (shape[0], shape[1]), tensors) for m in modules)), None)


def stored_matrix(name: str, shape: tuple[int, ...], matrix: Matrix) -> Stored:
    first = matrix.parts[0]
    return Stored(name, shape, matrix.type, matrix.nbytes, first.source, first.offset, read=matrix.rows)


def scattered(stack: Stack, name: str, values: NDArray[Any], into: dict[str, NDArray[Any]]) -> None:
    """The inverse: the values of all experts as the tensors of Hugging Face's files."""
    each = values.reshape(stack.experts, -1, *values.shape[1:])
    if not stack.tensor:
        into |= {name.replace(".experts.", f".experts.{i}.", 1): matrix for i, matrix in enumerate(each)}
        return
    if stack.flat:
        turned = each.swapaxes(1, 2) if stack.transposed else each
        shape = (stack.experts, stack.flat, turned.shape[2])
        whole = into.setdefault(stack.tensor, np.zeros((shape[0] * shape[1], shape[2]), values.dtype)).reshape(shape)
        whole[:, stack.first : stack.first + turned.shape[1]] = turned
        return
    tensor, n = f"{stack.tensor}_bias" if values.ndim == 1 else stack.tensor, each.shape[1]
    if tensor not in into:
        inner = (stack.of * n, *values.shape[1:])
        into[tensor] = np.zeros((stack.experts, *(inner[::-1] if stack.transposed else inner)), values.dtype)
    whole = into[tensor].swapaxes(1, -1) if stack.transposed else into[tensor]
    whole[:, stack.first : stack.first + n * stack.step : stack.step] = each


def _entry(name: str, entries: Mapping[str, Entry], family: Family) -> Entry | None:
    return next((entries[n] for n in family.file_names(name) if n in entries), None)


def joined(name: str, shape: tuple[int, ...], pieces: list[Stored]) -> Stored:
    first, size = pieces[0], sum(piece.nbytes for piece in pieces)
    return Stored(name, shape, first.type, size, first.source, first.offset, pieces=tuple(pieces))


def problem_of(entry: Entry | None, shape: tuple[int, ...], is_vector: bool, name: str) -> str | None:
    """What is wrong with a tensor that should have this shape."""
    if entry is None:
        return f"{name} is missing"
    if entry.shape != shape:
        return f"{name} is {list(entry.shape)}, not {list(shape)}"
    if entry.type not in TYPES:
        return f"{name} has the unsupported type {entry.type}; {readable_types()}"
    if is_vector and TYPES[entry.type][0] > 1:
        return f"{name} is a vector of unsupported type {entry.type}; supported for vectors: f32, f16, bf16"
    return None
