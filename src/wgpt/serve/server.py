"""Runs the server: starts the processes, reports when they are ready, and stops them in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import uvicorn

from ..core.errors import WgptError
from ..core.naming import as_keywords
from .access_log import Log
from .app import Application
from .context import Server
from .metrics import Metrics
from .page_routes import page_routes
from .prompts import Prompts
from .replicas import AnyEngine, Replicas, engine_of
from .settings import Settings
from .silent import close_silent, give_memory_back, protocol, raise_file_limit, trim_memory

_SEND_BUFFER = 64 << 10  # bytes that the kernel buffers per client; with megabytes, a slow reader is noticed late
_KEEP_ALIVE_SECONDS = 75
_SWITCH_SECONDS = 0.001  # seconds after which a working thread lets the event loop run
_CLOSE_SECONDS = 2
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
log = logging.getLogger("wgpt.serve")


def serve(settings: Settings, prompts: Prompts, ready: Callable[[AnyEngine, str], None]) -> int:
    """Serve until a signal arrives; returns the exit code. `ready`: called with the address once requests are
    answered."""
    raise_file_limit()
    give_memory_back()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # each text is tokenized by one thread, not by all
    sys.setswitchinterval(_SWITCH_SECONDS)
    with bound(settings) as listener, _logging(settings) as access_log:
        loop_factory = None
        if find_spec("uvloop") is not None:
            import uvloop

            loop_factory = uvloop.new_event_loop
        # errors name request fields, not command-line options
        with as_keywords(), asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(_Running(settings, prompts, access_log, ready).run(listener))


@contextlib.contextmanager
def bound(settings: Settings) -> Iterator[socket.socket]:
    """Bind the socket first, before anything slow."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
            listener.bind(address)
        except OSError:
            listener.close()
            raise
    except OSError as e:
        way = "choose another with --port" if settings.port else "choose another with --host"
        raise WgptError(f"cannot listen on {settings.host}, port {settings.port}: {e.strerror or e}; {way}") from None
    with listener:
        yield listener


@contextlib.contextmanager
def _logging(settings: Settings) -> Iterator[Log]:
    """Send all logging through the thread that writes the log."""
    handler = Log(as_json=settings.log_json)
    loggers = [logging.getLogger(name) for name in ("wgpt.serve", "wgpt.processes", "uvicorn", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO if logger.name == "wgpt.serve" else logging.WARNING)
        logger.propagate = False
    try:
        yield handler
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()


class _Uvicorn(uvicorn.Server):
    """uvicorn's server without its own signal handlers."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Running:
    """The state of a running server."""

    def __init__(
        self, settings: Settings, prompts: Prompts, access_log: Log, ready: Callable[[AnyEngine, str], None]
    ) -> None:
        self._settings, self._prompts, self._log, self._ready = settings, prompts, access_log, ready

    async def run(self, listener: socket.socket) -> int:
        engine = self._engine = engine_of(self._settings)
        processes = engine.processes if isinstance(engine, Replicas) else [engine]
        metrics = Metrics([each.metrics for each in processes], lambda: engine.info.name)
        page = page_routes() if self._settings.page else []
        self._app = Application(Server(self._settings, engine, self._prompts, metrics), self._log, page)
        self._uvicorn = _Uvicorn(
            uvicorn.Config(
                self._app,
                http=protocol(),
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_CLOSE_SECONDS,
            )
        )
        self._signals = 0
        self._stop = asyncio.Event()
        self._listen_for_signals()
        serving = asyncio.create_task(self._uvicorn.serve(sockets=[listener]))
        watching = asyncio.create_task(self._until_stopped(listener))
        helpers = [asyncio.create_task(work) for work in (close_silent(self._uvicorn), trim_memory(), engine.watch())]
        try:
            await asyncio.wait([serving, watching], return_when=asyncio.FIRST_COMPLETED)
            self._uvicorn.should_exit = True
            await serving
        finally:
            for task in (*helpers, watching):
                task.cancel()
            await engine.stop()
        if engine.failed_to_start:
            raise WgptError(engine.failed_to_start)
        if watching.done() and not watching.cancelled():
            watching.result()
        return 0

    async def _until_stopped(self, listener: socket.socket) -> None:
        engine = self._engine
        await engine.start()
        await self._prompts.warm_up()
        told = False
        stopped = asyncio.create_task(self._stop.wait())
        while not self._stop.is_set() and not engine.failed_to_start:
            if engine.started and not told:
                told = True
                gc.collect()
                # the collector then skips long-lived objects: a full pass over them would stop everything for 0.1 s
                gc.freeze()
                self._ready(engine, address_of(listener, self._settings.host))
            engine.changed.clear()
            changed = asyncio.create_task(engine.changed.wait())
            await asyncio.wait([changed, stopped], return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
        if self._stop.is_set():
            await self._drain()

    async def _drain(self) -> None:
        """Let running requests finish."""
        self._app.draining = True
        seconds = self._settings.shutdown_seconds
        log.info("stopping: %d requests run, and have %g s to finish", self._app.active, seconds)
        deadline = asyncio.get_running_loop().time() + seconds
        while self._app.active and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.05)
        if self._app.active:
            log.warning("%d requests did not finish in time", self._app.active)
            self._engine.fail_all("the server is shutting down")
            await asyncio.sleep(0.2)  # time to send the last bytes

    def _listen_for_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            try:
                loop.add_signal_handler(number, self._signal, number)
            except NotImplementedError:  # on Windows
                signal.signal(number, lambda number, _: loop.call_soon_threadsafe(self._signal, number))

    def _signal(self, number: int) -> None:
        self._signals += 1
        if self._signals > 1:
            self._engine.kill()
            self._log.close()
            sys.stdout.flush()
            os._exit(128 + number)
        self._stop.set()


def address_of(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
