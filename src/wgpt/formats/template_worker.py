"""The process that renders chat templates: `template_process` starts it and may kill it at any time.

It is run as a script, so that it does not import the package: a start takes a tenth of a second, not one and a half.
Requests and replies are JSON behind a length of eight bytes. A reply has the number of its request, and {"text": ...}
or {"fault": ..., "message": ...} with one of the faults below. The first, number 0, says that the process is ready.
"""

from __future__ import annotations

import importlib.util
import json
import signal
import struct
import sys
from pathlib import Path
from types import ModuleType
from typing import IO, Any

SYNTAX, LIMIT, DEPTH, MEMORY, OTHER = "syntax", "limit", "depth", "memory", "other"
LENGTH = struct.Struct("<Q")
MAX_BYTES = 512 << 20  # bytes of address space, including about 60 MiB of Python's own
MAX_CPU_SECONDS = 2  # CPU seconds per template


def read_message(file: IO[bytes], most: int) -> Any:
    """The next message; None at the end of the file. Raises ValueError if it is longer than `most` bytes."""
    head = file.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > most:
        raise ValueError(f"a message of {length} bytes")
    body = file.read(length)
    return json.loads(body) if len(body) == length else None


def encoded(message: Any) -> bytes:
    body = json.dumps(message).encode()  # ASCII, so that half a surrogate pair can be sent
    return LENGTH.pack(len(body)) + body


def write_message(file: IO[bytes], message: bytes) -> None:
    file.write(message)
    file.flush()


def reply_to(sandbox: ModuleType, request: dict[str, Any]) -> dict[str, str]:
    from jinja2 import TemplateSyntaxError

    try:
        return {"text": sandbox.render(sandbox.compiled(request["template"]), request["variables"])}
    except TemplateSyntaxError as e:
        return {"fault": SYNTAX, "message": f"line {e.lineno}: {e.message or 'unknown syntax'}"}
    except sandbox.TemplateLimitError as e:
        return {"fault": LIMIT, "message": str(e)}
    except RecursionError:
        return {"fault": DEPTH, "message": ""}
    except MemoryError:
        return {"fault": MEMORY, "message": ""}
    except Exception as e:
        return {"fault": OTHER, "message": (str(e) or type(e).__name__)[:4000]}


def _encoded_reply(reply: dict[str, Any]) -> bytes:
    try:
        return encoded(reply)
    except MemoryError:
        return encoded({"number": reply["number"], "fault": MEMORY, "message": ""})


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent's clock and the sandbox's counters remain
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time() -> None:
    """Limit the CPU seconds of one template, counted from now."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    granted = int(used.ru_utime + used.ru_stime) + 1 + MAX_CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (granted if hard < 0 else min(granted, hard), hard))


def main() -> None:
    # terminals send Ctrl-C to every process: the parent decides when this one ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path += sys.argv[1:]  # the folder where the parent found Jinja
    spec = importlib.util.spec_from_file_location("sandbox", Path(__file__).with_name("sandbox.py"))
    assert spec and spec.loader
    sandbox = importlib.util.module_from_spec(spec)
    sys.modules["sandbox"] = sandbox
    spec.loader.exec_module(sandbox)
    limit_memory()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    write_message(replies, encoded({"number": 0, "text": ""}))
    while (request := read_message(requests, MAX_BYTES)) is not None:
        limit_time()
        write_message(replies, _encoded_reply({"number": request["number"], **reply_to(sandbox, request)}))


if __name__ == "__main__":
    main()
