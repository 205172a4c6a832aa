"""Renders chat templates in a separate process, with limits on its time and memory.

A template comes with a model, from anywhere, and is a program. Jinja's sandbox keeps it from reaching Python; it does
not keep it from squaring a number a hundred times. The process is started for the first chat, answers every later one,
and ends with this one.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import jinja2

from . import template_worker
from .template_worker import MAX_BYTES, MAX_CPU_SECONDS, encoded, read_message, write_message

MAX_SECONDS = 8.0  # wall-clock seconds; longer than MAX_CPU_SECONDS, because the machine may be busy
START_SECONDS = 60.0
_END_SECONDS = 1.0  # seconds until a process that has closed its output must have ended
_SIGKILL = 9
_MAX_REPLY = 256 << 20  # bytes: sandbox.MAX_TEXT characters of at most twelve bytes
_lock = threading.Lock()
_worker: _Worker | None = None


class TemplateFault(Exception):
    """A template that was not rendered: one of template_worker's faults, and its message."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault, self.message = fault, message


class _Killed(TemplateFault):
    """The process was killed by something else than this class."""


class _Worker:
    def __init__(self) -> None:
        # -I: no module can be replaced through the environment or the current folder
        command = [sys.executable, "-I", str(Path(template_worker.__file__)), str(Path(jinja2.__file__).parents[1])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
        )
        self.requests = 0
        self.deadline, self.expired, self.ended = math.inf, False, threading.Event()
        threading.Thread(target=self._watch, name="wgpt-template-watch", daemon=True).start()
        self._reply(b"", START_SECONDS)  # starting does not count towards the template's time

    def _watch(self) -> None:
        """One thread that enforces time limits: a timer per request would take five times as long as the request."""
        while not self.ended.wait(0.25):
            if time.monotonic() > self.deadline:
                self.expired = True
                self.process.kill()
                return

    def ask(self, template: str, variables: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        request = encoded({"number": self.requests, "template": template, "variables": variables})
        return self._reply(request, MAX_SECONDS)

    def _reply(self, request: bytes, seconds: float) -> dict[str, Any]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin and stdout
        self.deadline = time.monotonic() + seconds
        try:
            write_message(stdin, request)
            reply = read_message(stdout, _MAX_REPLY)
            ended = reply is None
        except OSError:  # the process ended during the write
            reply, ended = None, True
        except ValueError:  # the reply is too long
            reply, ended = None, False
        self.deadline = math.inf
        # another version: the package was replaced while this ran
        if reply is None or reply.get("number") != self.requests:
            if ended and not self.expired:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    ended = self.process.wait(_END_SECONDS) == -_SIGKILL
            self.end()
            raise (_Killed if ended and not self.expired else TemplateFault)(template_worker.LIMIT, self._why(seconds))
        return dict(reply)

    def _why(self, seconds: float) -> str:
        if self.expired:
            return f"it takes more than {seconds:g} seconds"
        if self.process.returncode == -24:  # SIGXCPU, which Windows does not have
            return f"it takes more than {MAX_CPU_SECONDS} seconds of processor time"
        return f"its process ended with code {self.process.returncode}"

    def end(self) -> None:
        self.ended.set()
        self.process.kill()
        self.process.communicate()


def render_template(template: str, variables: dict[str, Any]) -> str:
    """The rendered text. Raises TemplateFault. `variables` are plain data."""
    with _lock:
        try:
            try:
                reply = _running().ask(template, variables)
            except _Killed:  # retry once: a template that is itself the cause kills it again
                reply = _running().ask(template, variables)
        except ValueError as e:  # a number with thousands of digits cannot be serialised
            raise TemplateFault(template_worker.OTHER, str(e)) from None
        if reply.get("fault") == template_worker.MEMORY:
            _end()  # frees all its memory
    if "text" in reply:
        return str(reply["text"])
    fault, message = reply["fault"], reply["message"]
    if fault == template_worker.MEMORY:
        fault, message = template_worker.LIMIT, f"it takes more than {MAX_BYTES >> 20} MiB"
    raise TemplateFault(fault, message)


def _running() -> _Worker:
    global _worker
    if _worker is not None and _worker.process.poll() is not None:
        _end()  # somebody killed it between two requests
    if _worker is None:
        try:
            _worker = _Worker()
        except OSError as e:
            raise TemplateFault(template_worker.OTHER, f"the process that renders it failed to start: {e}") from None
    return _worker


def _end() -> None:
    global _worker
    if _worker is not None:
        _worker.end()
    _worker = None


def _forget() -> None:
    """In a forked child, forget the process and the lock: they are the parent's."""
    global _worker, _lock
    _worker, _lock = None, threading.Lock()


atexit.register(_end)
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget)
