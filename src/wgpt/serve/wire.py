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
Ids = Sequence[Sequence[int]]  # the token ids of several texts


@dataclass(frozen=True)
class Job:
    """What to generate: `n` texts per prompt. Sequence `prompt * n + sample` is one of them."""

    prompts: Ids
    options: Mapping[str, Any]  # keyword arguments of wgpt.Engine.submit: max_tokens, temperature, ..., grammar
    n: int = 1
    lora: str | None = None  # name of a loaded LoRA adapter; None: the base model
    priority: int = 0
    stream: bool = True  # False: one update per sequence, at its end


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
    error: str = ""  # the error of this sequence; Generation raises it
    status: int = 0


@dataclass(frozen=True)
class Update:
    """What one or several steps have added to one sequence."""

    index: int  # prompt * n + sample
    text: str = ""
    ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    top_logprobs: tuple[dict[int, float], ...] = ()
    end: End | None = None  # how the sequence ended, in its last update


@dataclass(frozen=True)
class Score:
    """The score of a text: for each token after the first, its log-probability and the most likely token there."""

    logprobs: tuple[float, ...]
    argmax: tuple[int, ...]
    top_logprobs: tuple[dict[int, float], ...] = ()  # log-probabilities of the most likely tokens, if requested


@dataclass(frozen=True)
class Relevance:
    """How well a text answers a query, from 0 to 1, and the number of tokens of both."""

    score: float
    tokens: int


@dataclass(frozen=True)
class ModelInfo:
    """`name`: the model's name for clients; `loras`: names of the loaded LoRA adapters."""

    name: str
    context: int = 0
    vocab: int = 0
    hidden: int = 0
    loras: tuple[str, ...] = ()
    created: int = 0  # Unix time of loading
    memory: str = ""  # GPU memory, as text
    gpu: str = ""
    family: str = ""
    encoder: str = ""  # why it cannot generate text, if it cannot
    reranks: bool = False  # whether it is a cross-encoder
    prompts: Mapping[str, str] = field(default_factory=dict)  # prompts for embeddings by name, from the model's files
    default_prompt: str | None = None  # the name of the default prompt
    lowercase: bool = False  # whether texts are lowercased before embedding


@dataclass(frozen=True)
class State:
    """The engine's state, sent once a second and at the end of a burst of work."""

    running: int = 0
    waiting: int = 0
    step_age: float = 0.0  # seconds since the last step; 0 while idle
    pages_used: int = 0
    pages: int = 0
    preemptions: int = 0
    error: str = ""
    counters: Mapping[str, float] = field(default_factory=dict)
    compiling: bool = False  # whether it waits for kernels to compile
    longest_step: float = 0.0  # seconds
