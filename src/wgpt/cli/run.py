"""`wgpt run`: one prompt, one answer."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from ..api import Model
from ..gpu import WgptError
from ..infer.generate import Completion
from .common import INTERRUPTED as EXIT_INTERRUPTED
from .common import Json, print_json
from .groups import grouped
from .options import ModelOptions, SamplingOptions
from .streaming import INTERRUPTED, show, silent, statistics, write

_TOLD_CLASSES = 5  # the likeliest


@grouped
def command(
    prompt: Annotated[
        str | None,
        typer.Argument(metavar="PROMPT", help="What to answer; - or a pipe: read it from stdin.", show_default=False),
    ] = None,
    model: ModelOptions = ModelOptions(),
    sampling: SamplingOptions = SamplingOptions(),
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Instructions that come first.", show_default=False)
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Continue the text as it is, without the chat template.")] = False,
    json: Json = False,
) -> None:
    """Answer a prompt, piece by piece as it is generated.

    The prompt goes through the model's chat template, if it has one. The answer goes to stdout; then one line on
    stderr says how fast it was: prompt tokens a second, generated tokens a second, the time to the first token,
    GPU memory. The first run downloads the default model (92 MB) and compiles its kernels.

    \b
    Examples:
      wgpt run "What is the capital of France?"
      wgpt run --raw "Once upon a time" -n 100 -t 0.8 --seed 1
      wgpt run -m ./Qwen2.5-0.5B-Instruct --system "Answer in German." "Who are you?"
      wgpt run -m model.gguf --json - < question.txt
      wgpt run --lora out "Who founded Quillmarsh Kiteworks?"
      wgpt run --lora mail "You have won a prize!"        one that classifies says the text's label
    """
    text = _text(prompt)
    options = sampling.keywords()
    with model.loaded() as loaded:
        if loaded.classes:
            _classify(loaded, text, system, json)
            return
        ids = _ids(loaded, text, system, raw)
        done = show(lambda step: loaded.stream(ids, progress=step, **options), silent if json else write)
        if json:
            print_json(_facts(loaded, done, options["seed"]))
        else:
            typer.echo("" if not done.text or done.text.endswith("\n") else "\n", nl=False)
            typer.echo(typer.style(statistics(loaded, done), dim=True), err=True)
    if done.reason == INTERRUPTED:
        raise typer.Exit(EXIT_INTERRUPTED)


def _text(prompt: str | None) -> str:
    if prompt is None and sys.stdin.isatty():
        raise typer.BadParameter('give a PROMPT, as in wgpt run "What is the capital of France?"')
    if prompt is None or prompt == "-":
        try:
            prompt = sys.stdin.read().removesuffix("\n")
        except UnicodeDecodeError as e:
            raise WgptError(f"the prompt on stdin is not text in {e.encoding}: {e.reason} at byte {e.start}") from None
    if not prompt.strip():
        raise WgptError("the prompt is empty: give a text of at least one character that is not a space")
    return prompt


def _classify(model: Model, text: str, system: str | None, json: bool) -> None:
    """The label of a text, by an adapter that was trained to tell texts apart."""
    if system is not None:
        raise WgptError(f"--system needs a chat: the adapter {model.adapter!r} classifies texts")
    found = model.classify(text)
    if json:
        facts = {"label": found.label, "probabilities": found.probabilities, "lora": model.adapter}
        print_json({**facts, "model": {"name": model.name, "family": model.config.family}})
        return
    typer.echo(found.label)
    likeliest = [f"{name} {share:.1%}" for name, share in list(found.probabilities.items())[:_TOLD_CLASSES]]
    typer.echo(typer.style(", ".join(likeliest), dim=True), err=True)


def _ids(model: Model, text: str, system: str | None, raw: bool) -> list[int]:
    if raw or model.tokenizer.chat_template is None:
        if system is not None:
            why = "--raw continues the text as it is" if raw else f"{model.name} has no chat template"
            raise WgptError(f"--system needs a chat: {why}")
        return model.ids(text)
    instructions = [] if system is None else [{"role": "system", "content": system}]
    return model.chat_ids([*instructions, {"role": "user", "content": text}])


def _facts(model: Model, done: Completion, seed: int) -> dict[str, Any]:
    return {
        "text": done.text,
        "ids": done.ids,
        "reason": done.reason,
        "prompt_tokens": done.prompt_tokens,
        "prefill_tokens_per_second": done.prefill_rate,
        "decode_tokens_per_second": done.decode_rate,
        "first_token_seconds": done.first_token_s,
        "compile_seconds": done.compile_s,
        "seconds": done.seconds,
        "gpu_bytes": model.device.peak_bytes,
        "seed": seed,
        "model": {"name": model.name, "family": model.config.family, "context": model.context},
        "lora": model.adapter,
        "adapter": asdict(model.device.info),
    }
