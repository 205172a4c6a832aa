"""`wgpt bench serve`: a server, as its clients see it."""

from __future__ import annotations

import asyncio
import json as jsons
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from ..bench import serve, serve_report
from ..bench.curves import write_page
from ..bench.http_client import Connection, Target
from ..core.errors import WgptError
from ..plotting import chart_problem
from .bench_engine import numbers, rates_of, span_of
from .common import Json, print_json, require, stdout
from .options import ModelName
from .outputs import check_report, output_path
from .progress import progress_bar
from .texts import read_text

_START_SECONDS, _STOP_SECONDS = 600, 30


def command(
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A server that runs, such as http://127.0.0.1:8000. Default: start `wgpt serve` for the measurement.",
            show_default=False,
        ),
    ] = None,
    api_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", envvar="WGPT_API_KEY", help="The server's API key.", show_default=False),
    ] = None,
    model: ModelName = None,
    serve_options: Annotated[
        str,
        typer.Option(
            metavar="'OPTIONS'", help="Options of `wgpt serve` if it is started, such as '--cache-memory 2GiB'."
        ),
    ] = "",
    clients: Annotated[
        str, typer.Option(metavar="N,N,...", help="Numbers of clients that send one request after the other.")
    ] = ",".join(map(str, serve.CLIENTS)),
    rate: Annotated[
        str | None,
        typer.Option(
            metavar="R,R,...",
            help="Requests per second, on average, that come at random times; after the clients.",
            show_default=False,
        ),
    ] = None,
    requests: Annotated[int, typer.Option(min=1, max=10_000, metavar="N", help="Requests of each client.")] = 4,
    prompt: Annotated[
        str, typer.Option(metavar="N|N-N", help="Tokens of each prompt, or a range; random tokens.")
    ] = str(serve.PROMPT),
    new: Annotated[int, typer.Option(min=2, metavar="N", help="Tokens to generate.")] = serve.NEW,
    long: Annotated[int, typer.Option(min=0, metavar="N", help="Let prompts of N tokens arrive beside; 0: none.")] = 0,
    long_rate: Annotated[
        float, typer.Option(min=0.001, max=1000, metavar="R", help="How many of them, per second.")
    ] = 1.0,
    json_schema: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", exists=True, dir_okay=False, help="Ask for JSON by this schema.", show_default=False
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=output_path, help="Write a self-contained HTML page with charts.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Time a server: tokens per second, the time to the first token, and the time between the pieces of a stream.

    Works with any server that has OpenAI's /v1/completions and takes token ids; without --url it starts `wgpt serve`.
    `wgpt bench engine` measures the same without HTTP.

    \b
    Examples:
      wgpt bench serve
      wgpt bench serve --clients 1,8,64 --rate 2,8 --prompt 64-512 --html serve.html
      wgpt bench serve --clients 8 --long 2048                 prompts of 2,048 tokens arrive meanwhile
      wgpt bench serve --url http://127.0.0.1:8000 --api-key secret -m NAME
    """
    require("wgpt bench serve", "serve", "httptools")
    counts, rates, span = numbers(clients, "--clients") or [], rates_of(rate), span_of(prompt)
    assert span is not None
    schema = None
    if json_schema is not None:
        try:
            schema = jsons.loads(read_text(json_schema))
        except ValueError as e:
            raise WgptError(f"{json_schema} is not JSON: {e}") from None
    if html is not None:
        if problem := chart_problem():
            raise WgptError(f"--html {html}: {problem}")
        check_report(html, serve_report.PAGE_MARK)
    if url is not None and serve_options:
        raise typer.BadParameter("--serve-options are for a server that is started here, not for --url")
    plan = serve.Plan(span, new, requests, model if url is not None else None, schema, long, long_rate)
    started = _started(model, shlex.split(serve_options)) if url is None else _running(Target.of(url, api_key or ""))
    with started as target, progress_bar("measuring") as progress:
        bench = asyncio.run(serve.measure(target, plan, counts, rates, progress))
    if html is not None:
        write_page(html, serve_report.html(bench))
    print_json(bench.to_dict()) if json else serve_report.print_serve(bench, stdout())
    if html is not None:
        typer.echo(f"wrote {html}", err=True)


@contextmanager
def _running(target: Target) -> Iterator[Target]:
    yield target


@contextmanager
def _started(model: str | None, options: list[str]) -> Iterator[Target]:
    """Start a server on a free port, and stop it at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "wgpt", "serve", "--port", str(port), *options]
    command += [] if model is None else ["--model", model]
    environment = {name: value for name, value in os.environ.items() if name != "WGPT_API_KEY"}
    target = Target("127.0.0.1", port)
    with tempfile.TemporaryFile("w+") as log:  # a full pipe would block the server
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        try:
            _wait_until_ready(process, target, log)
            yield target
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], target: Target, log: IO[str]) -> None:
    async def is_ready() -> bool:
        connection = Connection(target)
        try:
            return (await connection.request("GET", "/health")).status == 200
        except WgptError:
            return False
        finally:
            connection.close()

    began = time.monotonic()
    while not asyncio.run(is_ready()):
        if process.poll() is not None:
            log.seek(0)
            lines = log.read().strip().splitlines()
            reason = lines[-1].removeprefix("wgpt: error: ") if lines else f"exit code {process.returncode}"
            raise WgptError(f"wgpt serve ended: {reason}")
        if time.monotonic() - began > _START_SECONDS:
            raise WgptError(f"wgpt serve was not ready within {_START_SECONDS} s")
        time.sleep(0.1)
