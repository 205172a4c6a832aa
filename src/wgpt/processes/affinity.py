"""Which conversation a request belongs to, and which replica has its beginning cached: the next turn goes there."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

CONVERSATIONS = 4096  # conversations to remember
_CHARACTERS = 1024  # characters of a plain prompt that identify its conversation


def conversation_of(fields: object, salt: str | None = None) -> str:
    """A digest that identifies a conversation; "" if the request (a JSON object) has nothing that does.

    It is made from the request's `prompt_cache_key`, or else from what all turns share: model, system prompt and first
    message. Requests with different `salt` never share a conversation, as they never share cached prompts.
    """
    if not isinstance(fields, Mapping):
        return ""
    name = fields.get("prompt_cache_key") or _beginning(fields)
    if not name:
        return ""
    text = json.dumps([salt, fields.get("model"), name])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def conversation_of_body(body: bytes) -> str:
    """`conversation_of` a request's body; "" if it is not JSON."""
    try:
        return conversation_of(json.loads(body))
    except (ValueError, RecursionError):
        return ""


def _beginning(fields: Mapping[str, Any]) -> list[Any] | None:
    """The system prompt and the messages before the first answer."""
    messages = fields.get("messages", fields.get("input"))
    if isinstance(messages, list):
        answers = [i for i, each in enumerate(messages) if isinstance(each, dict) and each.get("role") == "assistant"]
        first: Any = messages[: answers[0] if answers else len(messages)]
    else:
        text = messages if isinstance(messages, str) else fields.get("prompt")
        first = text[:_CHARACTERS] if isinstance(text, str | list) else None
    return [fields.get("system"), fields.get("instructions"), first] if first else None


class Affinity:
    """Chooses between numbered replicas.

    `slack`: how many more sequences the replica that knows a conversation may have than the least busy one. Without
    that limit, requests with a common beginning would all queue at one replica while the others are idle.
    """

    def __init__(self, slack: int) -> None:
        self._slack = max(1, slack)
        self._known: OrderedDict[str, int] = OrderedDict()
        self._sent: Counter[int] = Counter()

    def order(self, conversation: str, loads: Mapping[int, int]) -> list[int]:
        """The available replicas, the best first. `loads`: the number of sequences of each."""
        order = sorted(loads, key=lambda replica: (loads[replica], self._sent[replica]))
        known = self._known.get(conversation)
        if known is not None and known in loads and loads[known] < loads[order[0]] + self._slack:
            order.remove(known)
            order.insert(0, known)
        return order

    def sent(self, conversation: str, replica: int) -> None:
        """Note that a replica has taken a request."""
        self._sent[replica] += 1
        if not conversation:
            return
        self._known[conversation] = replica
        self._known.move_to_end(conversation)
        if len(self._known) > CONVERSATIONS:
            self._known.popitem(last=False)

    def forget(self, replica: int) -> None:
        """Forget a replica's conversations: it was restarted, and its cache is empty."""
        for conversation in [each for each, known in self._known.items() if known == replica]:
            del self._known[conversation]
