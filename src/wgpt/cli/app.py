"""The typer app: help, and the list of subcommands."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from ..gpu.versions import versions
from .common import Commands

_HELP = """
Language models on any GPU, through WebGPU.

Start with `wgpt run "..."`: it gets a small model (92 MB, once), runs it on the best GPU of this
machine and answers. If the answer is odd, `wgpt verify` says whether the driver computes correctly.

\b
Examples:
  wgpt run "What is the capital of France?"     one answer
  wgpt chat                                     a conversation
  wgpt run -m model.gguf --raw "Once upon"      your own file, plain continuation
  wgpt run -m ./Qwen2.5-0.5B-Instruct "Hello"   a Hugging Face folder
  wgpt finetune --data facts.jsonl --out facts  teach it something (LoRA, QLoRA)
  wgpt run --lora out "Hello"                   with a LoRA adapter of wgpt finetune, or of peft
  wgpt merge --lora out --out merged            adapter and model become one model
  wgpt bench decode                             tokens per second
  wgpt info                                     adapters, limits, features, faults
  wgpt verify --adapter 1 --json                every kernel against its contract
  wgpt tune --quick                             find the fastest variants, keep them
  wgpt explain decode                           what runs for one token, and how long

\b
Environment:
  WGPT_ADAPTER=1 or =nvidia  the adapter, where --adapter is not given
  WGPT_HOME=DIR              where models and tuning results are kept
  WGPT_OFFLINE=1             download nothing
  WGPT_NATIVE=0              wgpu-py's public API instead of direct C calls
  WGPT_SUBMIT_THREAD=0       no second thread that submits commands (1: always one)
  WGPT_TRITON_LOCKS=1        compile Triton kernels that wait for other programs
  WGPT_ALLOW_FAULTY=1        use a driver although it computes wrong numbers
  WGPT_DEBUG=1               tracebacks instead of one-line errors

Exit codes: 0 fine, 1 a check failed, 2 not possible (one line on stderr says why), 130 Ctrl-C.
"""

# In the order of the help; each is a module of its own, with a `command`, or an `app` of several.
COMMANDS = (
    "run", "chat", "finetune", "pull", "merge", "export-lora", "info", "verify", "tune", "bench", "explain", "triton",
)  # fmt: skip


def make(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The app, or as much of it as one command needs: the others are not even loaded."""
    found = typer.Typer(
        cls=Commands,
        help=_HELP,
        rich_markup_mode=None,  # plain help: it reads the same in a narrow terminal, a pipe and a log
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    found.callback()(options)
    for name in names:
        module = import_module(f".{name.replace('-', '_')}", __package__)
        if hasattr(module, "app"):
            found.add_typer(module.app, name=name)
        else:
            found.command(name)(module.command)
    return found


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(" ".join(f"{name} {v}" for name, v in versions().items()))
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print versions and leave.")
    ] = False,
) -> None:
    pass
