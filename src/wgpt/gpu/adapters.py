"""Which adapters there are, and which one is taken."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import wgpu

from .errors import NoAdapterError

_KIND_RANK = {"DiscreteGPU": 0, "IntegratedGPU": 1, "VirtualGPU": 2, "Unknown": 3, "CPU": 4}
# Backends with compute worth the name; OpenGL adapters are doubles of Vulkan ones and lack features.
_BACKEND_RANK = {"Vulkan": 0, "Metal": 0, "D3D12": 0, "OpenGL": 9, "OpenGLES": 9}
_NO_DRIVER = (
    "no WebGPU adapter found: install a GPU driver, or Mesa's software Vulkan "
    "(Debian/Ubuntu: mesa-vulkan-drivers libvulkan1; `make setup` does it)"
)


@dataclass(frozen=True)
class AdapterInfo:
    """What an adapter says of itself."""

    index: int
    name: str
    vendor: str
    driver: str
    kind: str
    backend: str

    @property
    def software(self) -> bool:
        return self.kind == "CPU"

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {self.backend}, {self.driver})"


def _describe(index: int, adapter: Any) -> AdapterInfo:
    info = adapter.info
    return AdapterInfo(
        index=index,
        name=info["device"] or info["description"] or "unnamed",
        vendor=info["vendor"],
        driver=info["description"],
        kind=info["adapter_type"],
        backend=info["backend_type"],
    )


def list_adapters() -> list[tuple[AdapterInfo, Any]]:
    """All adapters with their wgpu objects, in wgpu's own order (the index is stable on one machine)."""
    found = wgpu.gpu.enumerate_adapters_sync()
    return [(_describe(i, a), a) for i, a in enumerate(found)]


def choose_adapter(wanted: int | str | None = None) -> tuple[AdapterInfo, Any, str]:
    """Pick by index, by part of the name, or the best there is. Returns the reason as well."""
    adapters = list_adapters()
    if not adapters:
        raise NoAdapterError(_NO_DRIVER)
    source = "asked for"
    if wanted is None and os.environ.get("WGPT_ADAPTER"):
        wanted, source = os.environ["WGPT_ADAPTER"], "WGPT_ADAPTER"
    if wanted is None or wanted == "":
        info, adapter = min(adapters, key=_rank)
        order = "discrete, integrated, then software"
        return info, adapter, f"best of {len(adapters)} ({order})"
    listing = "; ".join(f"{i.index}: {i.name} [{i.backend}]" for i, _ in adapters)
    if isinstance(wanted, int) or wanted.strip().isdigit():
        index = int(wanted)
        if index >= len(adapters) or index < 0:
            raise NoAdapterError(f"adapter {index} does not exist; there are {listing}")
        return (*adapters[index], f"index {index} ({source})")
    matching = [a for a in adapters if wanted.lower() in f"{a[0].name} {a[0].backend}".lower()]
    if not matching:
        raise NoAdapterError(f"no adapter's name contains {wanted!r}; there are {listing}")
    info, adapter = min(matching, key=_rank)
    return info, adapter, f"name contains {wanted!r} ({source})"


def _rank(item: tuple[AdapterInfo, Any]) -> tuple[int, int, int]:
    info = item[0]
    # An OpenGL adapter is never better than a Vulkan, Metal or D3D12 one, whatever hardware it names.
    return (_BACKEND_RANK.get(info.backend, 5), _KIND_RANK.get(info.kind, 3), info.index)
