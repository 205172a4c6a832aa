"""The stored TTIR is what its sources compile to. Skipped where Triton is missing, or another release."""

from __future__ import annotations

import hashlib
import runpy

import pytest

triton = pytest.importorskip("triton", reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")

from wgpt.triton_backend import ahead  # noqa: E402
from wgpt.triton_kernels import archive, build, specs  # noqa: E402

from . import golden  # noqa: E402

pytestmark = pytest.mark.skipif(
    archive.made_by() != f"triton {triton.__version__}",
    reason=f"the archive was made by {archive.made_by()}; other releases print other TTIR",
)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.slow
def test_sources_become_what_is_shipped():
    shipped = {spec.name: _digest(archive.ttir(spec.name)) for spec in specs.every()}
    rebuilt = {spec.name: _digest(build.ttir_of(spec)) for spec in specs.every()}
    changed = [name for name in shipped if shipped[name] != rebuilt[name]]
    assert not changed, "make the archive anew: python -m wgpt.triton_kernels.build"


def test_golden_ttir_is_what_its_kernels_become():
    kernels = runpy.run_path(str(golden.FOLDER.with_name("triton_kernels.py")))["KERNELS"]
    rebuilt = {name: ahead.ttir_of(*kernel)[1] for name, kernel in kernels.items()}
    changed = [name for name, text in rebuilt.items() if text != golden.text_of(name)]
    assert not changed, "make them anew: python -m tests.golden.make_triton"
    assert rebuilt.keys() == golden.INDEX.keys()
