"""`wgpt chat`: a conversation in the terminal."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..api import Model
from ..core.errors import WgptError
from .conversation import Conversation
from .failures import REFUSED, complain, line, print_error
from .groups import grouped
from .options import ChatModelOptions, Draft
from .outputs import check_in_folder
from .sampling_options import SamplingOptions
from .streaming import INTERRUPTED, answer_writer, print_fallbacks, silent, statistics
from .styles import styled
from .turns import piped, typed

_HELP = """\
/reset        start a new conversation; the system prompt stays
/system TEXT  set the system prompt; without TEXT, remove it
/lora DIR     switch to this LoRA adapter; /lora off uses none, /lora shows the current one
/save FILE    write the messages as JSON; /save! FILE overwrites an existing file
/stats        show the speed of the last answer
/exit         quit, like Ctrl-D
A line that ends in \\ continues on the next one, and pasted text is one message.
Ctrl-C stops an answer, or discards the line being typed."""


@grouped
def command(
    model: ChatModelOptions = ChatModelOptions(),
    sampling: SamplingOptions = SamplingOptions(),
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="System prompt: instructions to the model.", show_default=False)
    ] = None,
    draft: Draft = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per answer on stdout, and nothing else there.")
    ] = False,
) -> None:
    """The model remembers the conversation and processes only what is new in each turn. /help lists the commands.
    Ctrl-C stops an answer, or discards the line being typed; Ctrl-D quits. From a pipe, each line is a turn.

    \b
    Examples:
      wgpt chat
      wgpt chat -m ./Qwen2.5-0.5B-Instruct -t 0.7 --system "You are a pirate."
      wgpt chat --context 2048 --overflow slide
      wgpt chat --lora out
      printf 'My name is Ada.\\nWhat is my name?\\n' | wgpt chat
    """
    options = sampling.keywords()
    if sampling.logprobs is not None and not json:
        raise WgptError("--logprobs needs --json: the text alone has no place for them")
    with model.loaded(draft, max_batch=1) as loaded:
        if loaded.classes:
            raise WgptError(_classifies(str(loaded.lora)))
        conversation = Conversation(loaded, options, system)
        # Fail now, not at the first turn, if the model has no chat template.
        loaded.chat_ids([*conversation.all(), {"role": "user", "content": "Hello"}])
        with_lora = f" with {loaded.lora}" if loaded.lora else ""
        gpus = ", ".join(device.info.name for device in loaded.network.devices)
        _tell(
            f"{loaded.name}{with_lora} on {gpus}. /help lists the commands, Ctrl-D quits.",
            interactive_only=True,
        )
        failed = False
        for turn in typed(_tell) if sys.stdin.isatty() else piped():
            if turn.startswith("/"):
                if not _run_command(conversation, turn):
                    break
            elif turn.strip():
                failed |= not _answer(conversation, turn, json)
        print_fallbacks(loaded)
    if failed and not sys.stdin.isatty():
        raise typer.Exit(REFUSED)


def _answer(conversation: Conversation, text: str, as_json: bool) -> bool:
    """Answer one turn. Returns whether that succeeded; Ctrl-C is not a failure."""
    try:
        with nullcontext(silent) if as_json else answer_writer() as emit:
            completion = conversation.reply(text, emit)
    except KeyboardInterrupt:
        _tell("interrupted before the answer started")
        return True
    except (WgptError, MemoryError) as e:  # the conversation continues, and can still be saved
        complain(line(e))
        if as_json:
            print_error(line(e))
        return False
    if as_json:
        facts = {"text": completion.text, "reason": completion.reason, "prompt_tokens": completion.prompt_tokens}
        facts |= {"cached_tokens": completion.cached_tokens, "tokens": len(completion.ids), **completion.scored}
        typer.echo(json.dumps(facts))
    else:
        typer.echo()
    if conversation.forgotten:
        _tell(f"(the context is full: the {conversation.forgotten} oldest messages were forgotten)")
    context = conversation.model.context
    notes = {
        INTERRUPTED: "interrupted; the answer so far stays in the conversation",
        "length": f"stopped at --max-tokens {len(completion.ids)}",
        "context": f"the context of {context} tokens is full: use /reset, or start with --overflow slide",
    }
    if completion.reason in notes:
        _tell(f"({notes[completion.reason]})")
    return True


def _run_command(conversation: Conversation, text: str) -> bool:
    """Run a command such as /save. Returns whether the chat continues."""
    name, _, rest = text.partition(" ")
    rest = rest.strip()
    match name:
        case "/exit" | "/quit":
            return False
        case "/help":
            _tell(_HELP)
        case "/reset":
            conversation.reset()
            _tell("new conversation")
        case "/system":
            conversation.system = rest or None
            _tell("system prompt set" if rest else "system prompt removed")
        case "/lora":
            _lora(conversation.model, rest)
        case "/save" | "/save!" if rest:
            _save(conversation, rest, replace=name.endswith("!"))
        case "/save" | "/save!":
            _tell(f"{name} needs a file name")
        case "/stats":
            last = conversation.last
            _tell(statistics(conversation.model, last) if last else "no answer yet")
        case _:
            _tell(f"unknown command {name}; /help lists the commands (type a space before text that starts with /)")
    return True


def _lora(model: Model, name: str) -> None:
    """Attach or detach a LoRA adapter. The conversation continues, but its tokens are processed again."""
    before = model.lora
    try:
        if name == "off":
            model.detach()
        elif name:
            model.attach(name)
        if model.classes:
            classifier = str(model.lora)
            model.unload(classifier)
            if before is not None:
                model.attach(before)
            raise WgptError(_classifies(classifier))
    except (WgptError, OSError) as e:
        complain(line(e))
    else:
        loaded = f" (loaded: {', '.join(model.loras)})" if model.loras else ""
        _tell(f"{f'with {model.lora}' if model.lora else 'without a LoRA adapter'}{loaded}")


def _classifies(adapter: str) -> str:
    return f"the LoRA adapter {adapter!r} classifies texts and does not chat: use `wgpt run --lora`"


def _save(conversation: Conversation, name: str, replace: bool) -> None:
    try:
        path = Path(name).expanduser()
        check_in_folder(path)
        if path.exists() and not replace:
            raise WgptError(f"{name} exists: /save! {name} overwrites it")
        conversation.save(path)
    except (WgptError, OSError, RuntimeError) as e:  # an unknown user's home directory raises RuntimeError
        complain(line(e))
    else:
        _tell(f"{len(conversation.all())} messages written to {path}")


def _tell(text: str, interactive_only: bool = False) -> None:
    """Print a remark on stderr."""
    if not interactive_only or sys.stdin.isatty():
        typer.echo(styled(text, dim=True), err=True)
