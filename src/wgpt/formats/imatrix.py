"""Importance matrices in llama.cpp's GGUF form: sums of squares of the inputs of a model's matrices.

For a matrix NAME the file has NAME.in_sum2 [matrices, K] and NAME.counts [matrices, 1]: the sums over all rows of
input, and how many rows there were; several matrices are those of experts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

from ..core.atomic import replacing_path
from . import gguf_scan
from .errors import FormatError, shown
from .mapped import Mapped
from .stored import Entry

F32 = NDArray[np.float32]
_SUMS, _COUNTS = ".in_sum2", ".counts"
CHUNKS, CHUNK_SIZE, DATASETS = "imatrix.chunk_count", "imatrix.chunk_size", "imatrix.datasets"


def read_imatrix(path: str | PathLike[str]) -> dict[str, F32]:
    """The mean squares of the K inputs of each matrix, by its GGUF name; of experts [experts, K].

    >>> read_imatrix("imatrix.gguf")["blk.0.ffn_down.weight"].shape     # doctest: +SKIP
    (1536,)
    """
    file = Mapped(Path(path))
    try:
        if bytes(file.data[:4]) != b"GGUF":
            raise file.error(
                "is not an importance matrix in GGUF form (older .dat files are unsupported): convert it with "
                "`llama-imatrix --in-file OLD.dat -o NEW.gguf`, or make one with `wgpt imatrix`"
            )
        header = gguf_scan.scan(file)
        if header.metadata.get("general.type") != "imatrix":
            kind = shown(header.metadata.get("general.type", "model"))
            raise file.error(f"contains {kind} (general.type), not an importance matrix: make one with `wgpt imatrix`")
        names = [name.removesuffix(_SUMS) for name in header.tensors if name.endswith(_SUMS)]
        if not names:
            raise file.error(f"has no tensor NAME{_SUMS}: the importance matrix is empty or damaged")
        return {name: _means(file, header, name) for name in names}
    finally:
        file.close()


def _means(file: Mapped, header: gguf_scan.GgufHeader, name: str) -> F32:
    sums = _values(file, header.tensors[name + _SUMS])
    if name + _COUNTS not in header.tensors:
        raise file.error(f"lacks {name}{_COUNTS}: the file is damaged")
    counts = _values(file, header.tensors[name + _COUNTS]).reshape(-1)
    matrices = sums.reshape(-1, sums.shape[-1])
    if len(counts) != len(matrices):
        raise file.error(f"{name} has {len(matrices)} matrices and {len(counts)} counts: the file is damaged")
    if not all(np.isfinite(each).all() and (each >= 0).all() for each in (matrices, counts)):
        raise file.error(f"{name} has sums of squares or counts that are negative or not finite: the file is damaged")
    means = np.where(counts[:, None] > 0, matrices / np.maximum(counts, 1)[:, None], np.float32(1))
    return means[0] if len(means) == 1 else means


def _values(file: Mapped, entry: Entry) -> F32:
    if entry.type != "f32":
        raise file.error(f"{entry.name} is {entry.type}, not f32")
    return np.array(file.data[entry.offset : entry.offset + entry.nbytes].view("<f4").reshape(entry.shape))


def write_imatrix(
    path: Path, sums: Mapping[str, F32], counts: Mapping[str, int], *, chunk: int, chunks: int, datasets: Sequence[str]
) -> None:
    """By the GGUF name of a matrix: the sums of squares [K] of its input, and over how many rows."""
    if sums.keys() != counts.keys():
        raise FormatError("sums and counts must be those of the same matrices")
    with replacing_path(path) as aside:
        writer = gguf.GGUFWriter(aside, "")
        writer.kv_data[0].clear()  # it is not a model and has no architecture
        writer.add_string("general.type", "imatrix")
        writer.add_array(DATASETS, list(datasets))
        writer.add_uint32(CHUNKS, chunks)
        writer.add_uint32(CHUNK_SIZE, chunk)
        for name, values in sums.items():
            writer.add_tensor(name + _SUMS, np.ascontiguousarray(values, np.float32).reshape(1, -1))
            writer.add_tensor(name + _COUNTS, np.full((1, 1), counts[name], np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
