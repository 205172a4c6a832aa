"""MLX: X.weight has codes of 4 or 8 bits in words, X.scales and X.biases a pair for each group: s q + b."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...quant.repack import AFFINE, affine_type, mlx_rows
from ..errors import shown
from .scheme import FLOATS, Matrix, Scheme, Settings, Tensors, array, floats, groups_of

_OF_ALL = ("group_size", "bits", "mode")


class Mlx(Scheme):
    def __init__(self, raw: Mapping[str, Any], where: str) -> None:
        self._modules: dict[str, tuple[int, int]] = {}
        self._all = self._widths(raw, where, [key for key in raw if key not in _OF_ALL])
        for name, own in raw.items():
            if isinstance(own, dict):
                self._modules[name] = self._widths({**{k: raw[k] for k in _OF_ALL if k in raw}, **own}, where)
            elif name not in _OF_ALL and not isinstance(own, bool):
                Settings(raw, where, "mlx").refuse(f"unknown setting {shown(name)}")
        bits = sorted({bits for bits, _ in [self._all, *self._modules.values()]})
        self.label = f"MLX, {' and '.join(map(str, bits))} bits in groups of {self._all[1]}"

    @staticmethod
    def _widths(raw: Mapping[str, Any], where: str, modules: list[str] | None = None) -> tuple[int, int]:
        settings = Settings(raw, where, "mlx")
        settings.one_of("mode", "affine", default="affine")
        settings.skip(*(modules or ()))
        bits, group = settings.one_of("bits", *AFFINE, default=4), settings.group(default=64)
        settings.finish()
        return bits, group

    def matrix(self, module: str, shape: tuple[int, int], tensors: Tensors) -> Matrix | None:
        if tensors.get(f"{module}.scales") is None:
            return None
        n, k = shape
        bits, group = self._modules.get(module, self._all)
        groups = groups_of(module, k, group)
        weight = tensors.take(f"{module}.weight", ("u32",), n, k * bits // 32)
        scales = tensors.take(f"{module}.scales", FLOATS, n, groups)
        biases = tensors.take(f"{module}.biases", FLOATS, n, groups)

        def rows(lo: int, hi: int) -> Any:
            scale, bias = (floats(array(entry)[lo:hi]) for entry in (scales, biases))
            return mlx_rows(array(weight)[lo:hi], scale, bias, bits)

        return Matrix(affine_type(bits, group), (weight, scales, biases), rows)
