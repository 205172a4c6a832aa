"""The worked example of docs/add-a-kernel.md: its three files, put where the page says, are a kernel that verifies."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wgpt

pytestmark = pytest.mark.full
ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "add_a_kernel"
SOURCES = Path(wgpt.__file__).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of wgpt with the example's files in it."""
    copy = tmp_path / "wgpt"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("row_scale.py", "row_scale.wgsl"):
        shutil.copy(EXAMPLE / name, copy / "kernels" / "elementwise")
    shutil.copy(EXAMPLE / "example-row-scale-v1.yaml", copy / "contracts")
    return tmp_path


def test_two_templates_of_one_name_are_refused(package):
    shutil.copy(EXAMPLE / "row_scale.wgsl", package / "wgpt" / "kernels" / "norms")
    render = "from wgpt.kernels import registry; registry.get('row_scale').source({}, {'threads': 64})"
    done = subprocess.run(
        [sys.executable, "-c", render], env={**os.environ, "PYTHONPATH": str(package)}, capture_output=True, text=True
    )
    assert done.returncode and "two templates have the name row_scale.wgsl" in done.stderr


def verify(package: Path) -> tuple[int, dict]:
    command = [sys.executable, "-m", "wgpt", "verify", "--only", "row_scale*", "--json"]
    done = subprocess.run(
        command, cwd=package, env={**os.environ, "PYTHONPATH": str(package)}, capture_output=True, text=True
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.gpu
def test_the_kernel_verifies(package):
    code, report = verify(package)
    assert code == 0 and report["passed"], report
    assert [row["id"] for row in report["obligations"]] == ["row_scale_correctness", "row_scale_deterministic"]
    assert report["trials"] >= 10  # five cases, two variants


@pytest.mark.gpu
def test_a_mistake_in_the_shader_is_found(package):
    """The page says that a missing bounds check is caught: it is."""
    shader = package / "wgpt" / "kernels" / "elementwise" / "row_scale.wgsl"
    text = shader.read_text()
    shader.write_text(text.replace("if (i < p.rows * p.hidden)", "if (i <= p.rows * p.hidden)"))
    assert shader.read_text() != text
    code, report = verify(package)
    assert code == 1 and not report["passed"]
