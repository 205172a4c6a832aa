"""Writes an open model with changed values to a Hugging Face folder of safetensors, piece by piece."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..gpu.dtypes import from_bf16, to_bf16
from ..quant.weights import from_gguf_blocks, unpack
from .checkpoint import Checkpoint
from .errors import FormatError
from .family import named
from .hf_config import TORCH_NAMES, hf_config
from .hf_folder import INDEX, SINGLE
from .safetensors_scan import read_json, scan
from .safetensors_write import layout_bytes, write_stream
from .stored import PLAIN, Entry, Stored
from .tokenizer import Tokenizer, load_tokenizer
from .wanted import RequiredTensor, wanted

F32 = NDArray[np.float32]
# Computes new rows lo..hi of a tensor, given a function that reads the old ones.
Change = Callable[[int, int, Callable[[], F32]], F32]
Changes = Callable[[str], Change | None]  # by the checkpoint's tensor name; None: unchanged
DTYPES = {"f32": "F32", "f16": "F16", "bf16": "BF16"}
_PIECE = 32 << 20  # bytes of a matrix in memory at once
_SHARD = 4 << 30
_COPIED = ("*.json", "*.jinja", "*.txt", "tokenizer.model")
_NOT_COPIED = ("adapter_config.json", INDEX)


def write_model(
    checkpoint: Checkpoint,
    changes: Changes,
    folder: Path,
    dtype: str | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Write the changed model into an existing, empty folder. transformers and wgpt load it.

    dtype: f32, f16 or bf16; by default a Hugging Face model keeps its own, a GGUF file's weights become f16.
    Returns sentences: what could not be written, and why.
    """
    check_writable(checkpoint, dtype)
    report = _ProgressReport(checkpoint.nbytes, progress)
    if checkpoint.format == "hf":
        return _write_hf(checkpoint, changes, folder, dtype, report)
    return _write_gguf(checkpoint, changes, folder, dtype or "f16", report)


def check_writable(checkpoint: Checkpoint, dtype: str | None) -> None:
    """Refuse models that cannot be written this way."""
    if dtype is not None and dtype not in DTYPES:
        raise FormatError(f"unsupported dtype {dtype!r} for a written model; supported: {', '.join(DTYPES)}")
    if checkpoint.quantisation is not None:
        raise FormatError(
            f"{checkpoint.path} is quantised ({checkpoint.quantisation}), and its tensors cannot be changed: "
            "give the unquantised model"
        )
    if any(want.row.module for want in wanted(checkpoint.config)):
        raise FormatError(
            f"writing a {checkpoint.config['model_type']} model with dense layers after pooling as a folder is "
            "unsupported: copy its Hugging Face folder instead"
        )
    if checkpoint.format == "gguf":
        if any(want.row.stack is not None for want in wanted(checkpoint.config)):
            raise FormatError(
                "writing a model with experts from a GGUF file is unsupported: use its Hugging Face folder instead"
            )
        if any(want.row.folded for want in wanted(checkpoint.config)):
            raise FormatError(
                f"writing a {checkpoint.config['model_type']} model from a GGUF file is unsupported, because of its "
                "convolutions: use its Hugging Face folder instead"
            )
        hf_config(checkpoint.config, dtype or "f16")


@dataclass
class _ProgressReport:
    total: int
    progress: Progress | None
    done: int = 0

    def __call__(self, nbytes: int, name: str) -> None:
        self.done += nbytes
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total, name)


# Hugging Face's folders: the same files with the same tensors --------------------------------------------------


