"""Tools without a server: prompts, grammars that keep the schemas, and calls out of texts in any pieces."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from wgpt.engine.grammar import started
from wgpt.formats import open_checkpoint
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer
from wgpt.serve.calls import Call, CallParser, JsonScanner, Parsed, parse
from wgpt.serve.conversation import Conversation
from wgpt.serve.openai.fields import FieldError
from wgpt.serve.structured import JSON_SCHEMA, REGEX, Rule, grammar_of
from wgpt.serve.tools import BARE, TAGGED, Style, Tools, _template_style, chat_tools, style_of, tool_rule

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "unit": {"$ref": "#/$defs/unit"}},
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {"unit": {"enum": ["C", "F"]}},
}
TOOLS = [
    {"type": "function", "function": {"name": "weather", "parameters": CITY}},
    {"type": "function", "function": {"name": "now"}},
]
WEATHER = ("weather", '{"city": "Pa\\"ri}s</tool_call>", "unit": "C"}')
NOW = ("now", "{}")
NAMES = ("weather", "now")


@pytest.fixture(scope="module")
def tokenizer(smollm2_path: Path) -> Tokenizer:
    with open_checkpoint(smollm2_path) as checkpoint:
        return load_tokenizer(checkpoint.tokenizer)


def accepts(rule: Rule, tokenizer: Tokenizer, text: str) -> bool | None:
    """Whether a text fits; None if it is only the beginning of one."""
    matcher = started(grammar_of(rule, tokenizer), tokenizer, tokenizer.vocab_size)._matcher
    ids = tokenizer.encode(text, special=False)
    if matcher.try_consume_tokens(ids) != len(ids):
        return False
    return True if matcher.is_accepting() else None


def tools(**fields: Any) -> Tools:
    return chat_tools({"tools": TOOLS, **fields})


@pytest.mark.parametrize(
    ("fields", "text", "fits"),
    [
        ({}, "Hello <b>there</b> {", True),
        ({}, TAGGED.call(*WEATHER), True),
        ({}, "Let me see.\n" + TAGGED.call(*NOW), True),
        ({}, TAGGED.call(*NOW) + "\n" + TAGGED.call(*WEATHER), True),
        ({"parallel_tool_calls": False}, TAGGED.call(*NOW) + "\n" + TAGGED.call(*WEATHER), False),
        ({}, "a <tool_call>", None),
        ({}, TAGGED.call("other", "{}"), False),
        ({}, TAGGED.call("now", '{"x": 1}'), False),
        ({}, TAGGED.call("weather", '{"city": "a", "unit": "K"}'), False),
        ({}, TAGGED.call("weather", "{}"), False),
        ({"tool_choice": "required"}, "Hello", False),
        ({"tool_choice": "required"}, TAGGED.call(*WEATHER), True),
        ({"tool_choice": {"type": "function", "function": {"name": "now"}}}, TAGGED.call(*NOW), True),
        ({"tool_choice": {"type": "function", "function": {"name": "now"}}}, TAGGED.call(*WEATHER), False),
    ],
)
def test_the_grammar_of_calls(tokenizer: Tokenizer, fields: dict[str, Any], text: str, fits: bool | None):
    assert accepts(tool_rule(tools(**fields), TAGGED), tokenizer, text) is fits


def test_arguments_are_those_that_the_schema_names(tokenizer: Tokenizer):
    def fits(parameters: dict[str, Any], arguments: str) -> bool | None:
        function = {"name": "f", "parameters": parameters}
        offered = chat_tools({"tools": [{"type": "function", "function": function}]})
        return accepts(tool_rule(offered, TAGGED), tokenizer, TAGGED.call("f", arguments))

    assert fits({"type": "object", "properties": {}}, '{"a": 1}') is False
    assert fits({"type": "object", "properties": {}, "additionalProperties": True}, '{"a": 1}') is True
    assert fits({"type": "object"}, '{"a": 1}') is True


def test_calls_without_tags(tokenizer: Tokenizer):
    rule = tool_rule(tools(), BARE)
    assert accepts(rule, tokenizer, "Hello {") is True and accepts(rule, tokenizer, BARE.call(*WEATHER)) is True
    assert accepts(rule, tokenizer, '{"a"') is False
    required = tool_rule(tools(tool_choice="required"), BARE)
    assert accepts(required, tokenizer, "Hello") is False and accepts(required, tokenizer, BARE.call(*NOW)) is True


def test_a_format_beside_tools(tokenizer: Tokenizer):
    rule = tool_rule(tools(), TAGGED, Rule(JSON_SCHEMA, {"type": "integer"}, "response_format"))
    assert [accepts(rule, tokenizer, text) for text in ("12", TAGGED.call(*NOW), "Hello")] == [True, True, False]
    with pytest.raises(FieldError, match="cannot be combined with tools"):
        tool_rule(tools(), TAGGED, Rule(REGEX, "a", "guided_regex"))


def test_a_schema_that_cannot_be_kept_is_refused_with_its_tool(tokenizer: Tokenizer):
    schemas = {"fine": {}, "odd": {"type": "object", "propertyNames": {"pattern": "a"}}}
    offers = [{"type": "function", "function": {"name": n, "parameters": each}} for n, each in schemas.items()]
    rule = tool_rule(chat_tools({"tools": offers}), TAGGED)
    with pytest.raises(FieldError) as info:
        grammar_of(rule, tokenizer)
    field = "tools[1].function.parameters"
    assert str(info.value) == f"{field} of tool 'odd': unsupported JSON schema: Unimplemented keys: [\"propertyNames\"]"
    assert info.value.name == field
    format = Rule(JSON_SCHEMA, {"type": "objekt"}, "response_format")
    with pytest.raises(FieldError, match=r"^response_format: .*objekt") as info:
        grammar_of(tool_rule(tools(), TAGGED, format), tokenizer)
    assert info.value.name == "response_format"


def test_schemas_that_are_too_complex_together(tokenizer: Tokenizer):
    wide = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(100)}}
    offers = [{"type": "function", "function": {"name": f"f{i}", "parameters": wide}} for i in range(128)]
    with pytest.raises(FieldError, match=r"^tools: each schema alone is supported, but not all together: .* symbols$"):
        grammar_of(tool_rule(chat_tools({"tools": offers}), TAGGED), tokenizer)


@pytest.mark.parametrize(
    ("style", "text", "parsed"),
    [
        (TAGGED, "Hello <b> there ", Parsed("Hello <b> there ")),
        (TAGGED, TAGGED.call(*WEATHER), Parsed("", [Call(*WEATHER)])),
        (TAGGED, "See:\n\n" + TAGGED.call(*NOW) + "\n" + TAGGED.call(*WEATHER),
         Parsed("See:", [Call(*NOW), Call(*WEATHER)])),
        (TAGGED, '<tool_call>\n{"name": "weather", "arguments": {"city": "Pa',
         Parsed("", [Call("weather", '{"city": "Pa')])),
        (TAGGED, 'a <tool_call>\n{"na', Parsed('a<tool_call>\n{"na')),
        (TAGGED, "<tool_call>\nno JSON\n</tool_call> b", Parsed("<tool_call>\nno JSON\n</tool_call> b")),
        (TAGGED, "a < b, <tool", Parsed("a < b, <tool")),
        (BARE, "Hello {", Parsed("Hello {")),
        (BARE, BARE.call(*WEATHER), Parsed("", [Call(*WEATHER)])),
        (BARE, '{"a": 1}', Parsed('{"a": 1}')),
    ],
)  # fmt: skip
def test_calls_out_of_text(style: Style, text: str, parsed: Parsed):
    assert parse(style, NAMES, text) == parsed
    chance = random.Random(1)
    for _ in range(50):
        parser, pieces, at = CallParser(style, NAMES), Parsed(), 0
        while at < len(text):
            size = chance.randint(1, 7)
            pieces.add(parser.add(text[at : at + size]))
            at += size
        pieces.add(parser.finish())
        assert pieces == parsed


def test_text_is_not_held_back_longer_than_needed():
    parser = CallParser(TAGGED, NAMES)
    sizes = [sum(len(piece.text) for piece in parser.add(text)) for text in ("Hello", " wor", "ld <", "b>")]
    assert sizes == [5, 4, 2, 4]


def test_the_end_of_a_json_value():
    text = '{"a": "}\\"{", "b": [{"c": "\\\\"}]} tail'
    assert JsonScanner().add(text) == len(text) - 5
    scanner = JsonScanner()
    assert [scanner.add(character) for character in text[:-5]] == [None] * (len(text) - 6) + [1]


QWEN = """{%- if tools %}<|im_start|>system
# Tools
{% for tool in tools %}{{ tool | tojson }}{% endfor %}
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
{% if m.content %}{{ m.content }}{% endif %}{% if m.tool_calls %}{% for c in m.tool_calls %}<tool_call>
{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
</tool_call>{% endfor %}{% endif %}<|im_end|>{% endfor %}"""
LLAMA = """{% if tools %}Respond in the format {"name": function name, "parameters": dictionary of argument name and \
value}.{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}"""


def test_templates_that_know_tools(tokenizer: Tokenizer):
    assert style_of(tokenizer) is None  # SmolLM2's does not
    assert _template_style(QWEN, None, None) == TAGGED and _template_style(LLAMA, None, None) == BARE
    assert _template_style(QWEN.replace("<args-json", "<function=x>"), None, None) is None
    assert _template_style(None, None, None) is None


HISTORY = [
    {"role": "user", "content": "Time?"},
    {"role": "assistant", "content": "", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "now", "arguments": {}}}]},
    {"role": "tool", "content": "12", "tool_call_id": "a"},
    {"role": "tool", "content": "13", "tool_call_id": "b"},
]  # fmt: skip


def test_other_templates_get_texts(tokenizer: Tokenizer):
    prepared = Conversation(HISTORY, tools()).prepared(tokenizer)
    system, user, call, results = prepared.messages
    assert prepared.tools is None and prepared.style == TAGGED and prepared.names == NAMES
    assert "weather" in system["content"] and json.dumps(CITY) in system["content"] and user["content"] == "Time?"
    assert call == {"role": "assistant", "content": TAGGED.call("now", "{}")}
    assert results["role"] == "user" and results["content"].count("<tool_response>") == 2
    merged = Conversation([{"role": "system", "content": "Be kind."}, *HISTORY], tools()).prepared(tokenizer)
    assert merged.messages[0]["content"].startswith("Be kind.\n\n") and len(merged.messages) == 4
    assert Conversation(HISTORY).prepared(tokenizer).messages[0]["role"] == "user"  # no offer without tools


def test_templates_with_tools_get_them(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokenizer, "chat_template", QWEN)
    prepared = Conversation(HISTORY, tools()).prepared(tokenizer)
    assert prepared.tools is not None and prepared.tools[1]["function"]["name"] == "now"
    assert list(prepared.messages) == HISTORY and prepared.style == TAGGED
