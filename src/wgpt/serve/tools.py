"""Tools: what a request offers, how a prompt presents it, and the grammar that makes calls fit their schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..core.errors import WgptError
from ..formats.chat import render_chat
from ..formats.detokenise import Mark
from ..formats.errors import shown
from ..formats.tokenizer import Tokenizer
from .openai.fields import FieldError, checked, chosen, object_of, take
from .structured import LARK, Part, Rule, check_schema, json_rule, quoted

MOST_TOOLS = 128
MOST_CALLS = 16  # most calls in an answer: a small model may not stop
_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
# Fixed white space: a small model may get lost in it.
_COMPACT = {"x-guidance": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}}
_COMBINING = ("allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if")
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True)
class Style:
    """How a model writes a call: `opening`{"name": ..., `key`: ...}`closing`."""

    opening: str
    closing: str
    key: str

    @property
    def mark(self) -> Mark:
        """The text in an answer that begins a call."""
        return Mark(self.opening.rstrip()) if self.opening else Mark("{", first=True)

    def call(self, name: str, arguments: str) -> str:
        return f'{self.opening}{{"name": "{name}", "{self.key}": {arguments}}}{self.closing}'


# Hermes, Qwen and others; also the format of our generic prompt
TAGGED = Style("<tool_call>\n", "\n</tool_call>", "arguments")
BARE = Style("", "", "parameters")  # Llama 3


@dataclass(frozen=True)
class Function:
    name: str
    description: str
    parameters: Mapping[str, Any]
    field: str = "tools"  # the request field with the parameters

    @property
    def openai(self) -> dict[str, Any]:
        """The function as chat templates read it."""
        about = {"description": self.description} if self.description else {}
        return {"type": "function", "function": {"name": self.name, **about, "parameters": dict(self.parameters)}}


@dataclass(frozen=True)
class Tools:
    """The functions that an answer may call. `required`: it must call one. `parallel`: it may call several."""

    functions: tuple[Function, ...] = ()
    required: bool = False
    parallel: bool = True

    def __bool__(self) -> bool:
        return bool(self.functions)

    def only(self, names: Sequence[str], field: str) -> tuple[Function, ...]:
        """The tools with these names."""
        by_name = {function.name: function for function in self.functions}
        for name in names:
            if name not in by_name:
                raise FieldError(f"{field}: {shown(name)} is not among the tools: {', '.join(by_name)}", field)
        return tuple(by_name[name] for name in names)


# From a request ------------------------------------------------------------------------------------------------


def function_of(value: Any, name: str, schema: str = "parameters", extra: Sequence[str] = ()) -> Function:
    """{"name", "description", "parameters", "strict"}; `schema`: the name of the field with the parameters."""
    function = object_of(value, name, ("name", "description", schema, "strict", *extra))
    title = function.get("name")
    if not isinstance(title, str) or not _NAME.fullmatch(title):
        message = f"{name}.name must have from 1 to 128 letters, digits and _ . : / -, not {shown(title)}"
        raise FieldError(message, f"{name}.name")
    description = checked(f"{name}.description", function.get("description", ""), str)
    checked(f"{name}.strict", function.get("strict", False), bool)
    parameters = check_schema(function.get(schema, {}), f"{name}.{schema}") or _NO_ARGUMENTS
    if parameters.get("type", "object") != "object":
        raise FieldError(f'{name}.{schema} must have "type": "object"', f"{name}.{schema}")
    return Function(title, description, {"type": "object", **parameters}, f"{name}.{schema}")


def functions_of(values: Sequence[tuple[Any, str, str]], extra: Sequence[str] = ()) -> tuple[Function, ...]:
    """Functions from (value, path, name of the schema's field). Refuses duplicate names."""
    if len(values) > MOST_TOOLS:
        raise FieldError(f"tools may have at most {MOST_TOOLS} functions, not {len(values)}", "tools")
    functions: dict[str, Function] = {}
    for value, name, schema in values:
        function = function_of(value, name, schema, extra)
        if function.name in functions:
            raise FieldError(f"two tools are named {shown(function.name)}", f"{name}.name")
        functions[function.name] = function
    return tuple(functions.values())


def chat_tools(body: Mapping[str, Any]) -> Tools:
    """tools, tool_choice and parallel_tool_calls of a chat completion."""
    values = []
    for i, value in enumerate(take(body, "tools", list, [])):
        tool = object_of(value, f"tools[{i}]", ("type", "function"))
        if tool.get("type") != "function":
            message = f"tools[{i}]: unsupported type {shown(tool.get('type'))}; supported: function"
            raise FieldError(message, f"tools[{i}].type")
        values.append((tool.get("function"), f"tools[{i}].function", "parameters"))
    parallel = checked("parallel_tool_calls", body.get("parallel_tool_calls", True), bool)
    return _chosen(Tools(functions_of(values), False, parallel), body.get("tool_choice"))


def _chosen(tools: Tools, choice: Any) -> Tools:
    if choice is None:
        return tools
    if isinstance(choice, str):
        return choose(tools, chosen("tool_choice", choice, ("none", "auto", "required")))
    choice = object_of(choice, "tool_choice", ("type", "function", "allowed_tools"))
    if choice.get("type") == "allowed_tools":
        allowed = object_of(choice.get("allowed_tools"), "tool_choice.allowed_tools", ("mode", "tools"))
        mode = chosen("tool_choice.allowed_tools.mode", allowed.get("mode"), ("auto", "required"))
        values = checked("tool_choice.allowed_tools.tools", allowed.get("tools"), list)
        return choose(tools, mode, [_chosen_name(value, "tool_choice.allowed_tools.tools") for value in values])
    return choose(tools, "required", [_chosen_name(choice, "tool_choice")])


def _chosen_name(value: Any, field: str) -> str:
    choice = object_of(value, field, ("type", "function"))
    if choice.get("type") != "function":
        raise FieldError(f"{field}.type must be function or allowed_tools, not {shown(choice.get('type'))}", field)
    function = object_of(choice.get("function"), f"{field}.function", ("name",))
    name: str = checked(f"{field}.function.name", function.get("name"), str)
    return name


def choose(tools: Tools, mode: str, names: Sequence[str] | None = None) -> Tools:
    """The tools that tool_choice allows. `mode`: none, auto or required; `names`: the allowed functions."""
    if mode == "none":
        return Tools()
    functions = tools.functions if names is None else tools.only(list(dict.fromkeys(names)), "tool_choice")
    if mode == "required" and not functions:
        raise FieldError("tool_choice needs tools", "tool_choice")
    one = names is not None and len(functions) == 1 and mode == "required"
    return Tools(functions, mode == "required", tools.parallel and not one)


# In a prompt ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _template_style(template: str | None, bos: str | None, eos: str | None) -> Style | None:
    """How the model's template writes calls; None if it does not support tools or uses an unknown format."""
    if template is None:
        return None
    messages = [{"role": "user", "content": "Hello"}]
    probe = Function("probe_the_template", "", _NO_ARGUMENTS).openai
    try:
        without, shows = (render_chat(template, messages, bos=bos, eos=eos, tools=tools) for tools in (None, [probe]))
    except WgptError:
        return None
    if "probe_the_template" not in shows or shows == without:
        return None
    if "<tool_call>" in template and "<function=" not in template:
        return TAGGED
    if '"parameters": ' in template and '"name": ' in template and "[TOOL_CALLS]" not in template:
        return BARE
    return None


def style_of(tokenizer: Tokenizer) -> Style | None:
    """The template's style, or None: tools then go into the system prompt, and calls are written as TAGGED."""
    return _template_style(tokenizer.chat_template, tokenizer.bos, tokenizer.eos)


def with_tools(messages: Sequence[Mapping[str, Any]], tools: Tools) -> list[dict[str, Any]]:
    """Messages for a template without tool support: offers, calls and results become text."""
    plain: list[dict[str, Any]] = []
    results_before = False
    for message in messages:
        calls, role = message.get("tool_calls"), message["role"]
        if calls:
            texts = [TAGGED.call(c["function"]["name"], as_text(c["function"]["arguments"])) for c in calls]
            content = "\n".join(filter(None, [message.get("content"), *texts]))
            plain.append({"role": role, "content": content})
        elif role == "tool":
            text = f"<tool_response>\n{message['content']}\n</tool_response>"
            if results_before:
                plain[-1]["content"] += f"\n{text}"
            else:
                plain.append({"role": "user", "content": text})
        else:
            plain.append(dict(message))
        results_before = role == "tool"
    if tools:
        offer = _offer(tools)
        if plain and plain[0]["role"] == "system":
            plain[0]["content"] = f"{plain[0]['content']}\n\n{offer}"
        else:
            plain.insert(0, {"role": "system", "content": offer})
    return plain


def as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _offer(tools: Tools) -> str:
    """The system prompt's description of the tools: short, because every chat reads it."""
    functions = [json.dumps(function.openai["function"], ensure_ascii=False) for function in tools.functions]
    call = TAGGED.call("function-name", '{"argument": "value"}')
    when = "Call a function now" if tools.required else "To call a function"
    one = "" if tools.parallel else "\nMake one call at most."
    return "You can call these functions:\n" + "\n".join(functions) + f"\n{when}, in this form:\n{call}{one}"


# In the answer -------------------------------------------------------------------------------------------------


def _closed(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without additional properties, unless it allows them explicitly: small models invent some."""
    named = "properties" in parameters and not any(name in parameters for name in _COMBINING)
    more = {"additionalProperties": False} if named else {}
    return {**more, **parameters, **_COMPACT}


def tool_rule(tools: Tools, style: Style, format: Rule | None = None) -> Rule:
    """The rule for free text (or `format`) and calls that fit the schemas; with `required`, only calls."""
    key = json.dumps(style.key)
    lines, parts = [], [] if format is None else [format.part]
    for i, function in enumerate(tools.functions):
        begin = quoted(f'{{"name": "{function.name}", {key}: ')
        lines.append(f'call_{i}: {begin} {json_rule(_closed(function.parameters))} "}}"')
        parts.append(Part(function.field, function.parameters, f"tool {shown(function.name)}"))
    closing = f" {quoted(style.closing)}" if style.closing else ""
    lines.append(f"call: ({' | '.join(f'call_{i}' for i in range(len(tools.functions)))}){closing}")
    opening = quoted(style.opening) if style.opening else ""
    more = f' ("\\n" {opening} call){{0,{MOST_CALLS - 1}}}' if tools.parallel and style.opening else ""
    calls = f"{opening} call{more}"
    if tools.required:
        lines.insert(0, f"start: {calls}")
    elif format is not None:
        lines.insert(0, f"start: {calls} | answer\nanswer: {format.lark}")
    elif style.opening:
        trigger = style.opening.rstrip()  # from here on, the text is a call
        rest = style.opening[len(trigger) :]
        head = f"head: trigger {quoted(rest)}" if rest else "head: trigger"
        lines.insert(0, f"start: TEXT | head call{more}\n{head}\ntrigger[lazy]: /(.|\\n)*/ {quoted(trigger)}")
        lines.append("TEXT: /(.|\\n)*/")
    else:
        lines.insert(0, f"start: TEXT? | {calls}\nTEXT: /[^{{\\s](.|\\n)*/")
    return Rule(LARK, "\n".join(lines) + "\n", "tools", tuple(parts))
