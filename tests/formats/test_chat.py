"""Chats rendered as transformers renders them (tests/golden/make_tokens.py), and malicious templates."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest

from wgpt.core.errors import WgptError
from wgpt.formats import open_checkpoint
from wgpt.formats.chat import ChatError, keeping, render_chat
from wgpt.formats.tokenizer import load_tokenizer

from .test_tokenizer import golden

HELLO = [{"role": "user", "content": "Hello <b>"}]


@pytest.mark.parametrize("case", golden("templates"))
def test_as_transformers_renders(case: dict[str, Any]) -> None:
    def rendered() -> str:
        options = {"tools": case["tools"], "flavour": case["flavour"]}
        return render_chat(case["template"], case["messages"], bos="<s>", eos="</s>", **options)

    if "refused" in case:
        with pytest.raises(ChatError, match=case["refused"]):
            rendered()
    else:
        assert rendered() == case["text"]


def test_a_context_that_slides_keeps_the_system_prompt() -> None:
    """And what the template writes after it; not where nothing slides, there is none, or the caller says how much."""

    def encode(messages: list[Any]) -> list[int]:
        return [ord(c) for message in messages for c in f"<{message['role']}>{message['content']}"]

    brief, question = {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}
    slide = {"overflow": "slide"}

    def kept(options: dict[str, Any], *messages: dict[str, str]) -> Any:
        return keeping(options, list(messages), encode, encode(list(messages))).get("keep")

    assert kept(slide, brief, question) == len("<system>Be brief.<user>")
    assert kept(slide, {**brief, "role": "developer"}, brief, question) == len(
        "<developer>Be brief.<system>Be brief.<user>"
    )
    assert kept(slide, brief) == len("<system>Be brief.")
    assert kept(slide, question, brief, question) is None
    assert kept({}, brief, question) is None and kept({**slide, "keep": 3}, brief, question) == 3


def test_the_goldens_have_both_kinds() -> None:
    assert {"refused" in case for case in golden("templates")} == {True, False}


def test_the_real_model(smollm2_path: Any) -> None:
    with open_checkpoint(smollm2_path) as checkpoint:
        template = load_tokenizer(checkpoint.tokenizer).chat_template
    for case in golden("smollm2")["chats"]:
        text = render_chat(template, case["messages"], add_generation_prompt=case["add_generation_prompt"])
        assert text == case["text"]


def test_small_things() -> None:
    assert render_chat("{{ strftime_now('%Y') }}", HELLO) == str(datetime.now().year)
    # A token that the model does not have renders as nothing.
    assert render_chat("[{{ bos_token }}{{ eos_token }}]", HELLO) == "[]"
    assert (
        render_chat(
            "{{ tools is none and documents is none and not add_generation_prompt }}",
            HELLO,
            **{"add_generation_prompt": False},
        )
        == "True"
    )
    assert render_chat("{% for m in messages if m.role == 'x' %}a{% else %}none{% endfor %}", HELLO) == "none"
    assert render_chat("{% for a in range(3) %}{{ loop.length }}{{ loop.last }} {% endfor %}", HELLO) == (
        "3False 3False 3True "
    )
    assert render_chat("{{ '%s=%05.1f' % ('a', 2.25) }}", HELLO) == "a=002.2"
    call = [{"role": "assistant", "content": None, "tool_calls": [{"name": "f"}]}]
    assert render_chat("{{ messages[0].tool_calls[0].name }}", call) == "f"


def test_a_model_without_a_template() -> None:
    with pytest.raises(ChatError, match=r"has no chat template.*wgpt run"):
        render_chat(None, HELLO)


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        (None, "must be a list"),
        ("Hello", "must be a list"),
        ({"role": "user", "content": "x"}, "must be a list .* not dict"),
        ([], "at least one message"),
        (["Hello"], r"messages\[0\] must be .* not str"),
        ([*HELLO, {}], r'messages\[1\] needs a "role"'),
        ([{"role": "", "content": "x"}], 'needs a "role"'),
        ([{"role": "user"}], 'needs a string as its "content", not None'),
        ([{"role": "user", "content": 5}], "not 5"),
        ([{"role": "user", "content": {"type": "text", "text": "x"}}], "needs a string"),
        (
            [{"role": "user", "content": ["x"]}],
            r"messages\[0\]\.content\[0\]: unsupported content 'x'; supported: text",
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {}}]}],
            r"messages\[0\]\.content\[1\]: unsupported content 'image_url'; supported: text",
        ),
        ([{"role": "user", "content": [{"type": "text"}]}], "unsupported content 'text'"),
        ([{"role": "user", "content": "x", "extra": object()}], r"messages\[0\]\['extra'\] is a object"),
    ],
)
def test_messages_that_are_none(messages: Any, message: str) -> None:
    with pytest.raises(ChatError, match=message) as caught:
        render_chat("{{ messages }}", messages)
    assert isinstance(caught.value, WgptError) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{% for m in", "error in line 1"),
        ("\n\n{% if x %}", "error in line 3"),
        ("{% include 'x' %}", "no loader"),
        ("{{ x.y.z }}", "'x' is undefined"),
        ("{{ messages[0].content + 1 }}", "concatenate"),
        ("{{ raise_exception('not\nthus') }}", "rejects these messages: not thus"),
        ("{{ messages.__class__.__mro__ }}", "unsafe"),
        ("{{ ''.__class__ }}{{ messages.append(1) }}", "unsafe"),
        ("{{ '{0.__class__.__mro__}'.format(messages) }}", "unsafe"),
        ("{{ 1 / 0 }}", "division"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "nested too deeply"),
        ("{{ " + "(" * 4000 + "1" + ")" * 4000 + " }}", "nested too deeply"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "steps"),
        ("{% set s = 'x' * 99999 %}{% for a in s %}{% for b in s %}{% endfor %}{% endfor %}", "steps"),
        ("{% for a in range(9999)|map('string') %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "steps"),
        ("{% macro f(n) %}{% if n %}{{ f(n-1) ~ f(n-1) }}{% endif %}{% endmacro %}{{ f(60) }}", "steps"),
        ("{% for m in messages recursive %}{{ loop(m) }}{% endfor %}", "recursive"),
        ("{% for a in range(99999) %}{{ 'x' * 999 }}{% endfor %}", "longer than"),
        ("{{ 'x' * 10 ** 10 }}", "repeats"),
        ("{{ ('x' * 99999) * 99999 }}", "repeats"),
        ("{{ 99999 * ['x' * 99999] * 99999 }}", "repeats"),
        ("{{ 9 ** 999999999 }}", "power"),
        ("{{ '%0999999999d' % 1 }}", "formats"),
        ("{{ 'x'.ljust(10 ** 11) }}", "calls a function with"),
        ("{{ range(10 ** 12) }}", "calls a function with"),
        ("{% set n = namespace(s='xxxxxxxx') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}", "limit"),
        ("{% set n = namespace(s='xxxxxxxx') %}{% for i in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}", "limit"),
        ("{% set n = namespace(s=['x']) %}{% for i in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}", "limit"),
    ],
)
def test_templates_that_go_wrong(template: str, message: str) -> None:
    start = time.monotonic()
    with pytest.raises(ChatError, match=message) as caught:
        render_chat(template, HELLO)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - start < 60  # seconds at worst, on a busy machine


def test_a_long_chat_is_no_harm() -> None:
    messages = [{"role": "user", "content": "Hello " * 20}] * 5000
    template = "{% for m in messages %}{% for w in m.content.split() %}{{ w|trim ~ ' ' }}{% endfor %}{% endfor %}"
    assert render_chat(template, messages) == "Hello " * 100_000


def test_contents_in_parts() -> None:
    """As OpenAI's clients send them: read as one string, in templates and in a model's ids."""
    parts = [{"type": "text", "text": "Hello "}, {"type": "text", "text": "<b>"}]
    template = "{% for m in messages %}{{ m.role }}:{{ m.content | trim }};{% endfor %}"
    messages = [{"role": "user", "content": parts}, {"role": "assistant", "content": []}]
    assert render_chat(template, messages) == "user:Hello <b>;assistant:;"
    assert messages[0]["content"] is parts and len(parts) == 2


def test_tool_calls_without_content_write_nothing() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]}
    assert render_chat("{% for m in messages %}[{{ m.content }}]{% endfor %}", [*HELLO, call]) == "[Hello <b>][]"
    del call["content"]  # stays away, as in transformers
    assert render_chat("{{ 'content' in messages[1] }}", [*HELLO, call]) == "False"


@pytest.mark.parametrize(
    ("given", "reasoning_content", "thinking"),
    [
        ({"reasoning": "a"}, "a", "a"),
        ({"thinking": "b"}, "b", "b"),
        ({"reasoning_content": "c"}, "c", "c"),
        ({"reasoning_content": "c", "thinking": "b", "reasoning": "a"}, "c", "b"),
        ({"reasoning_content": None, "thinking": "b", "reasoning": "a"}, "b", "b"),
        ({}, "", ""),
    ],
)
def test_what_a_model_thought_has_one_name(given: dict[str, Any], reasoning_content: str, thinking: str) -> None:
    """As `_alias_reasoning_fields` of transformers 5.23 has it."""
    answer = {"role": "assistant", "content": "x", **given}
    shown = render_chat("{{ messages[1].reasoning_content }}|{{ messages[1].thinking }}", [*HELLO, answer])
    assert shown == f"{reasoning_content}|{thinking}"


def test_messages_without_end() -> None:
    circle: dict[str, Any] = {"role": "user", "content": "x"}
    circle["self"] = [circle]
    deep: Any = "x"
    for _ in range(3000):
        deep = [deep]
    for messages, options in (([circle], {}), (HELLO, {"tools": deep}), (HELLO, {"variable": deep})):
        with pytest.raises(ChatError, match="nested more than 100 levels deep, or contains itself") as error:
            render_chat("{{ messages }}", messages, **options)
        assert len(str(error.value)) < 200
