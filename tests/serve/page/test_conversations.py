"""The page without a server: what is kept in the browser, what is imported and exported, how it looks and speaks."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from wgpt.engine.options import Options
from wgpt.serve.page_files import CONTENT_SECURITY_POLICY, page_files

from .conftest import PHONE
from .test_markdown import HOSTILE

pytestmark = pytest.mark.full

ANSWER = "# Title\n\nSome **bold** text.\n\n- [x] one\n- two\n\n"
ANSWER += "| | a |\n| --- | --- |\n| b | c |\n\n```python\nx = 1\n```"
HOSTILE_TEXT = "\n\n".join(HOSTILE)
TITLES_KEPT = """() => new Promise((resolve) => {
    const opened = indexedDB.open("wgpt");
    opened.onsuccess = () => {
        const all = opened.result.transaction("conversations").objectStore("conversations").getAll();
        all.onsuccess = () => {
            opened.result.close();
            resolve(all.result.map((conversation) => conversation.title));
        };
    };
})"""


def conversation(*texts: str, **rest) -> dict:
    """As the page exports it: questions and answers in turn."""
    messages = []
    for at, text in enumerate(texts):
        message = {"id": f"m{at}", "parent": f"m{at - 1}" if at else None, "text": text, "created": 1}
        message |= {"role": "assistant", "state": "done", "model": "m"} if at % 2 else {"role": "user"}
        messages.append(message)
    return {"title": texts[0], "current": f"m{len(texts) - 1}", "messages": messages, **rest}


def exported(*conversations: dict) -> dict:
    return {"format": "wgpt-conversations", "version": 1, "conversations": list(conversations)}


def titles(here) -> list[str]:
    return here.page.locator("#conversations .title").all_inner_texts()


def choose(here, action: str, at: int = 0) -> None:
    """An action of the menu of a conversation."""
    here.page.locator("#conversations li").nth(at).hover()
    here.page.locator("#conversations li .icon-button").nth(at).click()
    here.page.get_by_role("menuitem", name=action).click()


def downloaded(here, action) -> tuple[str, str]:
    with here.page.expect_download() as download:
        action()
    return download.value.suggested_filename, Path(download.value.path()).read_text()


def wait_until_kept(here, title) -> None:
    """Until the browser's database has a conversation of this title: a busy machine takes a while to write it."""
    until = time.monotonic() + 30
    while title not in here.page.evaluate(TITLES_KEPT):
        assert time.monotonic() < until, f"{title!r} is not in the database"
        time.sleep(0.05)


def test_the_files_need_nothing_from_elsewhere():
    assert {"/", "/page/chat.js", "/page/transport.js", "/page/icon.svg"} <= page_files().keys()
    for path, file in page_files().items():
        text = file.content.decode()
        assert file.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY and "unsafe" not in text, path
        elsewhere = [word for word in text.replace('"http://www.w3.org/2000/svg"', "").split() if "//cdn" in word]
        assert not elsewhere and len(text.splitlines()) <= 450, path
        assert "innerHTML" not in text.replace("forbids innerHTML", ""), path
    assert len({file.headers["ETag"] for file in page_files().values()}) == len(page_files())


def test_a_conversation_is_kept_renamed_found_and_deleted(visit):
    here = visit()
    here.import_file(exported(conversation("first question", "one"), conversation("second question", "two")))
    here.page.wait_for_selector("text=Imported 2 conversations.")
    assert sorted(titles(here)) == ["first question", "second question"] and here.answers == ["one"]

    choose(here, "Rename", titles(here).index("first question"))
    here.page.keyboard.press("Control+A")
    here.page.keyboard.type("A better <b>name</b>")
    here.page.keyboard.press("Enter")
    here.page.wait_for_selector("text=A better <b>name</b>")
    wait_until_kept(here, "A better <b>name</b>")
    here.page.reload()
    here.page.wait_for_selector("text=A better <b>name</b>")
    assert here.answers == ["one"] and here.page.title() == "A better <b>name</b> · wgpt"

    here.page.fill("#search", "TWO")  # in an answer
    assert titles(here) == ["second question"]
    here.page.fill("#search", "nowhere")
    assert here.page.inner_text("#conversations") == "Nothing found."
    here.page.fill("#search", "")

    at = titles(here).index("second question")
    choose(here, "Delete", at)
    assert titles(here) == ["A better <b>name</b>"]
    here.page.click("text=Undo")
    assert len(titles(here)) == 2 and here.answers == ["two"]
    here.page.go_back()
    here.until(lambda: here.answers == ["one"])
    choose(here, "Delete", 0)
    choose(here, "Delete", 0)
    here.page.reload()
    here.page.wait_for_selector("text=Conversations are kept in this browser.")
    assert titles(here) == [] and here.page.is_visible("#welcome")


