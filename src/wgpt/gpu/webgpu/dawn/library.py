"""Finds Dawn's shared library and checks its version.

The PyPI package litert-lm-api (Apache-2.0) exports webgpu.h from the Dawn inside it. This is undocumented, so its
version is pinned, and the functions are checked. WGPT_DAWN names another library, built from a Dawn of the same age; of
that only the functions can be checked.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from importlib import metadata, util
from pathlib import Path
from typing import Any, NamedTuple

from ....core.errors import WgptError
from ..ffi_types import look_up_first
from ..header import FUNCTIONS, text

PATH = "WGPT_DAWN"
PACKAGE, PINNED = "litert-lm-api", "0.18.1"
_MODULE, _NAMES = "litert_lm", ("liblitert-lm.so", "liblitert-lm.dylib")
_WHEELS = "Linux on x86-64 and ARM, and macOS on ARM"


class NoDawnError(WgptError):
    """Dawn is not installed, or is not a version that wgpt supports."""


class Library(NamedTuple):
    """Dawn's functions."""

    ffi: Any
    lib: Any
    path: Path
    version: str


def load() -> Library:
    """Open Dawn's library once; NoDawnError where it is missing, broken or of another version."""
    return _opened(*_find())


def missing() -> str | None:
    """Why Dawn cannot be used; None if it can."""
    try:
        load()
    except NoDawnError as e:
        return str(e)
    return None


def _find() -> tuple[Path, str]:
    """The library and its version."""
    if os.environ.get(PATH):
        path = Path(os.environ[PATH])
        if not path.is_file():
            raise NoDawnError(
                f"{PATH} must be the path of a shared library of Dawn (libwebgpu_dawn.so), not {str(path)!r}"
            )
        return path, f"of {PATH}"
    try:
        version = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        raise NoDawnError(f"Dawn is not installed: {_remedy()}") from None
    if version != PINNED:
        raise NoDawnError(f"{PACKAGE} {version} is installed, but wgpt knows the Dawn of {PINNED}: {_remedy()}")
    spec = util.find_spec(_MODULE)  # finds it without importing it
    folders = spec.submodule_search_locations if spec is not None else None
    for path in (Path(folder) / name for folder in folders or () for name in _NAMES):
        if path.is_file():
            return path, f"of {PACKAGE} {version}"
    raise NoDawnError(f"{PACKAGE} {version} is installed without its library {' or '.join(_NAMES)}: {_remedy()}")


def _remedy() -> str:
    on = (sys.platform, platform.machine().lower())
    if on not in (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")):
        return f"there are wheels for {_WHEELS} only; set {PATH} to the path of a Dawn that you have built"
    return "pip install 'wgpt[dawn]', or set WGPT_DAWN to the path of its library"


@functools.cache
def _opened(path: Path, version: str) -> Library:
    from cffi import FFI  # type: ignore[import-untyped, unused-ignore]

    ffi = FFI()
    ffi.cdef(text())
    look_up_first(ffi)
    try:
        # Never unloaded: at Python's exit its threads may still run.
        lib = ffi.dlopen(str(path), ffi.RTLD_NOW | getattr(ffi, "RTLD_NODELETE", 0))
    except OSError as e:
        raise NoDawnError(f"{path} could not be opened as Dawn's library: {e}") from None
    missing = [name for name in FUNCTIONS if not hasattr(lib, name)]
    if missing:
        named = f"{', '.join(missing[:3])}{' and others' if missing[3:] else ''}"
        raise NoDawnError(f"{path} is not a Dawn that wgpt knows: it has no {named}; {_remedy()}")
    return Library(ffi, lib, path, version)
