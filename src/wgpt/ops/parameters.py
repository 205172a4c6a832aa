"""What a training step changes: flat buffers, and where the gradient of each tensor in them goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..gpu import PreconditionError, Tensor
from .adapters import Lora
from .resident import Linear

F32 = NDArray[np.float32]
_Place = tuple[tuple[int, ...], list[Tensor]]  # a weight's shape, and where its rows are


class Learner(Protocol):
    """Adapters, or a model's own weights."""

    @property
    def layers(self) -> Mapping[str, Lora]:
        """Adapted layers by name; none where the model's own weights learn."""
        ...

    @property
    def parameters(self) -> Sequence[Tensor]:
        """All that learns: f32, each from the beginning of a buffer on. What lies between tensors is 0."""
        ...

    @property
    def nbytes_beside(self) -> int:
        """GPU memory that it takes beside the model."""
        ...


class Gradients:
    """The gradient of a parameter lies where the parameter does, in a buffer that is as long."""

    def __init__(self, parameters: Sequence[Tensor] = (), held: Sequence[Tensor] = ()) -> None:
        self._held = {id(p.buffer): g.buffer for p, g in zip(parameters, held, strict=True)}

    def of(self, parameter: Tensor) -> Tensor | None:
        """None: it does not learn."""
        buffer = self._held.get(id(parameter.buffer))
        return None if buffer is None else Tensor(buffer, parameter.shape, "f32", parameter.offset)


class Weights:
    """All weights of a model: its linear layers and its vectors, which are named as the checkpoint's tensors are."""

    def __init__(self, linears: Sequence[Linear], vectors: Mapping[str, Tensor]) -> None:
        self.layers: dict[str, Lora] = {}
        self._linears, self._vectors = tuple(linears), dict(vectors)
        parts = [part for linear in self._linears for part in linear.parts]
        for weight in (part.weight for part in parts):
            if weight.type.name != "f32":
                way_out = "load the model as f32 (dtype='f32'), or train an adapter"
                raise PreconditionError(
                    f"full fine-tuning changes f32 weights, and these are {weight.type.name}: {way_out}"
                )
            if weight.type.padded(weight.k) != weight.k:
                raise PreconditionError(
                    f"full fine-tuning needs rows of a multiple of 4 weights, and some have {weight.k}"
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
        """Values that learn."""
        matrices = sum(s.n * (linear.k + linear.biased) for linear in self._linears for s in linear.slices)
        return matrices + sum(vector.size for vector in self._vectors.values())

    def named(self, gradients: Gradients | None = None) -> Iterator[tuple[str, F32]]:
        """Every weight by its tensor's name in the checkpoint, read one by one; or its gradient."""
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
    """Rows at .. at + n of tensors (each with its rows of k) that follow one another."""
    found, first = [], 0
    for tensor, rows in parts:
        lo, hi = max(at, first), min(at + n, first + rows)
        if lo < hi:
            found.append(tensor.window((lo - first) * k, (hi - lo) * k))
        first += rows
    return found


def _read(parameter: Tensor, gradients: Gradients | None) -> F32:
    tensor = parameter if gradients is None else gradients.of(parameter)
    assert tensor is not None
    return np.asarray(tensor.buffer.device.read(tensor)).view(np.float32)
