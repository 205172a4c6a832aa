"""Writes an open model as a GGUF file that llama.cpp and wgpt load, in one of the usual mixtures of types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import gguf
import numpy as np
from numpy.typing import NDArray

from ..core.atomic import check_file, named, replacing_path
from ..core.naming import argument
from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..quant.fitted import fit
from ..quant.mixtures import Mixture, mixture, types_of
from ..quant.registry import weight_type
from . import gguf_scan
from .checkpoint import Checkpoint, open_checkpoint
from .errors import FormatError
from .family import named as family_named
from .gguf_fields import Field, Fields, check_same, config_fields, rope_tensors
from .gguf_vocabulary import unsaid, vocabulary_fields
from .mapped import Mapped
from .stored import TYPES, Entry, Stored
from .tokenizer import load_tokenizer
from .wanted import RequiredTensor, wanted
from .write_model import floats

F32 = NDArray[np.float32]
Importance = Mapping[str, F32]  # by GGUF name of a matrix: the weights of its columns' errors
_SLAB = 1 << 24  # weights of a matrix in memory at once
_LITTLE_LOSS = 8  # bits per weight from which on a type loses almost nothing
_NOT_COPIED = ("general.alignment", "general.file_type", "general.quantization_version")


# By Hugging Face's tensor name, if the order differs: the row at Hugging Face of each row of the file.
Orders = Mapping[str, NDArray[np.intp]]


@dataclass(frozen=True)
class _Planned:
    """A tensor of the new file."""

    name: str
    shape: tuple[int, ...]
    kind: str
    pieces: Callable[[Orders], Iterator[NDArray[Any]]]  # the bytes, in order
    of_config: bool = False  # part of the config, and first in the file

    @property
    def nbytes(self) -> int:
        block, nbytes = TYPES[self.kind]
        return int(np.prod(self.shape)) // block * nbytes


def write_gguf(
    checkpoint: Checkpoint,
    path: str | Path,
    to: str,
    *,
    importance: Importance | None = None,
    fields: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> list[str]:
    """Write the model to a .gguf file in a mixture (mixtures.py has the names), and return notes for the user.

    importance: see imatrix.py. fields: further metadata. force: overwrite an existing file. The file appears when it
    is complete. What a GGUF file cannot express is refused before anything is quantised.
    """
    chosen, path = mixture(to), named(path)
    check_place(path, checkpoint, force)
    check_file(path)
    metadata = _metadata(checkpoint) | {key: Field.of(value) for key, value in (fields or {}).items()}
    metadata["general.file_type"] = Field.of(int(gguf.LlamaFileType[chosen.file_type]))
    metadata["general.quantization_version"] = Field.of(int(gguf.GGML_QUANT_VERSION))
    tensors, notes = _plan(checkpoint, chosen, importance)
    if checkpoint.format != "gguf":
        notes += unsaid(load_tokenizer(checkpoint.tokenizer))
    with replacing_path(path) as aside:
        _write(aside, checkpoint, metadata, tensors, progress)
    return notes


def check_place(path: Path, checkpoint: Checkpoint, force: bool) -> None:
    """Refuse to overwrite a file without `force`, and the model itself always."""
    if not path.exists():
        return
    if any(path.resolve() == file.path.resolve() for file in checkpoint.files):
        raise FormatError(f"{path}: is the model that is read: choose another name")
    if not force:
        raise FormatError(f"{path}: already exists: choose another name, or {argument('force', True)} to overwrite it")


# What is written --------------------------------------------------------------------------------------------------


def _headers(checkpoint: Checkpoint) -> list[gguf_scan.GgufHeader]:
    return [gguf_scan.scan(file) for file in checkpoint.files]


def _metadata(checkpoint: Checkpoint) -> Fields:
    if checkpoint.format == "gguf":
        header = _headers(checkpoint)[0]
        kind = gguf.GGUFValueType
        return {
            key: Field(
                value, kind(header.types[key][0]), None if (code := header.types[key][1]) is None else kind(code)
            )
            for key, value in header.metadata.items()
            if key not in _NOT_COPIED and not key.startswith("split.") and value != []
        }
    tokenizer = load_tokenizer(checkpoint.tokenizer)
    folder = checkpoint.path if checkpoint.path.is_dir() else checkpoint.path.parent
    family = family_named(checkpoint.config["model_type"])
    arch = family.gguf
    if not family.gguf_written:
        raise FormatError(f"{folder}: writing {family.name} models as GGUF files is unsupported")
    if not arch:
        raise FormatError(f"{folder}: GGUF has no architecture for {family.name} models: use the Hugging Face format")
    general = {"general.architecture": arch, "general.type": "model", "general.name": folder.resolve().name}
    config = checkpoint.config
    vocabulary = vocabulary_fields(tokenizer, config["vocab_size"], config["eos_token_id"], str(folder))
    return {key: Field.of(value) for key, value in general.items()} | config_fields(config) | vocabulary


def _plan(checkpoint: Checkpoint, chosen: Mixture, importance: Importance | None) -> tuple[list[_Planned], list[str]]:
    wants = list(wanted(checkpoint.config))
    rows = [want.row for want in wants if want.name.endswith(".weight")]
    types = types_of(chosen, checkpoint.config, rows, importance is not None)
    tensors = [_planned(name, values) for name, values in _rope(checkpoint).items()]
    used = set()
    for want in wants:
        stored = checkpoint.tensors[want.name]
        is_matrix = len(want.shape) > 1
        kind = types[want.row.gguf] if is_matrix else "f32"
        weights = (importance or {}).get(want.gguf) if is_matrix else None
        if weights is not None:
            used.add(want.gguf)
            _check_importance(weights, want)
        pieces = _pieces_of(checkpoint, want, stored, kind, weights)
        tensors.append(_Planned(want.gguf, _file_shape(want), kind, pieces))
    notes = _notes(checkpoint, chosen, types, importance, used)
    return tensors, [*notes, *_larger(checkpoint, chosen, sum(tensor.nbytes for tensor in tensors))]


def _experts(want: RequiredTensor) -> int:
    """The number of experts in this matrix; 1 for other matrices."""
    stack = getattr(want.row, "stack", None)
    return 1 if stack is None else int(stack.experts)


def _file_shape(want: RequiredTensor) -> tuple[int, ...]:
    """GGUF files have the matrices of experts as one tensor with a further dimension."""
    experts = _experts(want)
    if want.row.folded:
        return want.row.folded
    return want.shape if experts == 1 else (experts, want.shape[0] // experts, *want.shape[1:])


def _check_importance(weights: F32, want: RequiredTensor) -> None:
    if weights.shape not in ((want.shape[-1],), (_experts(want), want.shape[-1])):
        raise FormatError(
            f"the importance matrix has {weights.size} values for {want.gguf}, which has {want.shape[-1]} "
            "columns: it is another model's"
        )


def _notes(
    checkpoint: Checkpoint, chosen: Mixture, types: Mapping[str, str], importance: Importance | None, used: set[str]
) -> list[str]:
    notes = []
    if importance is not None and not used:
        raise FormatError("the importance matrix has no matrix of this model: it is another model's")
    kinds = {t.type for t in checkpoint.tensors.values() if t.quantised and t.type != chosen.type}
    lossy = sorted(kind for kind in kinds if weight_type(kind).bits_per_weight < _LITTLE_LOSS)
    if lossy:
        notes.append(f"the source is quantised ({', '.join(lossy)}): what that lost does not come back")
    smaller = sum(1 for kind in types.values() if kind != chosen.type)
    if smaller == len(types):
        notes.append(f"no matrix is {chosen.type}: no row is a multiple of its block size")
    return notes


def _larger(checkpoint: Checkpoint, chosen: Mixture, nbytes: int) -> list[str]:
    """A note if quantising makes an already quantised file larger."""
    is_quantised = any(tensor.quantised for tensor in checkpoint.tensors.values())
    if TYPES[chosen.type][0] == 1 or not is_quantised or nbytes <= checkpoint.nbytes:
        return []
    return [
        f"the weights are larger than the source's ({readable_bytes(nbytes)} instead of "
        f"{readable_bytes(checkpoint.nbytes)}), and no better: quantise the original model, or keep this file"
    ]


def _rope(checkpoint: Checkpoint) -> dict[str, Entry | F32]:
    """RoPE tensors that are part of the config: a GGUF file's own, or computed from config.json."""
    if checkpoint.format != "gguf":
        return dict(rope_tensors(checkpoint.config))
    own = {want.gguf for want in wanted(checkpoint.config)}
    return {n: entry for header in _headers(checkpoint) for n, entry in header.tensors.items() if n not in own}


