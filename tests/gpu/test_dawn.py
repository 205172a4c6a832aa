"""Dawn: which library is taken, which ones are refused, and when `auto` takes it."""

from __future__ import annotations

import platform
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from cffi import FFI
from wgpu.backends.wgpu_native import ffi as wgpu_ffi

from wgpt.contracts import verify
from wgpt.core.errors import PreconditionError, WgptError
from wgpt.gpu import GpuDevice, GpuInfo, NoGpuError, faults, implementations
from wgpt.gpu.webgpu import header
from wgpt.gpu.webgpu.dawn import library
from wgpt.gpu.webgpu.dawn.device import Dawn
from wgpt.gpu.webgpu.interface import Matrix

from .processes import python
from .webgpus import needs_dawn

WHEELS = {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")}
DAWNS_OWN = ("WGPUDawnTogglesDescriptor", "WGPUSubgroupMatrixConfig", "WGPULoggingCallbackInfo")
DAWNS_OWN += ("WGPUAdapterPropertiesSubgroupMatrixConfigs",)


def test_dawn_is_tested_wherever_there_is_a_wheel() -> None:
    if (sys.platform, platform.machine()) in WHEELS:
        assert library.missing() is None


@pytest.mark.parametrize("name", [name for name in header.STRUCTS if name not in DAWNS_OWN])
def test_structs_are_laid_out_as_in_wgpu_native(name: str) -> None:
    """Both implement one standard: a struct that differs has changed since."""
    ffi = FFI()
    ffi.cdef(header.text())
    ours, theirs = ffi.typeof(name), wgpu_ffi.typeof(name)
    assert [(n, f.offset) for n, f in ours.fields] == [(n, f.offset) for n, f in theirs.fields]
    assert ffi.sizeof(ours) == wgpu_ffi.sizeof(theirs)


def test_the_pinned_version_is_the_one_that_is_installed_by_name() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    wheels = tomllib.loads(pyproject.read_text())["project"]["optional-dependencies"]["dawn"]
    assert wheels and all(wheel.startswith(f"{library.PACKAGE}=={library.PINNED};") for wheel in wheels)


class TestLibrary:
    def test_without_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_DAWN", raising=False)
        monkeypatch.setattr(library, "PACKAGE", "no-such-package")
        with pytest.raises(WgptError, match=r"Dawn is not installed: pip install 'wgpt\[dawn\]'"):
            GpuDevice.open(webgpu="dawn")

    def test_where_there_is_no_wheel_it_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_DAWN", raising=False)
        monkeypatch.setattr(library, "PACKAGE", "no-such-package")
        monkeypatch.setattr(platform, "machine", lambda: "riscv64")
        with pytest.raises(WgptError, match="wheels for Linux on x86-64 and ARM, and macOS on ARM only; set WGPT_DAWN"):
            GpuDevice.open(webgpu="dawn")

    def test_another_version_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_DAWN", raising=False)
        monkeypatch.setattr(metadata, "version", lambda name: "0.99")
        with pytest.raises(WgptError, match=rf"litert-lm-api 0\.99 is installed, but .* {library.PINNED}"):
            GpuDevice.open(webgpu="dawn")

    def test_a_path_that_is_no_file_is_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("WGPT_DAWN", str(tmp_path / "libwebgpu_dawn.so"))
        with pytest.raises(WgptError, match="WGPT_DAWN must be the path of a shared library of Dawn"):
            GpuDevice.open(webgpu="dawn")

    def test_a_broken_library_is_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        broken = tmp_path / "libwebgpu_dawn.so"
        broken.write_bytes(b"\x7fELF and nothing more")
        monkeypatch.setenv("WGPT_DAWN", str(broken))
        with pytest.raises(WgptError, match="could not be opened as Dawn's library"):
            GpuDevice.open(webgpu="dawn")

    @pytest.mark.skipif(sys.platform != "linux", reason="the path of another library is Linux's")
    def test_another_library_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import _ctypes

        monkeypatch.setenv("WGPT_DAWN", _ctypes.__file__)
        with pytest.raises(WgptError, match=r"not a Dawn that wgpt knows: it has no wgpuCreateInstance, .* and others"):
            GpuDevice.open(webgpu="dawn")

    @needs_dawn
    @pytest.mark.gpu
    def test_a_path_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WGPT_DAWN", str(library.load().path))
        device = GpuDevice.open(webgpu="dawn")
        assert (device.webgpu.name, device.webgpu.version) == ("Dawn", "of WGPT_DAWN")
        device.close()


@needs_dawn
def test_a_gpu_that_it_does_not_offer_is_refused() -> None:
    for backend, offered in (("OpenGL", "none"), ("Null", "Null backend")):
        info = GpuInfo(3, "GeForce 9", "", "", "DiscreteGPU", backend)
        with pytest.raises(NoGpuError, match=rf"does not offer GeForce 9 through {backend} \(it offers: {offered}\)"):
            Dawn(info)


class TestChoice:
    def test_unknown_names_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(PreconditionError, match="webgpu must be auto, dawn or wgpu, not 'vulkan'"):
            GpuDevice.open(webgpu="vulkan")
        monkeypatch.setenv("WGPT_WEBGPU", "chrome")
        with pytest.raises(PreconditionError, match="WGPT_WEBGPU must be auto, dawn or wgpu, not 'chrome'"):
            GpuDevice.open()

    @pytest.mark.gpu
    def test_wgpu_native_is_the_default(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_WEBGPU", raising=False)
        device = GpuDevice.open()
        assert (device.webgpu.name, device.webgpu_reason) == ("wgpu-native", "default")
        device.close()

    @needs_dawn
    @pytest.mark.gpu
    def test_an_argument_goes_before_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WGPT_WEBGPU", "dawn")
        for wish, name, reason in ((None, "Dawn", "WGPT_WEBGPU"), ("wgpu", "wgpu-native", "requested")):
            device = GpuDevice.open(webgpu=wish)
            assert (device.webgpu.name, device.webgpu_reason) == (name, reason)
            assert device.key.endswith("| Dawn") == (name == "Dawn"), "a tuning belongs to one compiler"
            device.close()

    @pytest.mark.gpu
    def test_auto_without_dawn_is_wgpu_native_and_says_why(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_DAWN", raising=False)
        monkeypatch.setattr(library, "PACKAGE", "no-such-package")
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu.name == "wgpu-native" and "Dawn is not installed" in device.webgpu_reason
        device.close()

    @needs_dawn
    @pytest.mark.gpu
    def test_auto_takes_dawn_where_it_has_matrices_and_computes_well(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = implementations._dawn

        def with_matrices(info):
            webgpu = real(info)
            webgpu.matrices = (Matrix("f16", "f32", 8, 8, 8),)
            return webgpu

        monkeypatch.setattr(implementations, "_dawn", with_matrices)
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu.name == "Dawn" and device.traits.matrices == (Matrix("f16", "f32", 8, 8, 8),)
        device.close()
        right = faults.find_faults
        monkeypatch.setattr(
            faults, "find_faults", lambda core: ["wrong sums"] if core.webgpu.name == "Dawn" else right(core)
        )
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu.name == "wgpu-native"
        assert device.webgpu_reason == "auto: Dawn computes wrong numbers on this GPU: wrong sums"
        device.close()


@needs_dawn
@pytest.mark.gpu
def test_it_writes_nothing_to_stderr_and_ends_well() -> None:
    done = python("-c", "from wgpt.gpu import GpuDevice\nGpuDevice.open()", WGPT_WEBGPU="dawn")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.full
@needs_dawn
@pytest.mark.gpu
@pytest.mark.parametrize("only", ["rmsnorm_correctness", "gemv_q4_1", "softmax*"])
def test_kernels_hold_under_tint(only: str) -> None:
    """A few in `make test`; `wgpt verify --webgpu dawn` tries all."""
    device = GpuDevice.open(webgpu="dawn")
    report = verify(device, only=only)
    assert report.passed and report.webgpu.startswith("Dawn"), report.failed
    device.close()


@needs_dawn
@pytest.mark.gpu
def test_a_buffer_may_be_released_after_its_handle() -> None:
    """Garbage in a cycle is finalised in any order: the second of both must not touch what the first has freed."""
    code = """
import wgpt
from wgpt.gpu.webgpu.dawn.objects import live_objects

device = wgpt.GpuDevice.open(webgpu="dawn")
before = live_objects()["buffers"]
buffers = [device.buffer(4096) for _ in range(99)]
for buffer in buffers:
    buffer.handle.__del__()
for buffer in buffers:
    buffer.release()
del buffer, buffers
print(live_objects()["buffers"] - before)
"""
    ended = python("-c", code)
    assert (ended.returncode, ended.stdout.strip()) == (0, "0"), ended.stderr
