"""Lines of OpenAI's batch format: the fields of a request, and the objects of its response."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..api import Model
from ..engine.completion import Completion
from ..formats.errors import shown
from ..gpu import WgptError
from .batch_lines import OPTIONS, FieldError, Key, Work, chat_ids, check_names, lora_of, options_of, samples_of

CHAT, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
_LABELS = ("user", "metadata", "safety_identifier", "prompt_cache_key")  # change nothing in an answer
_COMMON = ("model", "n", "lora", *OPTIONS)
# Fields that are accepted with these values only, because others would change the answer.
_OFF: dict[str, tuple[Any, ...]] = {
    "stream": (False,), "stream_options": (), "store": (False,), "tools": ([],), "tool_choice": ("none",),
    "parallel_tool_calls": (), "response_format": ({"type": "text"},), "functions": ([],), "function_call": ("none",),
    "modalities": (["text"],), "service_tier": ("auto", "default"), "reasoning_effort": (), "echo": (False,),
    "suffix": ("",), "best_of": (1,),
}  # fmt: skip
_FIELDS = {
    CHAT: ("messages", "max_completion_tokens", "top_logprobs", "chat_template_kwargs", *_COMMON),
    COMPLETIONS: ("prompt", *_COMMON),
}


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
        if url not in _FIELDS:
            raise FieldError(f"unsupported url {shown(url)}; supported: {', '.join(_FIELDS)}", "url")
        if not isinstance(body, Mapping):
            raise FieldError(f"body must be an object, not {shown(body)}", "body")
        body = _supported(body, url)
        lora = _adapter(model, body)
        return (_chat_work if url == CHAT else _completion_work)(model, body, samples_of(body), lora)

    # The response -------------------------------------------------------------------------------------------

    def answer(self, model: Model, work: Work, completions: Sequence[Completion]) -> dict[str, Any]:
        chat = self.value["url"] == CHAT
        choice = _chat_choice if chat else _completion_choice
        body = {
            "id": _id("chatcmpl" if chat else "cmpl"),
            "object": "chat.completion" if chat else "text_completion",
            "created": int(time.time()),
            "model": self.value["body"].get("model") or _short(model.name),
            "choices": [choice(i, model, c, "logprobs" in work.options) for i, c in enumerate(completions)],
            "usage": usage(completions, work.n),
            "system_fingerprint": None,
        }
        return self._response(200, body)

    def failure(self, error: WgptError, status: int) -> dict[str, Any]:
        kind = "invalid_request_error" if status < 500 else "server_error"
        name = error.name if isinstance(error, FieldError) else None
        return self._response(status, {"error": {"message": str(error), "type": kind, "param": name, "code": None}})

    def _response(self, status: int, body: dict[str, Any]) -> dict[str, Any]:
        name, id = self.key
        if name != "custom_id":  # it has no valid one: a plain answer names the line
            return {name: id, "error": body["error"]["message"]}
        response = {"status_code": status, "request_id": _id("req"), "body": body}
        return {"id": _id("batch_req"), "custom_id": id, "response": response, "error": None}


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex}" if kind in ("batch_req", "req") else f"{kind}-{uuid.uuid4().hex}"


def _supported(body: Mapping[str, Any], url: str) -> dict[str, Any]:
    """The fields that matter. Refuses those that would be ignored; null means that a field is not set."""
    body = {name: value for name, value in body.items() if value is not None}
    for name, allowed in _OFF.items():
        if name in body and body[name] not in allowed:
            only = f"; only {' or '.join(map(shown, allowed))} is supported" if allowed else ""
            raise FieldError(f"{name} {shown(body[name])} is unsupported{only}", name)
    rest = {name: value for name, value in body.items() if name not in _OFF and name not in _LABELS}
    check_names(rest, _FIELDS[url], f" in the body of a request to {url}")
    return rest


def _adapter(model: Model, body: Mapping[str, Any]) -> str | None:
    """The LoRA adapter to use: `lora`, or an adapter's name as `model`. Refuses the names of other models."""
    lora, name = lora_of(body), body.get("model")
    if name is None or name == model.name or (model.path is not None and name in (model.path.name, model.path.stem)):
        return lora
    if name in model.loras and lora in (None, name):
        return str(name)
    known = ", ".join(dict.fromkeys([_short(model.name), *model.loras]))
    raise FieldError(f"model {shown(name)} is not loaded; loaded: {known}", "model")