def _planned(name: str, values: Entry | F32) -> _Planned:
    if isinstance(values, Entry):
        entry = values
        return _Planned(name, entry.shape, entry.type, lambda orders: iter([_raw(entry)]), of_config=True)
    return _Planned(name, values.shape, "f32", lambda orders: iter([values]), of_config=True)


def _raw(entry: Entry | Stored) -> NDArray[Any]:
    return entry.source.data[entry.offset : entry.offset + entry.nbytes]


def _pieces_of(
    checkpoint: Checkpoint, want: RequiredTensor, stored: Stored, kind: str, weights: F32 | None
) -> Callable[[Orders], Iterator[NDArray[Any]]]:
    if checkpoint.format == "gguf" and stored.type == kind:
        return lambda orders: iter([_raw(stored)])
    return lambda orders: _fitted(want, stored, kind, weights, orders.get(want.name))


def _fitted(
    want: RequiredTensor, stored: Stored, kind: str, weights: F32 | None, order: NDArray[np.intp] | None
) -> Iterator[NDArray[Any]]:
    rows, width = stored.shape[0], int(np.prod(stored.shape[1:]))
    expert = rows // _experts(want)
    step = max(1, _SLAB // max(1, width))
    if weights is not None and weights.ndim == 2:
        step = next(size for size in range(min(step, expert), 0, -1) if expert % size == 0)
    for lo in range(0, rows, step):
        hi = min(rows, lo + step)
        values = floats(stored, lo, hi) if order is None else _in_order(stored, order[lo:hi])
        if not np.isfinite(values).all():
            raise FormatError(f"{want.name} contains NaN or Inf: the model is damaged")
        own = weights[lo // expert] if weights is not None and weights.ndim == 2 else weights
        try:
            yield fit(values.reshape(hi - lo, -1) if len(stored.shape) > 1 else values[None], kind, own)
        except ValueError as e:
            raise FormatError(f"{want.name}: {e}") from None


def _in_order(stored: Stored, order: NDArray[np.intp]) -> F32:
    """These rows. They are close together, or else the whole matrix is read."""
    first, end = int(order.min()), int(order.max()) + 1
    return np.ascontiguousarray(floats(stored, first, end)[order - first])


def _order(stored: Stored) -> NDArray[np.intp] | None:
    """The row at Hugging Face of each row of a GGUF tensor: the inverse of Stored.rows."""
    n = stored.shape[0]
    numbers = SimpleNamespace(data=np.arange(n, dtype="<f4").view(np.uint8))
    places = replace(stored, shape=(n,), type="f32", nbytes=4 * n, source=cast(Mapped, numbers), offset=0).rows(0, n)
    order = np.argsort(places)
    return None if np.array_equal(order, np.arange(n)) else order


# The file ---------------------------------------------------------------------------------------------------------


def _write(
    path: Path, checkpoint: Checkpoint, metadata: Fields, tensors: list[_Planned], progress: Progress | None
) -> None:
    writer = gguf.GGUFWriter(path, metadata.pop("general.architecture").value)
    try:
        for key, entry in metadata.items():
            writer.add_key_value(key, entry.value, entry.type, entry.inner)
        for tensor in tensors:
            kind = gguf.GGMLQuantizationType[tensor.kind.upper()]
            writer.add_tensor_info(tensor.name, tensor.shape, np.dtype(np.float32), tensor.nbytes, kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        assert writer.fout is not None
        out = writer.fout[0]
        writer.write_padding(out, out.tell())
        total, done = sum(tensor.nbytes for tensor in tensors), 0
        for tensor in (each for each in tensors if each.of_config):
            done += _write_tensor(writer, out, tensor, {})
        orders = _read_back(path, out, tensors, checkpoint)
        for tensor in (each for each in tensors if not each.of_config):
            if progress is not None:
                progress(done, total, tensor.name)
            done += _write_tensor(writer, out, tensor, orders)
        if progress is not None:
            progress(total, total, path.name)
    finally:
        writer.close()


def _write_tensor(writer: gguf.GGUFWriter, out: Any, tensor: _Planned, orders: Orders) -> int:
    nbytes = 0
    for piece in tensor.pieces(orders):
        out.write(np.ascontiguousarray(piece).reshape(-1).view(np.uint8).data)
        nbytes += piece.nbytes
    assert nbytes == tensor.nbytes, f"{tensor.name} takes {tensor.nbytes} bytes, not {nbytes}"
    writer.write_padding(out, nbytes)
    return nbytes


def _read_back(path: Path, out: Any, tensors: list[_Planned], checkpoint: Checkpoint) -> Orders:
    """Open the file before its weights are there: what its header says must be the model. Returns the order of rows."""
    out.flush()
    here = out.tell()
    padding = gguf.GGUF_DEFAULT_ALIGNMENT
    out.truncate(here + sum(-(-tensor.nbytes // padding) * padding for tensor in tensors))
    with open_checkpoint(path) as again:
        check_same(checkpoint.config, again.config)
        found = {name: _order(stored) for name, stored in again.tensors.items()}
    out.truncate(here)
    return {name: order for name, order in found.items() if order is not None}
