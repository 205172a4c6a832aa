"""The public names of `import wgpt`."""

from . import ops
from .api import Model, load
from .engine.completion import Completion
from .gpu import GpuDevice, Program, Tensor, WgptError, default_device, list_gpus
from .infer.classify import Classification
from .infer.forward_pass import ForwardPass
from .ops import CommandBatch, MatmulCache, gpu_available, gpu_min_size, should_use_gpu, use

__all__ = [
    "Classification",
    "CommandBatch",
    "Completion",
    "ForwardPass",
    "GpuDevice",
    "MatmulCache",
    "Model",
    "Program",
    "Tensor",
    "WgptError",
    "default_device",
    "gpu_available",
    "gpu_min_size",
    "list_gpus",
    "load",
    "ops",
    "should_use_gpu",
    "use",
]
