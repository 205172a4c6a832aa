"""The subcommands by name, with a one-line summary and the module to import when it is called."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_group

from .failures import Commands

# In the order of the help. Each is a module with a `command`, or with an `app` of several commands; the docstring there
# continues the help after this line.
COMMANDS = {
    "run": "Answer a prompt; the text is printed as it is generated.",
    "chat": "Chat with a model.",
    "serve": "Serve a model over HTTP: OpenAI's and Anthropic's APIs, and a chat page.",
    "batch": "Answer every prompt of a file; many are generated at once.",
    "embed": "Turn texts into vectors: for search, clustering or a classifier of your own.",
    "rerank": "Sort texts by how well they answer a query, the best first.",
    "finetune": "Fine-tune a model with LoRA or QLoRA, or train all weights with --full.",
    "pull": "Download a model, or check one that is already downloaded.",
    "cache": "Show or clear the cache of converted weights and lowered Triton kernels.",
    "merge": "Merge a LoRA adapter into its model.",
    "export-lora": "Write a LoRA adapter as a GGUF file that llama.cpp loads with --lora.",
    "quantize": "Write a model as a quantised GGUF file, which wgpt and llama.cpp load.",
    "imatrix": "Measure an importance matrix on a text, for `wgpt quantize --imatrix`.",
    "convert": "Convert a model between GGUF and Hugging Face's safetensors.",
    "compare": "Compare two models on a text: perplexity, KL divergence, how often their likeliest token is the same.",
    "export-web": "Write a model as a web page that runs it in the visitor's browser, on the visitor's GPU.",
    "info": "Show the GPUs, which one is used, and its limits and features; or what a model is and whether it runs.",
    "verify": "Check every kernel, and a tiny model of each family, against its contract on this GPU.",
    "tune": "Find the fastest variant of every kernel and save the choices.",
    "bench": "Measure everything, or only a model, many requests at once, a server, training, kernels, or dispatches.",
    "eval": "Measure how good a model's answers are, with tasks of lm-evaluation-harness.",
    "explain": "Show the dispatches of a computation: shape, cost and time of each.",
    "triton": "Compile Triton kernels ahead of time, or show the generated WGSL.",
    "completion": "Have bash, zsh, fish or PowerShell complete commands and options.",
    "help": "Show the help of a command, or the types that weights can have.",
}


class LazyCommands(Commands):
    """The group of all commands. A command is imported when it is looked up: help and completion only need the
    names."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _Imported()

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with self._summarised():
            super().format_commands(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        with self._summarised():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _summarised(self) -> Iterator[None]:
        """Within the block, commands only have a name and a summary."""
        commands = self.commands
        self.commands = {name: TyperCommand(name, help=summary) for name, summary in COMMANDS.items()}
        try:
            yield
        finally:
            self.commands = commands


class _Imported(Mapping[str, Any]):
    """The commands by name, each made from its module when it is first looked up."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _make(name, COMMANDS[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS


def import_command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f".{name.replace('-', '_')}", __package__)


def _make(name: str, summary: str) -> Any:
    module = import_command(name)
    from .webgpu import with_webgpu

    app = typer.Typer(rich_markup_mode=None)
    if hasattr(module, "app"):
        for command in module.app.registered_commands:
            command.callback = with_webgpu(command.callback)
        callback = module.app.registered_callback
        app.add_typer(module.app, name=name, help=_help(summary, callback and callback.callback))
    else:
        app.command(name, help=_help(summary, module.command))(with_webgpu(module.command))
    return get_group(app).commands[name]


def _help(summary: str, function: Any) -> str:
    more = inspect.getdoc(function) if function else None
    return f"{summary}\n\n{more}" if more else summary