def test_another_tab_shows_the_same(visit):
    here = visit()
    other = here.page.context.new_page()
    other.goto(here.page.url)
    other.wait_for_selector("#theme-switch[aria-label]")
    here.import_file(exported(conversation("shared", "answer")))
    other.wait_for_selector("#conversations .title >> text=shared")
    choose(here, "Delete")
    other.wait_for_selector("#conversations .hint")


def test_what_is_exported_can_be_imported(visit):
    here = visit()
    settings = {"system": "Be brief.", "top_k": 5}
    source = conversation("Straße & <b>Möwe</b>?", ANSWER, "and?", HOSTILE_TEXT, settings=settings)
    usage, timing = {"prompt": 9, "cached": 4, "completion": 7}, {"first": 0.5, "rate": 12.34}
    source["messages"][1] |= {"usage": usage, "timing": timing}
    here.import_file(exported(source))
    here.page.wait_for_selector(".figures")
    figures = "12.3 tok/s · 7 tokens · 4 of 9 prompt tokens cached · first after 0.50 s"
    assert here.page.locator(".figures").first.inner_text() == figures

    name, text = downloaded(here, lambda: choose(here, "Export as JSON"))
    assert name == "straße-b-möwe-b.json"
    again = visit()
    again.import_file(text)
    again.page.wait_for_selector("#conversations .title")
    assert again.answers == here.answers and again.page.locator(".figures").first.inner_text() == figures
    again.page.click("#settings-open")
    assert again.page.input_value("[name=system]") == "Be brief." and again.page.input_value("[name=top_k]") == "5"
    again.page.keyboard.press("Escape")

    name, markdown = downloaded(again, lambda: choose(again, "Export as Markdown"))
    assert name.endswith(".md") and markdown.startswith("# Straße & <b>Möwe</b>?\n\n> Be brief.\n\n## You\n\n")
    assert f"## m\n\n{ANSWER}\n\n## You\n\nand?\n\n## m\n\n{HOSTILE_TEXT.strip()}\n" in markdown
    name, everything = downloaded(again, lambda: again.page.click("#export-all"))
    assert name == "wgpt-conversations.json" and len(json.loads(everything)["conversations"]) == 1


def test_messages_of_openai_can_be_imported(visit):
    here = visit()
    parts = [{"type": "text", "text": "Hello "}, {"type": "text", "text": "you"}]
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": parts}]
    here.import_file({"messages": [*messages, {"role": "assistant", "content": "Hi"}]})
    here.page.wait_for_selector("#conversations .title")
    assert titles(here) == ["Hello you"] and here.answers == ["Hi"]


BAD_FILES = {
    "nothing": "it is not JSON",
    "{}": "neither",
    '{"format": "wgpt-conversations", "version": 2}': "its version is 2",
    '{"format": "wgpt-conversations", "version": 1, "conversations": [{}]}': "conversation 1 has no messages",
    '[{"role": "tool", "content": ""}]': "message 1: unknown role",
    '[{"role": "user", "content": 5}]': "message 1 has no text",
}


