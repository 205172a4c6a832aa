"""Writes what the JavaScript takes from the table of options (wgpt.core.generation): two files, and the types of the
runtime. Run it after a change of the table, and write_docs.py, which writes the documentation's; tests compare.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from wgpt.core.generation import OPTIONS, WORDS, Option

ROOT = Path(__file__).parents[1]
RUNTIME = "src/wgpt/web/runtime/options.js"
TYPES = "src/wgpt/web/runtime/index.d.ts"
FIELDS = "src/wgpt/serve/page/data/fields.js"
_NOTE = "derived from wgpt/core/generation.py by scripts/write_options.py"


def derived() -> dict[str, str]:
    """The contents of every file that the table decides, by its path in the repository."""
    return {
        RUNTIME: _runtime(),
        FIELDS: _fields(),
        TYPES: _between(TYPES, f"  // {_NOTE}\n", "  // end\n", _types()),
    }


def camel(name: str) -> str:
    """An option's name in JavaScript.

    >>> camel("max_tokens")
    'maxTokens'
    """
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def _in_browser() -> list[Option]:
    return [entry for entry in OPTIONS.values() if entry.browser]


def _runtime() -> str:
    lines = [f"  {camel(entry.name)}: {_object(_facts(entry))}," for entry in _in_browser()]
    comment = "// The options of a generation: bounds, and the word of a sequence's record that holds them"
    return "\n".join(
        [f"// {_NOTE[0].upper()}{_NOTE[1:]}.", comment + ".", "export const OPTIONS = {", *lines, "};", ""]
    )


def _facts(entry: Option) -> dict[str, Any]:
    facts: dict[str, Any] = {} if entry.default is None else {"default": entry.default}
    if entry.bounds is not None and entry.gpu != "u64":  # a BigInt there: the runtime checks it itself
        bounds = vars(entry.bounds)
        kept = {name: bounds[name] for name in ("most", "above", "below") if bounds[name]}
        whole = {} if entry.bounds.text else {"whole": True}
        facts["bounds"] = {"least": entry.bounds.least, **kept, **whole, "allowed": entry.bounds.allowed}
    if entry.gpu is not None:
        facts |= {"type": entry.gpu, "word": WORDS[entry.name]}
    return facts


def _object(facts: dict[str, Any]) -> str:
    """An object of JavaScript as a person writes it, on one line."""
    if not facts:
        return "{}"
    return "{ " + ", ".join(f"{name}: {_literal(value)}" for name, value in facts.items()) + " }"


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return _object(value)
    return json.dumps(int(value) if isinstance(value, float) and value == int(value) < 2**53 else value)


def _fields() -> str:
    lines = []
    for entry in OPTIONS.values():
        if entry.page is not None:
            page = entry.page
            facts = {"name": entry.name, "label": page.label, "min": page.least, "max": page.most, "step": page.step}
            lines.append(f"  {_object(facts | {'hint': page.hint})},")
    return "\n".join([f"// {_NOTE[0].upper()}{_NOTE[1:]}.", "export const FIELDS = [", *lines, "];", ""])


_TYPES = {"seed": "number | bigint", "stop": "string | string[]", "ignore_eos": "boolean"}


def _types() -> str:
    lines = [
        f"  /** {entry.help} */\n  {camel(entry.name)}?: {_TYPES.get(entry.name, 'number')};" for entry in _in_browser()
    ]
    return "\n".join(lines) + "\n"


def table() -> str:
    """The table of the documentation: what an option does, its values, and who offers it."""
    rows = ["| option | | values | default | command line | in the browser |", "| --- | --- | --- | --- | --- | --- |"]
    for entry in OPTIONS.values():
        values = "" if entry.bounds is None else entry.bounds.allowed
        flag = f"`--{entry.name.replace('_', '-')}`" if entry.cli else ""
        browser = f"`{camel(entry.name)}`" if entry.browser else ""
        default = "" if entry.default in (None, ()) else f"`{_literal(entry.default)}`"
        cells = (f"`{entry.name}`", entry.help, values, default, flag, browser)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _between(path: str, begin: str, end: str, text: str) -> str:
    """A file with the part between two lines replaced."""
    before, found, rest = (ROOT / path).read_text().partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{path} needs the lines {begin!r} and {end!r}")
    return before + begin + text + end + after


if __name__ == "__main__":
    for path, text in derived().items():
        (ROOT / path).write_text(text)
