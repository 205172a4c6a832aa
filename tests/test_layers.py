"""How the house stands: each floor imports only from floors below it, no modules import each other in a circle, and no
file is too long to read. Reads the sources; no GPU."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import wgpt

ROOT = Path(wgpt.__file__).parent
TESTS = Path(__file__).parent
FLOORS = (
    *("table", "plotting", "home", "environment", "first_use", "gpu", "quant", "formats", "kernels"),
    *("ttir", "triton_backend", "triton", "triton_kernels"),
    *("ops", "contracts", "models", "infer", "train", "api", "bench", "cli"),
)
# What stands beside the floors: the package's own face and the way in from the shell.
TOP = ("__init__", "__main__", "public")
MOST_LINES = 450
COMPILED = ROOT / "triton_kernels" / "compiled"  # what a compiler wrote, nobody reads


def imported(path: Path, root: Path = ROOT) -> Iterator[tuple[int, str]]:
    """(line, dotted name inside wgpt) of every import of ours: those inside functions, under TYPE_CHECKING and by a
    constant name (importlib) included."""
    package = path.relative_to(root).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(package, "." * node.level + (node.module or ""))
            names = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and (name := _named(node)) is not None:
            names = [_absolute(package, name)]
        else:
            continue
        yield from ((node.lineno, name.removeprefix("wgpt.")) for name in names if name.startswith("wgpt."))


def _absolute(package: tuple[str, ...], name: str) -> str:
    """A name as `import` takes it, relative ones from the package on."""
    level = len(name) - len(name.lstrip("."))
    if not level:
        return name
    return ".".join(["wgpt", *package[: len(package) - level + 1], *filter(None, [name.lstrip(".")])])


def _named(call: ast.Call) -> str | None:
    """What import_module or __import__ is given, if that stands in the source: of an f-string, how it begins."""
    function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if function not in ("import_module", "__import__") or not call.args:
        return None
    name = call.args[0]
    if isinstance(name, ast.JoinedStr) and name.values:
        name = name.values[0]
    return str(name.value).rstrip(".") if isinstance(name, ast.Constant) and str(name.value).strip(".") else None


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
    allowed = FLOORS + TOP if floor in TOP else FLOORS[: FLOORS.index(floor) + 1]
    wrong = [f"line {line}: {name}" for line, name in imported(path) if name and name.split(".")[0] not in allowed]
    assert not wrong, f"{floor} may import from {', '.join(allowed)}; it imports {wrong}"


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_one_folder_knows_wgpu(path):
    if path.is_relative_to(ROOT / "gpu" / "webgpu"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        assert not any(name.split(".")[0] == "wgpu" for name in names), f"line {node.lineno} imports wgpu"


def modules(root: Path = ROOT) -> dict[str, Path]:
    """All modules by dotted name; a package by its own."""
    paths = {".".join(path.relative_to(root).with_suffix("").parts): path for path in root.rglob("*.py")}
    return {name.removesuffix("__init__").rstrip("."): path for name, path in paths.items()}


def arrows(root: Path = ROOT) -> dict[str, set[str]]:
    """What each module imports."""
    by_name = modules(root)

    def module_of(name: str) -> str:
        return name if name in by_name else name.rpartition(".")[0]

    return {
        name: {module_of(other) for _, other in imported(path, root)} & by_name.keys() - {name}
        for name, path in by_name.items()
    }


def circle(of: Mapping[str, set[str]]) -> list[str]:
    """Modules each of which imports the next, and the last one the first; none, if there is no such circle."""
    done: set[str] = set()

    def search(path: list[str]) -> list[str]:
        if path[-1] in path[:-1]:
            return path[path.index(path[-1]) :]
        if path[-1] in done:
            return []
        for other in sorted(of[path[-1]]):
            if around := search([*path, other]):
                return around
        done.add(path[-1])
        return []

    return next((around for name in sorted(of) if (around := search([name]))), [])


def test_no_modules_import_each_other():
    around = circle(arrows())
    assert not around, " -> ".join(around)


def source_files() -> list[Path]:
    """What people wrote and read, of the package and of the tests."""
    paths = [path for root in (ROOT, TESTS) for kind in ("*.py", "*.wgsl") for path in root.rglob(kind)]
    return sorted(path for path in paths if not path.is_relative_to(COMPILED))


def test_no_file_is_too_long():
    long = {path.name: lines for path in source_files() if (lines := len(path.read_text().splitlines())) > MOST_LINES}
    assert not long, f"more than {MOST_LINES} lines: {long}; split them by what their parts do"


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
        "if TYPE_CHECKING:\n    from wgpt.infer.session import Session\n"
        "importlib.import_module('wgpt.triton_kernels.calls')\n"
        "import_module(f'wgpt.models.{name}')\n"
        "import_module('..api', __package__)\n"
        "import_module(f'.{name}', __package__)\n"
        "import numpy\n"
    )
    expected = ["cli.main", "kernels.registry", "ops.linear", "contracts", "gpu.buffer", "gpu.errors.WgptError"]
    expected += ["bench", "infer.session.Session", "triton_kernels.calls", "models", "api"]
    assert sorted(name for _, name in imported(source, tmp_path)) == sorted(expected)


def test_a_circle_is_found(tmp_path):
    """The check itself: through three files, one of the imports within a function."""
    (tmp_path / "gpu").mkdir()
    for name, source in {
        "__init__": "from .a import A\n",
        "a": "from .b import B\n",
        "b": "if TYPE_CHECKING:\n    from . import c\n",
        "c": "def f():\n    from .a import A\n",
        "d": "from . import a, c\n",
    }.items():
        (tmp_path / "gpu" / f"{name}.py").write_text(source)
    assert circle(arrows(tmp_path)) == ["gpu.a", "gpu.b", "gpu.c", "gpu.a"]
    (tmp_path / "gpu" / "c.py").write_text("")
    assert circle(arrows(tmp_path)) == []
