"""Compares the NumPy reference with transformers on models of odd sizes, drawn as tests/models/test_odd_sizes.py does.

    golden-venv/bin/python -m tests.golden.check_odd_sizes [FOLDERS [FIRST]]

Each is loaded by transformers from its folder and run in float64: logits of a prompt, and the 12 likeliest tokens after
it; an encoder's hidden states. About a second each; nothing is written.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from huggingface_hub.errors import StrictDataclassClassValidationError
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM

from tests.models.odd_sizes import Drawn, drawn
from wgpt.formats.family import families, named
from wgpt.models import reference
from wgpt.models.tiny_models import write_folder

TOLERANCE = 1e-5  # relative to the largest value: transformers keeps norms and angles in float32
LENGTH, FOLLOWING = 37, 12
TRIES = 100


@torch.no_grad()
def run(model: Drawn, ids: list[int]) -> tuple[np.ndarray, list[int], float]:
    """What transformers computes: logits and the likeliest tokens after them, or an encoder's hidden states and none;
    and by how much, of the largest logit, each token was ahead of the next one."""
    encodes = model.settings.encoder is not None
    auto: Any = AutoModel if encodes else AutoModelForCausalLM
    how = {"attn_implementation": "eager", "experts_implementation": "eager"}  # the others have no float64, or no sinks
    loaded, info = auto.from_pretrained(model.folder, dtype=torch.float64, output_loading_info=True, **how)
    without_effect = {"pooler", "lm_head"} if encodes else set()
    for names in info.values():
        assert all(without_effect & {*str(name).split(".")} for name in names), info
    output = loaded.eval()(torch.tensor([ids]))
    if encodes:
        return output.last_hidden_state[0].numpy(), [], np.inf
    tokens, gap = list(ids), np.inf
    for _ in range(FOLLOWING):
        logits = loaded(torch.tensor([tokens])).logits[0, -1].numpy()
        second, first = np.sort(logits)[-2:]
        gap = min(gap, (first - second) / np.abs(logits).max())
        tokens.append(int(logits.argmax()))
    return output.logits[0].numpy(), tokens[len(ids) :], float(gap)


def check(model: Drawn, ids: list[int]) -> float:
    """The largest difference of the reference, relative to the largest value; its tokens must be the same."""
    expected, greedy, _ = run(model, ids)
    compute = reference.logits if greedy else reference.hidden
    result = compute(model.config, model.weights, ids)
    assert reference.greedy(model.config, model.weights, ids, len(greedy)) == greedy if greedy else True
    assert result.shape == expected.shape
    return float(np.abs(result - expected).max() / np.abs(expected).max())


def for_transformers(folder: Path, name: str, rng: np.random.Generator, **fixed: int) -> Drawn:
    """A model that transformers takes, which refuses some sizes, in a folder as it wants it."""
    own = named(name)
    for _ in range(TRIES):
        model = drawn(folder, name, rng, **fixed)
        known = {key: value for key, value in model.config.items() if value is not None} | {"pad_token_id": 0}
        if own.variant_of:  # it is known there by the other family's name
            known |= {"model_type": own.variant_of, "use_bidirectional_attention": True}
        if "layer_types" in known and known["layer_types"][0] == "attention":
            known["mamba_n_heads"] = 1  # which must fit though no layer has them
        try:
            AutoConfig.for_model(**known)
        except (ValueError, TypeError, StrictDataclassClassValidationError):
            continue
        # Convolutions have a dimension of 1 for their one input channel.
        weights = {
            key: w[:, None] if "conv" in key and w.ndim == 2 and w.shape[1] < 5 else w
            for key, w in model.weights.items()
        }
        write_folder(folder, known, weights)
        return model
    raise AssertionError(f"transformers takes none of {TRIES} configurations of {name}")


def main(count: int = 100, first: int = 0) -> None:
    names = [family.name for family in families()]
    errors: list[float] = []
    for number in range(first, first + count):
        name, rng = names[number % len(names)], np.random.default_rng(number)
        with tempfile.TemporaryDirectory() as folder:
            model = for_transformers(Path(folder), name, rng)
            errors.append(check(model, rng.integers(0, model.vocab, LENGTH).tolist()))
        print(f"{number} {name} {errors[-1]:.1e}", flush=True)
    print(f"{count} folders, the largest difference is {max(errors):.1e} of the largest value")
    assert max(errors) < TOLERANCE


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
