"""Which models can guess the next tokens, and with which options."""

from __future__ import annotations

from ..core.arguments import one_of
from ..core.errors import WgptError
from ..formats.tokenizer import Tokenizer
from ..models.network import AnyNetwork
from .draft import DraftModel

SPECULATIONS = ("ngram",)


def check_guesses(
    network: AnyNetwork,
    tokenizer: Tokenizer | None,
    speculation: str | None,
    draft: DraftModel | None,
    deterministic: bool,
) -> None:
    """Refuse what cannot be."""
    if speculation is not None:
        one_of("speculation", speculation, SPECULATIONS)
    option = "draft" if speculation is None else "speculation"
    if draft is not None and speculation is not None:
        raise WgptError(f"draft and speculation={speculation!r} exclude each other: choose one of them")
    if draft is None and speculation is None:
        return
    if deterministic:
        raise WgptError(f"{option} and deterministic exclude each other: guesses change how sums are rounded")
    if network.config.states:
        raise WgptError(
            f"{option} is unsupported for {network.config.family} models: the states of their layers cannot go back to "
            "before a wrong guess"
        )
    network.whole(option)
    if draft is not None:
        draft.check(network, tokenizer)
