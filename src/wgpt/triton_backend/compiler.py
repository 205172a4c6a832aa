"""Triton's compiler interface: TTIR is made by Triton's own passes, WGSL by wgpt.ttir."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from triton._C.libtriton import ir, passes
from triton.backends.compiler import BaseBackend, GPUTarget
from triton.runtime.errors import OutOfResources

from wgpt.ttir import TooLarge
from wgpt.ttir.version import lowering_version

from .compiled import Compiled, Settings

TARGET = "webgpu"


@dataclass(frozen=True)
class WebGPUOptions:
    """Launch options (num_warps, ...) and the attributes that Triton's front end requires of a backend."""

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 1
    warp_size: int = 32
    debug: bool = False
    sanitize_overflow: bool = False
    enable_fp_fusion: bool = True
    ir_override: str | None = None
    arch: str | None = None
    extern_libs: tuple[tuple[str, str], ...] = ()
    supported_fp8_dtypes: tuple[str, ...] = ()
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    # Options of other backends, accepted for portable kernels and ignored here.
    maxnreg: int | None = None
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    matrix_instr_nonkdim: int = 0
    waves_per_eu: int = 0
    kpack: int = 1
    backend_name: str = TARGET

    def __post_init__(self) -> None:
        assert self.num_warps > 0 and self.num_warps & (self.num_warps - 1) == 0, "num_warps must be a power of 2"

    def hash(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@cache
def _own_hash() -> str:
    """A hash of the lowering, so that changing it invalidates Triton's cache."""
    digest = hashlib.sha256(lowering_version().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def generic_form(module: Any) -> str:
    """The module in MLIR's generic form, with locations: MLIR prints that form while an attribute is invalid."""
    function = module.get_function(module.get_entry_func_name())
    builder = ir.builder(module.context)
    function.set_attr("sym_visibility", builder.get_string_attr("generic"))
    try:
        return str(module)
    finally:
        function.set_attr("sym_visibility", builder.get_string_attr("public"))


def without_paths(text: str) -> str:
    """The text with file names instead of full paths in locations."""
    return re.sub(r'loc\("[^"\n]*/([^"/\n]+)":', r'loc("\1":', text)


class OutOfRoom(TooLarge, OutOfResources):
    """Out of resources, as the exception on which Triton's autotuner tries the next configuration."""

    def __init__(self, refusal: TooLarge) -> None:
        TooLarge.__init__(
            self,
            refusal.reason,
            refusal.kernel,
            refusal.line,
            resource=refusal.resource,
            needed=refusal.needed,
            limit=refusal.limit,
        )
        self.required, self.name = refusal.needed, refusal.resource

    def __str__(self) -> str:
        return str(self.args[0])


class WebGPUBackend(BaseBackend):
    def __init__(self, target: GPUTarget) -> None:
        super().__init__(target)
        self.binary_ext = "wgpt"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return bool(target.backend == TARGET)

    def hash(self) -> str:
        return f"wgpt-{_own_hash()}-{self.target.arch}"

    def parse_options(self, opts: dict[str, Any]) -> WebGPUOptions:
        known = {f.name for f in fields(WebGPUOptions)}
        options = {k: v for k, v in opts.items() if k in known and v is not None}
        options.pop("extern_libs", None)
        options["sanitize_overflow"] = False
        return WebGPUOptions(**options)

    def pack_metadata(self, metadata: Any) -> tuple[int, int, int]:
        return (metadata.num_warps, metadata.num_ctas, metadata.shared)

    def get_codegen_implementation(self, options: WebGPUOptions) -> dict[str, Any]:
        return {"min_dot_size": lambda a, b: (1, 1, 1)}

    def get_module_map(self) -> dict[str, ModuleType]:
        from triton.language.extra.cuda import libdevice  # `tt.extern_elementwise` uses its symbols

        return {"triton.language.extra.libdevice": libdevice}

    def load_dialects(self, context: Any) -> None:
        pass  # the dialects of TTIR are already loaded

    @staticmethod
    def make_ttir(module: Any, metadata: dict[str, Any], options: WebGPUOptions) -> Any:
        manager = ir.pass_manager(module.context)
        manager.enable_debug()
        passes.common.add_inliner(manager)
        if hasattr(passes.ttir, "add_rewrite_tensor_pointer"):
            passes.ttir.add_rewrite_tensor_pointer(manager)
        passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
        passes.common.add_canonicalizer(manager)
        passes.ttir.add_combine(manager)
        passes.ttir.add_reorder_broadcast(manager)
        passes.common.add_cse(manager)
        passes.common.add_symbol_dce(manager)
        passes.ttir.add_loop_unroll(manager)
        manager.run(module, "make_ttir")
        return module

    def make_wgsl(self, module: Any, metadata: dict[str, Any], options: WebGPUOptions) -> str:
        text = without_paths(generic_form(module))
        compiled = Compiled(text, Settings.of_arch(self.target.arch, options.num_warps, options.debug))
        try:
            compiled.shader()
        except TooLarge as e:
            raise OutOfRoom(e) from None
        metadata["name"] = module.get_entry_func_name()
        metadata["shared"] = max(4, compiled.shader().shared_bytes)  # not 0, because callers divide by it
        metadata["compiled"] = compiled.to_dict()
        return compiled.shader().wgsl

    @staticmethod
    def make_binary(wgsl: str, metadata: dict[str, Any], options: WebGPUOptions) -> bytes:
        return json.dumps({**metadata.pop("compiled"), "wgsl": wgsl}).encode()

    def add_stages(self, stages: dict[str, Any], options: WebGPUOptions, language: Any = None) -> None:
        stages["ttir"] = lambda src, metadata: self.make_ttir(src, metadata, options)
        stages["wgsl"] = lambda src, metadata: self.make_wgsl(src, metadata, options)
        stages["wgpt"] = lambda src, metadata: self.make_binary(src, metadata, options)
