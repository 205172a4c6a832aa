"""Runs the scripts of bench/peers, each with a Python of the user's choice, and collects their results."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

import wgpt

from ..core.errors import WgptError
from ..models.presets import PRESETS
from .comparison import TASKS, UNIT_OF, Figure, SchemaError

SCRIPTS = {"torch": "torch_peer.py", "llama.cpp": "llama_peer.py"}
MOST_SECONDS = 540.0  # seconds for one script with one model: a compiler may take minutes
_TAIL = 300  # characters of an error to show


@dataclass(frozen=True)
class Peers:
    """The folder of the scripts, and the Python interpreters that have the peers installed."""

    folder: Path
    pythons: Mapping[str, str] = field(default_factory=dict)  # by peer; by default, the running one
    quick: bool = False
    timeout: float = MOST_SECONDS

    def ask(self, peer: str, preset: str, keep: Callable[[Figure], None]) -> None:
        """Run a peer, passing each figure to `keep` as it comes. If it fails or takes too long, pass a skipped
        figure."""
        sizes, python = {**asdict(PRESETS[preset]), "name": preset}, self.pythons.get(peer, sys.executable)
        command = [python, str(self.folder / SCRIPTS[peer]), "--sizes", json.dumps(sizes)]
        received: list[Figure] = []

        def receive(figure: Figure) -> None:
            received.append(figure)
            keep(figure)

        try:
            reason = _run([*command, *(["--quick"] if self.quick else [])], self.timeout, receive)
        except OSError as e:
            reason = f"cannot start {python}: {e.strerror or e}"
        if reason:
            measured = {figure.what for figure in received}
            for task in [task for task in TASKS if task not in measured] or [received[-1].what]:
                mode = "remaining modes" if task in measured else "-"
                keep(Figure(peer, mode, task, preset, unit=UNIT_OF[task], skipped=reason))


def pythons(values: Sequence[str]) -> dict[str, str]:
    """Interpreters by peer, parsed from PYTHON (for all peers) and PEER=PYTHON."""
    by_peer: dict[str, str] = {}
    for value in values:
        peer, equals, python = value.partition("=")
        if not equals:
            by_peer = {**dict.fromkeys(SCRIPTS, value), **by_peer}
        elif peer in SCRIPTS and python:
            by_peer[peer] = python
        else:
            raise WgptError(f"{value!r}: give a Python for all peers, or PEER=PYTHON with one of {', '.join(SCRIPTS)}")
    return by_peer


def locate(folder: Path | None = None) -> Path:
    """The folder of the scripts: `folder`, or bench/peers of the checkout or of the current directory."""
    candidates = [folder] if folder else [Path(wgpt.__file__).parents[2] / "bench" / "peers", Path("bench/peers")]
    for candidate in candidates:
        if all((candidate / script).is_file() for script in SCRIPTS.values()):
            return candidate.resolve()
    raise WgptError(
        f"the scripts that run the peers ({', '.join(SCRIPTS.values())}) are not in "
        f"{' or '.join(map(str, candidates))}; they are in bench/peers of the repository: set --peers-dir"
    )


def _run(command: Sequence[str], timeout: float, keep: Callable[[Figure], None]) -> str | None:
    """Run a script. Returns why it failed, or None."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    timed_out = threading.Event()

    def stop() -> None:
        timed_out.set()
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
    if timed_out.is_set():
        return f"took more than {timeout:.0f} s"
    return None if code == 0 else f"failed with code {code}: {' '.join(''.join(errors).split())[-_TAIL:]}"


def _collect(stream: IO[str], into: list[str]) -> None:
    into.extend(stream)


def _figure(line: str) -> Figure:
    try:
        return Figure.of(json.loads(line))
    except json.JSONDecodeError as e:
        raise SchemaError(f"a peer printed invalid JSON: {line.strip()[:_TAIL]} ({e})") from None
