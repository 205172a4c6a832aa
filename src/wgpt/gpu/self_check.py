"""Whether `auto` may use Dawn on a GPU: a process of its own tries it, once for each driver.

It opens the GPU and multiplies random matrices on its matrix units (faults.py). A driver that crashes there crashes
that process alone.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..core.atomic import OutputError, replacing
from ..core.errors import WgptError
from ..core.home import home
from .webgpu.dawn import library
from .webgpu.interface import GpuInfo

_VERSION = 1  # raise it when the check changes: results of another version are not used
_SECONDS = 120  # at most; the driver may have to compile for the first time
_CHILD = "import sys; from wgpt.gpu import self_check; self_check.main(sys.argv[1])"
NO_MATRICES = "Dawn has no matrix units for kernels on this GPU"


def objection(info: GpuInfo) -> str | None:
    """Why not to use Dawn on this GPU; None if it passes its self-check. Warns if it fails."""
    key = {"gpu": info.name, "driver": info.driver, "backend": info.backend, "dawn": _dawn(), "check": _VERSION}
    file = home() / "dawn" / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:12]}.json"
    with suppress(OSError, ValueError, AttributeError, KeyError):  # missing, damaged, or of another version
        result = json.loads(file.read_text())
        if result.items() >= key.items() and isinstance(result["objection"], str | None):
            return result["objection"]
    try:
        found = _tried(info)
    except OSError as e:  # says nothing about the driver
        return f"Dawn's self-check could not be started: {e.strerror}"
    with suppress(OutputError), replacing(file) as out:  # without it, the next start tries again
        out.write(json.dumps({**key, "objection": found}, indent=1).encode())
    if found not in (None, NO_MATRICES):
        warnings.warn(f"using wgpu-native: {found} (kept in {file}: delete it to try again)", stacklevel=2)
    return found


def _dawn() -> str:
    """The version that is tried. It is not opened here: that, too, could crash."""
    path = os.environ.get(library.PATH)
    if path and os.path.isfile(path):
        return f"{os.path.abspath(path)} of {os.path.getmtime(path)}"
    return library.version()


def _tried(info: GpuInfo) -> str | None:
    if not sys.executable or getattr(sys, "frozen", False):
        raise OSError(errno.ENOENT, "there is no Python to start")
    # -P: not from the current directory, but from where this package is
    command = [sys.executable, "-P", "-c", _CHILD, json.dumps(asdict(info))]
    paths = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    try:
        done = subprocess.run(command, timeout=_SECONDS, env={**os.environ, "PYTHONPATH": paths}, **options)
    except subprocess.TimeoutExpired:
        return f"Dawn's self-check did not end within {_SECONDS} s"
    with suppress(ValueError):
        if done.returncode == 0:
            result: str | None = json.loads(done.stdout.splitlines()[-1] if done.stdout else "")
            return result
    if done.returncode < 0:
        number = -done.returncode
        named = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        return f"Dawn's self-check crashed ({named})"
    last = (done.stderr.strip() or "no message").splitlines()[-1]
    return f"Dawn's self-check failed with exit code {done.returncode}: {last}"


def main(gpu: str) -> None:
    """In the process: `gpu` is a GpuInfo as JSON; prints what speaks against Dawn, as JSON."""
    from . import faults
    from .core import Core
    from .webgpu.dawn.device import Dawn

    found: str | None = None
    try:
        info = GpuInfo(**json.loads(gpu))
        core = Core(info, Dawn(info))
        wrong = faults.find_faults(core)
        if wrong:
            found = f"Dawn computes wrong numbers on this GPU: {'; '.join(wrong)}"
        elif not faults.usable_matrices(core):
            found = NO_MATRICES
        core.close()
    except WgptError as e:
        found = str(e)
    print(json.dumps(found))
