"""MXFP4 in Hugging Face's files: a layer's experts in X_blocks [E, N, K / 32, 16] and X_scales [E, N, K / 32]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...quant.repack import mxfp4_rows
from ..errors import FormatError
from .scheme import Matrix, Scheme, Settings, Stacked, Tensors, array

_BLOCK, _BYTES = 32, 16  # weights per block, and bytes of their codes


class Mxfp4(Scheme):
    label = "MXFP4"

    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, "mxfp4")
        settings.one_of("dequantize", False, default=False)
        settings.skip("modules_to_not_convert")
        settings.finish()

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        return None  # only experts are quantised

    def stacked(self, tensor: str, shape: tuple[int, int, int], tensors: Tensors) -> Stacked | None:
        if tensors.get(f"{tensor}_blocks") is None:
            return None
        experts, n, k = shape
        if k % _BLOCK:
            raise FormatError(f"{tensor}_blocks: rows of {k} are not whole blocks of {_BLOCK}")
        blocks = tensors.take(f"{tensor}_blocks", ("u8",), experts, n, k // _BLOCK, _BYTES)
        scales = tensors.take(f"{tensor}_scales", ("u8",), experts, n, k // _BLOCK)

        def rows(expert: int, which: slice) -> Any:
            return mxfp4_rows(array(blocks)[expert, which], array(scales)[expert, which])

        return Stacked("mxfp4", (blocks, scales), rows)