def _write_hf(
    checkpoint: Checkpoint, changes: Changes, folder: Path, dtype: str | None, report: _ProgressReport
) -> list[str]:
    own = {(t.source.path, t.offset): t for t in checkpoint.tensors.values()}
    single, total = len(checkpoint.files) == 1, 0
    weight_map: dict[str, str] = {}
    for file in checkpoint.files:
        name = SINGLE if single else file.path.name
        entries = {key: entry for key, entry in scan(file).items() if not _stale(key, entry, own, changes, checkpoint)}
        layout = {key: (_spelled(entry, dtype), entry.shape) for key, entry in entries.items()}
        with (folder / name).open("wb") as out:
            write_stream(out, layout, _hf_pieces(entries, own, changes, dtype, report))
        weight_map |= dict.fromkeys(entries, name)
        total += layout_bytes(layout)
    if not single:
        _write_index(folder, weight_map, total)
    assert isinstance(checkpoint.tokenizer, Path)
    for pattern in _COPIED:
        for path in checkpoint.tokenizer.glob(pattern):
            if path.name not in _NOT_COPIED and path.is_file():
                shutil.copyfile(path, folder / path.name)
    if dtype is not None:
        config = read_json(folder / "config.json")
        config.pop("dtype", None)
        _write_json(folder / "config.json", config | {"torch_dtype": TORCH_NAMES[dtype]})
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model", "vocab.json")):
        return [f"no tokenizer was written: {checkpoint.tokenizer} has none"]
    return []


def _stale(
    key: str, entry: Entry, own: Mapping[tuple[Path, int], Stored], changes: Changes, checkpoint: Checkpoint
) -> bool:
    """Whether this is a copy of a tied head whose embedding changes."""
    family = named(checkpoint.config["model_type"])
    if key != f"{family.head}.weight" or (entry.source.path, entry.offset) in own:
        return False
    return changes(f"{family.embedding}.weight") is not None


def _spelled(entry: Entry, dtype: str | None) -> str:
    return DTYPES[dtype] if dtype is not None and entry.type in DTYPES else entry.type.upper()


def _hf_pieces(
    entries: Mapping[str, Entry],
    own: Mapping[tuple[Path, int], Stored],
    changes: Changes,
    dtype: str | None,
    report: _ProgressReport,
) -> Iterator[NDArray[Any]]:
    for entry in entries.values():
        stored = own.get((entry.source.path, entry.offset))
        change = None if stored is None else changes(stored.name)
        raw = entry.source.data[entry.offset : entry.offset + entry.nbytes]
        if entry.type not in DTYPES or (change is None and dtype in (None, entry.type)):
            for at in range(0, len(raw), _PIECE):
                yield raw[at : at + _PIECE]
        elif stored is not None and change is not None:
            yield from _pieces(stored, change, dtype or entry.type, transposed=stored.transposed, less=stored.less)
        else:
            for at in range(0, len(raw), _PIECE):
                yield _as(_plain(raw[at : at + _PIECE].view(PLAIN[entry.type])), dtype or entry.type, entry.name)
        report(entry.nbytes, entry.name)


# GGUF files: dequantised, under Hugging Face's names -----------------------------------------------------------


def _write_gguf(
    checkpoint: Checkpoint, changes: Changes, folder: Path, dtype: str, report: _ProgressReport
) -> list[str]:
    config, family = hf_config(checkpoint.config, dtype), named(checkpoint.config["model_type"])
    wants = {want.name: want for want in wanted(checkpoint.config)}
    shards: list[dict[str, Stored]] = [{}]
    used = 0
    for name, stored in checkpoint.tensors.items():
        size = int(np.prod(stored.shape)) * (4 if dtype == "f32" else 2)
        if shards[-1] and used + size > _SHARD:
            shards.append({})
            used = 0
        shards[-1][family.module(name)] = stored
        used += size
    weight_map: dict[str, str] = {}
    total = 0
    for i, shard in enumerate(shards):
        file = SINGLE if len(shards) == 1 else f"model-{i + 1:05}-of-{len(shards):05}.safetensors"
        shapes = {name: t.shape[::-1] if wants[t.name].transposed else t.shape for name, t in shard.items()}
        layout = {name: (DTYPES[dtype], shape) for name, shape in shapes.items()}
        with (folder / file).open("wb") as out:
            write_stream(out, layout, _gguf_pieces(shard, wants, changes, dtype, report))
        weight_map |= dict.fromkeys(shard, file)
        total += layout_bytes(layout)
    if len(shards) > 1:
        _write_index(folder, weight_map, total)
    _write_json(folder / "config.json", config)
    ends = {key: config[key] for key in ("bos_token_id", "eos_token_id")}
    _write_json(folder / "generation_config.json", ends)
    assert isinstance(checkpoint.tokenizer, dict)
    if checkpoint.tokenizer.get("tokenizer.ggml.model") is None:
        return [f"no tokenizer was written: {checkpoint.path.name} has none; copy the original model's tokenizer.json"]
    try:
        tokenizer = load_tokenizer(checkpoint.tokenizer)
    except FormatError as e:
        return [f"no tokenizer was written: {e}; copy the original model's tokenizer.json"]
    _write_tokenizer(folder, tokenizer, checkpoint.tokenizer)
    return []


