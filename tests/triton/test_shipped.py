"""The kernels that are shipped as TTIR: all are there, lowered alike every time, and cached. No Triton, no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wgpt.core.atomic import PREFIX
from wgpt.core.errors import WgptError
from wgpt.triton_kernels import archive, lowered, specs
from wgpt.ttir import Shader

from .lowered_digests import digests, recorded

ADD = specs.ADD
HALVES = specs.attention_prefill("f16", 16)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and nothing remembered by this process."""
    monkeypatch.setenv("WGPT_HOME", str(tmp_path))
    _forget()
    return tmp_path / "lowered"


def _forget() -> None:
    for function in (lowered._shader, lowered._drop_unused):
        function.cache_clear()


def _again(monkeypatch: pytest.MonkeyPatch) -> tuple[Shader, bool]:
    """The shader, as a new process would get it, and whether it was lowered."""
    _forget()
    calls = []
    real = lowered.lower
    with monkeypatch.context() as patch:
        patch.setattr(lowered, "lower", lambda *args: calls.append(args) or real(*args))
        return lowered.shader(ADD, False), bool(calls)


def test_what_is_needed_is_shipped_and_nothing_else():
    names = [spec.name for spec in specs.every()]
    assert set(names) == archive.names()
    assert len(set(names)) == len(names)
    assert archive.made_by().startswith("triton 3.")


def test_what_is_shipped_was_made_of_these_sources():
    assert archive.made_of() == archive.sources_digest(), "make the archive anew: python -m wgpt.triton_kernels.build"


@pytest.mark.slow
def test_lowering_gives_what_is_recorded():
    current = list(digests())
    changed = sorted(set(current) ^ set(recorded()))
    assert current == recorded(), f"if intended, record it with `python -m tests.triton.lowered_digests`: {changed[:6]}"


@pytest.mark.parametrize("seed", ["1", "2"])
def test_lowering_does_not_depend_on_the_order_of_sets(seed: str):
    part = "attention_decode-f16-64"
    command = [sys.executable, "-m", "tests.triton.lowered_digests", part]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    expected = [line for line in recorded() if part in line]
    assert len(expected) == 6
    assert run.stdout.splitlines() == expected


@pytest.mark.parametrize("spec", specs.every()[::7], ids=lambda spec: spec.name)
def test_a_shader_fits_its_spec_and_every_gpu(spec: specs.Spec):
    shader = lowered.shader(spec, spec.halves)
    assert shader.name == spec.kernel.partition(".")[2]
    assert len(shader.elems) == len(spec.signature)
    assert shader.threads <= 256 and len(shader.bindings) <= 8
    assert ("enable f16;" in shader.wgsl) == spec.halves


def test_what_is_cached_is_not_lowered_again(home: Path, monkeypatch: pytest.MonkeyPatch):
    shader, was_lowered = _again(monkeypatch)
    assert was_lowered and shader == lowered.lower(ADD, False)
    (entry,) = home.iterdir()
    assert lowered.cached() == [entry] and entry.name.startswith("add.plain-")
    assert _again(monkeypatch) == (shader, False)


def test_both_kinds_of_gpu_have_entries_of_their_own(home: Path):
    packed, native = lowered.shader(HALVES, False), lowered.shader(HALVES, True)
    assert packed != native and len(lowered.cached()) == 2
    _forget()
    assert (lowered.shader(HALVES, False), lowered.shader(HALVES, True)) == (packed, native)


@pytest.mark.parametrize("damage", [b"", b"0" * 64 + b"\n{}", b"\xff\x00", None])
def test_a_damaged_entry_is_lowered_again(home: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None):
    """Emptied, of another checksum, binary, and one that a full disk cut off."""
    shader, _ = _again(monkeypatch)
    (entry,) = lowered.cached()
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-100] if damage is None else damage)
    assert _again(monkeypatch) == (shader, True)
    assert entry.read_bytes() == whole


@pytest.mark.parametrize("change", ["lowering_version", "options", "archive"])
def test_what_was_made_otherwise_is_not_read(home: Path, monkeypatch: pytest.MonkeyPatch, change: str):
    _again(monkeypatch)
    if change == "options":
        monkeypatch.setattr(lowered, "PORTABLE_THREADS", 64)
    elif change == "archive":
        monkeypatch.setattr(archive, "digest", lambda: "another")
    else:
        monkeypatch.setattr(lowered, "lowering_version", lambda: "another")
    assert _again(monkeypatch)[1]
    assert len(lowered.cached()) == 2


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WGPT_HOME", str(tmp_path / "file"))
    assert _again(monkeypatch)[0] == lowered.lower(ADD, False)


def test_nothing_is_kept_without_a_cache(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WGPT_CACHE_LIMIT", "0")
    assert _again(monkeypatch)[1] and _again(monkeypatch)[1]
    assert not home.exists()


def test_entries_that_nobody_uses_are_dropped(home: Path, monkeypatch: pytest.MonkeyPatch):
    home.mkdir()
    month_ago = time.time() - 31 * 24 * 3600
    old, left, young = home / "add.plain-old.json", home / f"{PREFIX}x", home / "add.plain-young.json"
    for path in (old, left, young):
        path.write_bytes(b"")
    for path in (old, left):
        os.utime(path, (month_ago, month_ago))
    _again(monkeypatch)
    assert not old.exists() and not left.exists() and young.exists()


def test_several_processes_at_once(home: Path):
    code = "from wgpt.triton_kernels import lowered, specs; print(hash(lowered.shader(specs.ADD, False)))"
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    started = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    printed = {process.communicate()[0] for process in started}
    assert len(printed) == 1 and not any(process.returncode for process in started)
    assert len(list(home.iterdir())) == 1


def test_a_damaged_archive_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    damaged = tmp_path / "ttir.tar.xz"
    damaged.write_bytes(archive.ARCHIVE.read_bytes()[:5000])
    monkeypatch.setattr(archive, "ARCHIVE", damaged)
    with pytest.raises(WgptError, match="is damaged: reinstall wgpt"):
        archive._members.__wrapped__()


def test_a_python_without_lzma_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(WgptError, match=r"lzma module.*--kernels wgsl"):
        archive._members.__wrapped__()


def test_an_archive_is_written_the_same_way_twice(tmp_path: Path):
    texts = {"b": "two\n", "a": "one\n"}
    paths = [tmp_path / "first", tmp_path / "second"]
    archive.write(texts, "3.9.0", paths[0])
    archive.write(dict(reversed(texts.items())), "3.9.0", paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_importing_wgpt_reads_no_archive():
    code = (
        "import wgpt; from wgpt.kernels import registry; registry.kernels(); "
        "from wgpt.triton_kernels import archive; "
        "assert not archive._members.cache_info().currsize and not archive.digest.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["linear_row-q4_1-norm-swiglu-many", "attention_decode-f16-64-norm-rope"])
def test_from_ttir_to_wgsl_takes_no_time(name: str):
    """The largest kernels; the limit is 150 ms, in a process that shares its cores with others."""
    spec = lowered.by_name()[name]
    lowered.lower(spec, True)

    def seconds() -> float:
        before = time.process_time()
        lowered.lower(spec, True)
        return time.process_time() - before

    assert min(seconds() for _ in range(3)) < 0.15
