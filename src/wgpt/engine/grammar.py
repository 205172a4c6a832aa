"""Grammars: what a text may look like, as a mask of the tokens that may come next (llguidance, extra `[serve]`)."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import one_of, shown, wrong_type
from ..core.errors import WgptError
from ..formats.tokenizer import Tokenizer
from ..kernels.sampling.reference import mask_words
from .errors import GrammarError
from .json_schema import ESCAPES, simplified

_KINDS = {"json_schema": "JSON schema", "regex": "regular expression", "lark": "Lark grammar"}
_MOST_KEPT = 64  # compiled grammars of a tokenizer
# Small models may otherwise write spaces and newlines for ever. Indented JSON has fewer in a row.
_WHITESPACE = r"[ \t\r\n]{1,32}"
# A schema may say by itself that unsupported keywords are to be ignored: never here.
# llguidance takes a oneOf whose branches it knows to exclude each other, and would keep another only in part.
_JSON_OPTIONS = {
    "whitespace_pattern": _WHITESPACE,
    "lenient": False,
    "coerce_one_of": False,
    "json_allowed_escapes": ESCAPES,
}
# All texts wait for a mask, and llguidance's own limits allow several seconds for one, and half a gigabyte for a
# grammar. Schemas with hundreds of optional properties, and 128 tools, need less than half of these.
_LIMITS = {"step_max_items": 10_000, "step_lexer_fuel": 200_000, "max_lexer_states": 50_000, "verbose_errors": False}
_TOO_COMPLEX = ("too many", "current row has", "fuel exhausted")  # in llguidance's messages
# What an item costs grows with the text, so time has a limit as well: usual masks take less than 30 ms.
_MOST_SECONDS = 1.0  # of CPU time, to take a token and to compute the mask after it
_SUSPICIOUS_SECONDS = 0.25  # for several masks together; who is slow is found out one by one
_NO_TEXT = "no text fits it: it refers to itself without end, or its bounds leave nothing between them"
_ONE_OF = (
    "oneOf is supported only if its branches exclude each other: by their types, or by a required property with "
    "another const in each; use anyOf otherwise"
)


@dataclass(frozen=True)
class Grammar:
    """What a generated text must look like: option `grammar` of `Model.generate` and `Engine.submit`.

    Only tokens are chosen that can lead to such a text. It may still end too early, at max_tokens.

    >>> color = wgpt.Grammar.regex("red|green|blue")
    >>> model.generate("The color of the sky is", grammar=color).text
    'blue'
    """

    kind: str
    source: str

    def __post_init__(self) -> None:
        one_of("kind", self.kind, tuple(_KINDS))
        _text("source", self.source)

    @classmethod
    def json_schema(cls, schema: Mapping[str, Any] | bool | str | type) -> Grammar:
        """JSON that fits a schema: a dict, its text, or a class with `model_json_schema()` (pydantic).

        >>> schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
        >>> wgpt.Grammar.json_schema(schema).kind
        'json_schema'
        """
        if hasattr(schema, "model_json_schema"):
            schema = schema.model_json_schema()
        if isinstance(schema, str):
            try:
                schema = json.loads(schema)
            except (ValueError, RecursionError) as e:
                raise GrammarError(f"schema is not valid JSON: {e}") from None
        if not isinstance(schema, Mapping | bool):
            raise GrammarError(f"schema must be an object or a boolean, not {shown(schema)}")
        try:
            source = json.dumps(schema if isinstance(schema, bool) else dict(schema), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as e:
            raise GrammarError(f"schema cannot be written as JSON: {e}") from None
        return cls("json_schema", source)

    @classmethod
    def json_object(cls) -> Grammar:
        """Any JSON object."""
        return cls("json_schema", '{"type": "object"}')

    @classmethod
    def regex(cls, pattern: str) -> Grammar:
        """A text that the whole regular expression matches (Rust's syntax, without look-around)."""
        return cls("regex", _text("pattern", pattern))

    @classmethod
    def lark(cls, grammar: str) -> Grammar:
        """A context-free grammar in llguidance's variant of Lark, which begins at the rule `start`."""
        return cls("lark", _text("grammar", grammar))

    def check(self, tokenizer: Tokenizer) -> None:
        """Refuse a grammar that cannot be kept."""
        if not isinstance(tokenizer, Tokenizer):
            raise wrong_type("tokenizer", tokenizer, "a model's tokenizer")
        started(self, tokenizer, tokenizer.vocab_size)


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise wrong_type(name, value, "a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise GrammarError(f"{name} is not valid Unicode: {shown(value)}") from None
    return value


def started(grammar: Grammar, tokenizer: Tokenizer, vocab: int) -> Matcher:
    """A matcher at the beginning of a text. `vocab`: logits of the model, which may have more than its tokenizer."""
    known = _compiled.setdefault(tokenizer, OrderedDict())
    with _lock:
        kept = known.get((grammar, vocab))
    if kept is None:
        matcher = _compile(grammar, tokenizer, vocab)
        kept = _Kept(matcher, _masks([matcher], mask_words(vocab))[0])
        if error := matcher.get_error():
            if "NoExtensionBias" in error:
                raise GrammarError(f"unsupported {_KINDS[grammar.kind]}: {_NO_TEXT}")
            raise GrammarError(f"the {_KINDS[grammar.kind]} is too complex: {_brief(error)}; simplify it")
        with _lock:
            known[grammar, vocab] = kept
            while len(known) > _MOST_KEPT:
                known.popitem(last=False)
    return Matcher(kept)


def _compile(grammar: Grammar, tokenizer: Tokenizer, vocab: int) -> Any:
    guidance = _guidance()
    if grammar.kind == "json_schema":
        schema = json.loads(grammar.source)
        if isinstance(schema, bool):  # llguidance takes its options from an object
            schema = {} if schema else {"not": {}}
        compiled = guidance.LLMatcher.grammar_from_json_schema(simplified(schema), overrides=_JSON_OPTIONS)
    elif grammar.kind == "regex":
        compiled = guidance.LLMatcher.grammar_from_regex(grammar.source)
    else:
        compiled = guidance.LLMatcher.grammar_from_lark(grammar.source)
    limits = guidance.LLParserLimits(**_LIMITS)
    matcher = guidance.LLMatcher(_vocabulary(tokenizer, vocab), compiled, log_level=0, limits=limits)
    if error := matcher.get_error():
        raise GrammarError(f"unsupported {_KINDS[grammar.kind]}: {_brief(error)}")
    return matcher


class _Kept:
    """A compiled grammar. Its states are found as texts need them, so the newest text's matcher is kept.

    `mask`: of the first token.
    """

    def __init__(self, matcher: Any, mask: NDArray[np.uint32]) -> None:
        self.matcher, self.mask = matcher, mask


class Matcher:
    """Where a text is in its grammar. `mask`: a bit for each token that may come next."""

    def __init__(self, kept: _Kept) -> None:
        self._kept, self._matcher, self.mask = kept, kept.matcher.deep_copy(), kept.mask
        self._seconds, self._suspect = 0.0, False

    def give_back(self) -> None:
        """The text has ended: what was found out about the grammar serves the next one."""
        if not self._matcher.is_error() and self._matcher.reset():
            self._kept.matcher = self._matcher

    def accept(self, token: int) -> None:
        """The text goes on with this token. `mask` is out of date until `fill_masks`."""
        began = time.thread_time()
        accepted = self._matcher.consume_token(token)
        self._seconds = time.thread_time() - began
        if not accepted:
            self.check()

    def _compute_mask(self) -> None:
        began = time.thread_time()
        self.mask = _masks([self._matcher], self.mask.size)[0]
        seconds = time.thread_time() - began
        self._seconds += seconds
        self._suspect = seconds > _SUSPICIOUS_SECONDS

    @property
    def complete(self) -> bool:
        """Whether the text can only end here."""
        return bool(self._matcher.is_stopped())

    def check(self) -> None:
        """Raise what went wrong: the grammar is too complex at this place of the text, or refused a token."""
        error = self._matcher.get_error()
        if any(sign in error.lower() for sign in _TOO_COMPLEX):
            raise GrammarError(f"the grammar is too complex to go on with this text: {_brief(error)}; simplify it")
        if error:
            raise GrammarError(f"the grammar does not allow the text: {_brief(error)}")
        if self._seconds > _MOST_SECONDS:
            raise GrammarError(
                f"the grammar is too complex to go on with this text: to find its next tokens took {self._seconds:.1f} "
                f"s, and at most {_MOST_SECONDS:g} s are allowed; simplify it"
            )


def fill_masks(matchers: Sequence[Matcher]) -> None:
    """Compute the masks of several texts: on all cores, without holding the GIL. `Matcher.check` tells of errors."""
    together = [matcher for matcher in matchers if not matcher._suspect]
    for matcher in matchers:
        if matcher._suspect or len(together) == 1:
            matcher._compute_mask()
    if len(together) > 1:
        began = time.monotonic()
        masks = _masks([matcher._matcher for matcher in together], together[0].mask.size)
        suspect = time.monotonic() - began > _SUSPICIOUS_SECONDS
        for matcher, mask in zip(together, masks, strict=True):
            matcher.mask, matcher._suspect = mask, suspect


def _masks(matchers: Sequence[Any], words: int) -> NDArray[np.uint32]:
    """The masks of llguidance's matchers, each of `words` words."""
    masks = np.zeros((len(matchers), words), np.uint32)
    if len(matchers) == 1:
        matchers[0].unsafe_compute_mask_ptr(masks.ctypes.data, masks.nbytes)
    else:
        rows = [(matcher, row) for row, matcher in enumerate(matchers)]
        _executor().unsafe_compute_mask_ptr(rows, masks.ctypes.data, 4 * words, len(matchers))
    return masks


def _brief(error: str) -> str:
    """The first lines of a message, without the stack of where it was raised."""
    if "symbols.len() <" in error:  # an assertion
        return "it has more than 65,000 symbols"
    told = [line.strip() for line in error.splitlines() if line.strip() and line != "<non-verbose/>"]
    lines = [_ONE_OF if "coerce_one_of" in line else line for line in told]
    text = "; ".join(lines[:4])
    return text if len(text) <= 400 else text[:400] + "..."


@cache
def _guidance() -> ModuleType:
    try:
        import llguidance
    except ImportError:
        raise WgptError("grammars need llguidance: pip install 'wgpt[serve]'") from None
    return llguidance


@cache
def _executor() -> Any:
    return _guidance().LLExecutor()


_lock = threading.Lock()
_compiled: WeakKeyDictionary[Tokenizer, OrderedDict[tuple[Grammar, int], _Kept]] = WeakKeyDictionary()
_vocabularies: WeakKeyDictionary[Tokenizer, dict[int, Any]] = WeakKeyDictionary()


def _vocabulary(tokenizer: Tokenizer, vocab: int) -> Any:
    """A tokenizer as llguidance sees it; making one takes half a second."""
    known = _vocabularies.setdefault(tokenizer, {})
    if vocab not in known:
        if not tokenizer.eos_ids:
            raise GrammarError("grammars need a token that ends a text, and this model's tokenizer has none")
        try:
            known[vocab] = _guidance().LLTokenizer(
                tokenizer.to_json(), n_vocab=vocab, eos_token=sorted(tokenizer.eos_ids)
            )
        except Exception as e:
            raise GrammarError(f"this model's tokenizer does not support grammars: {_brief(str(e))}") from None
    return known[vocab]
