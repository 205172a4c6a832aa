"""Node with Dawn for the browser runtime. Without them these tests fail: they are never skipped."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import open_checkpoint
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.web.site import Request, export_site

ROOT = Path(__file__).parents[2]
find_node = runpy.run_path(str(ROOT / "scripts" / "find_node.py"))["find_node"]
MODULES = ROOT / "build" / "node" / "node_modules"
RUNTIME = ROOT / "src" / "wgpt" / "web" / "runtime" / "index.js"
DRIVER = Path(__file__).with_name("driver.mjs")
Run = Callable[..., Any]


@pytest.fixture(scope="session")
def node() -> Run:
    """node(task, **arguments) -> what the task of driver.mjs returns."""
    path = find_node()

    def run(task: str, **arguments: Any) -> Any:
        request = json.dumps({"task": task, "modules": str(MODULES), "runtime": str(RUNTIME), **arguments})
        command = [path, "--expose-gc", str(DRIVER)]
        done = subprocess.run(command, input=request, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, f"{done.stderr[-3000:]}\n(webgpu for Node comes with `make setup`)"
        return json.loads(done.stdout.rstrip("\n").rpartition("\n")[2])

    return run


def export(model: Path, folder: Path, **options: Any) -> Path:
    """A site of a model, for software drivers and for any GPU."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_checkpoint(model) as checkpoint:
        settings = {"targets": ["software"], "name": model.name, **options}
        export_site(Request(checkpoint, load_tokenizer(checkpoint.tokenizer), **settings), folder)
    return folder
