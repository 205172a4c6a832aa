"""Finds the quantisation method that a config.json names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import FormatError, shown
from .bitsandbytes import BitsAndBytes
from .compressed_tensors import CompressedTensors
from .fp8 import Fp8
from .gptq import Awq, Gptq
from .mlx import Mlx
from .mxfp4 import Mxfp4
from .scheme import Scheme

KEYS = ("quantization_config", "quantization")  # transformers' key; MLX writes both, or only its own
_METHODS: dict[str, Callable[[Mapping[str, Any], str], Scheme]] = {
    "bitsandbytes": BitsAndBytes,
    "fp8": Fp8,
    "gptq": Gptq,
    "awq": Awq,
    "compressed-tensors": CompressedTensors,
    "mxfp4": Mxfp4,
}


def scheme_of(raw: Mapping[str, Any], where: str) -> Scheme | None:
    """How the weights beside this config.json are quantised; None if they are not."""
    given = next((raw[key] for key in KEYS if raw.get(key) is not None), None)
    if given is None:
        return None
    if isinstance(given, dict):
        method = given.get("quant_method")
        if method is None and "bits" in given and "group_size" in given:
            return Mlx(given, where)
        if isinstance(method, str) and method in _METHODS:
            return _METHODS[method](given, where)
        given = method
    raise FormatError(
        f"{where}: unsupported quantization_config {shown(given)}; supported: mlx, {', '.join(_METHODS)}: "
        "use the unquantised model or a GGUF file"
    )