def test_a_file_that_is_none_is_refused_with_the_reason(visit):
    here = visit()
    looped = conversation("a", "b")
    looped["messages"][0]["parent"] = "m1"
    for text, reason in {**BAD_FILES, json.dumps(exported(looped)): "follows a message that is not before it"}.items():
        here.import_file(text, "<b>bad.json")
        here.page.wait_for_selector(f"text=<b>bad.json cannot be imported: >> text={reason}")
        here.page.locator(".toast button").click()
    assert titles(here) == []


def test_hostile_text_is_shown_everywhere_and_runs_nowhere(visit):
    here = visit()
    source = conversation(HOSTILE_TEXT, HOSTILE_TEXT, title=HOSTILE_TEXT, model=HOSTILE_TEXT)
    source["messages"][1] |= {"model": HOSTILE_TEXT, "state": "failed"}
    source["messages"][1]["error"] = {"message": HOSTILE_TEXT, "status": 500, "requestId": HOSTILE_TEXT}
    here.import_file(exported(source))
    here.page.wait_for_selector(".error")
    here.page.wait_for_timeout(500)
    assert "<script>alert(1)</script>" in here.page.inner_text(".error")
    assert "<script>alert(1)</script>" in here.answers[0]
    assert here.page.locator("[data-role=user] .content").text_content() == HOSTILE_TEXT
    assert here.page.locator("main script, main iframe, main style, main form input, [onerror], [onload]").count() == 0
    links = here.page.locator("main a").evaluate_all("links => links.map((link) => [link.href, link.rel, link.target])")
    assert links and all(link[0].startswith("https://") for link in links)
    assert all(link[1:] == ["noopener noreferrer nofollow", "_blank"] for link in links)


def test_the_policy_stops_what_would_slip_through(visit):
    """Even if the page made HTML of an answer, the browser would refuse it."""
    here = visit()
    # In a task of the page itself: playwright's own are exempt.
    refused = here.page.evaluate("""() => new Promise((resolve) => setTimeout(() => {
      const attempts = {
        html: () => (document.createElement("p").innerHTML = "<b>x</b>"),
        code: () => (0, eval)("1"),
        handler: () => document.createElement("p").setAttribute("onclick", "1"),
      };
      resolve(Object.keys(attempts).filter((name) => {
        try { attempts[name](); return false; } catch { return true; }
      }));
    }))""")
    assert refused == ["html", "code", "handler"]
    here.page.evaluate("fetch('https://example.org/').catch(() => 0)")
    here.page.wait_for_timeout(100)
    blocked = [problem for problem in here.problems if "example.org" in problem]
    assert blocked
    here.problems.clear()


def test_the_limits_of_the_settings_are_those_of_the_engine(visit):
    fields = visit().page.evaluate("async () => (await import('/page/data/settings.js')).FIELDS")
    assert len(fields) == 7
    for field in fields:
        for value in (field["min"], field["max"]):
            Options.of({field["name"]: value})  # raises WgptError for an invalid one


def test_settings_are_checked_and_kept(visit):
    here = visit()
    page = here.page
    page.click("#settings-open")
    assert page.input_value("[name=temperature]") == "0.7"
    page.fill("[name=system]", "Answer in rhymes.")
    page.fill("[name=temperature]", "9")
    page.click("#settings-dialog >> text=Save")
    assert page.is_visible("#settings-dialog") and page.inner_text("#hint-temperature") == "a number from 0 to 2"
    assert page.evaluate("document.activeElement.name") == "temperature"
    page.fill("[name=temperature]", "0.35")
    page.fill("[name=seed]", "1.5")
    page.click("#settings-dialog >> text=Save")
    assert page.inner_text("#hint-seed") == "a whole number from 0 to 4294967295"
    page.fill("[name=seed]", "7")
    page.click("#settings-dialog >> text=Save")
    assert not page.is_visible("#settings-dialog")
    page.reload()  # a new conversation begins with them
    page.click("#settings-open")
    values = {name: page.input_value(f"[name={name}]") for name in ("system", "temperature", "seed", "top_p")}
    assert values == {"system": "Answer in rhymes.", "temperature": "0.35", "seed": "7", "top_p": ""}
    page.click("text=Clear all")
    assert page.input_value("[name=system]") == ""


