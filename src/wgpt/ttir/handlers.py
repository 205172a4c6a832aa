"""Imports the modules with handlers of operations, which registers them."""

from .lower import Lowering
from .lower_atomics import rmw
from .lower_control import run_blocks
from .lower_debug import device_print
from .lower_dot import dot
from .lower_memory import load
from .lower_reduce import reduce
from .lower_shape import gather
from .options import Options

__all__ = ["Lowering", "Options", "device_print", "dot", "gather", "load", "reduce", "rmw", "run_blocks"]
