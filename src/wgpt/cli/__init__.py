"""The `wgpt` command. One file per subcommand; `common.py` holds what they share."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a character shows another in its place
            stream.reconfigure(errors="replace")
    try:
        from .app import COMMANDS, make  # here, so that Ctrl-C while it loads is no traceback either

        asked = sys.argv[1:2]
        app = make(asked) if asked and asked[0] in COMMANDS else make()
        app(prog_name="wgpt")
    except KeyboardInterrupt:
        sys.exit(130)
