"""The options of generation: one entry each, from which every interface is derived or checked.

An entry is a field of `Sampling` or `Generation`: its name, type and default, and an `Option` with the rest. From them
come the words of a sequence's record on the GPU, the keyword arguments in Python, the options of the command line, the
fields of a request, the settings of the chat page and of the JavaScript runtime, and the table in the documentation.
docs/add-a-sampling-option.md says what else a new one needs.

Nothing is imported here but the standard library: the command line reads this file before anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from typing import Any

OVERFLOWS = ("refuse", "slide")
MOST_BIAS = 1e6  # a larger bias makes no difference
MOST_LOGPROBS = 20
MOST_WHOLE = 2**32 - 1
MOST_SEED = 2**64 - 1
F32_MAX = 3.4028234663852886e38


@dataclass(frozen=True)
class Bounds:
    """The numbers that an option may have. `text` is what messages say; None for whole numbers, which say it alike.

    >>> Bounds(0, 1, above=True).holds(0), Bounds(0, 1).holds(0), Bounds(0).holds(float("nan"))
    (False, True, False)
    """

    least: float
    most: float | None = None
    text: str | None = None
    above: bool = False  # `least` itself is not allowed
    below: bool = False  # `most` itself is not allowed

    @property
    def allowed(self) -> str:
        """What messages say.

        >>> Bounds(1).allowed, Bounds(0, 2**32 - 1).allowed
        ('a whole number of at least 1', 'a whole number from 0 to 2^32 - 1')
        """
        if self.text is not None:
            return self.text
        if self.most is None:
            return f"a whole number of at least {self.least}"
        bits = int(self.most).bit_length()
        most = f"2^{bits} - 1" if bits > 30 and self.most == 2**bits - 1 else self.most
        return f"a whole number from {self.least} to {most}"

    def holds(self, value: float) -> bool:
        """Whether a number is within them; NaN never is."""
        least = value > self.least if self.above else value >= self.least
        return least and (self.most is None or (value < self.most if self.below else value <= self.most))


@dataclass(frozen=True)
class PageField:
    """An input field of the chat page's settings; its range may be narrower than the option's."""

    label: str
    least: float
    most: float
    step: float
    hint: str


@dataclass(frozen=True)
class Option:
    """What an entry says beside its name, type and default. See `option`."""

    help: str
    bounds: Bounds | None = None
    gpu: str | None = None
    neutral: float | None = None
    filters: bool = False
    part_of: str = ""
    cli: bool = True
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    page: PageField | None = None
    browser: bool = False
    trials: tuple[float, ...] = ()
    name: str = ""
    default: Any = None


def option(default: Any, help: str, **more: Any) -> Any:
    """A field of `Sampling` or `Generation`.

    help: for the command line and the documentation.
    bounds: of a number.
    gpu: the type of its word in a sequence's record: "f32", "u32", or "u64", two words. None: the GPU does not need it.
    neutral: the value with which it changes nothing, if it is not the default.
    filters: the sampler's code for it is only in Programs in which a sequence has a value other than the neutral one.
    part_of: the option without which it does nothing.
    cli: whether the command line offers it; `flags`: short forms; `metavar`: of its value.
    page: its field in the chat page. browser: whether exported models have it.
    trials: values that the kernel's cases and the test of the distribution try.
    """
    return field(default=default, metadata={"option": Option(help, **more, default=default)})


@dataclass(frozen=True)
class Sampling:
    """What chooses a token: the options in a sequence's record, in the order of its words."""

    temperature: float = option(
        0.0,
        "Sampling temperature: 0 always takes the likeliest token, higher values vary more.",
        bounds=Bounds(0, 1e6, "from 0 (greedy) to 1e6"),
        gpu="f32",
        neutral=1,
        flags=("-t",),
        page=PageField("Temperature", 0, 2, 0.05, "0 always takes the likeliest token"),
        browser=True,
    )
    top_k: int = option(
        0,
        "Sample from the K likeliest tokens only; 0 is off.",
        bounds=Bounds(0, MOST_WHOLE),
        gpu="u32",
        page=PageField("Top k", 0, 1000, 1, "Only the k likeliest tokens; 0 for all"),
        browser=True,
    )
    top_p: float = option(
        1.0,
        "Sample from the likeliest tokens with total probability P only; 1 is off.",
        bounds=Bounds(0, 1, "above 0 and at most 1 (off)", above=True),
        gpu="f32",
        page=PageField("Top p", 0.01, 1, 0.01, "Likeliest tokens up to this probability"),
        browser=True,
    )
    min_p: float = option(
        0.0,
        "Sample from tokens at least P times as likely as the likeliest only; 0 is off.",
        bounds=Bounds(0, 1, "0 (off) or more, and below 1", below=True),
        gpu="f32",
        page=PageField("Min p", 0, 0.99, 0.01, "At least this share of the likeliest"),
        browser=True,
    )
    repetition_penalty: float = option(
        1.0,
        "Above 1, makes tokens that occurred before less likely; 1 is off.",
        bounds=Bounds(0, F32_MAX, "above 0, and finite; 1 is off", above=True),
        gpu="f32",
        page=PageField("Repetition penalty", 0.5, 2, 0.01, "1 is off"),
        browser=True,
    )
    seed: int | None = option(
        None,
        "Random seed. The same seed on the same GPU repeats an answer. Default: random.",
        bounds=Bounds(0, MOST_SEED),
        gpu="u64",
        page=PageField("Seed", 0, MOST_WHOLE, 1, "The same seed, most often the same answer"),
        browser=True,
    )
    presence_penalty: float = option(
        0.0,
        "Subtracted from the logits of all tokens generated so far; 0 is off.",
        bounds=Bounds(-2, 2, "from -2 to 2; 0 is off"),
        gpu="f32",
        browser=True,
    )
    frequency_penalty: float = option(
        0.0,
        "Subtracted from the logit of a token each time it was generated; 0 is off.",
        bounds=Bounds(-2, 2, "from -2 to 2; 0 is off"),
        gpu="f32",
        browser=True,
    )
    typical_p: float = option(
        1.0,
        "Sample from the tokens nearest to the average surprise, with total probability P, only; 1 is off.",
        bounds=Bounds(0, 1, "above 0 and at most 1 (off)", above=True),
        gpu="f32",
        filters=True,
        trials=(0.9, 0.4),
    )
    xtc_probability: float = option(
        0.0,
        "Chance at each token that of those above the XTC threshold only the least likely is kept; 0 is off.",
        bounds=Bounds(0, 1, "from 0 (off) to 1"),
        gpu="f32",
        filters=True,
        trials=(0.5, 1.0),
    )
    xtc_threshold: float = option(
        0.1,
        "XTC threshold: the probability from which on tokens may be left out; above 0.5 is off.",
        bounds=Bounds(0, 1, "from 0 to 1; above 0.5 is off"),
        gpu="f32",
        filters=True,
        part_of="xtc_probability",
        trials=(0.02, 0.3),
    )


