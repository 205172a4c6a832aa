"""Dawn: which library is taken, which ones are refused, and when `auto` takes it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from wgpt.contracts import verify
from wgpt.core.errors import PreconditionError, WgptError
from wgpt.gpu import GpuDevice, GpuInfo, NoGpuError, faults, gpus, implementations, self_check
from wgpt.gpu import webgpu as webgpu_package
from wgpt.gpu.webgpu.dawn import library
from wgpt.gpu.webgpu.dawn.device import Dawn
from wgpt.gpu.webgpu.interface import Matrix

from ..contracts import matrix_units
from .processes import python
from .webgpus import missing, needs_dawn


def library_file() -> Path:
    """A library of Dawn that is a file of its own: that of another package."""
    spec = find_spec("litert_lm")
    found = [
        file
        for folder in (spec.submodule_search_locations or () if spec else ())
        for file in Path(folder).glob("liblitert-lm.*")
    ]
    if not found:
        pytest.skip("no file to name: litert-lm-api, which has Dawn as one, is installed on Linux alone")
    return found[0]


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("WGPT_DAWN", raising=False)
    monkeypatch.setattr(library, "_MODULE", "no_such_package")
    library._of_package.cache_clear()
    yield
    library._of_package.cache_clear()


def test_dawn_is_tested_wherever_there_is_a_wheel() -> None:
    if sys.platform in ("linux", "darwin", "win32"):
        assert missing() is None


def test_the_pinned_version_is_installed_everywhere() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    dependencies = tomllib.loads(pyproject.read_text())["project"]["dependencies"]
    pins = {line.partition(";")[0] for line in dependencies if line.startswith(library.PACKAGE)}
    assert pins == {f"{library.PACKAGE}=={metadata.version(library.PACKAGE)}"}


def test_all_functions_that_are_called_are_checked() -> None:
    folder = Path(webgpu_package.__file__).parent
    files = [file for file in (folder / "dawn").glob("*.py") if file.name != "library.py"] + [folder / "encoding.py"]
    called = {name for file in files for name in re.findall(r"\bwgpu[A-Z]\w+", file.read_text())}
    kinds = {kind for file in files for kind in re.findall(r'_handle\(\s*"(\w+)"', file.read_text())}
    called |= {f"wgpu{kind}Release" for kind in kinds}
    called.remove("wgpuComputePassEncoder")  # the beginning of several names
    assert called == set(library.FUNCTIONS)


class TestLibrary:
    def test_without_it_says_what_to_install(self, no_package: None) -> None:
        with pytest.raises(WgptError, match=r"Dawn is not installed: pip install wgpudawn .* or set WGPT_DAWN"):
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
        with pytest.raises(WgptError, match=r"not a Dawn that wgpt supports: .* wgpuAdapterGetInfo, .* and others"):
            GpuDevice.open(webgpu="dawn")

    @needs_dawn
    @pytest.mark.gpu
    def test_a_path_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WGPT_DAWN", str(library_file()))
        device = GpuDevice.open(webgpu="dawn")
        assert (device.webgpu.name, device.webgpu.version) == ("Dawn", "of WGPT_DAWN")
        report = verify(device, only="rmsnorm_correctness")
        assert report.passed, report.failed
        device.close()

    @needs_dawn
    def test_the_package_itself_works_beside_it(self) -> None:
        """Both use one copy of the bindings, whichever comes first."""
        ours, theirs = "from wgpt.gpu.webgpu.dawn.library import load\nlib = load().lib\n", "import wgpudawn._lib\n"
        for code in (ours + theirs, theirs + ours):
            done = python("-c", code + "assert wgpudawn._lib.lib is lib")
            assert done.returncode == 0, done.stderr


@needs_dawn
def test_a_gpu_that_it_does_not_offer_is_refused() -> None:
    for backend, offered in (("OpenGL", "none"), ("Null", "Null backend")):
        info = GpuInfo(3, "GeForce 9", "", "", "DiscreteGPU", backend)
        with pytest.raises(NoGpuError, match=rf"does not offer GeForce 9 through {backend} \(it offers: {offered}\)"):
            Dawn(info)


@pytest.fixture
def hardware(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The GPU of the tests, taken for hardware; nothing is known about it."""
    monkeypatch.setattr(GpuInfo, "software", False)
    monkeypatch.setenv("WGPT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WGPT_WEBGPU", raising=False)


