"""`wgpt info MODEL`: what a model's files are, whether they run, and how much memory they take."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..core.sizes import readable_bytes
from ..table import Column, show

_FORMATS = {"gguf": "GGUF", "hf": "Hugging Face (safetensors)", "unknown": "not a known format"}


def print_model(facts: dict[str, Any], console: Console) -> None:
    details = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    details.add_column(style="bold", no_wrap=True)
    details.add_column(overflow="fold")
    for label, text in _lines(facts).items():
        details.add_row(label, text if isinstance(text, Text) else Text(text))
    console.print(details)
    if facts["types"]:
        console.print()
        columns = [Column("type", words=True), Column("tensors"), Column("parameters"), Column("bytes")]
        rows = [
            (name, str(each["tensors"]), f"{each['parameters']:,}", readable_bytes(each["bytes"]))
            for name, each in facts["types"].items()
        ]
        show(console, columns, rows)


def _lines(facts: dict[str, Any]) -> dict[str, str | Text]:
    lines: dict[str, str | Text] = {"Path": facts["path"]}
    files = f"{facts['files']} files, " if facts["files"] > 1 else ""
    lines["Format"] = f"{_FORMATS[facts['format']]}, {files}{readable_bytes(facts['bytes'])}"
    if facts["name"]:
        lines["Name"] = facts["name"]
    if facts["architecture"]:
        supported = "" if facts["family"] else " (unsupported)"
        lines["Architecture"] = f"{facts['architecture']}{supported}"
    if facts["parameters"]:
        lines["Parameters"] = f"{facts['parameters']:,}"
    if facts["sizes"]:
        lines["Sizes"] = ", ".join(f"{name.replace('_', ' ')} {value:,}" for name, value in facts["sizes"].items())
    chat = ", with a chat template" if facts["chat_template"] else ", without a chat template"
    lines["Tokenizer"] = f"{facts['tokenizer']}{chat}" if facts["tokenizer"] else "none"
    memory = facts["memory"]
    if "kv_cache" in memory:
        weights, cache, position = (
            readable_bytes(memory[key]) for key in ("weights", "kv_cache", "kv_cache_per_token")
        )
        total, tokens = readable_bytes(memory["weights"] + memory["kv_cache"]), f"{facts['sizes'].get('context', 0):,}"
        lines["Memory"] = f"{weights} of weights, {cache} of KV cache for {tokens} tokens ({position} each): {total}"
        if "states_per_sequence" in memory:
            lines["Memory"] += f", and {readable_bytes(memory['states_per_sequence'])} of states for each sequence"
    elif memory:
        lines["Memory"] = f"{readable_bytes(memory['weights'])} of weights, as they are in the file"
    lines["Runs"] = (
        Text("yes", style="green") if facts["runs"] else Text("no: " + "\n".join(facts["problems"]), "bold red")
    )
    return lines
