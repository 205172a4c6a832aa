"""The exported page in Chromium with SwiftShader: it answers, keeps the model, and says what is wrong."""

from __future__ import annotations

import json
import runpy
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from wgpt.web.serving import site_server

from .conftest import ROOT, export

find_browser = runpy.run_path(str(ROOT / "scripts" / "find_browser.py"))["find_browser"]
ARGUMENTS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]
PATIENCE = 300.0  # seconds: SwiftShader compiles on the CPU, which others use too
# Keeps the devices that the page opens, so that a test can lose one.
KEEP_DEVICES = """
window.devices = [];
const request = GPUAdapter.prototype.requestDevice;
GPUAdapter.prototype.requestDevice = async function (...options) {
  const device = await request.apply(this, options);
  window.devices.push(device);
  return device;
};
"""
NO_WEBGPU = "Object.defineProperty(navigator, 'gpu', { value: undefined });"
SETTINGS = "localStorage.setItem('wgpt.settings', JSON.stringify({ temperature: 0, max_tokens: 12 }));"

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(ROOT / "tests" / "golden" / "models" / "llama-gqa", tmp_path_factory.mktemp("sites") / "tiny")


class Visit:
    """A page of a site, and what went wrong on it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.problems = page, list[str]()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", lambda m: "Content Security" in m.text and self.problems.append(m.text))
        page.goto(address)

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not happen; status: {self.status!r}"
            self.page.wait_for_timeout(50)

    def until_ready(self) -> None:
        self.until(lambda: self.page.locator("#model").input_value() and not self.status, "the model's loading")

    def send(self, text: str) -> None:
        self.page.fill("#message-field", text)
        self.page.press("#message-field", "Enter")

    def state(self) -> str | None:
        last = self.page.locator(".message[data-last]")
        return last.get_attribute("data-state") if last.count() else None

    def ask(self, text: str) -> str:
        self.send(text)
        self.until(lambda: self.state() in ("done", "failed"), "an answer")
        assert self.state() == "done", self.page.locator(".message[data-last]").inner_text()
        return self.page.locator("[data-role=assistant] .content").all_inner_texts()[-1]


@contextmanager
def visiting(browser: Browser, site: Path, script: str = "", **options: Any) -> Iterator[Visit]:
    server = site_server(site, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
    context.add_init_script(SETTINGS + script)
    try:
        visit = Visit(context.new_page(), f"http://127.0.0.1:{server.server_address[1]}/")
        yield visit
        assert visit.problems == []
    finally:
        context.close()
        server.shutdown()
        server.server_close()


@pytest.mark.slow
def test_the_real_model_answers_and_needs_no_network_the_second_time(
    browser: Browser, smollm2_path: Path, tmp_path: Path
) -> None:
    site = export(smollm2_path, tmp_path / "site", context=512)
    with visiting(browser, site) as visit:
        visit.until_ready()
        assert visit.ask("What is the capital of France?") == "The capital of France is Paris."
        visit.until(lambda: visit.page.evaluate("navigator.serviceWorker.controller !== null"), "the service worker")
        visit.page.context.set_offline(True)
        visit.page.goto(visit.page.url.partition("#")[0])
        visit.until_ready()
        assert visit.ask("What is the capital of France?") == "The capital of France is Paris."


@pytest.mark.full
def test_a_lost_device_is_opened_again(browser: Browser, tiny: Path) -> None:
    with visiting(browser, tiny, KEEP_DEVICES) as visit:
        visit.until_ready()
        whole = visit.ask("abc")
        visit.page.click("#new-conversation")
        visit.page.evaluate("window.devices.forEach((device) => device.destroy())")
        assert visit.ask("abc") == whole
        assert visit.page.evaluate("window.devices.length") == 2


@pytest.mark.full
def test_a_damaged_file_is_named(browser: Browser, tiny: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(tiny, site)
    shard = next((site / "model" / "weights").iterdir())
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    with visiting(browser, site) as visit:
        visit.until(lambda: "is damaged" in visit.status, "the message")
        assert shard.name in visit.status


@pytest.mark.full
def test_without_webgpu_it_says_so(browser: Browser, tiny: Path) -> None:
    with visiting(browser, tiny, NO_WEBGPU) as visit:
        visit.until(lambda: "no WebGPU" in visit.status, "the message")
        visit.send("Hello")
        visit.until(lambda: visit.state() == "failed", "the refusal")
        assert "no WebGPU" in visit.page.locator(".message[data-last]").inner_text()


@pytest.mark.full
def test_a_binding_that_is_too_large_is_named(browser: Browser, tiny: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(tiny, site)
    file = site / "model" / "model.json"
    description = json.loads(file.read_text())
    for target in description["targets"]:
        target["limits"]["maxStorageBufferBindingSize"] = 1 << 40
    file.write_text(json.dumps(description))
    with visiting(browser, site) as visit:
        visit.until(lambda: "maxStorageBufferBindingSize" in visit.status, "the message")
        assert "1024.0 GiB" in visit.status


@pytest.mark.slow
def test_the_checks_of_the_page(browser: Browser, tiny: Path) -> None:
    with visiting(browser, tiny, bypass_csp=True) as visit:
        visit.page.click("#verify")
        dialog = visit.page.locator("#verify-dialog")
        visit.until(lambda: "compute correctly" in dialog.inner_text() or "wrong" in dialog.inner_text(), "the table")
        assert "compute correctly" in dialog.inner_text(), dialog.inner_text()
        assert dialog.locator("tbody tr").count() > 8
        violations = Axe().run(visit.page).response["violations"]
        assert not violations, [rule["id"] for rule in violations]
