"""`wgpt run`: one prompt, one answer."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import asdict
from typing import Annotated, Any

import typer

from ..api import Model
from ..core.errors import WgptError
from ..engine.completion import Completion
from .common import Json, print_json
from .failures import INTERRUPTED as EXIT_INTERRUPTED
from .grammar_options import GrammarOptions
from .groups import grouped
from .options import ChatModelOptions, Draft
from .sampling_options import SamplingOptions
from .streaming import INTERRUPTED, answer_writer, print_fallbacks, show, silent, statistics
from .styles import styled
from .texts import read_stdin

_SHOWN_CLASSES = 5  # the most likely classes to show


@grouped
def command(
    prompt: Annotated[
        str | None,
        typer.Argument(
            metavar="PROMPT", help="The prompt; - (or none, with a pipe) reads it from stdin.", show_default=False
        ),
    ] = None,
    model: ChatModelOptions = ChatModelOptions(),
    sampling: SamplingOptions = SamplingOptions(),
    form: GrammarOptions = GrammarOptions(),
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="System prompt: instructions to the model.", show_default=False)
    ] = None,
    draft: Draft = None,
    raw: Annotated[bool, typer.Option("--raw", help="Continue the text without the chat template.")] = False,
    json: Json = False,
) -> None:
    """The model's chat template, if it has one, is applied to the prompt. The answer goes to stdout, followed by one
    line of statistics on stderr: prompt tokens per second, generated tokens per second, time to the first token and
    GPU memory. With --kernels triton, another line names the operations that have no Triton kernel. The first run
    downloads the default model (92 MB) and compiles its kernels.

    \b
    Examples:
      wgpt run "What is the capital of France?"
      wgpt run --raw "Once upon a time" -n 100 -t 0.8 --seed 1
      wgpt run -m ./Qwen2.5-0.5B-Instruct --system "Answer in German." "Who are you?"
      wgpt run -m model.gguf --json - < question.txt
      wgpt run -m ./Qwen2.5-0.5B-Instruct --dtype embed=q8_0,head=q8_0,attn=q8_0,ffn=q4_1 "Hello"
      wgpt run -m ./Qwen2.5-7B-Instruct --draft ./Qwen2.5-0.5B-Instruct "Write a sorting function in Python."
      wgpt run --regex "yes|no" "Is Paris in France?"
      wgpt run --json-schema person.json "Invent a person."
      wgpt run --lora out "Who founded Quillmarsh Kiteworks?"
      wgpt run --lora mail "You have won a prize!"        a classifier prints the label of the text
    """
    text = _text(prompt)
    options = {**sampling.keywords(), **form.keywords()}
    if sampling.logprobs is not None and not json:
        raise WgptError("--logprobs needs --json: the text alone has no place for them")
    with model.loaded(draft, max_batch=1) as loaded:
        if loaded.classes:
            if draft is not None:
                raise WgptError(f"--draft needs a model that generates: the LoRA adapter {loaded.lora!r} classifies")
            if "grammar" in options:
                raise WgptError(f"the LoRA adapter {loaded.lora!r} classifies texts: its labels need no grammar")
            _classify(loaded, text, system, json)
            return
        if model.allow_control_tokens and (raw or loaded.tokenizer.chat_template is None):
            raise WgptError("--allow-control-tokens is for chats: a text without a chat template may spell them anyway")
        ids = _ids(loaded, text, system, raw)
        with nullcontext(silent) if json else answer_writer() as emit:
            completion = show(lambda step: loaded.stream(ids, progress=step, **options), emit)
        if json:
            print_json(_facts(loaded, completion))
        else:
            typer.echo("" if not completion.text or completion.text.endswith("\n") else "\n", nl=False)
            typer.echo(styled(statistics(loaded, completion), dim=True), err=True)
            print_fallbacks(loaded)
    if completion.reason == INTERRUPTED:
        raise typer.Exit(EXIT_INTERRUPTED)


def _text(prompt: str | None) -> str:
    if prompt is None and sys.stdin.isatty():
        raise typer.BadParameter('give a PROMPT, as in wgpt run "What is the capital of France?"')
    if prompt is None or prompt == "-":
        prompt = read_stdin("the prompt on stdin").removesuffix("\n")
    try:
        prompt.encode()
    except UnicodeEncodeError as e:  # invalid UTF-8 on the command line arrives as surrogates
        at = len(prompt[: e.start].encode())
        raise WgptError(f"the prompt is not valid Unicode: no character starts at byte {at}") from None
    if not prompt.strip():
        raise WgptError("the prompt is empty: give some text")
    return prompt


def _classify(model: Model, text: str, system: str | None, json: bool) -> None:
    """Print the label of a text, from an adapter that was trained to classify texts."""
    if system is not None:
        raise WgptError(f"--system needs a chat model: the LoRA adapter {model.lora!r} classifies texts")
    result = model.classify(text)
    if json:
        facts = {"label": result.label, "probabilities": result.probabilities, "lora": model.lora}
        print_json({**facts, "model": {"name": model.name, "family": model.config.family}, **_kernels(model)})
        return
    typer.echo(result.label)
    likeliest = [f"{name} {share:.1%}" for name, share in list(result.probabilities.items())[:_SHOWN_CLASSES]]
    typer.echo(styled(", ".join(likeliest), dim=True), err=True)
    print_fallbacks(model)


def _ids(model: Model, text: str, system: str | None, raw: bool) -> list[int]:
    if raw or model.tokenizer.chat_template is None:
        if system is not None:
            why = "--raw uses no chat template" if raw else f"{model.name} has no chat template"
            raise WgptError(f"--system needs a chat template: {why}")
        return model.ids(text)
    instructions = [] if system is None else [{"role": "system", "content": system}]
    return model.chat_ids([*instructions, {"role": "user", "content": text}])


def _facts(model: Model, completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "ids": completion.ids,
        **completion.scored,
        "reason": completion.reason,
        "prompt_tokens": completion.prompt_tokens,
        "prefill_tokens_per_second": completion.prefill_rate,
        "decode_tokens_per_second": completion.decode_rate,
        "first_token_seconds": completion.first_token_s,
        "compile_seconds": completion.compile_s,
        "seconds": completion.seconds,
        "gpu_bytes": sum(device.peak_bytes for device in model.network.devices),
        "seed": completion.seed,
        "model": {"name": model.name, "family": model.config.family, "context": model.context},
        "lora": model.lora,
        "draft": None if model.draft is None else model.draft.name,
        "gpu": asdict(model.device.info),
        "gpus": [asdict(device.info) for device in model.network.devices],
        **_kernels(model),
    }


def _kernels(model: Model) -> dict[str, Any]:
    return {"kernels": model.kernels, "fallbacks": [asdict(fallback) for fallback in model.fallbacks]}
