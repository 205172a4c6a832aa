"""The page of a site: that of `wgpt serve`, with the model running in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..serve.page_files import CONTENT_TYPES, page_files

RUNTIME = "wgpt"  # the folder of the JavaScript runtime
# The server's policy, inside the page because any web server may deliver it; allows the runtime's service worker.
_POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"),
        *("worker-src 'self'", "base-uri 'none'", "form-action 'none'"),
        *("require-trusted-types-for 'script'", "trusted-types wgpt"),
    )
)
# Files that replace the server's.
_INSTEAD = {"page/transport.js": "transport.js", "page/views/status.js": "status.js"}
_ADDED = {
    "page/offline.js": "offline.js",
    "page/verify.js": "verify.js",
    "page/styles/verify.css": "verify.css",
    "service-worker.js": "service-worker.js",
}


def page_assets() -> Mapping[str, bytes]:
    """All files of the page and the runtime, by their path in the site."""
    own = files(__package__) / "page"
    assets = {path.lstrip("/") or "index.html": file.content for path, file in page_files().items()}
    assets["index.html"] = _index(assets["index.html"].decode()).encode()
    assets |= {path: (own / name).read_bytes() for path, name in (_INSTEAD | _ADDED).items()}
    del assets["page/event-stream.js"]  # only used to read the server's events
    assets |= {path: source.read_bytes() for path, source in _walk(files(__package__) / "runtime", f"{RUNTIME}/")}
    kept = ["./", *sorted(path for path in assets if path.endswith(tuple(CONTENT_TYPES)) and path != "index.html")]
    assets["page/files.json"] = json.dumps([path for path in kept if path != "service-worker.js"]).encode()
    return assets


def _index(html: str) -> str:
    """The server's index.html, adapted to a site."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    html = html.replace('<meta name="referrer"', f'{policy}\n    <meta name="referrer"', 1)
    scripts = ['<script type="module" src="page/offline.js"></script>', '<script type="module" src="page/verify.js">']
    html = html.replace("  </head>", "".join(f"    {script}\n" for script in [scripts[0], f"{scripts[1]}</script>"])
                        + '    <link rel="stylesheet" href="page/styles/verify.css">\n  </head>', 1)  # fmt: skip
    button = '<button type="button" id="verify" class="text-button">Check GPU</button>'
    html = html.replace('<button type="button" id="import"', f'{button}\n        <button type="button" id="import"', 1)
    html = html.replace(
        "Conversations are kept in this browser and nowhere else.",
        "The model runs in this browser, on this computer. What you write is sent nowhere.",
    )
    html = re.sub(r"<noscript>.*?</noscript>", "<noscript>This page needs JavaScript.</noscript>", html)
    # Without a server, nothing asks for a key; the page's modules still need the dialog.
    return html


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry
