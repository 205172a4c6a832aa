"""Pipelines, compiled once per process, with explicit and shared bind group layouts."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from ..core.errors import WgptError
from .core import Core
from .errors import DeviceLostError, ShaderError, ValidationError
from .webgpu.failures import translated

# threads: a driver takes 20 to 200 ms per shader and releases the GIL meanwhile
_COMPILERS = min(8, os.cpu_count() or 1)
_DECLARED = re.compile(r"@group\(\s*(\d+)u?\s*\)\s*@binding\(\s*(\d+)u?\s*\)\s*var\s*<\s*([^>]*?)\s*>")


class ShaderCode(NamedTuple):
    """The input of a pipeline; the entry point is `main`."""

    wgsl: str
    access: tuple[str, ...]  # access modes of the bindings, in order
    label: str
    trusted: bool = False


def _source_lines(message: str, source: str) -> str:
    """The source line that a message of naga (wgsl:3:5) or Tint (:3:5) refers to."""
    match = re.search(r"(?:wgsl|\s):(\d+):(\d+)", message)
    if not match:
        return ""
    number = int(match.group(1))
    lines = source.splitlines()
    if not 1 <= number <= len(lines):
        return ""
    return f"\n  line {number}: {lines[number - 1].strip()}"


class PipelineCache:
    """Pipelines by the hash of their WGSL. `compiled` counts actual compilations."""

    def __init__(self, device: Core) -> None:
        self._device = device
        self._layouts: dict[tuple[str, ...], tuple[Any, Any]] = {}
        self._pipelines: dict[tuple[str, tuple[str, ...], bool], Any] = {}
        self.dispatched: set[int] = set()  # ids of pipelines that a software driver has compiled completely
        self.compiled = 0
        self.hits = 0

    def layout(self, access: tuple[str, ...]) -> tuple[Any, Any]:
        """(bind group layout, pipeline layout) for bindings 0..n with these access modes."""
        if access not in self._layouts:
            self._layouts[access] = self._device.webgpu.layouts(access)
        return self._layouts[access]

    def get(self, code: ShaderCode) -> Any:
        """The pipeline of a shader; a compile error names its label and the line."""
        key = _key(code)
        pipeline = self._pipelines.get(key)
        if pipeline is not None:
            self.hits += 1
            return pipeline
        pipeline = self._pipelines[key] = self._compile(code)
        self.compiled += 1
        return pipeline

    def compile_ahead(self, codes: Iterable[ShaderCode]) -> None:
        """Compile shaders ahead of `get`, several at a time; `get` reports those that do not compile."""
        distinct = {(code.wgsl, code.access, code.trusted): code for code in codes}
        missing = {key: code for code in distinct.values() if (key := _key(code)) not in self._pipelines}
        if len(missing) < 2:
            return
        with self._device.lock:
            for code in missing.values():
                self.layout(code.access)
        with ThreadPoolExecutor(_COMPILERS, "wgpt-compile") as pool:
            for key, pipeline in zip(missing, pool.map(self._compiled_or_none, missing.values()), strict=True):
                if pipeline is not None:
                    self._pipelines[key] = pipeline
                    self.compiled += 1

    def _compiled_or_none(self, code: ShaderCode) -> Any:
        try:
            return self._compile(code)
        except WgptError:
            return None

    def _compile(self, code: ShaderCode) -> Any:
        wgsl, access, label, trusted = code
        wrong = _other_bindings(wgsl, access)
        if wrong:
            raise ShaderError(f"shader {label} does not compile: {wrong}")
        _, layout = self.layout(access)
        try:
            with translated(f"compiling {label}"):
                return self._device.webgpu.compile(wgsl, layout, label, trusted)
        except DeviceLostError:
            raise
        except ValidationError as e:
            raise ShaderError(f"shader {label} does not compile: {e}{_source_lines(str(e), wgsl)}") from e


def _other_bindings(wgsl: str, access: tuple[str, ...]) -> str | None:
    """How the bindings that a shader declares differ from those it is given: Dawn does not say."""
    for group, number, mode in _DECLARED.findall(wgsl):
        bound = access[int(number)] if int(number) < len(access) else "nothing"
        declared = "uniform" if mode.startswith("uniform") else "read_write" if "read_write" in mode else "read"
        if group != "0" or declared != bound:
            return f"it declares @group({group}) @binding({number}) as {declared}, and {bound} is bound there"
    return None


def _key(code: ShaderCode) -> tuple[str, tuple[str, ...], bool]:
    return hashlib.sha256(code.wgsl.encode()).hexdigest(), code.access, code.trusted