def _short(name: str) -> str:
    return Path(name).name or name


def _chat_work(model: Model, body: dict[str, Any], n: int, lora: str | None) -> Work:
    if "messages" not in body:
        raise FieldError('the body needs "messages"', "messages")
    if "max_completion_tokens" in body:
        if "max_tokens" in body:
            raise FieldError("max_tokens and max_completion_tokens are the same: give one of them", "max_tokens")
        body["max_tokens"] = body["max_completion_tokens"]
    wanted, top = body.pop("logprobs", False), body.pop("top_logprobs", None)
    if not isinstance(wanted, bool):
        raise FieldError(f"logprobs must be true or false, not {shown(wanted)}", "logprobs")
    if top is not None and not wanted:
        raise FieldError("top_logprobs needs logprobs: true", "top_logprobs")
    options = options_of(body) | ({"logprobs": top or 0} if wanted else {})
    messages = body["messages"]
    if isinstance(messages, list):
        messages = [_with_text(message, f"messages[{i}]") for i, message in enumerate(messages)]
    return Work([chat_ids(model, messages, body.get("chat_template_kwargs"))], options, n, lora)


def _with_text(message: Any, where: str) -> Any:
    """A message whose content is a string, also if it came in parts."""
    if not isinstance(message, Mapping) or not isinstance(message.get("content"), list):
        return message
    for part in message["content"]:
        if not isinstance(part, Mapping) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            kind = part.get("type") if isinstance(part, Mapping) else part
            raise FieldError(f"{where}: unsupported content {shown(kind)}; supported: text", "messages")
    return {**message, "content": "".join(part["text"] for part in message["content"])}


def _completion_work(model: Model, body: dict[str, Any], n: int, lora: str | None) -> Work:
    if "prompt" not in body:
        raise FieldError('the body needs "prompt"', "prompt")
    prompt = body["prompt"]
    several = isinstance(prompt, list) and bool(prompt) and isinstance(prompt[0], str | list)
    for each in prompt if several else [prompt]:
        if not isinstance(each, str | list):
            raise FieldError(f"prompt must be a text or a list of token ids, not {shown(each)}", "prompt")
    return Work(prompt if several else [prompt], options_of(body), n, lora)


def usage(completions: Sequence[Completion], n: int) -> dict[str, Any]:
    """OpenAI counts a prompt once, however many texts it gets."""
    prompts = completions[::n]
    prompt, text = sum(c.prompt_tokens for c in prompts), sum(len(c.ids) for c in completions)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": text,
        "total_tokens": prompt + text,
        "prompt_tokens_details": {"cached_tokens": sum(c.cached_tokens for c in prompts)},
    }


def _finish_reason(completion: Completion) -> str:
    return {"eos": "stop", "stop": "stop"}.get(completion.reason, "length")


def _chat_choice(index: int, model: Model, completion: Completion, logprobs: bool) -> dict[str, Any]:
    def token(id: int, logprob: float) -> dict[str, Any]:
        text = model.tokenizer.decode([id], skip_special=False)
        data = None if "\ufffd" in text else list(text.encode())  # of a part of a character, they are unknown
        return {"token": text, "logprob": logprob, "bytes": data}

    content = [
        {**token(id, logprob), "top_logprobs": [token(*item) for item in top.items()]}
        for id, logprob, top in zip(completion.ids, completion.logprobs, completion.top_logprobs, strict=True)
    ] if logprobs else None  # fmt: skip
    return {
        "index": index,
        "message": {"role": "assistant", "content": completion.text, "refusal": None},
        "logprobs": {"content": content, "refusal": None} if logprobs else None,
        "finish_reason": _finish_reason(completion),
    }


def _completion_choice(index: int, model: Model, completion: Completion, logprobs: bool) -> dict[str, Any]:
    def text(id: int) -> str:
        return model.tokenizer.decode([id], skip_special=False)

    details = None
    if logprobs:
        tokens = [text(id) for id in completion.ids]
        details = {
            "tokens": tokens,
            "token_logprobs": completion.logprobs,
            "top_logprobs": [{text(id): value for id, value in top.items()} for top in completion.top_logprobs],
            "text_offset": [sum(map(len, tokens[:i])) for i in range(len(tokens))],
        }
    return {
        "index": index,
        "text": completion.text,
        "logprobs": details,
        "finish_reason": _finish_reason(completion),
    }
