"""Lines of OpenAI's batch format. The fields of a request and the objects of its response are those of `wgpt serve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..api import Model
from ..core.errors import WgptError
from ..engine.completion import Completion
from ..engine.errors import ContextError
from ..formats.chat import encode_chat, keeping
from ..formats.errors import shown
from ..serve.errors import api_error
from ..serve.openai.chat import CHAT, chat_response, read_chat
from ..serve.openai.completions import COMPLETIONS, completion_response, read_completion
from ..serve.openai.fields import FieldError, check_names
from ..serve.openai.objects import Tokens, new_id
from ..serve.openai.request import Names
from ..serve.structured import Rule, grammar_of
from .lines import Key, Work

_URLS = (CHAT, COMPLETIONS)
# Fields that make sense only for a server.
_WITHOUT = (
    "stream", "stream_options", "echo", "priority", "return_token_ids", "add_special_tokens", "continue_final_message",
    "add_generation_prompt",
)  # fmt: skip


@dataclass(frozen=True)
class OpenAILine:
    """{"custom_id", "method": "POST", "url", "body"}."""

    key: Key
    value: Mapping[str, Any]

    # The request --------------------------------------------------------------------------------------------

    def work(self, model: Model) -> Work:
        value = self.value
        check_names(value, ("custom_id", "method", "url", "body"))
        if self.key[0] != "custom_id":
            raise FieldError(f"custom_id must be a string, not {shown(value.get('custom_id'))}", "custom_id")
        if value.get("method", "POST") != "POST":
            raise FieldError(f"method must be POST, not {shown(value['method'])}", "method")
        url, body = value.get("url"), value.get("body")
        if url not in _URLS:
            raise FieldError(f"unsupported url {shown(url)}; supported: {', '.join(_URLS)}", "url")
        if not isinstance(body, Mapping):
            raise FieldError(f"body must be an object, not {shown(body)}", "body")
        names = Names.of(model.name, model.path, model.loras)
        return (_chat_work if url == CHAT else _completion_work)(model, body, names)

    # The response -------------------------------------------------------------------------------------------

    def answer(self, model: Model, work: Work, completions: Sequence[Completion]) -> dict[str, Any]:
        tokens = Tokens(model.tokenizer)
        # `--logprobs` asks for them in all lines; a line may ask for others.
        asked = next((completion for completion in completions if completion.logprobs), None)
        if self.value["url"] == CHAT:
            request, prepared = work.request
            request = replace(request, logprobs=request.logprobs or asked is not None)
            return self._response(200, chat_response(request, prepared, completions, tokens))
        most = None if asked is None else len(asked.top_logprobs[0])
        request = replace(work.request, logprobs=most if work.request.logprobs is None else work.request.logprobs)
        return self._response(200, completion_response(request, (), completions, tokens))

    def failure(self, error: WgptError, status: int) -> dict[str, Any]:
        kind = "invalid_request_error" if status < 500 else "server_error"
        message, name, code = str(error), None, None
        if isinstance(error, FieldError):
            name, code = error.name, error.code
        elif isinstance(error, ContextError):
            message, code = (refused := api_error(error)).message, refused.code
        return self._response(status, {"error": {"message": message, "type": kind, "param": name, "code": code}})

    def _response(self, status: int, body: dict[str, Any]) -> dict[str, Any]:
        name, id = self.key
        if name != "custom_id":  # its custom_id is invalid: a plain answer gives the line number
            return {name: id, "error": body["error"]["message"]}
        response = {"status_code": status, "request_id": new_id("req"), "body": body}
        return {"id": new_id("batch_req"), "custom_id": id, "response": response, "error": None}


def _chat_work(model: Model, body: Mapping[str, Any], names: Names) -> Work:
    request = read_chat(body, names, without=_WITHOUT)
    prepared = request.conversation.prepared(model.tokenizer)
    variables = request.conversation.variables

    def encode(messages: Sequence[Any]) -> list[int]:
        return encode_chat(model.tokenizer, messages, tools=prepared.tools, **variables)

    ids = encode(prepared.messages)
    options = request.common.options | _grammar(prepared.rule, model) | prepared.options
    options = keeping(options, prepared.messages, encode, ids)
    return Work([ids], options, request.common.n, request.common.lora, (request, prepared))


def _completion_work(model: Model, body: Mapping[str, Any], names: Names) -> Work:
    request = read_completion(body, names, without=_WITHOUT)
    options = request.common.options | _grammar(request.rule, model)
    return Work(request.prompts, options, request.common.n, request.common.lora, request)


def _grammar(rule: Rule | None, model: Model) -> dict[str, Any]:
    return {} if rule is None else {"grammar": grammar_of(rule, model.tokenizer)}