def test_a_server_that_cannot_be_reached_is_said_so(visit):
    here = visit()
    here.page.wait_for_selector("#status >> text=The server cannot be reached.")
    here.send("hello")
    here.wait_for("failed")
    assert "The server cannot be reached." in here.page.inner_text(".error")
    assert here.page.get_by_role("button", name="Try again").is_visible()
    here.page.get_by_role("button", name="Try again").click()
    here.wait_for("failed")
    assert here.page.locator(".message").count() == 2  # the failed answer was replaced


GROUND = "getComputedStyle(document.documentElement).backgroundColor"
DARK, LIGHT = "rgb(20, 20, 24)", "rgb(251, 250, 248)"


def test_dark_and_light(visit):
    here = visit(color_scheme="dark")
    page = here.page
    assert page.evaluate(GROUND) == DARK
    page.click("#theme-switch")
    assert page.evaluate(GROUND) == LIGHT
    page.reload()
    assert page.evaluate(GROUND) == LIGHT
    page.click("#settings-open")
    page.check("[name=theme][value=system]")
    assert page.evaluate(GROUND) == DARK
    page.emulate_media(color_scheme="light")
    assert page.evaluate(GROUND) == LIGHT


def test_the_keyboard_reaches_everything(visit):
    here = visit()
    page = here.page
    here.import_file(exported(conversation("question", ANSWER)))
    page.wait_for_selector("#conversations .title")
    page.reload()
    page.wait_for_selector("#conversations .title")
    page.evaluate("document.activeElement.blur()")
    name = "(n => n.id || n.getAttribute('aria-label') || n.innerText || '')(document.activeElement)"
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(name))
    expected = ["skip-link", "sidebar-close", "new-conversation", "search", "question", "Actions for question"]
    expected += ["import", "export-all", "model", "theme-switch", "settings-open", "thread", "Copy message"]
    expected += ["Edit message", "Table", "Copy code", "Code, python", "Copy answer", "Edit answer", "Regenerate"]
    expected += ["message-field"]
    present = [name for name in expected if name != "model"]  # it is disabled without a server
    assert [name for name in seen if name in present][: len(present)] == present
    page.focus("#skip-link")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "message-field" and "#c-" in page.url
    page.keyboard.press("ArrowUp")  # in an empty field: edit the last question
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Your message"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Edit message"
    page.focus("[aria-label='Actions for question']")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.innerText") == "Delete"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Actions for question"


@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        pytest.param({}, "light", id="desktop-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param({}, "dark", id="desktop-dark"),
        pytest.param(PHONE, "light", id="phone-light"),
    ],
)
def test_axe_finds_nothing_and_everything_fits(visit, device, scheme):
    here = visit(bypass_csp=True, color_scheme=scheme, **device)
    page = here.page
    here.axe()
    long = "averyveryverylongwordwithoutanyspaces" * 5
    wide = f"{long} `{long}`\n\n| {long} | b |\n| --- | --- |\n| c | d |\n\n{ANSWER}"
    here.import_file(exported(conversation(long, wide)))
    page.wait_for_selector(".code")
    assert here.fits()
    here.axe()
    here.send("fails")
    if device:  # there Enter begins a line
        page.click("#send")
    here.wait_for("failed")
    here.axe()
    page.click("#settings-open")
    here.axe()
    assert here.fits()
    page.keyboard.press("Escape")
    if device:
        page.click("#sidebar-toggle")
        assert page.evaluate("document.activeElement.id") == "new-conversation"
    page.click("#conversations li .icon-button")
    here.axe()
    assert here.fits()
    page.keyboard.press("Escape")
    page.evaluate("document.getElementById('key-dialog').showModal()")
    here.axe()
    page.keyboard.press("Escape")


def test_less_motion_where_it_is_wanted(visit):
    here = visit(reduced_motion="reduce")
    duration = "parseFloat(getComputedStyle(document.getElementById('sidebar')).transitionDuration)"
    assert here.page.evaluate(duration) < 0.001 < visit().page.evaluate(duration)
