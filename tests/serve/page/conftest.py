"""A real Chromium for the chat page. Without one these tests fail: they are never skipped."""

from __future__ import annotations

import json
import runpy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, sync_playwright

from wgpt.serve.page_files import page_files

ROOT = Path(__file__).parents[3]
find_browser = runpy.run_path(str(ROOT / "scripts" / "find_browser.py"))["find_browser"]
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
# A plain http address, as of a server in the house: browsers give it no clipboard and no randomUUID.
NOWHERE = "http://wgpt.test/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ends with the module: while it runs, its event loop runs in this thread, and asyncio.run is refused."""
    path = find_browser()  # it may ask playwright, of which there can be one at a time
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page in a browser profile of its own, and what went wrong on it."""

    page: Page
    problems: list[str] = field(default_factory=list)  # uncaught errors, refusals by the policy, dialogs of scripts

    def wait_for(self, state: str) -> None:
        """Wait until the last message is in a state."""
        self.page.wait_for_selector(f".message[data-last][data-state={state}]", timeout=120_000)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition. (Playwright's wait_for_function makes code of strings, which the policy forbids.)"""
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline, "it did not happen in time"
            self.page.wait_for_timeout(20)

    @property
    def answers(self) -> list[str]:
        return self.page.locator("[data-role=assistant] .content").all_inner_texts()

    def send(self, text: str) -> None:
        self.page.fill("#message-field", text)
        self.page.press("#message-field", "Enter")

    def ask(self, text: str) -> str:
        """Send a message and wait for the whole answer."""
        self.send(text)
        self.wait_for("done")
        return self.answers[-1]

    def import_file(self, content: Any, name: str = "file.json") -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        self.page.set_input_files("#import-file", files=[file])  # type: ignore[list-item]

    def fits(self) -> bool:
        """Nothing is wider than the screen."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def axe(self) -> None:
        """Every rule of axe, best practices too. Needs a context with bypass_csp: axe is put into the page."""
        self.page.wait_for_timeout(400)  # until nothing moves: half-faded text has too little contrast
        results = Axe().run(self.page).response
        wrong = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in results["violations"]]
        assert not wrong and len(results["passes"]) > 10


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """visit(address, **options of the browser's context) -> Visit; nothing may have gone wrong at the end."""
    visits: list[Visit] = []

    def make(address: str = NOWHERE, **options: Any) -> Visit:
        context = browser.new_context(**{**DESKTOP, **options})
        if address == NOWHERE:
            context.route("**/*", from_table)
        visit = Visit(context.new_page())
        page, problems = visit.page, visit.problems
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: "Content Security" in message.text and problems.append(message.text))
        page.goto(address)
        page.wait_for_selector("#theme-switch[aria-label]")
        visits.append(visit)
        return visit

    yield make
    for visit in visits:
        assert visit.problems == []
        visit.page.context.close()


def from_table(route: Route) -> None:
    """The page's own files with their own headers, and nothing else: a server that cannot be reached."""
    file = page_files().get("/" + route.request.url.removeprefix(NOWHERE))
    if file is None:
        route.abort("connectionrefused")
    else:
        route.fulfill(body=file.content, content_type=file.content_type, headers=dict(file.headers))
