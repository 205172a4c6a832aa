"""docs/browser.png: the exported page of the default model in Chromium, after an answer and with the table of checks.

    .venv/bin/wgpt export-web --target software --out build/web && .venv/bin/python scripts/web_screenshot.py build/web
"""

from __future__ import annotations

import runpy
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

from wgpt.web.serving import site_server

ROOT = Path(__file__).parents[1]
find_browser = runpy.run_path(str(ROOT / "scripts" / "find_browser.py"))["find_browser"]
ARGUMENTS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]
PATIENCE = 600_000  # milliseconds: SwiftShader compiles on the CPU


def main(site: Path) -> None:
    server = site_server(site, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1000, "height": 640})
        page.add_init_script("localStorage.setItem('wgpt.settings', JSON.stringify({ temperature: 0 }))")
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        page.wait_for_selector("#model:not([disabled])", timeout=PATIENCE)
        page.fill("#message-field", "What is the capital of France?")
        page.press("#message-field", "Enter")
        page.wait_for_selector(".message[data-last][data-state=done]", timeout=PATIENCE)
        page.screenshot(path=str(ROOT / "docs" / "browser.png"))
        page.click("#verify")
        page.get_by_text("compute correctly").wait_for(timeout=PATIENCE)
        page.wait_for_timeout(500)
        page.screenshot(path=str(ROOT / "docs" / "browser-verify.png"))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
