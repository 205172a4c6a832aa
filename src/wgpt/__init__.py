"""wgpt: language models on any GPU through WebGPU, from Python, with nothing to compile."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.first_use import at_first_use

if TYPE_CHECKING:
    from .public import *  # noqa: F403

__version__ = "0.1.0"

# Files name the family of their model. The families are in a higher layer than the file readers, so they register here.
at_first_use("families", lambda: import_module(".models.families", __name__))
# Whoever lists kernels sees Triton's too, and their backend, which are in a higher layer than the list.
at_first_use("kernels", lambda: import_module(".triton_kernels", __name__).register())


def __getattr__(name: str) -> Any:
    """Load public names on first use, so that the command line starts quickly."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'wgpt' has no attribute {name!r}")
    try:
        return getattr(import_module(".public", __name__), name)
    except AttributeError:
        raise AttributeError(f"module 'wgpt' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
