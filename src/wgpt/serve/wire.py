"""What HTTP's process and the engine's send each other, beyond what processes/messages.py says.

calls    (SUBMIT, Job)  (SCORE | EMBED | RERANK | LOAD_LORA | UNLOAD_LORA, ...); SUBMIT's number stays that of its job
told     (STEP, [update tuples])  (STATE, State)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

SUBMIT, SCORE, EMBED, LOAD_LORA, UNLOAD_LORA, RERANK, STEP, STATE = range(8)
Pooling = Literal["mean", "last", "cls"]
Ids = Sequence[Sequence[int]]  # the tokens of several texts


@dataclass(frozen=True)
class Job:
    """What to generate: `n` texts for each prompt. Sequence `prompt * n + sample` is one of them."""

    prompts: Ids
    options: Mapping[str, Any]  # keyword options of wgpt.Engine.submit: max_tokens, temperature, ..., grammar
    n: int = 1
    lora: str | None = None  # name of a loaded LoRA adapter; None: the base model
    priority: int = 0
    stream: bool = True  # False: all updates of a sequence come at its end, as one


@dataclass(frozen=True)
class End:
    """How a sequence ended."""

    reason: str  # Completion.reason: eos, stop, length, context, cancelled
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    first_token_s: float
    seconds: float
    queue_s: float = 0.0
    seed: int = 0
    error: str = ""  # of this sequence; Generation raises it
    status: int = 0


@dataclass(frozen=True)
class Update:
    """What one step (or several) brought to one sequence."""

    index: int  # prompt * n + sample
    text: str = ""
    ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    top_logprobs: tuple[dict[int, float], ...] = ()
    end: End | None = None  # in the last one


@dataclass(frozen=True)
class Score:
    """Of one text: for each token after the first, its log-probability and the most likely token there."""

    logprobs: tuple[float, ...]
    argmax: tuple[int, ...]
    top_logprobs: tuple[dict[int, float], ...] = ()  # of the most likely tokens, if requested


@dataclass(frozen=True)
class Relevance:
    """How well a text answers a query, from 0 to 1; and the tokens of both."""

    score: float
    tokens: int


@dataclass(frozen=True)
class ModelInfo:
    """`name`: as clients ask for it; `loras`: names of the loaded LoRA adapters."""

    name: str
    context: int = 0
    vocab: int = 0
    hidden: int = 0
    loras: tuple[str, ...] = ()
    created: int = 0  # when it was loaded, in Unix time
    memory: str = ""  # GPU memory, for people
    gpu: str = ""
    family: str = ""
    encoder: str = ""  # why it generates no text, if it does not
    reranks: bool = False  # it is a cross-encoder
    prompts: Mapping[str, str] = field(default_factory=dict)  # to put before texts, by name, as its files say
    default_prompt: str | None = None  # the name of one of them
    lowercase: bool = False  # texts to embed are


@dataclass(frozen=True)
class State:
    """How the engine is, sent once a second and at the end of a burst of work."""

    running: int = 0
    waiting: int = 0
    step_age: float = 0.0  # seconds since the last step; 0 while there is nothing to do
    pages_used: int = 0
    pages: int = 0
    preemptions: int = 0
    error: str = ""
    counters: Mapping[str, float] = field(default_factory=dict)
    compiling: bool = False  # it waits for kernels
    longest_step: float = 0.0  # seconds
