"""wgpt: language models on any GPU through WebGPU, from Python, with nothing to compile."""

from . import ops
from .api import Model, load
from .gpu import GpuDevice, Program, Tensor, WgptError, default_device, list_adapters
from .infer.classify import Classification
from .infer.forward_pass import ForwardPass
from .infer.generate import Completion
from .ops import CommandBatch, MatmulCache, gpu_min_size, should_use_gpu, use

__version__ = "0.1.0"

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
    "gpu_min_size",
    "list_adapters",
    "load",
    "ops",
    "should_use_gpu",
    "use",
]
