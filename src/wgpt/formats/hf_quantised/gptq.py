"""GPTQ and AWQ: X.qweight, X.qzeros and X.scales, packed along K (GPTQ) or N (AWQ): s (q - z)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...quant.repack import AFFINE, affine_type, awq_rows, gptq_rows
from ..errors import FormatError
from .scheme import FLOATS, Matrix, Scheme, Settings, Tensors, array, floats, groups_of

# Settings of how the weights were computed, not of how they are stored.
_OF_QUANTISING = (
    *("batch_size", "block_name_to_quantize", "cache_block_outputs", "damp_percent", "dataset", "max_input_length"),
    *(
        "model_file_base_name",
        "model_name_or_path",
        "model_seqlen",
        "module_name_preceding_first_block",
        "pad_token_id",
    ),
    *("static_groups", "sym", "tokenizer", "true_sequential", "use_cuda_fp16", "use_exllama", "exllama_config"),
    *(
        "disable_exllama",
        "meta",
        "damp_auto_increment",
        "mse",
        "backend",
        "modules_in_block_to_quantize",
        "act_group_aware",
    ),
    *("hyb_act", "offload_to_disk", "offload_to_disk_path", "lm_head"),
)


class Gptq(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, "gptq")
        self._bits = settings.one_of("bits", *AFFINE)
        self._group = settings.group()
        settings.one_of("desc_act", False, default=False)
        form = settings.one_of("checkpoint_format", "gptq", "gptq_v2", default="gptq")
        settings.one_of("is_marlin_format", False, default=False)
        settings.one_of("pack_dtype", "int32", default="int32")
        settings.one_of("dynamic", None, {}, default=None)
        settings.skip(*_OF_QUANTISING)
        settings.finish()
        self._less = 1 if form == "gptq" else 0
        self.label = f"GPTQ, {self._bits} bits in groups of {'whole rows' if self._group == -1 else self._group}"

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        if tensors.get(f"{module}.qweight") is None:
            return None
        n, k = shape
        bits, groups = self._bits, groups_of(module, k, self._group)
        if n * bits % 32:
            raise FormatError(f"{module} has {n} rows, whose zero points are not whole words")
        weight = tensors.take(f"{module}.qweight", ("i32",), k * bits // 32, n)
        zeros = tensors.take(f"{module}.qzeros", ("i32",), groups, n * bits // 32)
        scales = tensors.take(f"{module}.scales", FLOATS, groups, n)
        parts = [weight, zeros, scales]
        if tensors.get(f"{module}.g_idx") is not None:
            order = tensors.take(f"{module}.g_idx", ("i32",), k)
            parts.append(order)
            if not np.array_equal(array(order), np.arange(k) // (k // groups)):
                raise order.source.error(
                    f"{order.name} orders the groups by activation (desc_act), which is unsupported"
                )

        def rows(lo: int, hi: int) -> Any:
            columns = slice(lo, hi)
            return gptq_rows(array(weight), array(zeros), floats(array(scales)), columns, bits, self._less)

        return Matrix(affine_type(bits, k // groups), tuple(parts), rows)


class Awq(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, "awq")
        bits = settings.one_of("bits", 4)
        settings.one_of("w_bit", 4, default=bits)
        self._group = settings.group()
        settings.one_of("zero_point", True, default=True)
        settings.one_of("version", "gemm", "GEMM", default="gemm")
        settings.one_of("do_fuse", False, None, default=None)
        settings.skip("q_group_size", "modules_to_not_convert", "backend", "fuse_max_seq_len", "modules_to_fuse")
        settings.skip("exllama_config", *_OF_QUANTISING)
        settings.finish()
        self.label = f"AWQ, 4 bits in groups of {'whole rows' if self._group == -1 else self._group}"

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        if tensors.get(f"{module}.qweight") is None:
            return None
        n, k = shape
        groups = groups_of(module, k, self._group)
        if n % 8:
            raise FormatError(f"{module} has {n} rows, which are not whole words of eight")
        weight = tensors.take(f"{module}.qweight", ("i32",), k, n // 8)
        zeros = tensors.take(f"{module}.qzeros", ("i32",), groups, n // 8)
        scales = tensors.take(f"{module}.scales", FLOATS, groups, n)

        def rows(lo: int, hi: int) -> Any:
            return awq_rows(array(weight), array(zeros), floats(array(scales)), lo, hi)

        return Matrix(affine_type(4, k // groups), (weight, zeros, scales), rows)
