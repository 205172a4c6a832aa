"""The chat page as a table of static files: path of the request -> bytes, content type, headers. No other file can be
requested: nothing of a request becomes a path of the disk.

The page is written by hand (page/): no build step, no network but the server it came from. Its policy forbids inline
scripts and styles, HTML made from strings, and every other origin, so that an answer of a model stays text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

# Headers of every file; "no-cache" means revalidate (ETag).
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}

CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    content: bytes
    content_type: str
    headers: Mapping[str, str]  # including ETag


@cache
def page_files() -> Mapping[str, PageFile]:
    """The page's files by path: "/", "/page/chat.js", "/page/styles/base.css", ..."""
    table = {}
    for name, source in _walk(files(__package__) / "page", ""):
        content = source.read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        suffix = name[name.rindex(".") :]
        path = "/" if name == "index.html" else f"/page/{name}"
        table[path] = PageFile(content, CONTENT_TYPES[suffix], {**HEADERS, "ETag": etag})
    return table


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif any(entry.name.endswith(suffix) for suffix in CONTENT_TYPES):
            yield prefix + entry.name, entry
