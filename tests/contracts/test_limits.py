"""No shader asks for more threads or workgroup memory than the GPU has. Sources only; no GPU."""

from __future__ import annotations

import math
import re

import pytest

from wgpt.core.errors import PreconditionError
from wgpt.kernels import registry

from .made_up import ADAPTERS

_SCALARS = {"f16": 2, "f32": 4, "u32": 4, "i32": 4, "bool": 4}


def size_of(wgsl_type: str, structs: dict[str, str]) -> int:
    """Bytes of a WGSL type; three elements are padded to four."""
    t = wgsl_type.replace(" ", "")
    if t in _SCALARS:
        return _SCALARS[t]
    if t in structs:
        return sum(size_of(member, structs) for member in re.findall(r"\w+: ([\w<>]+)", structs[t]))
    if vector := re.fullmatch(r"vec([234])<(\w+)>", t):
        return {2: 2, 3: 4, 4: 4}[int(vector[1])] * _SCALARS[vector[2]]
    if atomic := re.fullmatch(r"atomic<(\w+)>", t):
        return _SCALARS[atomic[1]]
    array = re.fullmatch(r"array<(.+),(\d+)u?>", t)
    assert array, f"what is {wgsl_type}?"
    return int(array[2]) * size_of(array[1], structs)


def workgroup_of(source: str) -> tuple[int, int]:
    """Threads and bytes of a workgroup."""
    sizes = re.findall(r"@workgroup_size\(([^)]*)\)", source)
    assert len(sizes) == 1
    constants = dict(re.findall(r"const (\w+)(?:: u32)? = (\d+)u?;", source))
    threads = math.prod(int(constants.get(s.strip(), s).rstrip("u ")) for s in sizes[0].split(","))
    structs = dict(re.findall(r"struct (\w+) \{([^}]*)\}", source))
    return threads, sum(size_of(t, structs) for t in re.findall(r"var<workgroup> \w+: ([^;]+);", source))


def test_sizes_are_read_as_wgsl_means_them():
    source = """
        var<workgroup> a: array<vec4<f32>, 10>;
        var<workgroup> b: array<array<f16, 3>, 2>;
        var<workgroup> c: atomic<u32>;
        struct Pair { at: u32, value: f32 }
        var<workgroup> d: array<Pair, 3>;
        @compute @workgroup_size(8, 4) fn main() {}
    """
    assert workgroup_of(source) == (32, 160 + 12 + 4 + 24)


@pytest.mark.full
@pytest.mark.parametrize("gpu", ["phone", "browser", "amd"])
@pytest.mark.parametrize("name", registry.kernels())
def test_every_variant_stays_within_the_limits(name: str, gpu: str) -> None:
    kernel, traits = registry.get(name), ADAPTERS[gpu]
    for case in kernel.cases:
        try:
            usable = kernel.usable(traits, case.problem)
        except PreconditionError:
            continue  # test_coverage.py asks for an obligation that says so
        for variant in usable:
            threads, memory = workgroup_of(kernel.source(case.problem, variant))
            assert threads <= traits.max_invocations, (case.label, variant)
            assert memory <= traits.workgroup_bytes, (case.label, variant)
