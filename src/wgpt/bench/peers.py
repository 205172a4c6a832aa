"""Runs the scripts of bench/peers, each in a Python of the user's choice, and collects what they say line by line."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import wgpt

from ..gpu import WgptError
from ..models.presets import PRESETS
from .comparison import WHATS, Figure, SchemaError

SCRIPTS = {"torch": "torch_peer.py", "llama.cpp": "llama_peer.py"}
_MOST_SECONDS = 540.0  # of one script with one model: a compiler may take minutes
_TAIL = 300  # characters of an error that are told


@dataclass(frozen=True)
class Peers:
    """Where the scripts lie, and the Python that has the peers."""

    folder: Path
    python: str = sys.executable
    quick: bool = False
    timeout: float = _MOST_SECONDS

    def ask(self, peer: str, preset: str, keep: Callable[[Figure], None]) -> None:
        """Every figure as it comes. A script that fails or takes too long leaves a reason."""
        sizes = {**asdict(PRESETS[preset]), "name": preset}
        command = [self.python, str(self.folder / SCRIPTS[peer]), "--sizes", json.dumps(sizes)]
        try:
            reason = _listen([*command, *(["--quick"] if self.quick else [])], self.timeout, keep)
        except OSError as e:
            reason = f"{self.python} does not start: {e.strerror or e}"
        if reason:
            for what in WHATS:
                keep(Figure(peer, "-", what, preset, skipped=reason))


def locate(folder: Path | None = None) -> Path:
    """The folder of the scripts: the one given, or that of the checkout this package lies in, or of this folder."""
    tried = [folder] if folder else [Path(wgpt.__file__).parents[2] / "bench" / "peers", Path("bench/peers")]
    for one in tried:
        if all((one / script).is_file() for script in SCRIPTS.values()):
            return one.resolve()
    raise WgptError(
        f"the scripts that run the peers ({', '.join(SCRIPTS.values())}) are not in "
        f"{' or '.join(map(str, tried))}; they are in bench/peers of the repository: name that folder with --peers-dir"
    )


def _listen(command: Sequence[str], timeout: float, keep: Callable[[Figure], None]) -> str | None:
    """Run it to its end; why it did not get there, or None."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    errors: list[str] = []
    reader = threading.Thread(target=_collect, args=(process.stderr, errors), daemon=True)
    timer = threading.Timer(timeout, stop)
    timer.start()
    reader.start()
    try:
        for line in process.stdout:
            if line.startswith("{"):
                keep(_figure(line))
        code = process.wait()
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        reader.join()
    if late.is_set():
        return f"took more than {timeout:.0f} s"
    return None if code == 0 else f"failed with code {code}: {' '.join(''.join(errors).split())[-_TAIL:]}"


def _collect(stream: IO[str], into: list[str]) -> None:
    into.extend(stream)


def _figure(line: str) -> Figure:
    try:
        return Figure.of(json.loads(line))
    except json.JSONDecodeError as e:
        raise SchemaError(f"a peer printed no JSON: {line.strip()[:_TAIL]} ({e})") from None
