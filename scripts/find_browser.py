"""The Chromium for tests and screenshots of the chat page: prints its path, or says how to install one.

CHROMIUM names another one.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
HOW = (
    "no Chromium or Chrome: install one (as root: apt-get install chromium), let `make setup` do it, or name one "
    "with CHROMIUM=/path/to/chromium"
)


def find_browser() -> str:
    """The path of a Chromium or a Chrome. Raises FileNotFoundError with the way out."""
    if (named := os.environ.get("CHROMIUM")) is not None:
        if shutil.which(named) is None:
            raise FileNotFoundError(f"CHROMIUM={named} is not a program")
        return named
    for path in filter(None, map(shutil.which, NAMES)):
        if not _is_snap_stub(Path(path)):
            return path
    return next((path for path in (*PATHS, *_of_playwright()) if Path(path).is_file()), "") or _none()


def _is_snap_stub(path: Path) -> bool:
    """Ubuntu's `chromium-browser` only says that there is a snap."""
    return path.stat().st_size < 10_000 and b"snap" in path.read_bytes()


def _of_playwright() -> list[str]:
    """The one that `playwright install chromium` has downloaded."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    with sync_playwright() as playwright:
        return [playwright.chromium.executable_path]


def _none() -> str:
    raise FileNotFoundError(HOW)


if __name__ == "__main__":
    try:
        print(find_browser())
    except FileNotFoundError as e:
        sys.exit(str(e))
