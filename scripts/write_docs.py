"""Write what the pages in docs/ take from other files of the repository: the code of the worked examples, and tables.

    python scripts/write_docs.py           # after a change of an example, of core/environment.py or core/generation.py
    python scripts/write_docs.py --check   # name the pages that are out of date, write nothing

A page marks the place; what stands between the two comments is replaced:

    <!-- include: examples/add_a_kernel/row_scale.py -->

    <!-- end -->
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LANGUAGES = {".py": "python", ".wgsl": "wgsl", ".yaml": "yaml"}
_MARKED = re.compile(r"^<!-- include: (.+?) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


def environment_table() -> str:
    table: Callable[[], str] = runpy.run_path(str(ROOT / "scripts" / "docs_pages.py"))["environment_table"]
    return table()


def options_table() -> str:
    table: Callable[[], str] = runpy.run_path(str(ROOT / "scripts" / "write_options.py"))["table"]
    return table()


TABLES = {"environment variables": environment_table, "options of generation": options_table}


def included(source: str) -> str:
    """What belongs between the comments: a table by its name, or a file of the repository as a block of code."""
    if source in TABLES:
        return TABLES[source]()
    path = ROOT / source
    return f"```{LANGUAGES[path.suffix]}\n{path.read_text().rstrip()}\n```"


def current(text: str) -> str:
    """A page with everything that it includes as it is now."""
    return _MARKED.sub(lambda m: f"<!-- include: {m[1]} -->\n\n{included(m[1])}\n\n<!-- end -->", text)


def outdated() -> dict[Path, str]:
    """The pages that differ from what they include, with the text that they should have."""
    texts = {path: current(path.read_text()) for path in sorted(DOCS.rglob("*.md"))}
    return {path: text for path, text in texts.items() if text != path.read_text()}


def main() -> None:
    pages = outdated()
    for path, text in pages.items():
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.write_text(text)
    sys.exit(bool(pages) and "--check" in sys.argv)


if __name__ == "__main__":
    main()
