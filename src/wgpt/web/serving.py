"""`wgpt serve --web`: serves a site on this machine, as any other web server could."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .errors import WebExportError
from .site import FORMAT, MODEL

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}
_BLOCK = 1 << 20


def site_files(folder: Path) -> dict[str, Path]:
    """Every file of an exported site by the path of its request: nothing of a request becomes a path of the disk."""
    description = folder / MODEL / "model.json"
    try:
        found = json.loads(description.read_text(encoding="utf-8"))["format"]
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != FORMAT:
        raise WebExportError(f"{folder}: is not a site of `wgpt export-web`: {description} is missing or damaged")
    files = {f"/{path.relative_to(folder).as_posix()}": path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {"/": folder / "index.html", **files}


def site_server(folder: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server for the site; `serve_forever` runs it."""
    files = site_files(folder)

    class Handler(_Handler):
        table = files

    try:
        return ThreadingHTTPServer((host, port), Handler)
    except OSError as e:
        raise WebExportError(f"cannot listen on {host}:{port}: {e.strerror or e}") from None


class _Handler(BaseHTTPRequestHandler):
    table: Mapping[str, Path] = {}
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        path = self.table.get(unquote(urlsplit(self.path).path))
        try:
            size = path.stat().st_size if path is not None else 0
        except OSError:
            path = None
        if path is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(size))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if not with_body:
            return
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                self.wfile.write(block)

    def log_message(self, format: str, *args: object) -> None:
        """One line for each request, on stderr."""
        sys.stderr.write(f"{self.address_string()} {format % args}\n")
