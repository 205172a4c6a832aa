"""Which conversation a request belongs to, so that it can go to the replica that has read its beginning."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_CHARACTERS = 1024  # of a prompt that is one text


def conversation_of(body: bytes) -> str:
    """A digest of what all turns of a conversation begin with: model, system prompt, first message; "" if the request
    has none of them."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(fields, dict):
        return ""
    beginning = _beginning(fields)
    if not beginning:
        return ""
    text = json.dumps([fields.get("model"), fields.get("system"), fields.get("instructions"), beginning])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _beginning(fields: dict[str, Any]) -> Any:
    messages = fields.get("messages", fields.get("input"))
    if isinstance(messages, list):
        answers = [i for i, each in enumerate(messages) if isinstance(each, dict) and each.get("role") == "assistant"]
        return messages[: answers[0] if answers else len(messages)]
    text = messages if isinstance(messages, str) else fields.get("prompt")
    return text[:_CHARACTERS] if isinstance(text, str | list) else None
