"""The `wgpt` command. One file per subcommand; `common.py` holds what they share."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from .app import app  # here, so that Ctrl-C while it loads is no traceback either

        app(prog_name="wgpt")
    except KeyboardInterrupt:
        sys.exit(130)
