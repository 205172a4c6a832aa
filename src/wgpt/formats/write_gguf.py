"""Writes an open model as a GGUF file that llama.cpp and wgpt load, in one of the usual mixtures of types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from ..gpu.naming import argument
from ..quant.fitted import fit
from . import gguf_scan
from .aside import check_file, named, replacing_path
from .checkpoint import Checkpoint, open_checkpoint
from .errors import FormatError
from .family import named as family_named
from .gguf_fields import Field, Fields, check_same, config_fields, rope_tensors
from .gguf_vocabulary import vocabulary_fields
from .mixtures import Mixture, mixture, types_of
from .stored import TYPES, Entry, Stored
from .tokenizer import load_tokenizer
from .wanted import Wanted, wanted
from .write_model import Progress, floats

F32 = NDArray[np.float32]
Importance = Mapping[str, F32]  # by the GGUF name of a matrix: how much errors in each of its columns count
_SLAB = 1 << 24  # weights of a matrix in memory at a time
_NOT_COPIED = ("general.architecture", "general.alignment", "general.file_type", "general.quantization_version")


@dataclass(frozen=True)
class _Planned:
    """A tensor of the new file."""

    name: str
    shape: tuple[int, ...]
    kind: str
    pieces: Callable[[], Iterator[NDArray[Any]]]  # its bytes, in order
    of_config: bool = False  # it is part of the config, and comes first in the file

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
    general = {"general.type": Field.of("model"), "general.name": Field.of(folder.resolve().name)}
    config = checkpoint.config
    vocabulary = vocabulary_fields(tokenizer, config["vocab_size"], config["eos_token_id"], str(folder))
    return general | config_fields(config) | vocabulary


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
            if weights.shape != (want.shape[-1],):
                raise FormatError(
                    f"the importance matrix has {weights.size} values for {want.gguf}, which has {want.shape[-1]} "
                    "columns: it is another model's"
                )
        shape = want.shape if want.row.stack is None else want.row.stack.whole(want.shape)
        tensors.append(_Planned(want.gguf, shape, kind, _pieces_of(checkpoint, want, stored, kind, weights)))
    return tensors, _notes(checkpoint, chosen, types, importance, used)


def _notes(
    checkpoint: Checkpoint, chosen: Mixture, types: Mapping[str, str], importance: Importance | None, used: set[str]
) -> list[str]:
    notes = []
    if importance is not None and not used:
        raise FormatError("the importance matrix has no matrix of this model: it is another model's")
    lossy = sorted({t.type for t in checkpoint.tensors.values() if t.quantised and t.type not in ("q8_0", chosen.type)})
    if lossy:
        notes.append(f"the source is quantised ({', '.join(lossy)}): what that lost does not come back")
    smaller = sum(1 for kind in types.values() if kind != chosen.type)
    if smaller == len(types):
        notes.append(f"no matrix is {chosen.type}: no row is a multiple of its block size")
    return notes


def _rope(checkpoint: Checkpoint) -> dict[str, Entry | F32]:
    """Tensors that are part of the config: a GGUF file's own, or made from config.json."""
    if checkpoint.format != "gguf":
        return dict(rope_tensors(checkpoint.config))
    own = {want.gguf for want in wanted(checkpoint.config)}
    return {n: entry for header in _headers(checkpoint) for n, entry in header.tensors.items() if n not in own}


def _planned(name: str, values: Entry | F32) -> _Planned:
    if isinstance(values, Entry):
        entry = values
        return _Planned(name, entry.shape, entry.type, lambda: iter([_raw(entry)]), of_config=True)
    return _Planned(name, values.shape, "f32", lambda: iter([values]), of_config=True)


def _raw(entry: Entry | Stored) -> NDArray[Any]:
    return entry.source.data[entry.offset : entry.offset + entry.nbytes]


def _pieces_of(
    checkpoint: Checkpoint, want: Wanted, stored: Stored, kind: str, weights: F32 | None
) -> Callable[[], Iterator[NDArray[Any]]]:
    if checkpoint.format == "gguf" and stored.type == kind:
        return lambda: iter([_raw(stored)])
    return lambda: _fitted(want, stored, kind, weights)


def _fitted(want: Wanted, stored: Stored, kind: str, weights: F32 | None) -> Iterator[NDArray[Any]]:
    rows, width = stored.shape[0], int(np.prod(stored.shape[1:]))
    whole = rows // want.rope_heads if want.rope_heads else 1
    step = max(whole, _SLAB // max(1, width) // whole * whole)
    for lo in range(0, rows, step):
        hi = min(rows, lo + step)
        values = _file_order(floats(stored, lo, hi), want, hi - lo)
        if not np.isfinite(values).all():
            raise FormatError(f"{want.name} contains NaN or Inf: the model is damaged")
        try:
            yield fit(values.reshape(hi - lo, -1) if len(stored.shape) > 1 else values[None], kind, weights)
        except ValueError as e:
            raise FormatError(f"{want.name}: {e}") from None


def _file_order(values: F32, want: Wanted, rows: int) -> F32:
    """Some families' q and k have the pairs of a head side by side in GGUF files."""
    if not want.rope_heads:
        return values
    head_dim = want.shape[0] // want.rope_heads
    halves = values.reshape(rows // head_dim, 2, head_dim // 2, -1)
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(values.shape)


# The file ---------------------------------------------------------------------------------------------------------


def _write(
    path: Path, checkpoint: Checkpoint, metadata: Fields, tensors: list[_Planned], progress: Progress | None
) -> None:
    writer = gguf.GGUFWriter(path, family_named(checkpoint.config["model_type"]).gguf)
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
            done += _write_tensor(writer, out, tensor)
        _check_read_back(path, out, tensors, checkpoint)
        for tensor in (each for each in tensors if not each.of_config):
            if progress is not None:
                progress(done, total, tensor.name)
            done += _write_tensor(writer, out, tensor)
        if progress is not None:
            progress(total, total, path.name)
    finally:
        writer.close()


def _write_tensor(writer: gguf.GGUFWriter, out: Any, tensor: _Planned) -> int:
    nbytes = 0
    for piece in tensor.pieces():
        out.write(np.ascontiguousarray(piece).reshape(-1).view(np.uint8).data)
        nbytes += piece.nbytes
    assert nbytes == tensor.nbytes, f"{tensor.name} takes {tensor.nbytes} bytes, not {nbytes}"
    writer.write_padding(out, nbytes)
    return nbytes


def _check_read_back(path: Path, out: Any, tensors: list[_Planned], checkpoint: Checkpoint) -> None:
    """Open the file before its weights are there: what its header says must be the model."""
    out.flush()
    here = out.tell()
    padding = gguf.GGUF_DEFAULT_ALIGNMENT
    out.truncate(here + sum(-(-tensor.nbytes // padding) * padding for tensor in tensors))
    with open_checkpoint(path) as again:
        check_same(checkpoint.config, again.config)
    out.truncate(here)
