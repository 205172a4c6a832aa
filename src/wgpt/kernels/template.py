"""WGSL from Jinja2 templates: declarations generated from the kernel's description, then its NAME.wgsl.

Templates refer to each other by file name without the folder; those of weight types are weights/NAME.wgsl.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import jinja2
import jinja2.bccache

from ..core.home import home
from ..gpu.bindings import declarations
from ..quant.registry import TYPES, weight_type
from ..quant.weight_type import WeightType


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Caches compiled templates between runs. If the cache is not writable, they are compiled again."""

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)


class _Trait(Mapping[str, Any]):
    """A trait by the names of the weight types that have it, including types that are registered later."""

    def __init__(self, of: Callable[[WeightType], Any]) -> None:
        self._of = of

    def __getitem__(self, name: str) -> Any:
        value = self._of(weight_type(name))
        if not value:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name, kind in TYPES.items() if self._of(kind))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _with_trait(trait: str, value: Any = None) -> _Trait:
    """Types whose trait has that value, or any true value."""
    return _Trait(lambda kind: getattr(kind, trait) if value is None else getattr(kind, trait) == value)


@cache
def _files() -> Mapping[str, Path]:
    """The templates of this package by the name that is used to include them."""
    by_name: dict[str, Path] = {}
    for path in sorted(Path(__file__).parent.rglob("*.wgsl")):
        name = f"weights/{path.name}" if path.parent.name == "weights" else path.name
        if name in by_name:
            raise ValueError(f"two templates have the name {name}: {by_name[name]} and {path}")
        by_name[name] = path
    return by_name


def _own(template: str) -> tuple[str, str, None] | None:
    path = _files().get(template)
    return None if path is None else (path.read_text(encoding="utf-8"), str(path), None)


def _registered(template: str) -> str | None:
    """The WGSL of a weight type of another package, which is next to its module."""
    folder, _, file = template.rpartition("/")
    kind = TYPES.get(file.removesuffix(".wgsl")) if folder == "weights" else None
    return None if kind is None or kind.shader is None else kind.shader.read_text()


@cache
def environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.FunctionLoader(_own), jinja2.FunctionLoader(_registered)]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # WGSL, not HTML
        bytecode_cache=_Compiled(str(home() / "templates")),
    )
    env.globals["weight_type"] = weight_type
    env.globals["with_trait"] = _with_trait
    env.globals["CHUNK"] = _with_trait("chunk")
    env.globals["SCALED"] = _with_trait("scale_bits")
    env.globals["names"] = _names
    return env


def _names(pattern: str, *counts: int) -> list[str]:
    """`pattern` for all combinations of numbers below `counts`: names("s%d_%d", 2, 2) is s0_0, s0_1, s1_0, s1_1."""
    return [pattern % numbers for numbers in product(*map(range, counts))]


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
    """`params` are (name, type); `bindings` are (name, access, element type), where the element type is a template."""
    return _rendered(template, tuple(params), tuple(bindings), tuple(sorted(context.items())), dialect)


@lru_cache(maxsize=1024)  # every launch needs its source, and rendering takes milliseconds
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
    # Tint requires this directive, naga rejects it.
    if dialect == "tint" and "subgroup" in source:
        enables.append("enable subgroups;")
    if "subgroup_matrix" in source:  # for Dawn alone; a loop's bound is uniform, but Tint cannot always see it
        enables.append("enable chromium_experimental_subgroup_matrix;")
        enables.append("diagnostic(off, chromium.subgroup_matrix_uniformity);")
    return "\n".join([*enables, source])
