"""bitsandbytes' NF4: X.weight has two codes to a byte, X.weight.absmax the scale of each block.

Scales that are quantised in turn (double quantisation) are bytes, with a table, a scale for each 256 of them and an
offset. They are taken in f32, as bitsandbytes computes with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...quant.nf4 import CODEBOOK
from ...quant.repack import NF4, NF4_BLOCK, double_scales, nf4_rows
from ..safetensors_scan import parse_object
from ..stored import Entry
from .scheme import Matrix, Scheme, Settings, Tensors, array

_STATE = "quant_state.bitsandbytes__"


class BitsAndBytes(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, "bitsandbytes")
        for name in ("load_in_8bit", "_load_in_8bit"):
            settings.one_of(name, False, default=False)
        settings.one_of("load_in_4bit", True, default=raw.get("_load_in_4bit", True))
        settings.one_of("bnb_4bit_quant_type", NF4, default="fp4")
        double = settings.one_of("bnb_4bit_use_double_quant", True, False, default=False)
        settings.skip("_load_in_4bit", "bnb_4bit_compute_dtype", "bnb_4bit_quant_storage", "bnb_4bit_blocksize")
        settings.skip("llm_int8_enable_fp32_cpu_offload", "llm_int8_has_fp16_weight", "llm_int8_skip_modules")
        settings.skip("llm_int8_threshold", "modules_to_not_convert", "target_parameters")
        settings.finish()
        self.label = f"bitsandbytes {NF4}{', double-quantised' if double else ''}"

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        name = f"{module}.weight"
        absmax = tensors.get(f"{name}.absmax")
        if absmax is None:
            return None
        n, k = shape
        state_entry = tensors.get(f"{name}.{_STATE}{NF4}")
        if state_entry is None:
            raise absmax.source.error(f"{name} has no {_STATE}{NF4}: only {NF4} is read of bitsandbytes' types")
        state = parse_object(array(state_entry).tobytes(), f"{state_entry.source.path}: {state_entry.name}")
        block = state.get("blocksize")
        if state.get("quant_type") != NF4 or state.get("shape") != [n, k] or type(block) is not int:
            raise absmax.source.error(f"{name}: its quant_state is not that of an nf4 matrix [{n}, {k}]")
        if k % NF4_BLOCK or block <= 0 or block % NF4_BLOCK or k % block:
            raise absmax.source.error(
                f"{name} has rows of {k} in blocks of {block}; supported: blocks of a multiple of {NF4_BLOCK}, and "
                "rows of whole blocks"
            )
        table = tensors.take(f"{name}.quant_map", ("f32",), 16)
        if not np.allclose(
            array(table), CODEBOOK, rtol=2.0**-23, atol=0
        ):  # three of bitsandbytes' values are rounded differently
            raise absmax.source.error(f"{table.name} is not nf4's table")
        weight = tensors.get(name)
        if weight is None or weight.nbytes != n * k // 2:
            raise absmax.source.error(f"{name} does not have the {n * k // 2} bytes of an nf4 matrix [{n}, {k}]")
        scales, parts = self._scales(name, state, n * k // block, tensors)

        def rows(lo: int, hi: int) -> Any:
            raw = weight.source.data[weight.offset : weight.offset + weight.nbytes].reshape(n, k // 2)
            each = scales().reshape(n, -1)[lo:hi]
            return nf4_rows(raw[lo:hi], np.repeat(each, block // NF4_BLOCK, axis=1), k)

        return Matrix(NF4, (weight, table, state_entry, *parts), rows)

    @staticmethod
    def _scales(name: str, state: Mapping[str, Any], count: int, tensors: Tensors) -> tuple[Any, tuple[Entry, ...]]:
        """A function that reads the scales of all blocks, and the tensors that hold them."""
        if tensors.get(f"{name}.nested_absmax") is None:
            plain = tensors.take(f"{name}.absmax", ("f32",), count)
            return (lambda: array(plain)), (plain,)
        codes = tensors.take(f"{name}.absmax", ("u8",), count)
        block, offset = state.get("nested_blocksize"), state.get("nested_offset")
        if type(block) is not int or block <= 0 or not isinstance(offset, float):
            raise codes.source.error(f"{name}: its quant_state lacks nested_blocksize or nested_offset")
        table = tensors.take(f"{name}.nested_quant_map", ("f32",), 256)
        groups = tensors.take(f"{name}.nested_absmax", ("f32",), -(-count // block))

        def scales() -> NDArray[np.float32]:
            return double_scales(array(codes), array(table), array(groups), offset, block)

        return scales, (codes, table, groups)
