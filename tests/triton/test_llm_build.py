"""What is shipped is what the sources become now. Skipped where Triton is missing."""

from __future__ import annotations

import pytest

pytest.importorskip("triton", reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")

from wgpt.triton_kernels import build, specs
from wgpt.triton_kernels.artifacts import artifact


@pytest.mark.parametrize("spec", specs.every()[::12], ids=lambda spec: spec.name)
def test_sources_become_what_is_shipped(spec):
    made, _ = build.compiled(spec)
    kept = artifact(spec.name)
    assert made.arguments == kept.arguments
    assert made.shaders == kept.shaders, "compile them anew: python -m wgpt.triton_kernels.build"


@pytest.mark.parametrize("name", ["linear_row-q4_1-norm-swiglu-many", "attention_decode-f16-64-rope"])
def test_from_ttir_to_wgsl_takes_no_time(name):
    """The largest ones; the bar is 150 ms, of a process that shares its cores with others."""
    spec = next(spec for spec in specs.every() if spec.name == name)
    build.compiled(spec)
    assert min(build.compiled(spec)[1] for _ in range(3)) < 0.15
