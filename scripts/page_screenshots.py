"""Make the screenshots of the chat page in docs/: a real `wgpt serve`, the real model, a real Chromium.

    python scripts/page_screenshots.py [FOLDER]     default: docs

They look best where the font Inter is installed (Debian: fonts-inter).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from find_browser import find_browser
from playwright.sync_api import Browser, Page, sync_playwright

MOST_BYTES = 150_000
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
PHONE_SIZE = {"width": 390, "height": 780}
PHONE = {"viewport": PHONE_SIZE, "color_scheme": "dark", "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
# Every answer is the model's own, and the same each time.
SETTINGS = {"temperature": "0", "max_tokens": "220"}
EARLIER = ("Give me a synonym for quick.", "Name three oceans.")
QUESTION = "Write a short Python function that reverses a string."
ON_THE_PHONE = ("What is the capital of France?", "And of Italy?")


@contextmanager
def server() -> Iterator[str]:
    """The address of a server with the default model."""
    command = [sys.executable, "-m", "wgpt", "serve", "-p", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if match := re.search(r"^serving .* at (http://\S+)", line):
                yield match[1]
                return
        raise SystemExit("wgpt serve ended without an address")
    finally:
        process.terminate()
        process.wait()


def page_at(browser: Browser, address: str, options: dict[str, Any]) -> Page:
    page = browser.new_context(**options, reduced_motion="reduce").new_page()
    page.goto(address)
    page.wait_for_selector("#model:not([disabled])")
    page.click("#settings-open")
    for name, value in SETTINGS.items():
        page.fill(f"[name={name}]", value)
    page.click("#settings-dialog >> text=Save")
    return page


def ask(page: Page, question: str) -> None:
    page.fill("#message-field", question)
    page.click("#send")
    page.wait_for_selector(f"[data-role=user] >> text={question}")
    page.wait_for_selector(".message[data-last][data-state=done]", timeout=600_000)


def save(page: Page, path: Path) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=path)
    size = path.stat().st_size
    print(f"{path}: {size:,} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"{path} has {size:,} bytes; at most {MOST_BYTES:,}")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    path = find_browser()
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        page = page_at(browser, address, DESKTOP)
        ask(page, QUESTION)  # compiles the shaders; nobody sees this profile
        page = page_at(browser, address, DESKTOP)
        for question in EARLIER:
            ask(page, question)
            page.click("#new-conversation")
        ask(page, QUESTION)
        page.locator("#thread").evaluate("node => node.scrollTo(0, 0)")
        save(page, folder / "chat-desktop.png")
        page = page_at(browser, address, PHONE)
        for question in ON_THE_PHONE:
            ask(page, question)
        save(page, folder / "chat-phone.png")
        browser.close()


if __name__ == "__main__":
    main()
