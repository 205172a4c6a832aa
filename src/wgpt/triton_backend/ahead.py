"""Ahead-of-time compilation of a kernel in a file to an artifact. Needs Triton, but no GPU."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from wgpt.core.errors import WgptError
from wgpt.ttir.artifact import PORTABLE_BYTES, PORTABLE_THREADS, Artifact

from .compiler import TARGET, WebGPUBackend, generic_form, without_paths

MADE_BY = f"triton {triton.__version__}"  # recorded in artifacts


def load_kernel(where: str) -> Any:
    """Load FILE:KERNEL, without the wrappers of @autotune and @heuristics."""
    path, _, name = where.rpartition(":")
    file = Path(path)
    if not path or file.suffix != ".py" or not file.is_file():
        raise WgptError(f"{where!r}: expected FILE:KERNEL, where FILE is a Python file (.py)")
    spec = importlib.util.spec_from_file_location(f"wgpt_kernels_{file.stem}", file)
    assert spec is not None and spec.loader is not None  # the name ends with .py
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    kernel = getattr(module, name, None)
    while kernel is not None and not isinstance(kernel, triton.JITFunction) and hasattr(kernel, "fn"):
        kernel = kernel.fn
    if not isinstance(kernel, triton.JITFunction):
        kernels = [n for n, v in vars(module).items() if isinstance(v, triton.JITFunction)]
        raise WgptError(f"{file} has no kernel {name!r}; it has {', '.join(kernels) or 'none'}")
    return kernel


def ttir_of(
    kernel: Any, signature: Mapping[str, str], constants: Mapping[str, Any], num_warps: int = 4
) -> tuple[str, str]:
    """(Readable TTIR, TTIR in MLIR's generic form) of a kernel. Types are Triton's: *fp32, i32, fp32, ..."""
    unknown = [n for n in (*signature, *constants) if n not in kernel.arg_names]
    missing = [n for n in kernel.arg_names if n not in signature and n not in constants]
    if unknown or missing:
        raise WgptError(
            f"{kernel.__name__} takes {', '.join(kernel.arg_names)}: "
            + "; ".join([*(f"{n} is unknown" for n in unknown), *(f"{n} is missing" for n in missing)])
        )
    kinds = {n: "constexpr" if n in constants else signature[n] for n in kernel.arg_names}
    backend = WebGPUBackend(GPUTarget(TARGET, f"f32-{PORTABLE_BYTES}-{PORTABLE_THREADS}-gpu", 32))
    options = backend.parse_options({"num_warps": num_warps})
    context = ir.context()
    ir.load_dialects(context)
    source = ASTSource(fn=kernel, signature=kinds, constexprs=dict(constants))
    module = source.make_ir(
        backend.target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    module = backend.make_ttir(module, {}, options)
    return module.str_nodebug(), without_paths(generic_form(module))


def compile_kernel(
    kernel: Any,
    signature: Mapping[str, str],
    constants: Mapping[str, Any],
    num_warps: int = 4,
    grid: Sequence[str] = (),
    name: str | None = None,
    trusted: bool = False,
) -> Artifact:
    """An artifact that runs on every GPU, with a separate shader for GPUs with f16 in buffers if that one differs.

    >>> signature = {"x": "*fp32", "y": "*fp32", "n": "i32"}                                # doctest: +SKIP
    >>> artifact = compile_kernel(scale_kernel, signature, {"BLOCK": 256}, grid=["cdiv(n, BLOCK)"])
    >>> artifact.save(Path("kernels"))
    """
    _, text = ttir_of(kernel, signature, constants, num_warps)
    return Artifact.of_ttir(text, tuple(signature), constants, num_warps, grid, name, MADE_BY, trusted)
