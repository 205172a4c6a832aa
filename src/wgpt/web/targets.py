"""The kinds of GPU for which a site has Programs. The runtime takes the first one that the visitor's GPU supports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..gpu import Traits
from ..quant.weights import TYPES, weight_type
from .errors import WebExportError

# WebGPU's default limits: every browser's GPU has them.
LIMITS = {
    "max-buffer-size": 256 << 20,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-compute-workgroups-per-dimension": 65535,
    "min-storage-buffer-offset-alignment": 256,
    "min-uniform-buffer-offset-alignment": 256,
}
_THREADS, _WORKGROUP_BYTES = 256, 16 << 10  # of a workgroup


@dataclass(frozen=True)
class Target:
    """The requirements of a kind of GPU."""

    name: str
    note: str
    subgroup_size: int = 0
    f16: bool = False
    software: bool = False
    vendor: str = ""  # as WebGPU names it
    tuned: str = ""  # the GPU whose tuned kernel variants are used

    @property
    def traits(self) -> Traits:
        sizes = self.subgroup_size, _WORKGROUP_BYTES, _THREADS
        return Traits(self.software, self.f16, *sizes, native_halves=self.f16)

    def check(self, types: Iterable[str], model: str) -> None:
        """Refuse the f16 target if none of the model's weights are f16."""
        if self.vendor or not self.f16:
            return
        if not any(name in TYPES and weight_type(name).native_halves for name in types):
            raise WebExportError(
                f"target {self.name}: no weights of {model} are f16, so its Programs would be those of {BROWSER.name}: "
                "leave it out, or convert the weights to f16"
            )


BROWSER = Target("browser", "any GPU with WebGPU's default limits")
# The most demanding first: the runtime checks them in this order.
TARGETS = {
    target.name: target
    for target in (
        Target("software", "a CPU that computes instead of a GPU (SwiftShader, llvmpipe)", software=True),
        Target("nvidia", "NVIDIA GPUs, with kernels tuned on an H200", 32, True, vendor="nvidia", tuned="NVIDIA H200"),
        Target("subgroups", "GPUs with subgroups of 32, such as those of NVIDIA and Apple", subgroup_size=32),
        Target("f16", "GPUs with 16-bit arithmetic, for weights that are f16", f16=True),
        BROWSER,
    )
}
