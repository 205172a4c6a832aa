"""The page with a real `wgpt serve` and the real model."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from wgpt.serve.page_files import CONTENT_SECURITY_POLICY, page_files

from ..conftest import KEYS
from ..running import Running, serving, wait_for
from .conftest import PHONE, Visit
from .test_markdown import HOSTILE

FIGURES = re.compile(r"[\d.]+ tok/s · (\d+) tokens · (\d+) of (\d+) prompt tokens cached · first after [\d.]+ s.*")


def settle(here: Visit, **settings: object) -> None:
    """Sets what is in the settings dialog."""
    here.page.click("#settings-open")
    for name, value in settings.items():
        here.page.fill(f"#settings-dialog [name={name}]", str(value))
    here.page.click("#settings-dialog >> text=Save")


def figures(here: Visit) -> tuple[int, int, int]:
    """Tokens of the last answer, cached tokens of its prompt, and all of its prompt."""
    match = FIGURES.fullmatch(here.page.locator(".figures").last.inner_text())
    assert match
    return int(match[1]), int(match[2]), int(match[3])


def started(here: Visit) -> str:
    """Wait for the first words of an answer that is under way."""
    here.until(lambda: len(here.page.locator("[data-state=running] .content").inner_text()) > 5)
    return here.answers[-1]


@pytest.fixture
def here(visit, server: Running) -> Visit:
    """A page whose answers are short and always the same."""
    here: Visit = visit(server.address)
    settle(here, temperature=0, max_tokens=24)
    return here


@pytest.mark.full
def test_a_question_is_answered_and_kept(here):
    page = here.page
    assert page.input_value("#model") == "smollm2" and page.inner_text("#status") == ""
    answer = here.ask("What is the capital of France?")
    assert "Paris" in answer
    tokens, cached, prompt = figures(here)
    assert 1 < tokens <= 24 and cached <= prompt
    here.until(lambda: "Paris" in page.inner_text("#announcer"))
    here.ask("And of Italy?")
    assert figures(here)[1] > 0  # the first turn was in the cache
    before = here.answers
    page.reload()
    page.wait_for_selector(".message")
    assert here.answers == before
    assert page.locator("#conversations .title").inner_text() == "What is the capital of France?"
    page.click("#new-conversation")
    assert page.locator(".message").count() == 0 and page.is_visible("#welcome")


@pytest.mark.full
def test_the_files_are_served_with_their_headers_and_no_others(server):
    for path, file in page_files().items():
        response = server.get(path)
        assert (response.status_code, response.content) == (200, file.content), path
        assert response.headers["content-type"] == file.content_type
        assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        known = server.get(path, headers={"if-none-match": f'"other", {response.headers["etag"]}'})
        assert (known.status_code, known.content) == (304, b"")
    for path in ("/page/", "/page/../settings.py", "/page/%2e%2e/settings.py", "/page//etc/passwd", "/index.html"):
        assert server.get(path).status_code == 404, path
    assert server.post("/", {}).status_code == 405


@pytest.mark.full
def test_an_answer_streams_in_and_stops(here, server):
    page = here.page
    settle(here, max_tokens=2000)
    seen = []
    for stop in (lambda: page.click("#send"), lambda: page.keyboard.press("Escape")):
        here.send("Tell me a very long story about a lighthouse.")
        first = started(here)
        assert page.get_attribute("#send", "aria-label") == "Stop"
        here.until(lambda n=len(first): len(here.answers[-1]) > n)
        stop()
        here.wait_for("stopped")
        wait_for(server.is_idle)  # the server has stopped too
        seen.append(here.answers[-1])
        assert seen[-1].startswith(first[:5]) and "stopped" in page.locator(".figures").last.inner_text()
        assert page.get_attribute("#send", "aria-label") == "Send"
    page.reload()
    page.wait_for_selector(".message")
    assert here.answers == seen


@pytest.mark.full
def test_a_reload_in_the_middle_keeps_what_came(here, server):
    settle(here, max_tokens=2000)
    here.send("Tell me a very long story about a lighthouse.")
    started(here)
    here.page.wait_for_timeout(2500)  # it is saved every second
    here.page.reload()
    here.page.wait_for_selector(".message[data-last] .figures >> text=interrupted")
    assert len(here.answers[0]) > 5 and not here.page.locator(".error").count()
    wait_for(server.is_idle)


@pytest.mark.full
def test_regenerate_and_edit_keep_every_version(here):
    page = here.page
    settle(here, temperature=1, seed=1)
    first = here.ask("Name a colour.")
    settle(here, seed=2)
    page.click("[aria-label=Regenerate]")
    page.wait_for_selector("[aria-label='Version 2 of 2']")
    here.wait_for("done")
    second = here.answers[0]
    assert second != first
    page.click("[aria-label='Previous version']")
    assert here.answers == [first]

    page.locator("[data-role=user]").hover()
    page.click("[aria-label='Edit message']")
    page.fill("[aria-label='Your message']", "Name an animal.")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-role=user] >> text=Name an animal.")
    here.wait_for("done")
    page.click("[aria-label='Edit answer']")
    page.fill("[aria-label='The answer']", "A **yak**.")
    page.click("text=Save >> visible=true")
    assert here.answers == ["A yak."] and page.locator(".figures").inner_text() == "edited"

    page.reload()
    page.wait_for_selector(".message")
    assert here.answers == ["A yak."]
    page.locator("[data-role=user]").hover()
    page.click("[data-role=user] [aria-label='Previous version']")
    assert here.answers in ([first], [second])


@pytest.mark.full
def test_an_answer_goes_on_while_another_conversation_is_shown(here):
    page = here.page
    here.send("What is the capital of France?")
    started(here)
    page.click("#new-conversation")
    page.wait_for_selector("#conversations li[data-running]")
    assert page.locator(".message").count() == 0
    page.wait_for_selector("#conversations li:not([data-running])", timeout=120_000)
    page.click("#conversations .title")
    page.wait_for_selector(".message[data-state=done] .figures")
    assert "Paris" in here.answers[0]


@pytest.mark.full
def test_hostile_answers_of_the_model_are_shown_and_never_run(here):
    """A grammar makes the real model write them."""

    def guide(route) -> None:
        body = {**json.loads(route.request.post_data), "guided_regex": re.escape(text), "max_completion_tokens": 80}
        route.continue_(post_data=json.dumps(body))

    here.page.route("**/v1/chat/completions", guide)
    for text in HOSTILE[:8]:  # which `guide` reads
        assert here.ask("Attack!") == text
    here.page.wait_for_timeout(500)
    assert here.page.locator("main script, main iframe, main a, [onerror], [onload]").count() == 0


@pytest.mark.full
def test_an_error_is_shown_with_its_request(here, server):
    here.send("word " * 9000)
    here.wait_for("failed")
    error = here.page.inner_text(".error")
    assert "8192" in error.replace(",", "") and "status 400" in error
    request = re.search(r"request (\S+)", error)
    assert request and server.logged(request[1])
    here.until(lambda: error.splitlines()[0] in here.page.inner_text("#announcer"))
    here.page.locator("[data-role=user]").hover()
    here.page.click("[aria-label='Edit message']")  # the way out
    here.page.fill("[aria-label='Your message']", "Say hello.")
    here.page.keyboard.press("Enter")
    here.wait_for("done")
    assert here.answers[-1]


@pytest.mark.full
def test_a_phone(visit, server):
    here = visit(server.address, **PHONE)
    settle(here, temperature=0, max_tokens=16)
    here.page.fill("#message-field", "What is the capital of France?")
    here.page.press("#message-field", "Enter")
    assert here.page.input_value("#message-field").endswith("\n")  # there Enter begins a line
    here.page.tap("#send")
    here.wait_for("done")
    assert "Paris" in here.answers[0] and here.fits() and not here.page.is_visible("#sidebar")
    here.page.tap("#sidebar-toggle")
    assert here.page.is_visible("#sidebar")
    here.page.tap("#conversations .title")
    here.page.wait_for_selector("#sidebar", state="hidden")


@pytest.mark.full
def test_the_key_is_asked_for_and_stays_in_the_tab(visit, small):
    here = visit(small.address)
    page = here.page
    page.wait_for_selector("#key-dialog[open]")
    assert "an API key is required" in page.inner_text("#key-reason")
    page.fill("#key", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("#key-reason >> text=the API key is invalid")
    page.fill("#key", "no kéy")
    page.keyboard.press("Enter")
    page.wait_for_selector("#key-reason >> text=characters that a key cannot have")
    page.fill("#key", KEYS[1])
    page.keyboard.press("Enter")
    page.wait_for_selector("#model optgroup[label='LoRA adapters'] option[value=pirate]", state="attached")
    stored = "[sessionStorage.getItem('wgpt.key'), localStorage.getItem('wgpt.key')]"
    assert page.evaluate(stored) == [KEYS[1], None] and not page.is_visible("#key-dialog")

    settle(here, temperature=0, max_tokens=4)
    page.select_option("#model", "pirate")
    here.ask("Hello")
    assert page.get_attribute("[data-role=assistant] article", "aria-label") == "Answer of pirate"
    page.reload()
    page.wait_for_selector(".message")
    here.until(lambda: page.input_value("#model") == "pirate")

    page.evaluate("sessionStorage.clear()")  # as after the tab was closed
    page.reload()
    page.wait_for_selector("#key-dialog[open]")
    page.keyboard.press("Escape")
    here.send("Hello again")  # the answer fails with 401, and the page asks again
    page.wait_for_selector("#key-dialog[open]")
    page.fill("#key", KEYS[0])
    page.check("[name=keep]")
    page.keyboard.press("Enter")
    here.wait_for("done")
    assert page.evaluate(stored) == [KEYS[0], KEYS[0]] and len(here.answers) == 2


@pytest.mark.full
def test_a_full_server_says_when_to_try_again(visit, small):
    here = visit(small.address)
    here.page.fill("#key", KEYS[1])
    here.page.keyboard.press("Enter")
    here.page.wait_for_selector("#model option[value=pirate]", state="attached")
    with ExitStack() as streams:
        for count in range(1, 6):  # two run, three wait
            streams.enter_context(small.stream(max_tokens=4000, ignore_eos=True))
            wait_for(lambda running=min(count, 2): small.metric("num_requests_running") == running)
        here.send("Hello")
        here.wait_for("failed")
        assert re.search(r"Try again in \d+ s\.", here.page.inner_text(".error"))
    wait_for(small.is_idle)
    settle(here, max_tokens=4)
    here.page.get_by_role("button", name="Try again").click()
    here.wait_for("done")
    assert here.page.locator(".message").count() == 2


@pytest.mark.slow
def test_a_dead_engine_and_a_server_that_is_gone(visit, smollm2_path: Path, tmp_path: Path):
    with serving(tmp_path / "server", smollm2_path) as own:
        here = visit(own.address)
        settle(here, temperature=0, max_tokens=2000)
        here.send("Tell me a very long story about a lighthouse.")
        started(here)
        os.kill(own.engine().pid, signal.SIGKILL)
        here.wait_for("failed")
        assert here.page.inner_text(".error") and len(here.answers[0]) > 5  # what came is kept
        here.page.wait_for_selector("#status >> text=The model is not ready")
        here.until(lambda: here.page.inner_text("#status") == "")
        settle(here, max_tokens=4)
        here.page.get_by_role("button", name="Try again").click()
        here.wait_for("done")

        own.signal(signal.SIGTERM)
        own.process.wait(60)
        here.send("Are you there?")
        here.wait_for("failed")
        here.page.wait_for_selector("#status >> text=The server cannot be reached.")
        assert "cannot be reached" in here.page.locator(".error").last.inner_text()
