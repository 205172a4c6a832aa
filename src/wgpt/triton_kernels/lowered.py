"""The kernels as WGSL: lowered from TTIR on first use, and cached under `wgpt.home()`.

A cache entry is named by the kernel and by a hash of its TTIR, its options and the lowering's version, so that an
outdated one is never read. It begins with its own checksum: a damaged one is lowered again.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

from ..formats import weight_cache
from ..formats.aside import PREFIX, replacing
from ..home import home
from ..ttir import Options, Shader, compile_ttir
from ..ttir.artifact import PORTABLE_BYTES, PORTABLE_THREADS, shader_from_dict
from ..ttir.version import lowering_version
from . import archive
from .specs import Spec, every

_UNUSED_S = 30 * 24 * 3600  # entries of other versions are dropped when unused for so long


def shader(spec: Spec, native_f16: bool) -> Shader:
    """The WGSL of a kernel; with `native_f16`, for GPUs with 16-bit floats in buffers."""
    return _shader(spec.name, native_f16)


@cache
def _shader(name: str, native_f16: bool) -> Shader:
    spec = by_name()[name]
    path = _path(spec, native_f16)
    cached = _load(path)
    if cached is not None:
        return cached
    shader = lower(spec, native_f16)
    if weight_cache.limit():
        with suppress(OSError):  # a cache that cannot be written to costs time, nothing else
            _drop_unused()
            _save(path, shader)
    return shader


def lower(spec: Spec, native_f16: bool) -> Shader:
    """Without the cache."""
    return compile_ttir(archive.ttir(spec.name), _options(native_f16), spec.warps, PORTABLE_THREADS)


@cache
def by_name() -> dict[str, Spec]:
    return {spec.name: spec for spec in every()}


def _options(native_f16: bool) -> Options:
    return Options(f16=native_f16, shared_bytes=PORTABLE_BYTES)


# The cache ----------------------------------------------------------------------------------------------------


def folder() -> Path:
    return home() / "lowered"


def _path(spec: Spec, native_f16: bool) -> Path:
    options = [asdict(_options(native_f16)), spec.warps, PORTABLE_THREADS]
    key = json.dumps([archive.digest(), spec.name, options, lowering_version(), _format_version()])
    variant = "f16" if native_f16 else "plain"
    return folder() / f"{spec.name}.{variant}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


@cache
def _format_version() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def _load(path: Path) -> Shader | None:
    """None where it is missing or damaged."""
    try:
        checksum, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        return None
    weight_cache.mark_used(path)
    facts = json.loads(body)
    return shader_from_dict(facts, facts["wgsl"])


def _save(path: Path, shader: Shader) -> None:
    body = json.dumps(asdict(shader)).encode()
    with replacing(path) as file:
        file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def cached() -> list[Path]:
    """The entries that are there, unfinished ones left out."""
    return sorted(path for path in folder().glob("*.json") if not path.name.startswith(PREFIX))


def clear() -> int:
    """Remove everything, unfinished files too; the bytes that it frees."""
    return sum(weight_cache.remove(path) for path in _files())


@cache
def _drop_unused() -> None:
    """Once per process: what other versions left, and processes that were killed."""
    oldest = time.time() - _UNUSED_S
    for path in _files():
        with suppress(OSError):  # already removed by another process
            if path.stat().st_mtime < oldest:
                weight_cache.remove(path)


def _files() -> list[Path]:
    return [*folder().glob("*.json"), *folder().glob(f"{PREFIX}*")]
