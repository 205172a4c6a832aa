"""The cache of converted weights: only valid data is used, whatever happens to file, disk or process."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wgpt.core.atomic import PREFIX
from wgpt.core.errors import WgptError
from wgpt.formats import open_checkpoint, weight_cache
from wgpt.formats.packed_file import PackedWriter
from wgpt.gpu import GpuDevice
from wgpt.models import source
from wgpt.models.network import Network

from . import golden

Planes = list[np.ndarray]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WGPT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(weight_cache.LIMIT, raising=False)
    return tmp_path / "home"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Its matrices are f32; q, k and v are joined on the GPU."""
    return Path(shutil.copytree(golden.load("llama-gqa").folder, tmp_path / "model"))


def load(device: GpuDevice, model: Path, dtype: str | None) -> Planes:
    """All planes of all matrices, as they are on the GPU."""
    with open_checkpoint(model) as checkpoint:
        network = Network.load(device, checkpoint, dtype)
    parts = [part for linear in network.inventory.linears for part in linear.parts]
    planes = [device.read(plane) for part in parts for plane in part.weight.planes.values()]
    network.release()
    return planes


def same(one: Planes, other: Planes) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The types that matrices are converted to from here on, one after the other."""
    types: list[str] = []
    pack = source.pack
    monkeypatch.setattr(source, "pack", lambda matrix, name, *more: (types.append(name), pack(matrix, name, *more))[1])
    yield types


def files(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "converted").glob("*"))


# What is kept -----------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["q8_0", "nf4_dq", "attn=q4_k,ffn=q5_0", "q4_k_m", "f16"])
def test_the_second_load_converts_nothing(device: GpuDevice, model: Path, conversions: list[str], dtype: str) -> None:
    first = load(device, model, dtype)
    assert conversions
    conversions.clear()
    assert same(load(device, model, dtype), first) and not conversions
    (entry,) = weight_cache.entries()
    assert (entry.model, entry.recipe) == (str(model.resolve()), dtype)
    assert entry.nbytes == entry.path.stat().st_size


@pytest.mark.gpu
def test_each_recipe_is_kept(device: GpuDevice, model: Path, conversions: list[str]) -> None:
    planes = {dtype: load(device, model, dtype) for dtype in ("q8_0", "q4_1", "embed=q8_0")}
    assert {entry.recipe for entry in weight_cache.entries()} == set(planes)
    conversions.clear()
    assert all(same(load(device, model, dtype), planes[dtype]) for dtype in planes) and not conversions


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [None, "f32"])
def test_what_is_not_converted_is_not_kept(device: GpuDevice, model: Path, home: Path, dtype: str | None) -> None:
    load(device, model, dtype)
    assert not home.exists()


@pytest.mark.gpu
def test_a_source_that_has_changed(device: GpuDevice, model: Path, conversions: list[str]) -> None:
    """Its weights are converted again, and the cached ones are dropped."""
    old = load(device, model, "q8_0")
    file = next(model.glob("*.safetensors"))
    raw = bytearray(file.read_bytes())
    middle = len(raw) // 2
    raw[middle : middle + 4096] = bytes(4096)
    file.write_bytes(raw)
    new = load(device, model, "q8_0")
    assert len(weight_cache.entries()) == 1 and not same(new, old)
    assert same(load(device, model, "q8_0"), new)
    conversions.clear()
    os.utime(file, ns=(1, 1))  # a touched file may be another
    load(device, model, "q8_0")
    assert conversions and len(weight_cache.entries()) == 1


@pytest.mark.gpu
def test_a_source_that_changes_while_it_is_read(
    device: GpuDevice, model: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = source.pack

    def touching(matrix: Any, name: str, *more: Any) -> Any:
        os.utime(next(model.glob("*.safetensors")))
        return pack(matrix, name, *more)

    monkeypatch.setattr(source, "pack", touching)
    load(device, model, "q8_0")
    assert files(home) == []


@pytest.mark.gpu
def test_another_version_is_not_used(
    device: GpuDevice, model: Path, conversions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load(device, model, "q8_0")
    conversions.clear()
    monkeypatch.setattr("wgpt.models.converted.PACKING_VERSION", 999)
    load(device, model, "q8_0")
    assert conversions


# What is damaged --------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("at", [0.1, 0.5, 0.8])
def test_a_changed_byte(device: GpuDevice, model: Path, conversions: list[str], at: float) -> None:
    """The slab's checksum detects it: the slab is converted again, and the next load writes a new file."""
    first = load(device, model, "q8_0")
    (entry,) = weight_cache.entries()
    raw = bytearray(entry.path.read_bytes())
    end = raw.rindex(b'{"about"')
    raw[int(at * end)] ^= 4
    entry.path.write_bytes(raw)
    conversions.clear()
    assert same(load(device, model, "q8_0"), first) and conversions == ["q8_0"]
    assert weight_cache.entries() == []
    assert same(load(device, model, "q8_0"), first)
    conversions.clear()
    assert same(load(device, model, "q8_0"), first) and not conversions


@pytest.mark.gpu
@pytest.mark.parametrize("length", [0, 5, 1000, -1])
def test_a_file_that_is_cut_off(device: GpuDevice, model: Path, conversions: list[str], length: int) -> None:
    first = load(device, model, "q8_0")
    (entry,) = weight_cache.entries()
    entry.path.write_bytes(entry.path.read_bytes()[:length])
    assert weight_cache.entries() == []
    conversions.clear()
    assert same(load(device, model, "q8_0"), first) and conversions
    conversions.clear()
    assert same(load(device, model, "q8_0"), first) and not conversions


