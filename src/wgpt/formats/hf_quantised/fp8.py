"""FP8 in blocks: X.weight is e4m3, X.weight_scale_inv has a factor per 128 x 128 block. Read as bf16."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...gpu.dtypes import to_bf16
from ...quant.repack import E4M3
from ..errors import shown
from .scheme import FLOATS, Matrix, Scheme, Settings, Tensors, array, floats


class Fp8(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, "fp8")
        settings.one_of("activation_scheme", "dynamic", default="dynamic")
        settings.one_of("fmt", "e4m3", default="e4m3")
        settings.one_of("scale_fmt", None, "float", default=None)
        settings.one_of("dequantize", False, default=False)
        settings.skip("weight_block_size", "modules_to_not_convert", "ignored_layers")
        settings.finish()
        size = raw.get("weight_block_size")
        if not (isinstance(size, list) and len(size) == 2 and all(type(s) is int and s > 0 for s in size)):
            settings.refuse(f"unsupported weight_block_size {shown(size)}; supported: two sizes, such as [128, 128]")
        self._block = (size[0], size[1])
        self.label = f"FP8 (e4m3) in blocks of {size[0]} x {size[1]}, read as bf16"

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        weight = tensors.get(f"{module}.weight")
        if weight is None or weight.type != "f8_e4m3":
            return None
        weight = tensors.take(f"{module}.weight", ("f8_e4m3",), *shape)
        high, wide = self._block
        scale = tensors.take(f"{module}.weight_scale_inv", FLOATS, -(-shape[0] // high), -(-shape[1] // wide))

        def rows(lo: int, hi: int) -> Any:
            factors = floats(array(scale)[lo // high : -(-hi // high)])
            each = np.repeat(factors[np.arange(lo, hi) // high - lo // high], wide, axis=1)[:, : shape[1]]
            return to_bf16(E4M3[array(weight)[lo:hi]] * each)

        return Matrix("bf16", (weight, scale), rows)
