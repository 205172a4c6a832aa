"""Python in a separate process, for tests that would end this one or need a fresh start."""

from __future__ import annotations

import os
import subprocess
import sys


def python(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """`python ARGS` with these settings in its environment."""
    return subprocess.run(
        [sys.executable, *args],
        env={**os.environ, **env, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
