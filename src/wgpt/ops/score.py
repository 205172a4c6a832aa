"""A classification head on a GPU, and LoRA layers that are trained together with it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..gpu import GpuDevice, Tensor, device_of
from ..quant.weights import weight_type
from .lora import LoraLayers
from .resident import Linear, Part
from .weight import Weight

F32 = NDArray[np.float32]


class Score:
    """W[classes, hidden] in f32, without a bias, in a separate buffer."""

    def __init__(self, device: GpuDevice, weight: F32) -> None:
        kind, (n, k) = weight_type("f32"), weight.shape
        if kind.padded(k) != k:
            raise PreconditionError(f"a classification head needs a hidden size that is a multiple of 4, not {k}")
        self.shape = (n, k)
        self.flat = device.tensor(np.ascontiguousarray(weight, np.float32).reshape(-1), label="score")
        words = Tensor(self.flat.buffer, (n * k,), "u32")
        self.linear = Linear((Part(Weight(kind, n, k, {"w": words})),))

    def read(self) -> F32:
        return np.asarray(device_of(self.flat).read(self.flat), np.float32).reshape(self.shape)

    def release(self) -> None:
        self.flat.buffer.release()


class Scored:
    """LoRA layers and a head, as a Learner (ops/parameters.py)."""

    def __init__(self, adapters: LoraLayers, score: Score) -> None:
        self.layers = adapters.layers
        self.parameters = (*adapters.parameters, score.flat)
        self.nbytes_beside = adapters.nbytes_beside + score.flat.nbytes
