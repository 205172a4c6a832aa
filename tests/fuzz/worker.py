"""Runs cases one after the other, in a process that `runner` watches: one JSON object a line, in and out."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from wgpt.core.errors import WgptError

from .cases import ACCEPTED, REFUSED, make_case

MAX_MESSAGE = 1500


def outcome_of(name: str, seed: int, index: int, folder: Path) -> dict[str, Any]:
    case = make_case(name, seed, index, folder)
    reply: dict[str, Any] = {"description": case.description, "expect": case.expect, "message": ""}
    start = time.perf_counter()
    try:
        case.run()
        reply["outcome"] = ACCEPTED
    except WgptError as e:
        reply |= {"outcome": REFUSED, "message": str(e)}
        if "\n" in str(e) or len(str(e)) > MAX_MESSAGE:
            reply["outcome"] = "a message of several lines, or without end"
    except BaseException:  # a Rust panic is not an Exception
        reply |= {"outcome": "traceback", "message": traceback.format_exc()[-3000:]}
    reply["seconds"] = time.perf_counter() - start
    return reply


def forget_peak() -> None:
    """Reset the peak memory that Linux records for this process."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def main() -> None:
    # Output of a case (panics, warnings) must not mix with the replies.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(prefix="wgpt-fuzz-") as folder:
        print(json.dumps("ready"), file=replies, flush=True)
        for line in sys.stdin:
            forget_peak()
            print(json.dumps(outcome_of(*json.loads(line), Path(folder))), file=replies, flush=True)


if __name__ == "__main__":
    main()
