"""The `wgpt` command. One file per subcommand; `common.py` holds what they share."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading

from . import streams

_INTERRUPTED = 130
_RETRY_SECONDS = 0.01


def main() -> None:
    """Run the command line."""
    installed = _exit_on_ctrl_c()
    sys.unraisablehook = _repeat_lost_ctrl_c
    streams.prepare()
    from .app import make
    from .commands import COMMANDS, import_command

    app = make()
    for name in sys.argv[1:2]:
        if name in COMMANDS:
            import_command(name)  # until then, Ctrl-C ends the process at once
    try:
        if installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        app(prog_name="wgpt")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    finally:
        _exit_on_ctrl_c()


def _repeat_lost_ctrl_c(failure: sys.UnraisableHookArgs) -> None:
    """Raise Ctrl-C again after the destructor that it interrupted: Python would only print and ignore it."""
    if issubclass(failure.exc_type, KeyboardInterrupt):
        retry = threading.Timer(_RETRY_SECONDS, _thread.interrupt_main)  # raised right here, it would be lost too
        retry.daemon = True
        retry.start()
    else:
        sys.__unraisablehook__(failure)


def _exit_on_ctrl_c() -> bool:
    """Make Ctrl-C end the process at once, and return whether that was done.

    During start-up and shutdown there is nothing to lose, and a KeyboardInterrupt in an import or in the interpreter's
    last steps would print a traceback. Where Ctrl-C is ignored, it stays ignored.
    """
    installed = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if installed:
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    return installed