# What is interrupted ----------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_ctrl_c_leaves_nothing(device: GpuDevice, model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, pack = iter(range(100)), source.pack

    def interrupted(matrix: Any, name: str, *more: Any) -> Any:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return pack(matrix, name, *more)

    monkeypatch.setattr(source, "pack", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(device, model, "q8_0")
    assert files(home) == []


SLOW = """
import sys, time
from wgpt.formats import open_checkpoint
from wgpt.formats.packed_file import PackedWriter
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
add = PackedWriter.add
def slowly(self, *slab):
    add(self, *slab)
    self._output.file.flush()
    time.sleep(float(sys.argv[2]))
PackedWriter.add = slowly
device = GpuDevice.open()
with open_checkpoint(sys.argv[1]) as checkpoint:
    Network.load(device, checkpoint, "q8_0").release()
device.close()
"""


def process(model: Path, pause: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-W", "error", "-c", SLOW, str(model), str(pause)])


@pytest.mark.gpu
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_a_killed_process(device: GpuDevice, model: Path, home: Path, conversions: list[str]) -> None:
    """Its partial file is never read, and removed later."""
    with process(model, 0.3) as killed:
        while not files(home) and killed.poll() is None:
            time.sleep(0.01)
        time.sleep(0.5)
        killed.send_signal(signal.SIGKILL)
    (left,) = files(home)
    assert left.startswith(PREFIX) and weight_cache.entries() == []
    load(device, model, "q8_0")
    assert conversions and left in files(home), "another process may still be writing it"
    long_ago = time.time() - 7200
    os.utime(home / "converted" / left, (long_ago, long_ago))
    load(device, model, "q4_1")
    assert left not in files(home) and len(weight_cache.entries()) == 2


@pytest.mark.gpu
@pytest.mark.full
def test_two_processes_at_once(device: GpuDevice, model: Path, home: Path, conversions: list[str]) -> None:
    with process(model, 0.05) as process_a, process(model, 0.05) as process_b:
        most = 0
        while process_a.poll() is None or process_b.poll() is None:
            most = max(most, len(files(home)))
            time.sleep(0.01)
    assert (process_a.returncode, process_b.returncode) == (0, 0)
    assert most == 2, "both were writing"
    (entry,) = weight_cache.entries()
    assert files(home) == [entry.path.name]
    first = load(device, model, "q8_0")
    assert not conversions
    weight_cache.clear()
    assert same(load(device, model, "q8_0"), first)


# Room -------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_a_full_disk(device: GpuDevice, model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is still loaded, with one warning."""
    first = load(device, model, "q8_0")
    weight_cache.clear()
    calls, add = iter(range(100)), PackedWriter.add

    def full(self: PackedWriter, *slab: Any) -> None:
        if next(calls) >= 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        add(self, *slab)

    monkeypatch.setattr(PackedWriter, "add", full)
    with pytest.warns(UserWarning) as warned:
        assert same(load(device, model, "q8_0"), first)
    assert [str(warning.message) for warning in warned] == [
        f"the converted weights are not cached in {home / 'converted'}: {os.strerror(errno.ENOSPC)}"
    ]
    assert files(home) == []


@pytest.mark.gpu
def test_too_little_room(device: GpuDevice, model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(model)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.warns(UserWarning, match=r"they take [\d.]+ KiB, but .* has 1000 B free"):
        load(device, model, "q8_0")
    assert files(home) == []


@pytest.mark.gpu
def test_a_folder_that_cannot_be_written(device: GpuDevice, model: Path, home: Path) -> None:
    home.mkdir()
    (home / "converted").write_text("a file is in the way")
    with pytest.warns(UserWarning, match="the converted weights are not cached"):
        load(device, model, "q8_0")


@pytest.mark.gpu
def test_the_least_recently_used_is_dropped(
    device: GpuDevice, model: Path, conversions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for age, dtype in enumerate(("q8_0", "q4_1", "q5_1")):
        load(device, model, dtype)
        newest = max(weight_cache.entries(), key=lambda entry: entry.path.stat().st_ctime_ns)
        os.utime(newest.path, (1000 + age, 1000 + age))
    total = sum(entry.nbytes for entry in weight_cache.entries())
    load(device, model, "q8_0")  # used again: q4_1 is the oldest now
    monkeypatch.setenv(weight_cache.LIMIT, str(total))
    load(device, model, "q4_0")
    assert {entry.recipe for entry in weight_cache.entries()} == {"q8_0", "q5_1", "q4_0"}
    assert sum(entry.nbytes for entry in weight_cache.entries()) <= total


@pytest.mark.gpu
def test_limits(device: GpuDevice, model: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(weight_cache.LIMIT, "0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(device, model, "q8_0")
    assert not home.exists()
    monkeypatch.setenv(weight_cache.LIMIT, "1KiB")
    with pytest.warns(UserWarning, match="but WGPT_CACHE_LIMIT is 1.0 KiB"):
        load(device, model, "q8_0")
    monkeypatch.setenv(weight_cache.LIMIT, "plenty")
    with pytest.raises(WgptError, match=r"WGPT_CACHE_LIMIT must be a number of bytes, .* not 'plenty'"):
        load(device, model, "q8_0")


@pytest.mark.parametrize(
    ("setting", "nbytes"),
    [("", 20 << 30), ("0", 0), ("123", 123), ("5GiB", 5 << 30), ("1.5 TB", 15 * 10**11), ("2g", 2 * 10**9)],
)
def test_sizes(monkeypatch: pytest.MonkeyPatch, setting: str, nbytes: int) -> None:
    monkeypatch.setenv(weight_cache.LIMIT, setting)
    assert weight_cache.limit() == nbytes
