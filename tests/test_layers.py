"""Each floor imports only from floors below it. Reads the sources; no GPU."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import wgpt

ROOT = Path(wgpt.__file__).parent
FLOORS = (
    *("table", "home", "gpu", "quant", "formats", "kernels", "ttir", "triton_backend", "triton", "triton_kernels"),
    *("ops", "contracts", "models", "infer", "train", "api", "bench", "cli"),
)
# What stands beside the floors: the package's own face and the way in from the shell.
TOP = ("__init__", "__main__")


def imported(path: Path, root: Path = ROOT) -> Iterator[tuple[int, str]]:
    """(line, dotted name inside wgpt) of every import of ours, those inside functions included."""
    package = path.relative_to(root).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [(node.lineno, alias.name) for alias in node.names]
            yield from ((line, name.removeprefix("wgpt.")) for line, name in names if name.startswith("wgpt."))
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = ".".join([*package[: len(package) - node.level + 1], *(node.module or "").split(".")]).strip(".")
            elif node.module == "wgpt" or (node.module or "").startswith("wgpt."):
                base = (node.module or "").removeprefix("wgpt").strip(".")
            else:
                continue
            yield from ((node.lineno, f"{base}.{alias.name}".strip(".")) for alias in node.names)


def sources() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def floor_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def test_there_is_something_to_read():
    assert {"gpu", "quant", "kernels", "contracts"} <= {floor_of(path) for path in sources()}


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_from_below(path):
    floor = floor_of(path)
    assert floor in FLOORS + TOP, f"{floor} is no floor: {', '.join(FLOORS)}"
    allowed = FLOORS if floor in TOP else FLOORS[: FLOORS.index(floor) + 1]
    wrong = [f"line {line}: {name}" for line, name in imported(path) if name and name.split(".")[0] not in allowed]
    assert not wrong, f"{floor} may import from {', '.join(allowed)}; it imports {wrong}"


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_only_the_ground_floor_knows_wgpu(path):
    if floor_of(path) == "gpu":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        assert not any(name.split(".")[0] == "wgpu" for name in names), f"line {node.lineno} imports wgpu"


def test_the_reader_sees_what_python_sees(tmp_path):
    """The check itself: an import upwards is found, in all its spellings."""
    (tmp_path / "gpu").mkdir()
    source = tmp_path / "gpu" / "bad.py"
    source.write_text(
        "import wgpt.cli.main\n"
        "from wgpt.kernels import registry\n"
        "from ..ops import linear\n"
        "from .. import contracts\n"
        "from . import buffer\n"
        "from .errors import WgptError\n"
        "def f():\n    from wgpt import bench\n"
        "import numpy\n"
    )
    found = [name for _, name in imported(source, tmp_path)]
    assert sorted(found) == sorted(
        ["cli.main", "kernels.registry", "ops.linear", "contracts", "gpu.buffer", "gpu.errors.WgptError", "bench"]
    )
