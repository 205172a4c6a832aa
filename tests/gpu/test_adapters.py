"""Choice of the GPU, among made-up ones; no GPU."""

from __future__ import annotations

from typing import Any

import pytest
import wgpu

from wgpt.gpu import NoGpuError, choose_gpu, list_gpus


class Made:
    """A stand-in for wgpu's adapter object, with the parts used for the choice."""

    def __init__(self, name: str, kind: str, backend: str = "Vulkan") -> None:
        self.info = {
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
    assert choose_gpu()[0].index == 3
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
    ("selector", "index"), [(2, 2), ("2", 2), (" 0 ", 0), ("radeon", 2), ("GEFORCE", 3), ("opengl", 1)]
)
def test_by_index_and_by_part_of_the_name(machine, selector, index):
    info, gpu, _ = choose_gpu(selector)
    assert info.index == index and gpu is MACHINE[index]


def test_the_reason_says_who_asked(machine, monkeypatch):
    assert choose_gpu(2)[2] == "index 2 (requested)"
    monkeypatch.setenv("WGPT_GPU", "radeon")
    info, _, reason = choose_gpu()
    assert info.index == 2 and reason == "name contains 'radeon' (WGPT_GPU)"
    assert choose_gpu(0)[0].index == 0, "an argument goes before the environment"
    monkeypatch.setenv("WGPT_GPU", "")
    assert choose_gpu()[0].index == 3, "an empty variable is none"


@pytest.mark.parametrize("selector", [4, -1, "4", "voodoo"])
def test_what_does_not_exist_is_refused_with_what_does(machine, selector):
    with pytest.raises(NoGpuError, match=r"0: llvmpipe \[Vulkan\]; 1: GeForce 9 \[OpenGL\]") as refused:
        choose_gpu(selector)
    assert str(selector) in str(refused.value)


def test_no_adapter_at_all_says_what_to_install(machine):
    machine()
    with pytest.raises(NoGpuError, match="mesa-vulkan-drivers"):
        choose_gpu()


@pytest.mark.gpu
def test_real_adapters_are_listed_in_order():
    gpus = list_gpus()
    assert [info.index for info, _ in gpus] == list(range(len(gpus))) and gpus
    assert all(info.name and info.backend for info, _ in gpus)
