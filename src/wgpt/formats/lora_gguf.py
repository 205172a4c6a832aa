"""Writes adapters as the GGUF files that llama.cpp loads with --lora."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from ..core.atomic import named, replacing_path
from .errors import FormatError
from .family import named as family_named
from .lora import Factors, LoraAdapter
from .wanted import RequiredTensor, wanted

DTYPES = ("f32", "f16")


def export_lora_gguf(adapter: LoraAdapter, config: Mapping[str, Any], path: str | Path, dtype: str = "f32") -> None:
    """Write the adapter of a model with this checkpoint config; `dtype` is f32 or f16.

    llama.cpp computes alpha / rank itself, with one alpha for all targets. A target with another scale (rsLoRA with
    several ranks) gets the difference in its B.
    """
    if dtype not in DTYPES:
        raise FormatError(f"unsupported dtype {dtype!r} for an exported adapter; supported: {', '.join(DTYPES)}")
    if adapter.task != "CAUSAL_LM":
        raise FormatError(f"a {adapter.task} adapter cannot be exported: llama.cpp's format cannot store its head")
    if not (arch := family_named(config["model_type"]).gguf):
        raise FormatError(f"an adapter of a {config['model_type']} model cannot be exported: GGUF has other matrices")
    places = {want.name.removesuffix(".weight"): want for want in wanted(config) if len(want.shape) == 2}
    adapter.check({name: (want.shape[0], want.shape[1]) for name, want in places.items()})
    # 0 would mean unscaled
    alpha = next((a for f in adapter.targets.values() if (a := f.scale * f.rank)), 1.0)
    path = named(path)
    with replacing_path(path) as unfinished:
        _write(unfinished, adapter, places, arch, alpha, dtype)


def _write(
    path: Path, adapter: LoraAdapter, places: Mapping[str, RequiredTensor], arch: str, alpha: float, dtype: str
) -> None:
    writer = gguf.GGUFWriter(path, arch)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    if adapter.base:
        writer.add_string("general.base_model.0.name", adapter.base)
        writer.add_uint32("general.base_model.count", 1)
    kind = np.float16 if dtype == "f16" else np.float32
    for target, factors in adapter.targets.items():
        b = factors.b.astype(np.float64) * (factors.scale * factors.rank / alpha)
        for side, matrix in (("a", factors.a), ("b", _rows(b, factors, places[target]))):
            writer.add_tensor(f"{places[target].gguf}.lora_{side}", _as(matrix, kind, f"lora_{side} of {target}"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _as(matrix: NDArray[Any], kind: type[np.floating], name: str) -> NDArray[Any]:
    most = float(np.abs(matrix).max())
    if most > (limit := float(np.finfo(kind).max)):
        way_out = ": use f32" if kind is np.float16 else ""
        raise FormatError(f"{name} has values up to {most:g}, beyond {np.dtype(kind).name}'s {limit:g}{way_out}")
    return np.ascontiguousarray(matrix, kind)


def _rows(b: NDArray[np.float64], factors: Factors, want: RequiredTensor) -> NDArray[np.float64]:
    """B's rows in the order of the file's weights: some families' q and k have the pairs of a head side by side, and
    some have all q, all k and all v instead of each head's."""
    if want.by_head:
        turns = b.reshape(want.by_head, 3, -1, factors.rank)
        return np.ascontiguousarray(turns.swapaxes(0, 1)).reshape(b.shape)
    if not want.rope_heads:
        return b
    halves = b.reshape(want.rope_heads, 2, -1, factors.rank)
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(b.shape)