class TestChoice:
    def test_unknown_names_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(PreconditionError, match="webgpu must be auto, dawn or wgpu, not 'vulkan'"):
            GpuDevice.open(webgpu="vulkan")
        monkeypatch.setenv("WGPT_WEBGPU", "chrome")
        with pytest.raises(PreconditionError, match="WGPT_WEBGPU must be auto, dawn or wgpu, not 'chrome'"):
            GpuDevice.open()

    @pytest.mark.gpu
    def test_auto_is_the_default_and_needs_more_than_a_software_driver(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WGPT_WEBGPU", raising=False)
        for wish in (None, "auto"):
            device = GpuDevice.open(webgpu=wish)
            if device.software:
                expected = "wgpu-native", "auto: matrix units bring nothing on a software driver"
                assert (device.webgpu.name, device.webgpu_reason) == expected
            assert device.webgpu_reason.startswith("auto: ")
            device.close()

    @needs_dawn
    @pytest.mark.gpu
    def test_by_default_dawn_is_tried(self, hardware: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self_check, "objection", lambda info: None)
        device = GpuDevice.open()
        assert (device.webgpu.name, device.webgpu_reason) == ("Dawn", "auto: its matrix units passed the self-check")
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
    def test_auto_without_dawn_is_wgpu_native_and_says_why(self, hardware: None, no_package: None) -> None:
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu.name == "wgpu-native" and "Dawn is not installed" in device.webgpu_reason
        device.close()

    @needs_dawn
    @pytest.mark.gpu
    def test_auto_tries_dawn_once_in_a_process_of_its_own(
        self, hardware: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        device = GpuDevice.open(webgpu="auto")
        units = bool(device.webgpu.matrices)
        reason = "its matrix units passed the self-check" if units else self_check.NO_MATRICES
        assert (device.webgpu.name, device.webgpu_reason) == ("Dawn" if units else "wgpu-native", f"auto: {reason}")
        device.close()
        monkeypatch.setattr(subprocess, "run", None)
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu_reason == f"auto: {reason}"
        device.close()

    @needs_dawn
    @pytest.mark.gpu
    @pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot start a shell script in the place of Python")
    @pytest.mark.parametrize(
        ("script", "reason"),
        [
            ("kill -SEGV $$", "Dawn's self-check crashed (SIGSEGV)"),
            ("echo 'no such device' >&2; exit 3", "Dawn's self-check failed with exit code 3: no such device"),
            ("echo not JSON", "Dawn's self-check failed with exit code 0: no message"),
            ("kill -40 $$", "Dawn's self-check crashed (signal 40)"),
            ("sleep 9", "Dawn's self-check did not end within 1 s"),
        ],
    )
    def test_a_crash_means_wgpu_native_and_one_line(
        self, script: str, reason: str, hardware: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))
        monkeypatch.setattr(self_check, "_SECONDS", 1)
        with pytest.warns(UserWarning, match=rf"^using wgpu-native: {re.escape(reason)} \(kept in .*delete it"):
            device = GpuDevice.open(webgpu="auto")
        assert (device.webgpu.name, device.webgpu_reason) == ("wgpu-native", f"auto: {reason}")
        device.close()
        (kept,) = (tmp_path / "home" / "dawn").iterdir()
        for damaged in ("{damaged", "[]", kept.read_text().replace("objection", "opinion")):
            kept.write_text(damaged)
            with pytest.warns(UserWarning, match="using wgpu-native"):
                GpuDevice.open(webgpu="auto").close()

    @needs_dawn
    @pytest.mark.gpu
    def test_what_says_nothing_about_the_driver_is_not_kept(
        self, hardware: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
        monkeypatch.setenv("WGPT_DAWN", str(tmp_path / "missing.so"))
        for reason in ("WGPT_DAWN must be the path of", "Dawn's self-check could not be started: No such file"):
            device = GpuDevice.open(webgpu="auto")
            assert device.webgpu.name == "wgpu-native" and device.webgpu_reason.startswith(f"auto: {reason}")
            device.close()
            monkeypatch.delenv("WGPT_DAWN", raising=False)
        assert not (tmp_path / "home" / "dawn").exists()

    @needs_dawn
    @pytest.mark.gpu
    def test_auto_leaves_a_dawn_that_computes_wrong_numbers(
        self, hardware: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        right = faults.find_faults
        monkeypatch.setattr(self_check, "objection", lambda info: None)
        monkeypatch.setattr(
            faults, "find_faults", lambda core: ["wrong sums"] if core.webgpu.name == "Dawn" else right(core)
        )
        device = GpuDevice.open(webgpu="auto")
        assert device.webgpu.name == "wgpu-native"
        assert device.webgpu_reason == "auto: Dawn computes wrong numbers on this GPU: wrong sums"
        device.close()

    @needs_dawn
    @pytest.mark.gpu
    def test_of_several_equal_gpus_dawn_opens_the_first_alone(
        self, hardware: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (info, gpu), *_ = gpus.list_gpus()
        twins = [(info, gpu), (replace(info, index=info.index + 1), gpu)]
        for module in (gpus, implementations):
            monkeypatch.setattr(module, "list_gpus", lambda: twins)
        device = GpuDevice.open(info.index, webgpu="auto")
        assert device.webgpu_reason.startswith("auto: Dawn cannot tell 2 GPUs of this name apart")
        device.close()
        GpuDevice.open(info.index, webgpu="dawn").close()
        with pytest.raises(NoGpuError, match=r"GPU 1 cannot be opened with Dawn, .* choose GPU 0 or webgpu='wgpu'"):
            GpuDevice.open(info.index + 1, webgpu="dawn")


@pytest.mark.gpu
@pytest.mark.parametrize("matrix", [Matrix("f16", "f32", 8, 8, 8), Matrix("f16", "f32", 16, 8, 16)], ids=str)
@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", ""),
        ("out.v[i] += left.v", "out.v[i] = left.v"),  # the last products alone
        ("i % {n}u * {k}u + k", "k * {n}u + i % {n}u"),  # columns taken for rows
        ("var out = c;", "var out = c; out.v[5] += 0.01;"),
    ],
    ids=["right", "not added up", "transposed", "one sum a little wrong"],
)
def test_wrong_products_are_found(matrix: Matrix, pattern: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On matrix units in software, which each fault makes wrong."""
    device = GpuDevice.open(webgpu="wgpu")
    plain = matrix_units.in_software
    if pattern:
        assert pattern in matrix_units._FRAGMENTS
        monkeypatch.setattr(matrix_units, "_FRAGMENTS", matrix_units._FRAGMENTS.replace(pattern, fault))
    run = faults._run
    monkeypatch.setattr(faults, "_run", lambda core, name, wgsl, words: run(core, name, plain(wgsl), words))
    assert faults._matrix_is_right(device, matrix) == (not pattern)
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


@needs_dawn
@pytest.mark.gpu
def test_host_memory_is_this_process_own_and_is_given_back() -> None:
    """Each buffer is 16 MiB: without Dawn's word that it is done with one, or without ours, 320 MiB would stay."""
    code = """
import numpy as np
import psutil
import wgpt
from wgpt.gpu import Recorder, Tensor
from wgpt.gpu.webgpu.dawn.instance import instance

def resident():
    return psutil.Process().memory_info().rss >> 20

device = wgpt.GpuDevice.open(webgpu="dawn")
values = np.arange(1 << 22, dtype=np.uint32)
target = device.tensor(np.zeros_like(values))
waiting = 0
for i in range(20):
    host = device.host_buffer(values.nbytes - 48 * (i % 2), "host")
    assert device.host_bytes == host.size
    source = Tensor(host, (host.size // 4,), "u32")
    device.write(source, values[: source.size] + i)
    with Recorder(device) as recorder:
        recorder.copy(source, target.window(0, source.size))
        program = recorder.finish()
    program.submit()
    host.release()
    assert (device.read(target)[: source.size] == values[: source.size] + i).all()
    del host, source, recorder, program
    if i == 1:
        before, waiting = resident(), len(instance()._waiting)
device.read(target)
print(len(instance()._waiting) <= waiting, resident() - before < 64, device.host_bytes)
"""
    ended = python("-c", code)
    assert (ended.returncode, ended.stdout.strip()) == (0, "True True 0"), (ended.stdout, ended.stderr)
