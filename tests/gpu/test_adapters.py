"""Choice of the GPU, among made-up ones; no GPU."""

from __future__ import annotations

from typing import Any

import pytest
import wgpu

from wgpt.core.errors import PreconditionError
from wgpt.gpu import NoGpuError, choose_gpu, list_gpus
from wgpt.gpu.gpus import listed, several


class Made:
    """A stand-in for wgpu's adapter object, with the parts used for the choice."""

    def __init__(self, name: str, kind: str, backend: str = "Vulkan", vendor: int = 0, device: int = 0) -> None:
        self.info = {
            "vendor_id": vendor,
            "device_id": device,
            "device": name,
            "description": f"{name} driver 1.0",
            "vendor": "made up",
            "adapter_type": kind,
            "backend_type": backend,
        }


MACHINE = [
    Made("llvmpipe", "CPU"),
    Made("GeForce 9", "DiscreteGPU", "OpenGL"),
    Made("Radeon 780M", "IntegratedGPU"),
    Made("GeForce 9", "DiscreteGPU"),
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that sets which GPUs there are."""
    monkeypatch.delenv("WGPT_GPU", raising=False)

    def of(*gpus: Made) -> None:
        monkeypatch.setattr(wgpu.gpu, "enumerate_adapters_sync", lambda: list(gpus))

    of(*MACHINE)
    return of


def test_discrete_beats_integrated_beats_software(machine):
    assert choose_gpu()[0].index == 2 and choose_gpu()[1] is MACHINE[3]
    machine(*MACHINE[:3])
    assert choose_gpu()[0].name == "Radeon 780M"
    machine(MACHINE[0])
    info, gpu, reason = choose_gpu()
    assert info.software and gpu is MACHINE[0] and "best of 1" in reason


def test_an_opengl_double_is_never_preferred(machine):
    machine(MACHINE[1], MACHINE[2])
    assert choose_gpu()[0].backend == "Vulkan"
    machine(MACHINE[1])
    assert choose_gpu()[0].backend == "OpenGL"


@pytest.mark.parametrize(
    ("selector", "index", "at"),
    [(2, 2, 3), ("2", 2, 3), (" 0 ", 0, 0), ("radeon", 1, 2), ("GEFORCE", 2, 3), ("opengl", 2, 1)],
)
def test_by_index_and_by_part_of_the_name(machine, selector, index, at):
    info, gpu, _ = choose_gpu(selector)
    assert info.index == index and gpu is MACHINE[at]


def test_a_gpu_that_two_backends_list_is_one(machine):
    vulkan = [Made("GeForce 9", "DiscreteGPU", vendor=0x10DE, device=7) for _ in range(2)]
    d3d12 = [Made("NVIDIA GeForce 9", "DiscreteGPU", "D3D12", 0x10DE, 7) for _ in range(2)]
    opengl = Made("NVIDIA GeForce 9/PCIe", "Unknown", "OpenGL", 0x10DE, 0)
    intel = Made("Arc", "IntegratedGPU", vendor=0x8086, device=3)
    old = Made("Voodoo", "DiscreteGPU", "OpenGL", 0x121A, 5)
    machine(opengl, *d3d12, intel, *vulkan, old)
    assert [gpu for _, gpu in list_gpus()] == [intel, *vulkan, old]
    assert [info.index for info, _ in list_gpus()] == [0, 1, 2, 3]
    assert choose_gpu("pcie")[0].index == 1 and choose_gpu("pcie")[1] is opengl
    assert choose_gpu("d3d12")[0].index == 1 and choose_gpu("d3d12")[1] is d3d12[0]
    machine(opengl, vulkan[0], *d3d12)  # where Vulkan's driver does not know the second
    assert [gpu for _, gpu in list_gpus()] == d3d12


def test_the_reason_says_who_asked(machine, monkeypatch):
    assert choose_gpu(2)[2] == "index 2 (requested)"
    monkeypatch.setenv("WGPT_GPU", "radeon")
    info, _, reason = choose_gpu()
    assert info.index == 1 and reason == "name contains 'radeon' (WGPT_GPU)"
    assert choose_gpu(0)[0].index == 0, "an argument goes before the environment"
    monkeypatch.setenv("WGPT_GPU", "")
    assert choose_gpu()[0].index == 2, "an empty variable is none"


@pytest.mark.parametrize("selector", [3, -1, "3", "voodoo"])
def test_what_does_not_exist_is_refused_with_what_does(machine, selector):
    with pytest.raises(NoGpuError, match=r"0: llvmpipe \[Vulkan\]; 1: Radeon 780M \[Vulkan\]; 2: GeForce") as refused:
        choose_gpu(selector)
    assert str(selector) in str(refused.value)


@pytest.mark.parametrize(
    ("gpu", "gpus"),
    [
        ("0", [0]),
        ("0,1", [0, 1]),
        (" 0, 1 ", [0, 1]),
        ("0,0", [0, 0]),
        ("nvidia,1", ["nvidia", 1]),
        ("nvidia,intel", ["nvidia", "intel"]),
        ("llvmpipe (LLVM 15.0.6, 128 bits)", ["llvmpipe (LLVM 15.0.6, 128 bits)"]),
    ],
)
def test_lists_of_gpus(gpu, gpus):
    assert listed(gpu) == gpus
    assert several(gpu) == (gpus if len(gpus) > 1 else None)


def test_lists_that_are_wrong(machine):
    for gpu in ("0,,1", "0,", ",", ",nvidia"):
        with pytest.raises(PreconditionError, match="commas between them, such as 0,1"):
            several(gpu)
    with pytest.raises(NoGpuError, match="several GPUs: commas without spaces"):
        choose_gpu("nvidia, intel")


def test_no_adapter_at_all_says_what_to_install(machine):
    machine()
    with pytest.raises(NoGpuError, match="mesa-vulkan-drivers"):
        choose_gpu()


@pytest.mark.gpu
def test_real_adapters_are_listed_in_order():
    gpus = list_gpus()
    assert [info.index for info, _ in gpus] == list(range(len(gpus))) and gpus
    assert all(info.name and info.backend for info, _ in gpus)
