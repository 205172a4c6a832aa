"""The typer app: help, and the list of subcommands."""

from __future__ import annotations

from typing import Annotated

import typer

from ..gpu.versions import versions
from . import bench, chat, explain, export_lora, finetune, info, merge, pull, run, triton, tune, verify
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
  WGPT_TRITON_LOCKS=1        compile Triton kernels that wait for other programs
  WGPT_ALLOW_FAULTY=1        use a driver although it computes wrong numbers
  WGPT_DEBUG=1               tracebacks instead of one-line errors

Exit codes: 0 fine, 1 a check failed, 2 not possible (one line on stderr says why), 130 Ctrl-C.
"""

app = typer.Typer(
    cls=Commands,
    help=_HELP,
    rich_markup_mode=None,  # plain help: it reads the same in a narrow terminal, a pipe and a log
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.command)
app.command("chat")(chat.command)
app.command("finetune")(finetune.command)
app.command("pull")(pull.command)
app.command("merge")(merge.command)
app.command("export-lora")(export_lora.command)
app.command("info")(info.command)
app.command("verify")(verify.command)
app.command("tune")(tune.command)
app.add_typer(bench.app, name="bench")
app.command("explain")(explain.command)
app.add_typer(triton.app, name="triton", help="Triton kernels: compile them ahead of time, see what they become.")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(" ".join(f"{name} {v}" for name, v in versions().items()))
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print versions and leave.")
    ] = False,
) -> None:
    pass
