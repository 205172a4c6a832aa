"""The public names of `import wgpt`."""

from . import ops
from .api import Engine, Model, load
from .api.classify import Classification
from .api.comparing import Comparison, compare
from .api.files import convert, quantize
from .api.forward_pass import ForwardPass
from .api.measuring import imatrix
from .api.model_info import model_info
from .core.errors import WgptError
from .engine.completion import Completion
from .engine.errors import GrammarError
from .engine.grammar import Grammar
from .engine.reading import Embedding, ReadRequest, Score
from .engine.request import Request
from .gpu import GpuDevice, Program, Tensor, default_device, list_gpus
from .ops import CommandBatch, MatmulCache, gpu_available, gpu_min_size, should_use_gpu, use

__all__ = [
    "Classification",
    "CommandBatch",
    "Comparison",
    "Completion",
    "Embedding",
    "Engine",
    "ForwardPass",
    "GpuDevice",
    "Grammar",
    "GrammarError",
    "MatmulCache",
    "Model",
    "Program",
    "ReadRequest",
    "Request",
    "Score",
    "Tensor",
    "WgptError",
    "compare",
    "convert",
    "default_device",
    "gpu_available",
    "gpu_min_size",
    "imatrix",
    "list_gpus",
    "load",
    "model_info",
    "ops",
    "quantize",
    "should_use_gpu",
    "use",
]
