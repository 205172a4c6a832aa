"""The page's way to the server: streams cut at any byte, and answers that are not the server's own."""

from __future__ import annotations

from typing import Any

import pytest

from .test_conversations import conversation, exported

pytestmark = pytest.mark.full

EVENTS = ': ping\r\n\r\ndata: {"a": "é😀"}\r\n\r\n'
EVENTS += "data:one\ndata: two\n\nevent: x\nid: 1\ndata: three\n\n\n: end\n\ndata: [DONE]\r\r"
READ = """async ([bytes, size]) => {
  const { readEvents } = await import("/page/event-stream.js");
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(new Uint8Array(bytes.slice(at, at + size)));
  const body = new ReadableStream({
    pull(controller) { parts.length ? controller.enqueue(parts.shift()) : controller.close(); },
  });
  const events = [];
  for await (const data of readEvents(body)) events.push(data);
  return events;
}"""


def test_events_are_read_however_they_are_cut(visit):
    page = visit().page
    for size in (1, 2, 3, 7, 1000):
        events = page.evaluate(READ, [list(EVENTS.encode()), size])
        assert events == ['{"a": "é😀"}', "one\ntwo", "three", "[DONE]"], size


def test_errors_of_a_proxy_are_shown_as_text(visit):
    """They come from something in front of the server: HTML, plain text, nothing at all, or half an answer."""
    answers = {
        "<html><body><h1>502 Bad Gateway</h1></body></html>": (502, "The server answered 502"),
        "": (504, "504"),
        '{"error": "overloaded"}': (529, "overloaded"),
        'data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n': (200, "before the answer was complete"),
        'data: {"error": {"message": "the engine has stopped"}}\n\n': (200, "the engine has stopped"),
        "data: {nonsense\n\n": (200, "The connection was lost"),
    }
    here = visit()
    reply: dict[str, Any] = {}
    here.page.route("**/v1/chat/completions", lambda route: route.fulfill(**reply))
    for body, (status, shown) in answers.items():
        reply.update(status=status, body=body)
        here.page.click("#new-conversation")
        here.send("Hello")
        here.wait_for("failed")
        assert shown in here.page.inner_text(".error"), body
        assert here.answers == ["half" if "half" in body else ""]


def test_copy_works_without_https(visit):
    here = visit()
    here.import_file(exported(conversation("question", "Take `this`.\n\n```python\nx = 1\n```")))
    here.page.wait_for_selector(".code")
    for button, text in {"Copy code": "x = 1", "Copy answer": "Take `this`.\n\n```python\nx = 1\n```"}.items():
        here.page.click(f"[aria-label='{button}']")
        here.page.wait_for_selector("[aria-label=Copied]")
        here.page.fill("#message-field", "")
        here.page.press("#message-field", "Control+V")
        assert here.page.input_value("#message-field") == text


def test_thoughts_are_folded_away(visit):
    here = visit()
    here.import_file(exported(conversation("question", "<think>First <b>I</b> think.</think>\n\nThen I *answer*.")))
    here.page.wait_for_selector(".thoughts")
    thoughts = here.page.locator(".thoughts")
    assert thoughts.get_attribute("open") is None and here.answers[0].split() == ["Thoughts", "Then", "I", "answer."]
    thoughts.locator("summary").click()
    assert "First <b>I</b> think." in thoughts.inner_text()
