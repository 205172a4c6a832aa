"""WGSL from Jinja2 templates: the header is made from a kernel's facts, the body is its NAME.wgsl."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import jinja2
import jinja2.bccache

from ..gpu.bindings import declarations
from ..home import home
from ..quant import nf4, weights


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Templates as Python's bytecode, from one start to the next. Where it cannot be kept, it is made again."""

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)


@cache
def environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.PackageLoader("wgpt", "kernels"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # WGSL, not HTML
        bytecode_cache=_Compiled(str(home() / "templates")),
    )
    env.globals["NF4_CODEBOOK"] = [str(value) for value in nf4.CODEBOOK]
    env.globals["CHUNK"] = {name: kind.chunk for name, kind in weights.TYPES.items()}
    env.globals["SCALED"] = [name for name, kind in weights.TYPES.items() if kind.scale_bits]
    return env


@cache
def _element(elem: str) -> jinja2.Template:
    return environment().from_string(elem)


def render(
    template: str,
    params: Sequence[tuple[str, str]],
    bindings: Sequence[tuple[str, str, str]],
    context: Mapping[str, Any],
    dialect: str = "naga",
) -> str:
    """`params` are (name, type); `bindings` are (name, access, element type, itself a template)."""
    return _rendered(template, tuple(params), tuple(bindings), tuple(sorted(context.items())), dialect)


@lru_cache(maxsize=1024)  # every launch asks for its source, and rendering takes milliseconds
def _rendered(
    template: str,
    params: tuple[tuple[str, str], ...],
    bindings: tuple[tuple[str, str, str], ...],
    items: tuple[tuple[str, Any], ...],
    dialect: str,
) -> str:
    context = dict(items)
    env = environment()
    head = declarations(params, [(name, access, _element(e).render(**context)) for name, access, e in bindings])
    body = env.get_template(template).render(**context)
    source = "\n".join(head) + "\n" + body
    enables = []
    if re.search(r"\bf16\b", source):
        enables.append("enable f16;")
    # Tint demands the directive that naga refuses.
    if dialect == "tint" and "subgroup" in source:
        enables.append("enable subgroups;")
    return "\n".join([*enables, source])
