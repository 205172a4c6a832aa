"""The typer app: its help, and the options before a subcommand."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from typer.completion import completion_init

from ..core import environment
from ..core.errors import WgptError
from ..core.versions import versions
from .commands import LazyCommands

_HELP = f"""
Language models on any GPU, through WebGPU.

Start with `wgpt run "..."`: it downloads a small model (92 MB, once), runs it on the best GPU of this
machine and answers. If the answer looks wrong, `wgpt verify` checks whether the driver computes correctly.

\b
Examples:
  wgpt run "What is the capital of France?"     one answer
  wgpt chat                                     a conversation
  wgpt serve                                    OpenAI's API and a chat page on http://127.0.0.1:8000
  wgpt batch prompts.jsonl --out answers.jsonl  all prompts of a file
  wgpt embed -f texts.txt --out vectors.npy     texts as vectors
  wgpt rerank "..." -f texts.txt -m MODEL       texts by how well they answer a query
  wgpt run -m model.gguf --raw "Once upon"      your own file, plain continuation
  wgpt run -m ./Qwen2.5-0.5B-Instruct "Hello"   a Hugging Face folder
  wgpt finetune --data facts.jsonl --out facts  fine-tune it (LoRA, QLoRA)
  wgpt run --lora facts "Hello"                 with a LoRA adapter from wgpt finetune or peft
  wgpt merge --lora facts --out merged          merge a LoRA adapter into its model
  wgpt quantize DIR --to q4_k_m -o small.gguf   a smaller file, for wgpt and llama.cpp
  wgpt export-web --out site                    a web page that runs the model in the browser
  wgpt bench decode                             tokens per second
  wgpt eval --tasks arc_easy --limit 100        a benchmark of lm-evaluation-harness
  wgpt info                                     GPUs, limits, features, faults
  wgpt info model.gguf                          what a file is, whether it runs, and its memory
  wgpt verify --gpu 1 --json                    check every kernel against its contract
  wgpt tune --quick                             find and save the fastest kernel variants
  wgpt explain decode                           what runs for one token, and how long it takes

\b
Environment:
{environment.table()}

Exit codes: 0 success, 1 a check failed, 2 an error, 130 Ctrl-C, 143 SIGTERM. An error is one line on
stderr and, with --json, an object on stdout: {{"error": ...}}.
"""


def make() -> typer.Typer:
    """Create the app. A command's module is imported when the command is looked up."""
    completion_init()  # registers the shells for which `wgpt completion` writes scripts
    app = typer.Typer(
        cls=LazyCommands,
        help=_HELP,
        add_completion=False,  # typer's own options take no shell name: `--show-completion bash` would ignore "bash"
        rich_markup_mode=None,  # plain help: it reads the same in a narrow terminal, a pipe and a log
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    return app


def _version(print_versions: bool) -> None:
    if print_versions:
        typer.echo(" ".join(f"{name} {v}" for name, v in versions().items()))
        raise typer.Exit


def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the versions of wgpt and its libraries."
        ),
    ] = False,
) -> None:
    if message := environment.unknown(os.environ):
        raise WgptError(message)
