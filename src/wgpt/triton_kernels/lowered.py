"""The kernels as WGSL: lowered from TTIR on first use, and cached under `home()`.

The name of a cache entry contains the kernel and a hash of its TTIR, its options and the version of the lowering, so
that an outdated entry is never read. An entry begins with a checksum: if it is damaged, the kernel is lowered again.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

from ..core.atomic import PREFIX, replacing
from ..core.home import home
from ..formats import weight_cache
from ..ttir import Options, Shader, compile_ttir
from ..ttir.artifact import PORTABLE_BYTES, PORTABLE_THREADS, shader_from_dict
from ..ttir.version import lowering_version
from . import archive
from .specs import Spec, every

_UNUSED_S = 30 * 24 * 3600  # seconds after which unused entries of other versions are removed


def shader(spec: Spec, native_f16: bool) -> Shader:
    """The shader of a kernel; with `native_f16`, for GPUs with 16-bit floats in buffers."""
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
        with suppress(OSError):  # without a writable cache it is only slower
            _drop_unused()
            _save(path, shader)
    return shader


def lower(spec: Spec, native_f16: bool) -> Shader:
    """Lower a kernel, without the cache."""
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
    """The shader in a cache entry; None if it is missing or damaged."""
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
    """All cache entries, without unfinished ones."""
    return sorted(path for path in folder().glob("*.json") if not path.name.startswith(PREFIX))


def clear() -> int:
    """Remove all entries, including unfinished ones; return the number of bytes freed."""
    return sum(weight_cache.remove(path) for path in _files())


@cache
def _drop_unused() -> None:
    """Remove unused entries of other versions and files of killed processes, once per process."""
    oldest = time.time() - _UNUSED_S
    for path in _files():
        with suppress(OSError):  # already removed by another process
            if path.stat().st_mtime < oldest:
                weight_cache.remove(path)


def _files() -> list[Path]:
    return [*folder().glob("*.json"), *folder().glob(f"{PREFIX}*")]
