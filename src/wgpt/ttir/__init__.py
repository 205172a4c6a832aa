"""TTIR, Triton's intermediate representation, lowered to WGSL. Needs no Triton: it reads TTIR as text."""

from .errors import Refused, TooLarge
from .options import Options
from .shader import Binding, Field, Shader, compile_ttir

__all__ = ["Binding", "Field", "Options", "Refused", "Shader", "TooLarge", "compile_ttir"]
