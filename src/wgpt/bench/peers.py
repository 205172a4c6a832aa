"""Runs the scripts of bench/peers, each in a Python of the user's choice, and collects what they say line by line."""

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

from ..gpu import WgptError
from ..models.presets import PRESETS
from .comparison import UNIT_OF, WHATS, Figure, SchemaError

SCRIPTS = {"torch": "torch_peer.py", "llama.cpp": "llama_peer.py"}
MOST_SECONDS = 540.0  # of one script with one model: a compiler may take minutes
_TAIL = 300  # characters of an error that are told


@dataclass(frozen=True)
class Peers:
    """Where the scripts lie, and the Pythons that have the peers."""

    folder: Path
    pythons: Mapping[str, str] = field(default_factory=dict)  # by peer; this one for what is not named
    quick: bool = False
    timeout: float = MOST_SECONDS

    def ask(self, peer: str, preset: str, keep: Callable[[Figure], None]) -> None:
        """Every figure as it comes. A script that fails or takes too long leaves a reason."""
        sizes, python = {**asdict(PRESETS[preset]), "name": preset}, self.pythons.get(peer, sys.executable)
        command = [python, str(self.folder / SCRIPTS[peer]), "--sizes", json.dumps(sizes)]
        heard: list[Figure] = []

        def hear(figure: Figure) -> None:
            heard.append(figure)
            keep(figure)

        try:
            reason = _listen([*command, *(["--quick"] if self.quick else [])], self.timeout, hear)
        except OSError as e:
            reason = f"{python} does not start: {e.strerror or e}"
        if reason:
            answered = {figure.what for figure in heard}
            for what in [what for what in WHATS if what not in answered] or [heard[-1].what]:
                mode = "what was to follow" if what in answered else "-"
                keep(Figure(peer, mode, what, preset, unit=UNIT_OF[what], skipped=reason))


def pythons(given: Sequence[str]) -> dict[str, str]:
    """From PYTHON, for all peers, and PEER=PYTHON."""
    found: dict[str, str] = {}
    for one in given:
        peer, named, python = one.partition("=")
        if not named:
            found = {**dict.fromkeys(SCRIPTS, one), **found}
        elif peer in SCRIPTS and python:
            found[peer] = python
        else:
            raise WgptError(f"{one!r}: give a Python for all peers, or PEER=PYTHON with one of {', '.join(SCRIPTS)}")
    return found


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
