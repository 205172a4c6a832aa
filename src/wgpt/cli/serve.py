"""`wgpt serve`: an HTTP server with OpenAI's and Anthropic's APIs."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import WgptError
from ..engine.check_guesses import SPECULATIONS
from ..engine.engine import MAX_BATCH
from ..formats.sources import DEFAULT, resolve
from ..web.serving import site_server
from .common import check_one_gpu, require
from .failures import complain
from .groups import grouped
from .loras import name_and_folder
from .options import ChatBaseOptions, Draft, one_of
from .progress import byte_bar, progress_bar
from .replica_gpus import replica_gpus
from .styles import styled
from .texts import read_text

if TYPE_CHECKING:
    from ..serve.replicas import AnyEngine
    from ..serve.settings import Settings


@grouped
def command(
    invocation: typer.Context,
    model: ChatBaseOptions = ChatBaseOptions(),
    lora: Annotated[
        list[str] | None,
        typer.Option(
            "--lora",
            "-l",
            metavar="[NAME=]DIR",
            help="LoRA adapter; may be repeated. Requests choose it with its NAME (default: the folder's name) as "
            '"model".',
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help='Name of the model, as requests\' "model" has it.', show_default=False),
    ] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help='Another name for the model, for clients whose "model" cannot be set; may be repeated.',
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 is reachable from other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="Port to listen on; 0: any.")] = 8000,
    api_key: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="Require this key of every request; may be repeated. Other users of this machine can see it: "
            "--api-key-file or WGPT_API_KEY keep it private.",
            show_default=False,
        ),
    ] = None,
    api_key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with a key on each line.", show_default=False),
    ] = None,
    share_cache: Annotated[
        bool,
        typer.Option(
            "--share-cache",
            help="Let API keys share what is cached of their prompts. Where there are several, each has its own by "
            "default, so that nobody can find out what others have asked.",
        ),
    ] = False,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Let pages of this origin, such as https://chat.example.com, use the server from a browser; may be "
            "repeated. *: all pages.",
            show_default=False,
        ),
    ] = None,
    max_batch: Annotated[
        int, typer.Option(min=1, max=MAX_BATCH, metavar="N", help="Sequences to generate at once.")
    ] = MAX_BATCH,
    max_queue: Annotated[
        int, typer.Option(min=1, metavar="N", help="Sequences that may wait beside them; more get a 429.")
    ] = 4 * MAX_BATCH,
    draft: Draft = None,
    speculation: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SPECULATIONS),
            callback=one_of(*SPECULATIONS),
            help="Guess tokens and check several in one step: faster where texts repeat themselves.",
            show_default=False,
        ),
    ] = None,
    deterministic: Annotated[
        bool,
        typer.Option("--deterministic", help="The same answer to a request whatever else runs; this is slower."),
    ] = False,
    admin: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            file_okay=False,
            exists=True,
            help="Let requests load and unload the LoRA adapters in DIR (/v1/load_lora_adapter).",
            show_default=False,
        ),
    ] = None,
    shutdown_timeout: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="Time for running requests to finish after Ctrl-C or SIGTERM."),
    ] = 30.0,
    step_timeout: Annotated[
        float,
        typer.Option(
            min=1,
            metavar="SECONDS",
            help="Time after which an unfinished step of the engine makes /health fail; after twice that, the engine "
            "is started again. It is five times as long while kernels are compiled, and at least five times the "
            "longest step so far.",
        ),
    ] = 60.0,
    stream_timeout: Annotated[
        float,
        typer.Option(
            min=1,
            metavar="SECONDS",
            help="Time for which a client may read nothing of its stream before it is dropped.",
        ),
    ] = 60.0,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log JSON, an object a line.")] = False,
    warm_up: Annotated[
        bool, typer.Option("--warm-up/--no-warm-up", help="Compile common kernels before taking requests.")
    ] = True,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Serve the chat page at /.")] = True,
    replicas: Annotated[
        bool,
        typer.Option(
            "--replicas",
            help="Run a whole model on each GPU of --gpu, such as --gpu 0,1, in a process of its own. A conversation "
            "stays on one GPU. --max-batch, --max-queue and --cache-memory are for each.",
        ),
    ] = False,
    web: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Serve a folder of `wgpt export-web` and nothing else: the model runs in the browser. Of the other "
            "options, only --host, --port and --json apply.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool,
        typer.Option("--json", help="When it is ready, print a line of JSON with its address on stdout, and no text."),
    ] = False,
) -> None:
    """Requests of all clients are generated together. The server listens on this machine only, unless --host says
    otherwise; give it a key then. A line is logged for each request on stderr; /metrics has Prometheus metrics, and
    /health says whether it works. Ctrl-C (or SIGTERM) lets running requests finish; a second one ends them.

    \b
    Examples:
      wgpt serve                                         the default model on http://127.0.0.1:8000
      wgpt serve -m ./Qwen2.5-0.5B-Instruct -p 9000
      wgpt serve --lora pirate=pirate-lora               "model": "pirate" in a request uses it
      wgpt serve -m ./Qwen2.5-32B-Instruct --gpu 0,1     a model that is larger than one GPU
      wgpt serve --gpu 0,1 --replicas                    a model on each of two GPUs
      wgpt serve --web site                              a page of `wgpt export-web`
      wgpt serve --host 0.0.0.0 --api-key-file keys.txt  for other machines
      curl http://127.0.0.1:8000/v1/chat/completions -H "Content-Type: application/json" \\
        -d '{"messages": [{"role": "user", "content": "Hello"}]}'
      python -c 'import openai; print(openai.OpenAI(base_url="http://127.0.0.1:8000/v1", api_key="-").models.list())'
    """
    if web is not None:
        _serve_site(invocation, web, host, port, json)
        return
    require("wgpt serve", "serve", "starlette", "uvicorn", "httptools", "msgspec", "prometheus_client")
    from ..serve.prompts import Prompts
    from ..serve.server import serve
    from ..serve.settings import Limits, Settings

    if (draft or speculation) and deterministic:
        guesses = "--draft" if draft else "--speculation"
        raise WgptError(f"{guesses} and --deterministic exclude each other: guesses change how sums are rounded")
    if draft and speculation:
        raise WgptError("--draft and --speculation exclude each other: both guess the next tokens")
    gpus = replica_gpus(model.gpu, replicas)
    adapters = _adapters(lora or [])
    if not replicas:
        check_one_gpu(model.gpu, draft=draft, speculation=speculation)
        check_one_gpu(model.gpu, kernels=model.kernels != "wgsl", resident=model.resident not in ("auto", "all"))
    model = model.with_base(adapters.values())
    keys = _keys(api_key or [], api_key_file)
    if share_cache and len(keys) < 2:
        raise WgptError("--share-cache needs several keys (--api-key, --api-key-file): without, all share the cache")
    with byte_bar("downloading") as progress:
        path = resolve(model.model, progress)
        draft_path = None if draft is None else resolve(draft, progress)
    served = name or _short(model.model or DEFAULT)
    if served in adapters:
        raise WgptError(f"--lora {served}: the model has the same name: give the adapter another NAME=")
    for other in alias or ():
        if other in adapters:
            raise WgptError(f"--alias {other}: a LoRA adapter has the same name: choose another")
    settings = Settings(
        path,
        served,
        aliases=tuple({_short(path), path.name, model.model or DEFAULT, *(alias or ())} - {served, *adapters}),
        load={"gpu": model.gpu, **model.loading(), "draft": draft_path},
        engine={"cache_bytes": model.cache_bytes, "speculation": speculation, "deterministic": deterministic},
        loras=adapters,
        replicas=gpus,
        host=host,
        port=port,
        api_keys=keys,
        share_cache=share_cache,
        cors_origins=tuple(cors_origin or ()),
        admin=admin,
        max_batch=max_batch,
        max_queue=max_queue,
        shutdown_seconds=shutdown_timeout,
        step_seconds=step_timeout,
        limits=Limits(stream_seconds=stream_timeout),
        log_json=log_json,
        warm_up=warm_up,
        page=page,
    )
    if not settings.is_local and not keys:
        complain(
            f"{host} can be reached from other machines, and there is no key: everybody there can use this server "
            "(set one with --api-key-file or WGPT_API_KEY)",
            "wgpt: warning:",
        )
    prompts = Prompts.load(path, model.context, model.tokenizer, allow_control_tokens=model.allow_control_tokens)
    typer.echo(styled(f"loading {served} ...", dim=True), err=True)
    with contextlib.ExitStack() as loading:
        loading.enter_context(progress_bar("loading"))

        def announce(engine: AnyEngine, address: str) -> None:
            loading.close()
            if json:
                _print_line(_facts(engine, address))
            else:
                _announce(engine, address, settings)

        raise typer.Exit(serve(settings, prompts, announce))


def _serve_site(context: typer.Context, folder: Path, host: str, port: int, json: bool) -> None:
    """Serve an exported site until Ctrl-C."""
    given = [p.name for p in context.command.params if p.name and _is_given(context, p.name)]
    other = next((name for name in given if name not in ("web", "host", "port", "json")), None)
    if other is not None:
        raise WgptError(f"--web and --{other.replace('_', '-')} exclude each other: the model runs in the browser")
    with site_server(folder, host, port) as server:
        address = f"http://{host}:{server.server_address[1]}"
        if json:
            _print_line({"address": address, "web": str(folder)})
        else:
            typer.echo(f"serving {folder} at {address}\nCtrl-C stops it")
        server.serve_forever()


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _short(name: str | Path) -> str:
    path = Path(name)
    return (path.stem if path.suffix == ".gguf" else path.name) or str(name)


def _adapters(options: Sequence[str]) -> dict[str, Path]:
    """The folders of LoRA adapters, by name."""
    adapters: dict[str, Path] = {}
    for option in options:
        name, folder = name_and_folder(option)
        if name is None:
            name = Path(folder).resolve().name
        if not name:
            raise typer.BadParameter(f"--lora {option}: write NAME=DIR, with a name")
        if name in adapters:
            raise typer.BadParameter(f"--lora {option}: two LoRA adapters are named {name!r}: give each another NAME=")
        adapters[name] = Path(folder)
    return adapters


def _keys(options: Sequence[str], file: Path | None) -> tuple[str, ...]:
    """All API keys, checked; error messages do not show them."""
    lines = read_text(file).splitlines() if file is not None else []
    from_file = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if file is not None and not from_file:
        raise WgptError(f"--api-key-file {file} has no key")
    keys = [*options, *from_file, *filter(None, [os.environ.get("WGPT_API_KEY")])]
    for key in keys:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise WgptError("an API key must be of printable ASCII characters, without spaces, and not be empty")
    return tuple(dict.fromkeys(keys))


def _facts(engine: AnyEngine, address: str) -> dict[str, Any]:
    info = engine.info
    return {
        "address": address,
        "model": info.name,
        "loras": list(info.loras),
        "gpu": info.gpu,
        "memory": info.memory,
        "context": info.context,
    }


def _print_line(data: dict[str, Any]) -> None:
    """Print a line and flush, because a program may wait for it."""
    with contextlib.suppress(OSError):  # nobody reads stdout
        typer.echo(dumps(data))
        sys.stdout.flush()


def _announce(engine: AnyEngine, address: str, settings: Settings) -> None:
    """Print the server's address and how to use it."""
    info = engine.info
    models = ", ".join([info.name, *info.loras])
    key = ' -H "Authorization: Bearer $WGPT_API_KEY"' if settings.api_keys else ""
    path, data = "/v1/chat/completions", '{"messages": [{"role": "user", "content": "Hello"}]}'
    if info.encoder:
        path, data = "/v1/embeddings", '{"input": "Hello"}'
    if info.reranks:
        path, data = "/v1/rerank", '{"query": "Hello", "documents": ["Good morning"]}'
    lines = [
        f"serving {models} at {address}",
        f"{info.gpu}; {info.memory}; context {info.context:,} tokens",
        "try it:",
        f"  curl {address}{path}{key} -H \"Content-Type: application/json\" -d '{data}'",
        *([f"  or open {address} in a browser"] if settings.page and not info.encoder else []),
        "Ctrl-C stops it",
    ]
    with contextlib.suppress(OSError):  # nobody reads stdout
        typer.echo("\n".join(lines))
