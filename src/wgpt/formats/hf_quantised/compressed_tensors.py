"""compressed-tensors' pack-quantized: X.weight_packed has codes in words along K, X.weight_scale their scales.

Codes and zero points are signed; packed, they are more by half of their range. Zero points are packed along N.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...quant.repack import AFFINE, affine_type, fields, zero_point_rows
from ..errors import shown
from .scheme import FLOATS, Matrix, Scheme, Settings, Tensors, array, floats, groups_of

_METHOD = "compressed-tensors"


class CompressedTensors(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        settings = Settings(raw, where, _METHOD)
        settings.one_of("format", "pack-quantized")
        settings.one_of("kv_cache_scheme", None, {}, default=None)
        settings.one_of("sparsity_config", None, {}, default=None)
        settings.one_of("transform_config", None, {}, default=None)
        settings.one_of("moe_sparsity_config", None, {}, default=None)
        settings.one_of("quantization_status", "compressed", default="compressed")
        settings.skip("config_groups", "ignore", "global_compression_ratio", "version", "run_compressed")
        settings.finish()
        groups = raw.get("config_groups")
        if (
            not isinstance(groups, dict)
            or len(groups) != 1
            or not isinstance(group := next(iter(groups.values())), dict)
        ):
            settings.refuse(f"unsupported config_groups {shown(groups)}; supported: one group")
        own = Settings(group, where, _METHOD)
        own.one_of("format", None, "pack-quantized", default=None)
        own.one_of("input_activations", None, default=None)
        own.one_of("output_activations", None, default=None)
        own.skip("targets", "weights")
        own.finish()
        if not isinstance(group.get("weights"), dict):
            settings.refuse(f"unsupported weights {shown(group.get('weights'))}; supported: an object")
        self._read_weights(Settings(group["weights"], where, _METHOD))

    def _read_weights(self, weights: Settings) -> None:
        self._bits = weights.one_of("num_bits", *AFFINE)
        weights.one_of("type", "int", default="int")
        strategy = weights.one_of("strategy", "group", "channel")
        self._group = weights.group() if strategy == "group" else -1
        self._zeros = not weights.one_of("symmetric", True, False, default=True)
        weights.one_of("dynamic", False, default=False)
        # other formats store a column order with the codes
        weights.one_of("actorder", None, "weight", "static", default=None)
        weights.one_of("block_structure", None, default=None)
        weights.skip("group_size", "observer", "observer_kwargs", "scale_dtype", "zp_dtype")
        weights.finish()
        self.label = (
            f"compressed-tensors, {self._bits} bits in groups of {'whole rows' if self._group == -1 else self._group}"
        )

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        if tensors.get(f"{module}.weight_packed") is None:
            return None
        n, k = shape
        bits, groups = self._bits, groups_of(module, k, self._group)
        packed = tensors.take(f"{module}.weight_packed", ("i32",), n, k * bits // 32)
        scales = tensors.take(f"{module}.weight_scale", FLOATS, n, groups)
        parts = [packed, scales]
        if tensors.get(f"{module}.weight_shape") is not None:
            size = tensors.take(f"{module}.weight_shape", ("i64", "i32"), 2)
            parts.append(size)
            if array(size).tolist() != [n, k]:
                raise size.source.error(f"{size.name} is {array(size).tolist()}, not [{n}, {k}]")
        zeros = None
        if self._zeros:
            zeros = tensors.take(f"{module}.weight_zero_point", ("i32",), -(-n * bits // 32), groups)
            parts.append(zeros)

        def rows(lo: int, hi: int) -> Any:
            codes, each = fields(array(packed)[lo:hi], bits), floats(array(scales)[lo:hi])
            if zeros is None:
                middle = np.full(each.shape, 1 << bits - 1, np.uint8)
            else:
                middle = fields(np.ascontiguousarray(array(zeros).T), bits)[:, lo:hi].T
            return zero_point_rows(codes, each, middle, bits)

        return Matrix(affine_type(bits, k // groups), tuple(parts), rows)
