"""A chat with its tools and rules, ready for the template and the grammar; both for OpenAI's and Anthropic's API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..formats.tokenizer import Tokenizer
from .calls import CallParser, Parsed, parse
from .structured import Rule
from .tools import TAGGED, Style, Tools, style_of, tool_rule, with_tools


@dataclass(frozen=True)
class Conversation:
    """`messages`: as openai/messages.py returns them. `variables`: further variables of the template."""

    messages: Sequence[Mapping[str, Any]]
    tools: Tools = field(default_factory=Tools)
    rule: Rule | None = None  # the rule that the text must follow
    variables: Mapping[str, Any] = field(default_factory=dict)
    add_generation_prompt: bool = True
    continue_final_message: bool = False

    def prepared(self, tokenizer: Tokenizer) -> Prepared:
        """Prepare the conversation.

        Do not call it in the event loop: the first call renders a template, which is slow.
        """
        style = style_of(tokenizer)
        known, style = style is not None, style or TAGGED
        if not self.tools:
            messages = list(self.messages) if known else with_tools(self.messages, self.tools)
            return Prepared(messages, None, self.rule)
        rule = tool_rule(self.tools, style, self.rule)
        names = tuple(function.name for function in self.tools.functions)
        if known:
            return Prepared(list(self.messages), [f.openai for f in self.tools.functions], rule, style, names)
        return Prepared(with_tools(self.messages, self.tools), None, rule, style, names)


@dataclass(frozen=True)
class Prepared:
    """`tools`: for the template. `style`, `names`: how calls are written, and which functions there are; None: no
    tools."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Any] | None
    rule: Rule | None
    style: Style | None = None
    names: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """Options for generation besides the rule: stop strings must not end a call."""
        return {} if self.style is None else {"calls": self.style.mark}

    def parser(self) -> CallParser | None:
        """Separates the calls of one text as it comes; None: no tools."""
        return None if self.style is None else CallParser(self.style, self.names)

    def parsed(self, text: str) -> Parsed:
        """A whole answer."""
        return Parsed(text) if self.style is None else parse(self.style, self.names, text)
