"""The wheel: its contents, and that it runs outside of the checkout, in a separate environment."""

from __future__ import annotations

import io
import json
import os
import runpy
import subprocess
import sys
import tarfile
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

import wgpt

from .conftest import OWN_HOME

ROOT = Path(__file__).parents[1]
BIN = "Scripts" if os.name == "nt" else "bin"


def test_the_wheel_is_small():
    """Large generated files belong in an archive, or outside of the package."""
    package, wheel = Path(wgpt.__file__).parent, io.BytesIO()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in package.rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, path.relative_to(package.parent))
    assert 500_000 < len(wheel.getvalue()) < 1_900_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """sdist, and a wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def test_the_readme_of_the_package_needs_no_other_file():
    packaged = runpy.run_path(str(ROOT / "hatch_build.py"))["packaged"]
    readme = (ROOT / "README.md").read_text()
    assert "](docs/" in readme and "](" not in packaged(readme)


@pytest.mark.full
def test_the_wheel_and_the_sdist_are_complete(built):
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = message_from_string(archive.read(next(n for n in names if n.endswith("METADATA"))).decode())
    sources = ROOT / "src"
    files = [p for p in sources.rglob("*") if p.is_file() and "__pycache__" not in p.parts and p.suffix != ".pyc"]
    assert {p.relative_to(sources).as_posix() for p in files} <= names
    assert all(name.startswith(("wgpt/", "wgpt-")) for name in names)
    assert metadata["Author"] == "the wgpt developers" and metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_payload().startswith("# wgpt") and "](docs/" not in metadata.get_payload()
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("docs/index.md", "mkdocs.yml", "hatch_build.py", "examples/finetune/facts.jsonl", "CHANGELOG.md"):
        assert name in inside


@pytest.mark.full
@pytest.mark.gpu
def test_the_wheel_runs_in_a_fresh_environment(built, tmp_path, smollm2_path):
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / BIN
    subprocess.run([binaries / "python", "-m", "pip", "install", "-q", wheel], check=True, capture_output=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "WGPT_HOME")}
    environment |= {"WGPT_HOME": OWN_HOME} if OWN_HOME else {}

    def run(*words: str) -> str:
        command = [binaries / "wgpt", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(ROOT) not in subprocess.run(
        [binaries / "python", "-c", "import wgpt; print(wgpt.__file__)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert json.loads(run("info", "--json"))
    assert run("run", "What is the capital of France?").strip() == "The capital of France is Paris."
