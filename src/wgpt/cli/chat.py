"""`wgpt chat`: a conversation in the terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..api import Model
from ..formats.chat import ChatError
from ..gpu import PreconditionError, WgptError
from ..infer.session import ContextError
from .common import REFUSED
from .conversation import Conversation
from .groups import grouped
from .options import ModelOptions, SamplingOptions
from .streaming import INTERRUPTED, silent, statistics, write

_HELP = """\
/reset        begin anew
/system TEXT  instructions that come first; without TEXT, none
/lora DIR     go on with this LoRA adapter; /lora off without one, /lora says which
/save FILE    write the messages as JSON
/stats        how fast the last answer was
/exit         leave, as Ctrl-D does
A line that ends in \\ goes on in the next one. Ctrl-C stops an answer."""


@grouped
def command(
    model: ModelOptions = ModelOptions(),
    sampling: SamplingOptions = SamplingOptions(),
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Instructions that come first.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON per answer on stdout, nothing else.")] = False,
) -> None:
    """Talk with a model.

    It remembers the conversation, and reads only what is new at each turn. /help lists the commands. Ctrl-C
    stops an answer; at the prompt, it or Ctrl-D leaves. From a pipe, each line is a turn.

    \b
    Examples:
      wgpt chat
      wgpt chat -m ./Qwen2.5-0.5B-Instruct -t 0.7 --system "You are a pirate."
      wgpt chat --context 2048 --overflow slide
      wgpt chat --lora out
      printf 'My name is Ada.\\nWhat is my name?\\n' | wgpt chat
    """
    options = sampling.keywords()
    with model.loaded() as loaded:
        if loaded.classes:
            raise WgptError(f"the adapter {loaded.adapter!r} classifies texts and does not chat: use wgpt run --lora")
        conversation = Conversation(loaded, options, system)
        loaded.chat_ids([*conversation.all(), {"role": "user", "content": "Hello"}])  # no template is said at once
        with_lora = f" with {loaded.adapter}" if loaded.adapter else ""
        _tell(
            f"{loaded.name}{with_lora} on {loaded.device.info.name}. /help lists the commands, Ctrl-D leaves.",
            person=True,
        )
        failed = False
        for line in _lines():
            if line.startswith("/"):
                if not _obey(conversation, line):
                    break
            elif line.strip():
                failed |= not _answer(conversation, line, json)
    if failed and not sys.stdin.isatty():
        raise typer.Exit(REFUSED)


def _lines() -> Iterator[str]:
    """What the person types, or the lines of a pipe."""
    person = sys.stdin.isatty()
    if person:
        with contextlib.suppress(ImportError):  # Windows has none
            import readline  # noqa: F401  (input() has a history with it)
    while True:
        line, prompt = "", "> "
        try:
            while True:
                line += _input(prompt if person else "")
                if not line.endswith("\\"):
                    break
                line, prompt = line[:-1] + "\n", ". "
        except (EOFError, KeyboardInterrupt):
            if line:
                yield line
            _tell("", person=True)
            return
        except UnicodeDecodeError as e:
            raise WgptError(f"the text on stdin is not {e.encoding}: {e.reason} at byte {e.start}") from None
        yield line


def _input(prompt: str) -> str:
    if prompt and not sys.stdout.isatty():  # the answers go to a file: the prompt does not
        typer.echo(prompt, nl=False, err=True)
        prompt = ""
    return input(prompt)


def _answer(conversation: Conversation, text: str, as_json: bool) -> bool:
    """One turn; whether there was an answer."""
    try:
        done = conversation.reply(text, silent if as_json else write)
    except KeyboardInterrupt:
        _tell("interrupted before there was an answer")
        return True
    except (ContextError, ChatError, PreconditionError) as e:
        _complain(e)
        return False
    if as_json:
        facts = {"text": done.text, "reason": done.reason, "prompt_tokens": done.prompt_tokens}
        typer.echo(json.dumps({**facts, "cached_tokens": done.cached_tokens, "tokens": len(done.ids)}))
    else:
        typer.echo()
    if conversation.forgotten:
        _tell(f"(the context is full: the {conversation.forgotten} oldest messages were forgotten)")
    context = conversation.model.context
    notes = {
        INTERRUPTED: "interrupted; what was said so far is remembered",
        "length": f"stopped at --max-tokens {len(done.ids)}",
        "context": f"the context of {context} tokens is full: /reset begins anew (or start with --overflow slide)",
    }
    if done.reason in notes:
        _tell(f"({notes[done.reason]})")
    return True


def _obey(conversation: Conversation, line: str) -> bool:
    """A command of the person; whether to go on."""
    name, _, rest = line.partition(" ")
    rest = rest.strip()
    match name:
        case "/exit" | "/quit":
            return False
        case "/help":
            _tell(_HELP)
        case "/reset":
            conversation.reset()
            _tell("a new conversation")
        case "/system":
            conversation.system = rest or None
            _tell("these instructions come first from now on" if rest else "no instructions")
        case "/lora":
            _lora(conversation.model, rest)
        case "/save" if rest:
            _save(conversation, Path(rest).expanduser())
        case "/save":
            _tell("/save needs the name of a file")
        case "/stats":
            last = conversation.last
            _tell(statistics(conversation.model, last) if last else "no answer yet")
        case _:
            _tell(f"no command {name}; /help lists them (begin with a space to say something that begins with /)")
    return True


def _lora(model: Model, wanted: str) -> None:
    """Attach an adapter, or none; the conversation goes on, and is read anew."""
    try:
        if wanted == "off":
            model.detach()
        elif wanted:
            model.attach(wanted)
    except (WgptError, OSError) as e:
        _complain(e)
    else:
        loaded = f" (loaded: {', '.join(model.adapters)})" if model.adapters else ""
        _tell(f"{f'with {model.adapter}' if model.adapter else 'without an adapter'}{loaded}")


def _save(conversation: Conversation, path: Path) -> None:
    try:
        conversation.save(path)
    except OSError as e:
        _tell(f"{path} could not be written: {e.strerror or e}")
    else:
        _tell(f"{len(conversation.all())} messages written to {path}")


def _complain(error: Exception) -> None:
    _tell(f"{typer.style('wgpt: error:', fg='red', bold=True)} {' '.join(str(error).split())}")


def _tell(text: str, person: bool = False) -> None:
    """A word beside the conversation; some only where a person is looking."""
    if not person or sys.stdin.isatty():
        typer.echo(typer.style(text, dim=True), err=True)
