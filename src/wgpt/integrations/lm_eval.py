"""A model for lm-evaluation-harness (`pip install 'wgpt[eval]'`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lm_eval.api.model import TemplateLM
from lm_eval.utils import get_rolling_token_windows, make_disjoint_window

from ..api import Model
from ..core.arguments import brief
from ..core.errors import WgptError
from ..core.generation import SAMPLING
from ..core.progress import Progress
from ..engine.options import Options
from ..formats.chat import render_chat

_MAX_GEN_TOKENS = 256  # the harness's own default
_TOGETHER = 256  # texts that are scored or generated in one call: progress is shown in between
_MAX_TOKENS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")  # the first one counts


class WgptLM(TemplateLM):
    """Answers the harness's requests with a loaded model, many at once.

    >>> from lm_eval import simple_evaluate                                      # doctest: +SKIP
    >>> results = simple_evaluate(WgptLM(wgpt.load()), tasks=["arc_easy"], limit=100)
    """

    def __init__(self, model: Model, progress: Progress | None = None) -> None:
        super().__init__()
        self.model, self._progress = model, progress

    # What the harness asks of a tokenizer -------------------------------------------------------------------

    @property
    def tokenizer_name(self) -> str:
        return self.model.name

    @property
    def eot_token_id(self) -> int:
        tokenizer = self.model.tokenizer
        if tokenizer.eos_id is None:
            raise WgptError(f"{self.model.name} has no end-of-text token, which the harness needs")
        return tokenizer.eos_id

    @property
    def prefix_token_id(self) -> int:
        """What an empty context begins with."""
        bos = self.model.tokenizer.bos_id
        return self.eot_token_id if bos is None else bos

    @property
    def max_length(self) -> int:
        return self.model.context

    @property
    def max_gen_toks(self) -> int:
        return _MAX_GEN_TOKENS

    def tok_encode(self, string: str, add_special_tokens: bool | None = None, **_: Any) -> list[int]:
        """Token ids; the model's first token is added unless the text begins with it."""
        if add_special_tokens is None:
            bos = self.model.tokenizer.bos
            add_special_tokens = not (bos and string.startswith(bos))
        return self.model.tokenizer.encode(string, special=add_special_tokens)

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        """A text, because the harness wants one: what a task spells as a control token becomes one."""
        tokenizer = self.model.tokenizer
        return render_chat(
            tokenizer.chat_template,
            chat_history,
            add_generation_prompt=add_generation_prompt,
            bos=tokenizer.bos,
            eos=tokenizer.eos,
        )

    def chat_template(self, chat_template: bool | str = False) -> str | None:
        return self.model.tokenizer.chat_template if chat_template else None

    # Requests -----------------------------------------------------------------------------------------------

    def _loglikelihood_tokens(
        self, requests: Sequence[tuple[Any, list[int], list[int]]], **_: Any
    ) -> list[tuple[float, bool]]:
        """(log-probability of the continuation, whether each of its tokens is the most likely one)."""
        answers: list[tuple[float, bool]] = []
        for at in range(0, len(requests), _TOGETHER):
            self._show(at, len(requests), "scoring")
            part = requests[at : at + _TOGETHER]
            texts = [self._fitting(context, continuation) for _key, context, continuation in part]
            first = [len(ids) - len(continuation) for ids, (_, _, continuation) in zip(texts, part, strict=True)]
            scores = self.model.logprobs(texts, argmax=True, first=first)  # answers to one question share its pages
            for (key, _context, continuation), (logprobs, likeliest) in zip(part, scores, strict=True):
                greedy = likeliest.tolist() == list(continuation)
                answers.append((float(logprobs.sum(dtype="float64")), greedy))
                if key is not None:
                    self.cache_hook.add_partial("loglikelihood", key, answers[-1])
        self._show(len(requests), len(requests), "scoring")
        return answers

    def _fitting(self, context: list[int], continuation: list[int]) -> list[int]:
        """All tokens; if they are too many, the context loses its beginning."""
        if not continuation:
            raise WgptError("a continuation has no tokens: nothing can be scored")
        if len(continuation) >= self.max_length:
            raise WgptError(
                f"a continuation has {len(continuation)} tokens, but the context length is {self.max_length}, with at "
                "least one token before it: use a longer context"
            )
        return (context + continuation)[-self.max_length :]

    def loglikelihood_rolling(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[float]:
        """Log-probability of whole texts; long ones in windows."""
        windows: list[tuple[Any, list[int], list[int]]] = []
        owners: list[int] = []
        for i, request in enumerate(requests):
            tokens = self.tok_encode(request.args[0], add_special_tokens=False)
            rolling = get_rolling_token_windows(tokens, self.prefix_token_id, self.max_length - 1, context_len=1)
            for context, continuation in map(make_disjoint_window, rolling):
                windows.append((None, context, continuation))
                owners.append(i)
        sums = [0.0] * len(requests)
        for owner, (logprob, _) in zip(owners, self._loglikelihood_tokens(windows), strict=True):
            sums[owner] += logprob
        for request, total in zip(requests, sums, strict=True):
            self.cache_hook.add_partial("loglikelihood_rolling", request.args, total)
        return sums

    def generate_until(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[str]:
        """The continuation of each context, up to a stop string."""
        texts = [""] * len(requests)
        jobs = [self._job(*request.args) for request in requests]
        by_options: dict[str, list[int]] = {}
        for i, (_, options) in enumerate(jobs):
            by_options.setdefault(repr(sorted(options.items())), []).append(i)
        done = 0
        for same in by_options.values():
            for at in range(0, len(same), _TOGETHER):
                self._show(done, len(requests), "generating")
                part = same[at : at + _TOGETHER]
                completions = self.model.generate([jobs[i][0] for i in part], **jobs[part[0]][1])
                for i, completion in zip(part, completions, strict=True):
                    texts[i] = completion.text
                    self.cache_hook.add_partial("generate_until", requests[i].args, texts[i])
                done += len(part)
        self._show(len(requests), len(requests), "generating")
        return texts

    def _job(self, context: str, settings: Mapping[str, Any]) -> tuple[list[int], dict[str, Any]]:
        """Token ids, shortened from the left to leave room for the answer, and the options of Model.generate."""
        options = generation_options(settings)
        room = self.max_length - options["max_tokens"]
        if room < 1:
            raise WgptError(
                f"{options['max_tokens']} tokens to generate leave no room for a prompt in the context length of "
                f"{self.max_length}: set max_gen_toks to less, or use a longer context"
            )
        return self.tok_encode(context)[-room:], options

    def _show(self, done: int, total: int, description: str) -> None:
        if self._progress is not None:
            self._progress(done, total, description)


def generation_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The options of Model.generate for the harness's generation_kwargs. Unsupported ones are refused.

    >>> generation_options({"until": ["\\n"], "do_sample": False, "max_gen_toks": 32})
    {'max_tokens': 32, 'stop': ['\\n'], 'temperature': 0.0}
    """
    known = {*_MAX_TOKENS, "until", "do_sample", *SAMPLING}
    unknown = next((name for name in settings if name not in known), None)
    if unknown is not None:
        raise WgptError(f"unsupported generation option {brief(unknown)}; supported: {', '.join(sorted(known))}")
    until = settings.get("until") or []
    most = next((settings[name] for name in _MAX_TOKENS if settings.get(name) is not None), _MAX_GEN_TOKENS)
    options: dict[str, Any] = {"max_tokens": int(most)}
    options["stop"] = [until] if isinstance(until, str) else [text for text in until if text]
    options |= {name: settings[name] for name in SAMPLING if settings.get(name) is not None}
    sampled = settings.get("do_sample", "temperature" in options)
    options["temperature"] = float(options.get("temperature", 1.0)) if sampled else 0.0
    Options.of(options)
    return options
