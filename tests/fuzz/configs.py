"""config.json and generation_config.json: every key with values of every kind; and configs of every family with keys
dropped, doubled and changed, beside what transformers makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.formats import made
from tests.models.config_cases import KINDS, SHAPES, WITHOUT_EFFECT, computed, recorded
from tests.models.config_cases import Case as Recorded
from tests.models.config_cases import cases as recorded_cases
from wgpt.formats import FormatError
from wgpt.formats.safetensors_scan import read_json

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


# Every family, beside transformers -------------------------------------------------------------------------------


@area("families")
def family_config(rng: Rng, folder: Path) -> Case:
    """tests/golden/configs has what transformers makes of the keys of each model_type."""
    kind = pick(rng, KINDS)
    base = Recorded(kind, {}, 0).config
    make = pick(rng, (_recorded, _recorded, _dropped, _doubled, _twice, _with_harmless, _junk))
    return make(rng, folder, kind, base)


def _recorded(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """It computes what others with the same logits in transformers do, and nothing that others do."""
    known = [case for case in recorded_cases(kind) if case.number is not None]
    case, others = pick(rng, known), [known[0], *(pick(rng, known) for _ in range(3))]

    def run() -> None:
        result = computed(case.config)
        for other in others:
            try:
                same = computed(other.config) == result
            except FormatError:
                continue
            assert same == (other.number == case.number), f"{case.changes} and {other.changes}: {same}"

    return Case(f"a {kind} with {case.changes}"[:300], EITHER, run)


def _dropped(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """A key that is missing has the default of transformers' class."""
    key = pick(rng, [*base][1:])
    default = recorded(kind)["keys"].get(key)

    def run() -> None:
        result = computed({other: value for other, value in base.items() if other != key})
        if default is not None and key not in SHAPES:
            assert computed(base | {key: default}) == result, f"without {key} it is not {default!r}"

    return Case(f"a {kind} without {key}", EITHER, run)


def _doubled(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """Two names of one setting, with two values: transformers takes one of them, so it must be refused."""
    names = {name: key for name, key in recorded(kind)["names"].items() if key in base and name not in base}
    if not names:
        return _twice(rng, folder, kind, base)
    name = pick(rng, sorted(names))
    config = base | {name: 2 * base[names[name]]}
    harmless = name in WITHOUT_EFFECT or names[name] in WITHOUT_EFFECT
    return Case(f"a {kind} with {names[name]} and {name}", EITHER if harmless else REFUSED, lambda: computed(config))


def _twice(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """A key that is twice in the file: the last one counts."""
    key = pick(rng, [key for key, value in base.items() if type(value) in (int, float)])
    value = base[key] * pick(rng, (2, 3))
    path = folder / "twice.json"
    path.write_text(json.dumps(base)[:-1] + f", {json.dumps(key)}: {json.dumps(value)}}}")

    def run() -> None:
        assert computed(read_json(path)) == computed(base | {key: value})

    return Case(f"a {kind} with two values of {key}", EITHER, run)


def _with_harmless(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """A key without effect changes nothing, whatever else is there."""
    keys = sorted(set(recorded(kind)["keys"]) & WITHOUT_EFFECT - {"architectures", "pad_token_id"})
    harmless = {key: pick(rng, JUNK) for key in (pick(rng, keys), pick(rng, keys))}
    changed = pick(rng, recorded_cases(kind)).config

    def run() -> None:
        assert computed(changed | harmless) == computed(changed)

    return Case(f"a {kind} with {harmless}"[:300], EITHER, run)


def _junk(rng: Rng, folder: Path, kind: str, base: dict[str, Any]) -> Case:
    """Values of every kind of the keys of its class, also within RoPE's object."""
    keys = [*recorded(kind)["keys"], "rope_scaling", "is_causal", "per_layer_config"]
    changes = {pick(rng, keys): pick(rng, JUNK) for _ in range(int(rng.integers(1, 4)))}
    if rng.random() < 0.3:
        inner = dict(pick(rng, _SCALINGS)) | {pick(rng, ("factor", "rope_theta", "rope_type", "type")): pick(rng, JUNK)}
        changes[pick(rng, ("rope_scaling", "rope_parameters"))] = inner
    return Case(f"a {kind} with {changes}"[:300], EITHER, lambda: computed(base | changes))
