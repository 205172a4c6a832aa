"""A compiled kernel: its TTIR, and the shaders generated from it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

from wgpt.gpu import GpuDevice
from wgpt.ttir import Options, Shader, compile_ttir
from wgpt.ttir.artifact import shader_from_dict, shader_to_dict
from wgpt.ttir.launch import Prepared

Variant = tuple[tuple[int, ...], bool, bool]  # alias, offsets, folded (see wgpt.ttir.Options)
PLAIN: Variant = ((), False, False)
_SHARED = 32768  # most bytes of workgroup memory per program, if the GPU has as much
_THREADS = 1024


@dataclass(frozen=True)
class Settings:
    """Properties of the GPU and the launch that affect the code. Triton's "arch" is those of the GPU, as text."""

    f16: bool
    shared_bytes: int
    threads: int
    software: bool
    locks: bool = False
    num_warps: int = 4
    debug: bool = False

    @staticmethod
    def arch(device: GpuDevice) -> str:
        t = device.traits
        most = min(t.max_invocations, _THREADS)
        kind = "software" if t.software else "gpu"
        kind += "+locks" if os.environ.get("WGPT_TRITON_LOCKS") == "1" else ""
        return f"{'f16' if t.f16 else 'f32'}-{min(t.workgroup_bytes, _SHARED)}-{most}-{kind}"

    @classmethod
    def of_arch(cls, arch: Any, num_warps: int, debug: bool) -> Settings:
        kind, shared, threads, where = str(arch).split("-")
        return cls(
            kind == "f16",
            int(shared),
            int(threads),
            where.startswith("software"),
            where.endswith("+locks"),
            num_warps,
            debug,
        )


class Compiled:
    """One shader per memory layout of the arguments; all but the plain one are generated when needed."""

    def __init__(self, ttir: str, settings: Settings) -> None:
        self.ttir, self.settings = ttir, settings
        self._shaders: dict[Variant, Shader] = {}
        self._prepared: dict[Variant, Prepared] = {}

    def to_dict(self) -> dict[str, Any]:
        return {"ttir": self.ttir, "settings": asdict(self.settings), "shader": shader_to_dict(self.shader())}

    @classmethod
    def from_bytes(cls, binary: bytes) -> Compiled:
        contents = json.loads(binary)
        compiled = cls(contents["ttir"], Settings(**contents["settings"]))
        compiled._shaders[PLAIN] = shader_from_dict(contents["shader"], contents["wgsl"])
        return compiled

    def shader(self, variant: Variant = PLAIN) -> Shader:
        if variant not in self._shaders:
            alias, offsets, folded = variant
            s = self.settings
            options = Options(
                f16=s.f16,
                shared_bytes=s.shared_bytes,
                alias=alias,
                offsets=offsets,
                folded=folded,
                debug=s.debug,
                software=s.software,
                locks=s.locks,
            )
            self._shaders[variant] = compile_ttir(self.ttir, options, s.num_warps, s.threads)
        return self._shaders[variant]

    def prepared(self, variant: Variant, device: GpuDevice) -> Prepared:
        prepared = self._prepared.get(variant)
        if prepared is None or prepared.device is not device:
            prepared = self._prepared[variant] = Prepared(self.shader(variant), device)
        return prepared
