"""Weights on a GPU: packed matrices, in parts if one binding is too small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice, Tensor
from ..gpu.bindings import most_bytes
from ..gpu.process_bound import ProcessBound
from ..gpu.typed import typed_methods
from ..kernels.kernel import Problem
from ..kernels.weighted import planes
from ..quant.weights import Packed, WeightType

_MOST_ROWS = 1 << 20  # of a part: a GEMM's grid allows this number of columns with any tile


@typed_methods
@dataclass(frozen=True, eq=False)
class Weight(ProcessBound):
    """W[N, K] resident on a GPU.

    >>> cache = wgpt.MatmulCache()
    >>> weight = cache.put("up", np.ones((3, 64), np.float32), "q8_0")
    >>> weight.type.name, weight.n, weight.k, sorted(weight.planes)
    ('q8_0', 3, 64, ['s', 'w'])
    >>> cache.clear()
    """

    type: WeightType
    n: int
    k: int
    planes: dict[str, Tensor]  # "w", and "s" if the type has scales

    @classmethod
    def upload(cls, device: GpuDevice, packed: Packed, label: str = "weight") -> Weight:
        parts = {name: device.tensor(array, "u32", f"{label}.{name}") for name, array in planes(packed).items()}
        return cls(packed.type, packed.n, packed.k, parts)

    @property
    def parts(self) -> tuple[Weight, ...]:
        return (self,)

    @property
    def tensors(self) -> Sequence[Tensor]:
        return tuple(self.planes.values())

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for tensor in self.tensors)

    def problem(self, m: int, compute: str = "f32") -> Problem:
        if m == 1:
            return {"weight": self.type.name, "n": self.n, "k": self.k}
        return {"weight": self.type.name, "compute": compute, "m": m, "n": self.n, "k": self.k}

    def release(self) -> None:
        for tensor in self.tensors:
            tensor.buffer.release()


@dataclass(frozen=True, eq=False)
class SplitWeight(ProcessBound):
    """W[N, K] resident on a GPU in parts of consecutive rows, because one binding cannot hold it.

    It has the attributes of a Weight, which has one part:

    >>> cache = wgpt.MatmulCache()
    >>> weight = cache.put("up", np.ones((3, 64), np.float32))
    >>> [part.n for part in weight.parts]
    [3]
    >>> cache.clear()
    """

    parts: tuple[Weight, ...]

    @property
    def type(self) -> WeightType:
        return self.parts[0].type

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def k(self) -> int:
        return self.parts[0].k

    @property
    def tensors(self) -> Sequence[Tensor]:
        return tuple(tensor for part in self.parts for tensor in part.tensors)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)

    def release(self) -> None:
        for part in self.parts:
            part.release()


AnyWeight = Weight | SplitWeight


def upload(device: GpuDevice, packed: Packed, label: str = "weight") -> AnyWeight:
    """Copy a matrix to the GPU, in as many parts as binding limits require."""
    step = min(rows_per_part(device, packed.type, packed.n, packed.k), _MOST_ROWS)
    if step >= packed.n:
        return Weight.upload(device, packed, label)
    parts: list[Weight] = []
    try:
        for lo in range(0, packed.n, step):
            parts.append(Weight.upload(device, packed.rows(lo, min(lo + step, packed.n)), label))
    except BaseException:
        for part in parts:
            part.release()
        raise
    return SplitWeight(tuple(parts))


def rows_per_part(device: GpuDevice, kind: WeightType, n: int, k: int) -> int:
    """Rows that fit into one binding: all of them, or a multiple of those at which every plane has whole words."""
    limit = most_bytes(device)
    if 4 * max(kind.words(n, k), kind.resident_scale_words(n, k)) <= limit:
        return n
    whole = kind.whole_rows
    most = limit // (4 * max(kind.words(whole, k), kind.resident_scale_words(whole, k))) * whole
    if most == 0:
        raise AllocationError(
            f"{whole} rows of {k} {kind.name} weights exceed the {readable_bytes(limit)} that one binding holds on "
            f"{device.info.name}: use a smaller weight type"
        )
    return most