def _gguf_pieces(
    shard: Mapping[str, Stored],
    wants: Mapping[str, RequiredTensor],
    changes: Changes,
    dtype: str,
    report: _ProgressReport,
) -> Iterator[NDArray[Any]]:
    for stored in shard.values():
        want = wants[stored.name]
        yield from _pieces(stored, changes(stored.name), dtype, transposed=want.transposed, less=want.less)
        report(stored.nbytes, stored.name)


def _write_tokenizer(folder: Path, tokenizer: Tokenizer, metadata: Mapping[str, Any]) -> None:
    (folder / "tokenizer.json").write_text(tokenizer.to_json(), encoding="utf-8")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": tokenizer.bos,
        "eos_token": tokenizer.eos,
        "chat_template": tokenizer.chat_template,
        "clean_up_tokenization_spaces": False,
    }
    for key, name in (("pad_token", "padding"), ("unk_token", "unknown")):  # wgpt does not need them
        number = metadata.get(f"tokenizer.ggml.{name}_token_id")
        if type(number) is int and tokenizer.has(number):
            settings[key] = tokenizer.token(number)
    _write_json(folder / "tokenizer_config.json", {key: value for key, value in settings.items() if value is not None})


# Both ----------------------------------------------------------------------------------------------------------


def _pieces(stored: Stored, change: Change | None, dtype: str, transposed: bool, less: float) -> Iterator[NDArray[Any]]:
    """A tensor's values minus `less`, in slabs of rows; for [in, out] all of it at once."""
    rows, width = stored.shape[0], stored.shape[1] if len(stored.shape) == 2 else 1
    step = rows if transposed else max(1, _PIECE // (8 * width))
    for lo in range(0, rows, step):
        hi = min(rows, lo + step)
        values = floats(stored, lo, hi) if change is None else change(lo, hi, lambda: floats(stored, lo, hi))  # noqa: B023
        values = values - np.float32(less) if less else values
        yield _as(np.ascontiguousarray(values.T) if transposed else values, dtype, stored.name)


def floats(stored: Stored, lo: int, hi: int) -> F32:
    """The values of rows lo..hi, in Hugging Face's order."""
    rows = stored.rows(lo, hi)
    if stored.quantised:
        return unpack(from_gguf_blocks(rows, stored.type, hi - lo, stored.shape[1])).astype(np.float32)
    return _plain(rows) + np.float32(stored.less)


def _plain(rows: NDArray[Any]) -> F32:
    return from_bf16(rows) if rows.dtype == np.uint16 else rows.astype(np.float32)


def _as(values: F32, dtype: str, name: str) -> NDArray[Any]:
    if dtype == "f32":
        return values
    if dtype == "bf16":
        return to_bf16(values)
    if (most := float(np.abs(values).max(initial=0))) > 65504:
        raise FormatError(f"{name} has values up to {most:g}, beyond f16's 65504: use bf16 or f32")
    return values.astype(np.float16)


def _write_index(folder: Path, weight_map: Mapping[str, str], total: int) -> None:
    _write_json(folder / INDEX, {"metadata": {"total_size": total}, "weight_map": dict(weight_map)})


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
