"""Lists GPUs and selects one."""

from __future__ import annotations

import os
import re
from typing import Any

from ..core.arguments import brief, refused, wrong_type
from ..core.environment import unknown
from ..core.errors import WgptError
from . import forks
from .errors import NoGpuError
from .physical import numbered
from .webgpu import wgpu_native
from .webgpu.interface import GpuInfo

_KIND_RANK = {"DiscreteGPU": 0, "IntegratedGPU": 1, "VirtualGPU": 2, "Unknown": 3, "CPU": 4}
# Backends with usable compute; OpenGL entries duplicate Vulkan GPUs and lack features.
_BACKEND_RANK = {"Vulkan": 0, "Metal": 0, "D3D12": 0, "OpenGL": 9, "OpenGLES": 9}
_NO_DRIVER = (
    "no GPU found that WebGPU can use: install a GPU driver, or Mesa's software Vulkan "
    "(Debian and Ubuntu: apt install mesa-vulkan-drivers libvulkan1)"
)


def list_gpus() -> list[tuple[GpuInfo, Any]]:
    """All GPUs with their wgpu objects.

    A GPU that several backends list appears once, with a number that is stable on one machine.

    >>> [info.index for info, _ in wgpt.list_gpus()][0]
    0
    """
    return [(info, gpu) for info, gpu, best in _entries() if best]


def _entries() -> list[tuple[GpuInfo, Any, bool]]:
    """What the backends list: each entry has its GPU's number, and whether it is the best one for that GPU."""
    forks.note_use()
    views = wgpu_native.gpus()
    named = numbered([info for info, _ in views])
    return [(info, gpu, best) for (info, best), (_, gpu) in zip(named, views, strict=True)]


def listed(gpu: str) -> list[int | str]:
    """The GPUs of --gpu, each a number or a part of a name; one may be there twice.

    A comma before a space is part of a name, such as "llvmpipe (LLVM 15.0.6, 128 bits)", unless all are numbers.

    >>> listed("0, 1"), listed("nvidia,1"), listed("(LLVM 15.0.6, 128 bits)")
    ([0, 1], ['nvidia', 1], ['(LLVM 15.0.6, 128 bits)'])
    """
    numbers = all(part.strip().isdecimal() for part in gpu.split(","))
    parts = [part.strip() for part in (gpu.split(",") if numbers else re.split(",(?! )", gpu))]
    if len(parts) > 1 and not all(parts):
        raise refused("gpu", gpu, "GPUs with commas between them, such as 0,1")
    return [int(part) if part.isdecimal() else part for part in parts]


def several(gpu: object) -> list[int | str] | None:
    """The GPUs of a list, as load() and --gpu take it; None for one GPU or none.

    >>> several("0,1"), several([0, "llvmpipe"]), several("llvmpipe"), several([2])
    ([0, 1], [0, 'llvmpipe'], None, None)
    """
    if isinstance(gpu, str):
        gpu = listed(gpu)
    if not isinstance(gpu, list | tuple):
        return None
    if not gpu or any(isinstance(one, bool) or not isinstance(one, int | str) for one in gpu):
        raise wrong_type("gpu", gpu, "the number of a GPU, part of its name, or a list of those")
    return list(gpu) if len(gpu) > 1 else None


def choose_gpu(wanted: int | str | None = None) -> tuple[GpuInfo, Any, str]:
    """Choose a GPU by index, by part of its name, or the best available. Also returns the reason."""
    if message := unknown(os.environ):
        raise WgptError(message)
    gpus = list_gpus()
    if not gpus:
        raise NoGpuError(_NO_DRIVER)
    source = "requested"
    if wanted is None and os.environ.get("WGPT_GPU"):
        wanted, source = os.environ["WGPT_GPU"], "WGPT_GPU"
    if wanted is None or wanted == "":
        info, gpu = min(gpus, key=_rank)
        order = "discrete, integrated, then software"
        return info, gpu, f"best of {len(gpus)} ({order})"
    prefix = "WGPT_GPU: " if source == "WGPT_GPU" else ""
    if several(wanted) is not None:
        raise NoGpuError(
            f"{prefix}{wanted} are several GPUs, over which only a model that generates is split (run, chat, batch, "
            "serve, eval, bench engine; wgpt.load): choose one; fine-tuning uses several through Ray (docs/scale.md)"
        )
    listing = "; ".join(f"{i.index}: {i.name} [{i.backend}]" for i, _ in gpus)
    if isinstance(wanted, int) or wanted.strip().isdigit():
        index = int(wanted)
        if index >= len(gpus) or index < 0:
            raise NoGpuError(f"{prefix}GPU {brief(index)} does not exist; available: {listing}")
        return (*gpus[index], f"index {index} ({source})")
    matching = [(i, gpu) for i, gpu, _ in _entries() if wanted.lower() in f"{i.name} {i.backend}".lower()]
    if not matching:
        hint = "; several GPUs: commas without spaces" if "," in wanted else ""
        raise NoGpuError(f"{prefix}no GPU's name contains {brief(wanted)}; available: {listing}{hint}")
    info, gpu = min(matching, key=_rank)
    return info, gpu, f"name contains {brief(wanted)} ({source})"


def _rank(item: tuple[GpuInfo, Any]) -> tuple[int, int, int]:
    info = item[0]
    # An OpenGL GPU is never better than a Vulkan, Metal or D3D12 one, whatever hardware it names.
    return (_BACKEND_RANK.get(info.backend, 5), _KIND_RANK.get(info.kind, 3), info.index)
