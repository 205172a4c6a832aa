"""The layers that an adapter can have, by name."""

from __future__ import annotations

from collections.abc import Sequence

from ..gpu.errors import PreconditionError
from .config import Config


def linear_shapes(config: Config) -> dict[str, tuple[int, int]]:
    """(N, K) of every linear layer of a model's blocks, in the order in which they run."""
    c = config
    if c.family == "gpt2":
        kinds = {"attn.c_attn": (3 * c.hidden, c.hidden), "attn.c_proj": (c.hidden, c.hidden)}
        kinds |= {"mlp.c_fc": (c.ffn, c.hidden), "mlp.c_proj": (c.hidden, c.ffn)}
        return {f"h.{i}.{kind}": shape for i in range(c.layers) for kind, shape in kinds.items()}
    kinds = {"q": (c.q_rows, c.hidden), "k": (c.kv_rows, c.hidden), "v": (c.kv_rows, c.hidden)}
    kinds = {f"self_attn.{kind}_proj": shape for kind, shape in (kinds | {"o": (c.hidden, c.q_rows)}).items()}
    mlp = {"gate": (c.ffn, c.hidden), "up": (c.ffn, c.hidden), "down": (c.hidden, c.ffn)}
    kinds |= {f"mlp.{kind}_proj": shape for kind, shape in mlp.items()}
    return {f"model.layers.{i}.{kind}": shape for i in range(c.layers) for kind, shape in kinds.items()}


def chosen(config: Config, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The layers that `names` mean, as peft's target_modules: last names, such as q_proj (or q), or ends of names.

    `all` means all of them.
    """
    shapes = linear_shapes(config)
    if "all" in names or "all-linear" in names:
        return shapes
    found: set[str] = set()
    for name in names:
        spelled = (name, f"{name}_proj")
        matched = {t for t in shapes if any(t == s or t.endswith(f".{s}") for s in spelled)}
        if not matched:
            kinds = sorted({target.rsplit(".", 1)[-1] for target in shapes})
            raise PreconditionError(
                f"{name!r} is no layer of this {config.family} model to adapt: there are {', '.join(kinds)}, and all"
            )
        found |= matched
    if not found:
        raise PreconditionError("no layers to adapt were named: give some, such as q_proj and v_proj, or all")
    return {target: shape for target, shape in shapes.items() if target in found}
