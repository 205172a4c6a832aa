"""config.json and generation_config.json: every key with values of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.formats import made

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .opened import use_checkpoint

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 7, -1, 1 << 31, 1 << 63, 1 << 70, 10**400, 0.0, 0.5, 1e-3, 1e-9, 1e-320, 1e300),
    *(float("nan"), float("inf"), -1.5, "", "x", "silu", "x" * 5000, "\ud800", "../x", [], [[]], [0], [1, [2]], {}),
    *({"a": 1}, {"rope_type": "linear"}, [None], ["0"], [1e999], {"": {}}),
)
_SCALINGS: tuple[dict[str, Any], ...] = (
    {"rope_type": "linear", "factor": 2.0},
    {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    | {"original_max_position_embeddings": 32},
    {"rope_type": "factors", "factors": [1.0, 1.0, 2.0, 4.0]},
    {"rope_type": "default", "rope_theta": 1e4},
)
_MORE = (
    *("rope_scaling", "rope_parameters", "head_dim", "attention_bias", "mlp_bias", "sliding_window", "layer_types"),
    *("use_sliding_window", "max_window_layers", "partial_rotary_factor", "quantization_config", "hidden_act"),
    *("scale_attn_weights", "add_cross_attention", "tie_word_embeddings", "a_key_of_nobody"),
)


@area("configs")
def config_file(rng: Rng, folder: Path) -> Case:
    family = pick(rng, made.FAMILIES)
    model, weights = made.config(family), made.state(made.config(family))
    place = made.write_hf(folder / f"m-{family}", model, weights)
    (place / "generation_config.json").unlink(missing_ok=True)
    chance = rng.random()
    if chance < 0.08:
        return Case(f"a sound {family}", ACCEPTED, lambda: use_checkpoint(place))
    if chance < 0.13:
        changes: dict[str, Any] = {"n_layer" if family == "gpt2" else "num_hidden_layers": 1}
        expect, description = REFUSED, "counts one layer of two"
    elif chance < 0.3 and family != "gpt2":
        scaling = dict(pick(rng, _SCALINGS))
        key = pick(rng, (*scaling, "rope_theta", "rope_type"))
        changes = {pick(rng, ("rope_scaling", "rope_parameters")): scaling | {key: pick(rng, JUNK)}}
        expect, description = EITHER, f"has {changes}"
    elif chance < 0.4:
        value = pick(rng, JUNK)
        (place / "generation_config.json").write_text(json.dumps({"eos_token_id": value}))
        changes, expect, description = {}, EITHER, f"ends with {value!r}"
    else:
        keys = [pick(rng, (*model, *_MORE)) for _ in range(int(rng.choice([1, 1, 1, 2, 3])))]
        changes = {key: pick(rng, JUNK) for key in keys}
        expect, description = EITHER, f"has {changes}"
    (place / "config.json").write_text(json.dumps(model | changes))
    return Case(f"a {family} whose config {description}"[:300], expect, lambda: use_checkpoint(place))
