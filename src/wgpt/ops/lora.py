"""A LoRA adapter that is trained: low-rank matrices beside the layers they change. For inference: lora_pool.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor, ValidationError, device_of

_ALIGN = 64  # elements: bindings begin at multiples of 256 bytes
F32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Lora:
    """y += scale * (x A^T) B^T."""

    a: Tensor  # [r, K]
    b: Tensor  # [N, r]
    scale: float

    @property
    def rank(self) -> int:
        return self.a.shape[0]


class LoraLayers:
    """The matrices of all adapted layers (by name) in one flat buffer, A before B, each aligned for a binding."""

    def __init__(self, device: GpuDevice, factors: Mapping[str, tuple[F32, F32, float]]) -> None:
        if not factors:
            raise ValidationError("a LoRA adapter needs at least one layer")
        self.shapes = {name: (a.shape, b.shape) for name, (a, b, _) in factors.items()}
        self.scales = {name: float(scale) for name, (_, _, scale) in factors.items()}
        self.size = sum(_padded(a) + _padded(b) for a, b in self.shapes.values())
        self.flat = device.empty((self.size,), "f32", "adapter")
        self.write(factors)
        self.layers = self.windows(self.flat)
        self.parameters = (self.flat,)

    def write(self, factors: Mapping[str, tuple[F32, F32, float]]) -> None:
        """Replace the values; names and shapes stay the same."""
        values = np.zeros(self.size, np.float32)
        at = 0
        for name, shapes in self.shapes.items():
            for matrix, shape in zip(factors[name][:2], shapes, strict=True):
                values[at : at + matrix.size] = matrix.reshape(shape).ravel()
                at += _padded(shape)
        device_of(self.flat).write(self.flat, values)

    def read(self, flat: F32) -> dict[str, tuple[F32, F32]]:
        """A and B of each layer, from a host copy of the flat buffer."""
        factors, at = {}, 0
        for name, shapes in self.shapes.items():
            pair = []
            for shape in shapes:
                pair.append(flat[at : at + shape[0] * shape[1]].reshape(shape))
                at += _padded(shape)
            factors[name] = (pair[0], pair[1])
        return factors

    def windows(self, flat: Tensor) -> dict[str, Lora]:
        """The layers' matrices in a buffer of this layout: the parameters, or their gradients."""
        layers, at = {}, 0
        for name, (a, b) in self.shapes.items():
            layers[name] = Lora(flat.window(at, *a), flat.window(at + _padded(a), *b), self.scales[name])
            at += _padded(a) + _padded(b)
        return layers

    @property
    def nbytes(self) -> int:
        return 4 * self.size

    @property
    def nbytes_beside(self) -> int:
        """All of it is additional to the model: see ops/parameters.py."""
        return self.nbytes

    def release(self) -> None:
        self.flat.buffer.release()


def _padded(shape: tuple[int, ...]) -> int:
    return -(-shape[0] * shape[1] // _ALIGN) * _ALIGN
