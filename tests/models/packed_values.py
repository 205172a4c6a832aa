"""The values of weights that are on a GPU."""

from __future__ import annotations

import numpy as np

from wgpt.gpu import GpuDevice
from wgpt.ops.weight import Weight
from wgpt.quant.weights import Packed, unpack


def values_of(device: GpuDevice, weight: Weight) -> np.ndarray:
    planes = {name: device.read(plane) for name, plane in weight.planes.items()}
    return unpack(Packed(weight.type, weight.n, weight.k, planes["w"], planes["s"]))
