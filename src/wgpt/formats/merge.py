"""Folds an adapter into a model: a Hugging Face folder of safetensors, written piece by piece."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu.dtypes import from_bf16, to_bf16
from ..quant.weights import from_gguf_blocks, unpack
from .aside import new_folder
from .checkpoint import Checkpoint
from .errors import FormatError
from .hf_config import TORCH_NAMES, hf_config
from .hf_folder import INDEX, SINGLE
from .peft import Adapter, Factors
from .safetensors_scan import read_json, scan
from .safetensors_write import layout_bytes, write_stream
from .stored import PLAIN, Entry, Stored
from .tokenizer import Tokenizer, load_tokenizer

Progress = Callable[[int, int, str], None]  # (bytes done, of how many, what)
_PIECE = 32 << 20  # bytes of a matrix in memory at a time
_SHARD = 4 << 30
DTYPES = {"f32": "F32", "f16": "F16", "bf16": "BF16"}
_COPIED = ("*.json", "*.jinja", "*.txt", "tokenizer.model")
_NOT_COPIED = ("adapter_config.json", INDEX)
F32 = NDArray[np.float32]


def merge(
    checkpoint: Checkpoint,
    adapter: Adapter,
    folder: str | Path,
    dtype: str | None = None,
    progress: Progress | None = None,
    *,
    force: bool = False,
) -> list[str]:
    """W + scale * B A of every target, all else as it was, in a new folder that transformers and wgpt load.

    dtype: f32, f16 or bf16; by default a Hugging Face model keeps its own, a GGUF file's weights become f16.
    force: replace a model that is there. What it returns are sentences: what could not be written, and why.
    """
    folder = Path(folder)
    if dtype is not None and dtype not in DTYPES:
        raise FormatError(f"a merged model is written in {', '.join(DTYPES)}, not in {dtype!r}")
    check_place(folder, checkpoint.path, force)
    if adapter.task != "CAUSAL_LM":
        raise FormatError(f"an adapter for {adapter.task} is not merged: its head would be lost")
    shapes = {
        name.removesuffix(".weight"): (t.shape[0], t.shape[1])
        for name, t in checkpoint.tensors.items()
        if len(t.shape) == 2
    }
    adapter.check(shapes)
    told = _Told(checkpoint.nbytes, progress)
    with new_folder(folder, replace=force) as aside:
        if checkpoint.format == "hf":
            return _merge_hf(checkpoint, adapter, aside, dtype, told)
        return _merge_gguf(checkpoint, adapter, aside, dtype or "f16", told)


def check_place(folder: Path, base: Path, force: bool = False) -> None:
    """Refuse to write over anything; `force` allows the folder of a model, unless the base is in it."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        raise FormatError(f"{folder}: is there already: give the merged model a new folder, or --force to replace it")
    if folder.resolve() in (base.resolve(), *base.resolve().parents):
        raise FormatError(f"{folder}: is where the base model is, which is still needed: give another folder")
    if not (folder / "config.json").is_file():
        raise FormatError(f"{folder}: is no model's folder (it has no config.json), and only models are replaced")


@dataclass
class _Told:
    total: int
    progress: Progress | None
    done: int = 0

    def __call__(self, nbytes: int, what: str) -> None:
        self.done += nbytes
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total, what)


# Hugging Face's folders: the same files with the same tensors --------------------------------------------------


def _merge_hf(checkpoint: Checkpoint, adapter: Adapter, folder: Path, dtype: str | None, told: _Told) -> list[str]:
    # The adapter's targets by the names that this folder has for them.
    own = {(t.source.path, t.offset): name for name, t in checkpoint.tensors.items()}
    single, total = len(checkpoint.files) == 1, 0
    weight_map: dict[str, str] = {}
    for file in checkpoint.files:
        name = SINGLE if single else file.path.name
        entries = scan(file)
        layout = {key: (_spelled(entry, dtype), entry.shape) for key, entry in entries.items()}
        with (folder / name).open("wb") as out:
            write_stream(out, layout, _hf_pieces(entries, own, adapter, dtype, told))
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


def _spelled(entry: Entry, dtype: str | None) -> str:
    return DTYPES[dtype] if dtype is not None and entry.type in DTYPES else entry.type.upper()


def _hf_pieces(
    entries: Mapping[str, Entry], own: Mapping[tuple[Path, int], str], adapter: Adapter, dtype: str | None, told: _Told
) -> Iterator[NDArray[Any]]:
    for entry in entries.values():
        canonical = own.get((entry.source.path, entry.offset), "").removesuffix(".weight")
        factors = adapter.targets.get(canonical)
        raw = entry.source.data[entry.offset : entry.offset + entry.nbytes]
        if entry.type not in DTYPES or (factors is None and dtype in (None, entry.type)):
            for at in range(0, len(raw), _PIECE):
                yield raw[at : at + _PIECE]
        else:
            yield from _changed(entry, raw, factors, dtype or entry.type, conv1d=canonical.startswith("h."))
        told(entry.nbytes, entry.name)


def _changed(
    entry: Entry, raw: NDArray[np.uint8], factors: Factors | None, dtype: str, conv1d: bool
) -> Iterator[NDArray[Any]]:
    kind: np.dtype[Any] = PLAIN[entry.type]
    table = raw.view(kind).reshape(entry.shape)
    rows = table.reshape(-1, entry.shape[-1] if entry.shape else 1)
    for lo, hi in _slabs(len(rows), 4 * rows.shape[1]):
        values = from_bf16(rows[lo:hi]) if entry.type == "bf16" else rows[lo:hi].astype(np.float32)
        if factors is not None:
            a, b = (factors.b.T, factors.a.T) if conv1d else (factors.a, factors.b)  # [in, out]: transposed
            values = _added(values, a, b[lo:hi], factors.scale)
        yield _as(values, dtype, entry.name)


