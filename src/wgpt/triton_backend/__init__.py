"""The backend that Triton loads through its entry point `triton.backends`: the modules `compiler` and `driver`.

It is separate from `wgpt.triton`, because importing that package activates this backend.
"""

from __future__ import annotations

import os
import sys


def _import_triton() -> None:
    """Triton brings its own LLVM. Where a Vulkan driver that was opened before has loaded another one (Mesa's
    llvmpipe), Triton's library would call functions of that one and crash: it must find its own first."""
    own_first = getattr(os, "RTLD_DEEPBIND", 0)
    flags = sys.getdlopenflags() if own_first else 0
    if own_first:
        sys.setdlopenflags(flags | own_first)
    try:
        import triton  # noqa: F401
    finally:
        if own_first:
            sys.setdlopenflags(flags)


_import_triton()
