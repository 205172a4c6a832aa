"""Kernels that keep a row, or a piece of one, in the registers of a workgroup until it is written as halves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from ...gpu import Traits
from ..grid import ceil_div
from ..kernel import Problem, Variant
from ..pieces.rows import RowKernel
from .row_halves import vectors

_WORKGROUPS = (64, 128, 256, 512, 1024)
_MOST_EACH = 4  # vectors of eight that a thread keeps


def keeps(traits: Traits, columns: int) -> bool:
    """Whether a workgroup of this GPU can keep this number of columns."""
    return columns % 4 == 0 and vectors(columns) <= _MOST_EACH * min(traits.max_invocations, _WORKGROUPS[-1])


class KeptRows(RowKernel):
    """Each thread keeps `each` vectors of eight, of which the second four may be missing at the end of a row."""

    @abstractmethod
    def kept(self, problem: Problem) -> int:
        """Columns that a workgroup keeps."""

    def _each(self, problem: Problem, variant: Variant) -> int:
        return ceil_div(vectors(self.kept(problem)), variant["threads"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Those whose threads keep the fewest vectors first, and of these the smallest."""
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        vecs = vectors(self.kept(problem))
        sizes = [size for size in _WORKGROUPS if size < 2 * vecs or size == _WORKGROUPS[0]]
        sizes.sort(key=lambda size: (ceil_div(vecs, size), size))
        return [{"reduce": reduce, "threads": size} for size in sizes for reduce in reduces]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if self.cols(problem) % 4:
            return f"rows must be whole vec4s, and have {self.cols(problem)} columns"
        if self._each(problem, variant) > _MOST_EACH:
            return f"{variant['threads']} threads keep up to {8 * _MOST_EACH * variant['threads']} columns"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "vecs": vectors(self.cols(problem))}, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"each": self._each(problem, variant)}
