"""How to generate: the options of a request."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..core.arguments import brief, flag, is_token_id, one_of, shown, token_ids, whole_number, wrong_type
from ..core.errors import WgptError
from ..core.generation import MOST_BIAS, MOST_SEED, OVERFLOWS, SAMPLING, Generation, filters_on
from ..core.naming import argument
from ..formats.detokenise import Mark, StopStrings
from ..kernels.sampling.settings import Settings, check_number
from ..kernels.sampling.slots import MOST_STOP_IDS
from .grammar import Grammar

MOST_SALT = 1024  # characters


@dataclass(frozen=True)
class Options(Generation):
    """How to generate: the options of core.generation, and what upper floors add. Without a seed, a random one is used
    and reported in the Completion."""

    grammar: Grammar | None = None  # what the text must look like
    calls: Mark | None = None  # where a call of a tool begins: `stop` and `stop_token_ids` do not end one

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Options:
        """From keyword arguments."""
        names = [option.name for option in fields(cls)]
        unknown = next((name for name in keywords if name not in names), None)
        if unknown is not None:
            raise WgptError(f"unknown option {brief(unknown)}; supported: {', '.join(names)}")
        return cls(**keywords)

    def __post_init__(self) -> None:
        check_number("max_tokens", self.max_tokens)
        if self.seed is None:
            object.__setattr__(self, "seed", secrets.randbits(32))
        self.settings()  # refuses invalid values
        self._check_filters()
        if not isinstance(self.logit_bias, Mapping | None):
            raise WgptError(f"logit_bias must be a dict of token ids and numbers, not {shown(self.logit_bias)}")
        for token, value in (self.logit_bias or {}).items():
            _check_bias(token, value)
        if not isinstance(self.stop, str | Sequence | None) or isinstance(self.stop, bytes):
            raise WgptError(f"stop must be a string or a list of strings, not {shown(self.stop)}")
        StopStrings(self.stop or ())
        stops = () if self.stop_token_ids is None else token_ids("stop_token_ids", self.stop_token_ids)
        object.__setattr__(self, "stop_token_ids", tuple(stops))
        flag("ignore_eos", self.ignore_eos)
        most = min(self.max_tokens, 2**31)
        object.__setattr__(self, "min_tokens", whole_number("min_tokens", self.min_tokens, 0, most))
        if self.logprobs is not None:
            check_number("logprobs", self.logprobs)
            object.__setattr__(self, "logprobs", int(self.logprobs))
        one_of("overflow", self.overflow, OVERFLOWS)
        if self.keep is not None:
            object.__setattr__(self, "keep", whole_number("keep", self.keep, 0))
        flag("deterministic", self.deterministic)
        check_salt(self.cache_salt)
        if not isinstance(self.calls, Mark | None):
            raise wrong_type("calls", self.calls, "a Mark")
        self._check_grammar()

    def _check_filters(self) -> None:
        for name in filters_on(self) if self.temperature == 0 else ():
            raise WgptError(
                f"{argument(name)} needs a {argument('temperature')} above 0: at 0, the likeliest token is always taken"
            )

    def _check_grammar(self) -> None:
        if self.grammar is None:
            return
        if not isinstance(self.grammar, Grammar):
            raise wrong_type("grammar", self.grammar, "a wgpt.Grammar")
        if self.ignore_eos or self.min_tokens:
            name = "ignore_eos" if self.ignore_eos else "min_tokens"
            raise WgptError(f"grammar and {name} exclude each other: the grammar decides where a text may end")

    def seed_of(self, row: int) -> int:
        """Each sequence of a batch has a different seed."""
        assert self.seed is not None
        return (self.seed + row) % (MOST_SEED + 1) if row else self.seed

    def settings(self, row: int = 0) -> Settings:
        """The sampling settings of one sequence."""
        return replace(self._settings, seed=self.seed_of(row)) if row else self._settings

    @cached_property
    def _settings(self) -> Settings:
        values = {name: getattr(self, name) for name in SAMPLING}
        return Settings(**values | {"seed": self.seed_of(0)})

    def check_vocabulary(self, vocab: int, eos: frozenset[int] = frozenset()) -> None:
        """Refuse token ids outside the vocabulary, and a bias that leaves none of it. `eos`: those of the model."""
        named = {"logit_bias": self.logit_bias or {}, "stop_token_ids": self.stop_token_ids or ()}
        for name, tokens in named.items():
            for token in tokens:
                if not 0 <= token < vocab:
                    raise WgptError(f"{argument(name)} names token {token}, outside the vocabulary of {vocab}")
        banned = {token for token, bias in (self.logit_bias or {}).items() if bias == -np.inf}
        if len(banned) == vocab:
            raise WgptError(f"{argument('logit_bias')} rules out all {vocab} tokens: leave at least one")
        if banned and self.min_tokens and len(banned | self.ending(eos)) == vocab:
            raise WgptError(
                f"{argument('logit_bias')} rules out all {vocab} tokens but those that end the text, and min_tokens "
                f"{self.min_tokens} rules out these: leave another one"
            )

    def check_deterministic(self, ensured: bool) -> None:
        """Refuse what the engine does not ensure."""
        if self.deterministic and not ensured:
            raise WgptError(
                "deterministic needs an engine opened for it (wgpt serve --deterministic, or deterministic=True): "
                "here, what else runs changes how sums are rounded"
            )

    def ending(self, eos: frozenset[int]) -> frozenset[int]:
        """The tokens that end the text."""
        ending = frozenset(map(int, self.stop_token_ids or ())) | (frozenset() if self.ignore_eos else eos)
        if self.min_tokens and len(ending) > MOST_STOP_IDS:
            raise WgptError(
                f"min_tokens supports at most {MOST_STOP_IDS} tokens that end the text, and there are {len(ending)}"
            )
        return ending


def check_salt(salt: Any) -> None:
    if salt is not None and not (isinstance(salt, str) and 0 < len(salt) <= MOST_SALT):
        raise WgptError(f"cache_salt must be a string of 1 to {MOST_SALT} characters, not {shown(salt)}")


def _check_bias(token: Any, value: Any) -> None:
    if not is_token_id(token):
        raise WgptError(f"logit_bias: token ids must be whole numbers, not {shown(token)}")
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not (abs(value) <= MOST_BIAS or value == -np.inf):
        raise WgptError(
            f"logit_bias of token {token} must be a number from -1e6 to 1e6, or -inf to rule it out, not {shown(value)}"
        )
