"""`wgpt completion`: lets a shell complete commands and options."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.completion import get_completion_script
from typer.completion import install as install_script

from ..core.errors import WgptError
from .common import Json, print_json

_SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")


def command(
    shell: Annotated[
        str | None,
        typer.Argument(metavar="|".join(_SHELLS), help="Default: the shell you call it from.", show_default=False),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Write it to where the shell finds it, instead of printing it.")
    ] = False,
    json: Json = False,
) -> None:
    """With --install it works in every terminal that is opened from then on. For bash that adds a line to ~/.bashrc.

    \b
    Examples:
      wgpt completion --install
      wgpt completion zsh --install
      wgpt completion fish > ~/.config/fish/completions/wgpt.fish
      source <(wgpt completion bash)        for this terminal alone
    """
    name = _known(shell or _current())
    if install:
        _, path = install_script(name)
        if json:
            print_json({"shell": name, "installed": str(path)})
        else:
            typer.echo(f"completion for {name} installed in {path}; open a new terminal to use it")
        return
    script = get_completion_script(prog_name="wgpt", complete_var="_WGPT_COMPLETE", shell=name)
    if json:
        print_json({"shell": name, "script": script})
    else:
        typer.echo(script)


def _known(name: str) -> str:
    if name not in _SHELLS:
        raise WgptError(f"completion for the shell {name!r} is unsupported; name one of {', '.join(_SHELLS)}")
    return name


def _current() -> str:
    """The shell that this process was called from."""
    import shellingham  # typer's

    try:
        name, _ = shellingham.detect_shell()
    except shellingham.ShellDetectionFailure:
        raise WgptError(f"no shell was detected; name one of {', '.join(_SHELLS)}") from None
    return str(name)
