"""Whether `auto` may use Dawn on a GPU: a process of its own tries it, once for each driver.

It opens the GPU and multiplies random matrices on its matrix units (faults.py). A driver that crashes there crashes
that process alone.

python -m wgpt.gpu.self_check GPU       GPU: a GpuInfo as JSON; prints what speaks against Dawn as JSON
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
from contextlib import suppress
from dataclasses import asdict

from ..core.atomic import OutputError, replacing
from ..core.errors import WgptError
from ..core.home import home
from .webgpu.dawn import library
from .webgpu.interface import GpuInfo

_VERSION = 1  # raise it when the check changes: results of another version are not used
_SECONDS = 120  # at most; the driver may have to compile for the first time
NO_MATRICES = "Dawn has no matrix units for kernels on this GPU"


def objection(info: GpuInfo) -> str | None:
    """Why not to use Dawn on this GPU; None if it passes its self-check. Warns if it fails."""
    key = {
        **{"gpu": info.name, "driver": info.driver, "backend": info.backend},
        **{"dawn": _dawn(), "check": _VERSION},
    }
    file = home() / "dawn" / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:12]}.json"
    with suppress(OSError, ValueError, AttributeError):
        result = json.loads(file.read_text())
        if result.items() >= key.items() and isinstance(result["objection"], str | None):
            return result["objection"]
    found = _tried(info)
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
        return "Dawn's self-check needs a Python that can be started"
    command = [sys.executable, "-m", "wgpt.gpu.self_check", json.dumps(asdict(info))]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return f"Dawn's self-check did not end within {_SECONDS} s"
    except OSError as e:
        return f"Dawn's self-check could not be started: {e.strerror}"
    with suppress(ValueError):
        if done.returncode == 0:
            result: str | None = json.loads(done.stdout.splitlines()[-1] if done.stdout else "")
            return result
    if done.returncode < 0:
        return f"Dawn's self-check crashed ({signal.Signals(-done.returncode).name})"
    last = (done.stderr.strip() or "no message").splitlines()[-1]
    return f"Dawn's self-check failed with exit code {done.returncode}: {last}"


def main(gpu: str) -> None:
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
        elif not {"shader-f16", "subgroup"} <= core.features or not any(m.usable for m in core.webgpu.matrices):
            found = NO_MATRICES
        core.close()
    except WgptError as e:
        found = str(e)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
