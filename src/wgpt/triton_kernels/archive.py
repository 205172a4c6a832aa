"""The TTIR of all kernels in sources/, in one compressed archive, so that running them does not need Triton.

`tar xJf ttir.tar.xz` unpacks it: NAME.ttir for every spec; MADE_BY, the Triton release that made it; and SOURCES, a
digest of the sources and specs.
"""

from __future__ import annotations

import hashlib
import io
import json
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import IO

from ..core.errors import WgptError
from .specs import every

ARCHIVE = Path(__file__).parent / "ttir.tar.xz"
_MADE_BY = "MADE_BY"
_SOURCES = "SOURCES"
_CODE = (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING, tokenize.INDENT, tokenize.DEDENT)
_SUFFIX = ".ttir"


def ttir(name: str) -> str:
    """The TTIR of one kernel, in MLIR's generic form."""
    return _members()[name + _SUFFIX]


def names() -> frozenset[str]:
    return frozenset(member.removesuffix(_SUFFIX) for member in _members() if member.endswith(_SUFFIX))


def made_by() -> str:
    """The Triton release that made the TTIR."""
    return _members()[_MADE_BY].strip()


def made_of() -> str:
    """The `sources_digest()` at the time the archive was made."""
    return _members()[_SOURCES].strip()


def sources_digest() -> str:
    """A digest of sources/ (without comments and blank lines) and all specs. Detects outdated TTIR without Triton."""
    digest = hashlib.sha256(json.dumps(sorted(map(asdict, every()), key=itemgetter("name"))).encode())
    for path in sorted((Path(__file__).parent / "sources").glob("*.py")):
        with path.open("rb") as file:
            tokens = [token.string for token in tokenize.tokenize(file.readline) if token.type in _CODE]
        digest.update(json.dumps([path.name, tokens]).encode())
    return digest.hexdigest()


@cache
def digest() -> str:
    """A digest of the compressed archive, which is fast to compute."""
    return hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()


@cache
def _members() -> dict[str, str]:
    # Imported here, because `import wgpt` does not need it, and Python may have been built without lzma.
    import tarfile

    try:
        with tarfile.open(ARCHIVE, "r:xz") as archive:
            return dict(_read(archive.extractfile(member), member.name) for member in archive)
    except (tarfile.CompressionError, ImportError) as e:
        raise WgptError(
            "kernels written in Triton need Python's lzma module, and this Python was built without it: "
            "install the xz (liblzma) development files and rebuild Python, or use --kernels wgsl"
        ) from e
    except (OSError, tarfile.TarError, EOFError, ValueError) as e:
        raise WgptError(f"{ARCHIVE} is damaged: reinstall wgpt ({e})") from e


def _read(file: IO[bytes] | None, name: str) -> tuple[str, str]:
    if file is None:
        raise ValueError(f"{name} is not a file")
    return name, file.read().decode()


def write(texts: Mapping[str, str], triton_version: str, path: Path = ARCHIVE) -> None:
    """Replace the archive. The same texts give the same bytes with the same release of liblzma."""
    import tarfile

    from ..core.atomic import replacing

    with replacing(path) as file, tarfile.open(fileobj=file, mode="w:xz", preset=9) as archive:
        for name, text in _in_order(texts, triton_version):
            data = text.encode()
            member = tarfile.TarInfo(name)  # owner, mode and time are the same for all
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def _in_order(texts: Mapping[str, str], triton_version: str) -> Iterator[tuple[str, str]]:
    yield _MADE_BY, f"triton {triton_version}\n"
    yield _SOURCES, f"{sources_digest()}\n"
    for name in sorted(texts):
        yield name + _SUFFIX, texts[name]
