"""No list of weight types outside their files: each type's name stands in quant/ and in its WGSL. Reads the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import wgpt
from wgpt.quant.registry import TYPES

ROOT = Path(wgpt.__file__).parent
# Names of floats are those of elements of tensors, too, and stand wherever there are tensors.
QUANTISED = [name for name, kind in TYPES.items() if kind.scale_bits]
_QUOTED = re.compile(rf"""["']({"|".join(QUANTISED)})["']""")
# Files that name types, and why they must.
ALLOWED = {
    "models/weight_recipe.py": "a mix is a choice of types: q4_k_m is q4_k, q5_k and q6_k by its definition",
    "triton_kernels/sources/values.py": "Triton compiles these sources as they are: its kernels read no registry",
    "triton_kernels/sources/linear.py": "the same",
    "kernels/attention/cache_types.py": "q8_0 is a type of the KV cache as well, with a layout of its own",
    "api/loading.py": "an error message has an example of a type",
    "formats/hf_quantised/method.py": "mxfp4 is a way to quantise at Hugging Face as well",
    "formats/hf_quantised/mxfp4.py": "the same",
    "kernels/memory/nf4_dequant.wgsl": "a kernel of this one table, by its specification",
}


def names_in(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of string literals that are a type's name, or that have one in quotes; not those of docstrings."""
    if not any(name in source for name in QUANTISED):
        return  # most files: parsing takes long
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            exact = [node.value] if node.value in QUANTISED else _QUOTED.findall(node.value)
            yield from ((node.lineno, name) for name in exact)


def names_in_template(source: str) -> Iterator[tuple[int, str]]:
    """The same of a template, comments left out."""

    def blank(comment: re.Match[str]) -> str:
        return "\n" * comment[0].count("\n")

    code = re.sub(r"\{#.*?#\}|//[^\n]*", blank, source, flags=re.DOTALL)
    for number, line in enumerate(code.splitlines(), 1):
        yield from ((number, name) for name in _QUOTED.findall(line))


def test_the_scan_sees_names() -> None:
    assert sorted(names_in('x = ("q4_0", 1)\ny = "{{ weight == \'q4_k\' }}"')) == [(1, "q4_0"), (2, "q4_k")]
    assert list(names_in('"""q4_0 and "q8_0"."""\nx = "embed=q8_0"')) == []
    assert list(names_in_template('{# "q4_0"\n #}\n{% if weight == "q5_k" %} // "nf4"')) == [(3, "q5_k")]


def test_python_names_no_type() -> None:
    named = {p.relative_to(ROOT).as_posix(): list(names_in(p.read_text())) for p in sorted(ROOT.rglob("*.py"))}
    wrong = {p: names for p, names in named.items() if names and not p.startswith("quant/") and p not in ALLOWED}
    assert not wrong, f"read a trait of WeightType, or weighted's examples, instead of {wrong}"


def test_templates_name_no_type() -> None:
    for path in sorted((ROOT / "kernels").rglob("*.wgsl")):
        place, names = path.relative_to(ROOT).as_posix(), list(names_in_template(path.read_text()))
        if path.parent.name == "weights" and not path.stem.startswith("_"):
            own = {path.stem, path.stem.partition("_")[0]}  # nf4's table is nf4_dq's as well
            assert path.stem in TYPES and {name for _, name in names} <= own, f"{place}: {names}"
        elif place not in ALLOWED:
            assert not names, f"{place}: ask for a trait instead of {names}"


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_needed(place: str) -> None:
    text = (ROOT / place).read_text()
    assert list(names_in(text) if place.endswith(".py") else names_in_template(text)), "take it off the list"


@pytest.mark.parametrize("name", TYPES)
def test_each_type_has_its_two_files(name: str) -> None:
    assert (ROOT / f"quant/types/{name}.py").is_file()
    assert (ROOT / f"kernels/weights/{name}.wgsl").is_file()
