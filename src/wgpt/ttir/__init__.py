"""Lowers TTIR, Triton's intermediate representation, to WGSL. It reads TTIR as text and does not need Triton."""

from .errors import Refused, TooLarge
from .options import Options
from .shader import Binding, Field, Shader, compile_ttir

__all__ = ["Binding", "Field", "Options", "Refused", "Shader", "TooLarge", "compile_ttir"]