# GGUF files: dequantised, under Hugging Face's names -----------------------------------------------------------


def _merge_gguf(checkpoint: Checkpoint, adapter: Adapter, folder: Path, dtype: str, told: _Told) -> list[str]:
    config = hf_config(checkpoint.config, dtype)
    shards: list[dict[str, Stored]] = [{}]
    used = 0
    for name, stored in checkpoint.tensors.items():
        size = int(np.prod(stored.shape)) * (4 if dtype == "f32" else 2)
        if shards[-1] and used + size > _SHARD:
            shards.append({})
            used = 0
        shards[-1][_hf_name(name, checkpoint)] = stored
        used += size
    weight_map: dict[str, str] = {}
    total = 0
    for i, shard in enumerate(shards):
        file = SINGLE if len(shards) == 1 else f"model-{i + 1:05}-of-{len(shards):05}.safetensors"
        layout = {name: (DTYPES[dtype], _hf_shape(t, checkpoint)) for name, t in shard.items()}
        with (folder / file).open("wb") as out:
            write_stream(out, layout, _gguf_pieces(shard, checkpoint, adapter, dtype, told))
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
    shard: Mapping[str, Stored], checkpoint: Checkpoint, adapter: Adapter, dtype: str, told: _Told
) -> Iterator[NDArray[Any]]:
    for stored in shard.values():
        factors = adapter.targets.get(stored.name.removesuffix(".weight"))
        if _is_conv1d(stored, checkpoint):  # [in, out] is written: all of it is needed at once
            whole = _floats(stored, 0, stored.shape[0])
            if factors is not None:
                whole = _added(whole, factors.a, factors.b, factors.scale)
            yield _as(np.ascontiguousarray(whole.T), dtype, stored.name)
        else:
            width = stored.shape[1] if len(stored.shape) == 2 else 1
            for lo, hi in _slabs(stored.shape[0], 8 * width):
                values = _floats(stored, lo, hi)
                if factors is not None:
                    values = _added(values, factors.a, factors.b[lo:hi], factors.scale)
                yield _as(values, dtype, stored.name)
        told(stored.nbytes, stored.name)


def _floats(stored: Stored, lo: int, hi: int) -> F32:
    rows = stored.rows(lo, hi)
    if stored.quantised:
        return unpack(from_gguf_blocks(rows, stored.type, hi - lo, stored.shape[1])).astype(np.float32)
    return from_bf16(rows) if rows.dtype == np.uint16 else rows.astype(np.float32)


def _is_conv1d(stored: Stored, checkpoint: Checkpoint) -> bool:
    return checkpoint.config["model_type"] == "gpt2" and ".c_" in stored.name and len(stored.shape) == 2


def _hf_name(name: str, checkpoint: Checkpoint) -> str:
    is_gpt2 = checkpoint.config["model_type"] == "gpt2" and name != "lm_head.weight"
    return f"transformer.{name}" if is_gpt2 else name


def _hf_shape(stored: Stored, checkpoint: Checkpoint) -> tuple[int, ...]:
    return stored.shape[::-1] if _is_conv1d(stored, checkpoint) else stored.shape


def _write_tokenizer(folder: Path, tokenizer: Tokenizer, metadata: Mapping[str, Any]) -> None:
    (folder / "tokenizer.json").write_text(tokenizer.to_json(), encoding="utf-8")
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": tokenizer.bos,
        "eos_token": tokenizer.eos,
        "chat_template": tokenizer.chat_template,
        "clean_up_tokenization_spaces": False,
    }
    for key, name in (("pad_token", "padding"), ("unk_token", "unknown")):  # wgpt has no use for them
        number = metadata.get(f"tokenizer.ggml.{name}_token_id")
        if type(number) is int and tokenizer.has(number):
            settings[key] = tokenizer.token(number)
    _write_json(folder / "tokenizer_config.json", {key: value for key, value in settings.items() if value is not None})


# Both ----------------------------------------------------------------------------------------------------------


def _slabs(rows: int, row_bytes: int) -> Iterator[tuple[int, int]]:
    step = max(1, _PIECE // row_bytes)
    for lo in range(0, rows, step):
        yield lo, min(rows, lo + step)


def _added(values: F32, a: F32, b: F32, scale: float) -> F32:
    """W + scale * B A, rounded once."""
    delta = scale * (b.astype(np.float64) @ a.astype(np.float64))
    return (values.astype(np.float64) + delta).astype(np.float32)


def _as(values: F32, dtype: str, name: str) -> NDArray[Any]:
    if dtype == "f32":
        return values
    if dtype == "bf16":
        return to_bf16(values)
    if (most := float(np.abs(values).max(initial=0))) > 65504:
        raise FormatError(f"{name} has values up to {most:g}, beyond f16's 65504: merge to bf16 or f32")
    return values.astype(np.float16)


def _write_index(folder: Path, weight_map: Mapping[str, str], total: int) -> None:
    _write_json(folder / INDEX, {"metadata": {"total_size": total}, "weight_map": dict(weight_map)})


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