@dataclass(frozen=True)
class Generation(Sampling):
    """How to generate: what chooses a token, and when to stop. Temperature 0 always takes the most likely token."""

    max_tokens: int = option(
        256,
        "Maximum number of tokens to generate.",
        bounds=Bounds(1),
        flags=("-n",),
        page=PageField("Max tokens", 1, 1_000_000, 1, "The longest answer"),
        browser=True,
    )
    min_tokens: int = option(0, "Do not end the text before this many tokens; 0 is off.", bounds=Bounds(0))
    stop: Sequence[str] | str | None = option(
        (), "Stop before this text; may be repeated.", metavar="TEXT", browser=True
    )
    stop_token_ids: Sequence[int] | None = option(
        (), "Stop at this token, as at the model's own end; may be repeated.", metavar="ID"
    )
    ignore_eos: bool = option(False, "Do not stop at the end-of-text token.", browser=True)
    logit_bias: Mapping[int, float] | None = option(
        None, "Add VALUE to the logit of token ID; may be repeated.", metavar="ID=VALUE"
    )
    logprobs: int | None = option(
        None,
        "Report the log-probability of each token, and those of the N likeliest ones.",
        bounds=Bounds(0, MOST_LOGPROBS),
        metavar="N",
    )
    overflow: str = option(
        "refuse",
        "When the context is full: stop (refuse), or drop its older half and go on (slide).",
        metavar="|".join(OVERFLOWS),
    )
    keep: int | None = option(
        None,
        "When the context slides, keep this many of its first tokens. Default: a chat's system prompt, otherwise none.",
        bounds=Bounds(0),
        part_of="overflow",
        metavar="N",
    )
    deterministic: bool = option(
        False, "The same tokens whatever else runs; refused if the engine does not ensure it.", cli=False
    )
    cache_salt: str | None = option(
        None, "What is cached of the prompt serves requests with the same one only.", cli=False
    )


def _entries(table: type) -> dict[str, Option]:
    entries = {}
    for each in fields(table):
        facts = vars(each.metadata["option"])
        neutral = each.default if facts["neutral"] is None else facts["neutral"]
        entries[each.name] = Option(**facts | {"name": each.name, "neutral": neutral})
    return entries


OPTIONS: Mapping[str, Option] = _entries(Generation)
SAMPLING: Mapping[str, Option] = _entries(Sampling)
_SIZES = {"f32": 1, "u32": 1, "u64": 2}  # in words


def _size(entry: Option) -> int:
    return _SIZES[entry.gpu or ""]


# Where each option begins among the settings in a sequence's record, and how many words these are.
WORDS: Mapping[str, int] = dict(zip(SAMPLING, accumulate(map(_size, SAMPLING.values()), initial=0), strict=False))
SETTINGS_WORDS = sum(map(_size, SAMPLING.values()))


def filters_on(sampling: Sampling) -> list[str]:
    """The options with `filters` that are on.

    >>> filters_on(Sampling(typical_p=0.9)), filters_on(Sampling())
    (['typical_p'], [])
    """
    switches = (entry for entry in SAMPLING.values() if entry.filters and not entry.part_of)
    return [entry.name for entry in switches if getattr(sampling, entry.name) != entry.neutral]
