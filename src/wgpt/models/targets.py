"""The layers that a LoRA adapter can target, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.errors import PreconditionError
from ..formats.family import Row
from .config import Config
from .family import family_of


def linear_rows(config: Config) -> Iterator[Row]:
    """Every linear layer that LoRA can adapt, in the order of execution."""
    return (row for row in family_of(config).table(config) if row.is_matrix and row.layer is not None and row.lora)


def linear_shapes(config: Config) -> dict[str, tuple[int, int]]:
    """(N, K) of each of these layers."""
    return {row.name: (row.shape[0], row.shape[1]) for row in linear_rows(config)}


def check_trainable(config: Config) -> None:
    """Raise PreconditionError if a model cannot be fine-tuned."""
    layers = [config.layer(i) for i in range(config.layers)]
    if config.states:
        raise PreconditionError(
            f"fine-tuning of {config.family} models is unsupported: gradients through layers with states are not "
            "implemented"
        )
    if len(set(config.cache_layers)) > 1 or any(c.v_norm or c.v_is_k or c.per_layer_input or c.latent for c in layers):
        raise PreconditionError(
            f"fine-tuning of {config.family} models is unsupported: gradients of their attention are not implemented; "
            "LoRA adapters can be loaded"
        )
    if any(config.layer(i).mixture is not None for i in range(config.layers)):
        raise PreconditionError(
            f"fine-tuning of {config.family} models with experts is unsupported: gradients through experts are not "
            "implemented; LoRA adapters of their attention can be loaded"
        )


def chosen(config: Config, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The layers that `names` select: parts, such as q or down; or, as in peft's target_modules, last names such as
    q_proj, or suffixes. `all` selects all of them.
    """
    shapes = linear_shapes(config)
    if "all" in names or "all-linear" in names:
        return shapes
    selected: set[str] = set()
    for name in names:
        matched = {
            row.name
            for row in linear_rows(config)
            if name == row.part or row.name == name or row.name.endswith(f".{name}")
        }
        if not matched:
            kinds = sorted({target.rsplit(".", 1)[-1] for target in shapes})
            raise PreconditionError(
                f"unknown target layer {name!r} of this {config.family} model; supported: {', '.join(kinds)}, all"
            )
        selected |= matched
    if not selected:
        raise PreconditionError("targets is empty: name some layers, such as q_proj and v_proj, or all")
    return {target: shape for target, shape in shapes.items() if target in selected}
