"""The trained parameters: flat buffers, and the gradient of each tensor in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..gpu import Tensor, device_of
from .lora import Lora
from .resident import Linear

F32 = NDArray[np.float32]
_Place = tuple[tuple[int, ...], list[Tensor]]  # a weight's shape, and the tensors with its rows


class Learner(Protocol):
    """LoRA layers, or a model's own weights."""

    @property
    def layers(self) -> Mapping[str, Lora]:
        """Adapted layers by name; empty if the model's own weights are trained."""
        ...

    @property
    def parameters(self) -> Sequence[Tensor]:
        """The trained values: f32, each from the beginning of a buffer. Gaps between tensors are 0."""
        ...

    @property
    def nbytes_beside(self) -> int:
        """GPU memory in addition to the model's."""
        ...


class Gradients:
    """A parameter's gradient has the same offset as the parameter, in a buffer of the same size."""

    def __init__(self, parameters: Sequence[Tensor] = (), gradients: Sequence[Tensor] = ()) -> None:
        self._buffers = {id(p.buffer): g.buffer for p, g in zip(parameters, gradients, strict=True)}

    def of(self, parameter: Tensor) -> Tensor | None:
        """The gradient of a parameter; None if it is not trained."""
        buffer = self._buffers.get(id(parameter.buffer))
        return None if buffer is None else Tensor(buffer, parameter.shape, "f32", parameter.offset)


class Weights:
    """All weights of a model: its linear layers and its vectors, named like the checkpoint's tensors."""

    def __init__(self, linears: Sequence[Linear], vectors: Mapping[str, Tensor]) -> None:
        self.layers: dict[str, Lora] = {}
        self._linears, self._vectors = tuple(linears), dict(vectors)
        parts = [part for linear in self._linears for part in linear.parts]
        for weight in (part.weight for part in parts):
            if weight.type.name != "f32":
                way_out = "load the model as f32 (dtype='f32'), or train an adapter"
                raise PreconditionError(
                    f"full fine-tuning needs f32 weights, but these are {weight.type.name}: {way_out}"
                )
            if weight.type.padded(weight.k) != weight.k:
                raise PreconditionError(
                    f"full fine-tuning needs rows of a multiple of 4 weights, but some have {weight.k}"
                )
        biases = [part.bias for part in parts if part.bias is not None]
        every = [*(part.weight.planes["w"] for part in parts), *biases, *self._vectors.values()]
        ends: dict[int, int] = {}
        for tensor in every:
            ends[id(tensor.buffer)] = max(ends.get(id(tensor.buffer), 0), tensor.offset + tensor.nbytes)
        buffers = {id(tensor.buffer): tensor.buffer for tensor in every}
        self.parameters = tuple(Tensor(buffers[key], (end // 4,), "f32") for key, end in ends.items())
        self.nbytes_beside = 0
        self._places = {name: place for name, place in self._placed()}

    @property
    def count(self) -> int:
        """Number of trained values."""
        matrices = sum(s.n * (linear.k + linear.biased) for linear in self._linears for s in linear.slices)
        return matrices + sum(vector.size for vector in self._vectors.values())

    def named(self, gradients: Gradients | None = None) -> Iterator[tuple[str, F32]]:
        """Every weight, or its gradient, by its tensor's name in the checkpoint, read one by one."""
        for name in self._places:
            yield name, self.read(name, gradients)

    def read(self, name: str, gradients: Gradients | None = None) -> F32:
        """The weight of this name, or its gradient."""
        shape, pieces = self._places[name]
        return np.concatenate([_read(piece, gradients) for piece in pieces]).reshape(shape)

    def _placed(self) -> Iterator[tuple[str, _Place]]:
        for linear in self._linears:
            matrices = [(part.weight.planes["w"], part.weight.n) for part in linear.parts]
            biases = [(part.bias, part.weight.n) for part in linear.parts if part.bias is not None]
            for name, at, n in linear.slices:
                yield f"{name}.weight", ((n, linear.k), _between(matrices, at, n, linear.k))
                if linear.biased:
                    yield f"{name}.bias", ((n,), _between(biases, at, n, 1))
        for name, vector in self._vectors.items():
            yield name, (vector.shape, [vector])


def _between(parts: Sequence[tuple[Tensor, int]], at: int, n: int, k: int) -> list[Tensor]:
    """Rows at .. at + n of consecutive tensors (each with its number of rows of k)."""
    windows, first = [], 0
    for tensor, rows in parts:
        lo, hi = max(at, first), min(at + n, first + rows)
        if lo < hi:
            windows.append(tensor.window((lo - first) * k, (hi - lo) * k))
        first += rows
    return windows


def _read(parameter: Tensor, gradients: Gradients | None) -> F32:
    tensor = parameter if gradients is None else gradients.of(parameter)
    assert tensor is not None
    return np.asarray(device_of(tensor).read(tensor)).view(np.float32)
