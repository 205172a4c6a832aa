"""Writes tests/golden/whole: full fine-tuning of the small models, all their own weights learning, as torch does it.

Run by hand, after make_training and in its environment (needs no GPU; a minute):

    golden-venv/bin/python -m tests.golden.make_whole

The examples are those of tests/golden/training. Gradients and curves are float64, with make_training's reservations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from tests.golden.archives import pack
from tests.train import golden
from tests.train.golden_whole import ACCUMULATE, FOLDER, NAMES, RATE, STEPS

from .make_training import CLIP, DECAY, Example, base_model, gradients, loss_of


def pairs(examples: Sequence[golden.Example]) -> list[Example]:
    return [(example.ids, example.labels) for example in examples]


def curve(model: torch.nn.Module, cycle: list[list[Example]]) -> dict[str, np.ndarray]:
    """AdamW at one rate: the loss of each step, and its gradient's norm before it is clipped."""
    trained = list(model.parameters())
    optimiser = torch.optim.AdamW(trained, lr=RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=DECAY)
    losses, norms = [], []
    for step in range(STEPS):
        micro = [cycle[(step * ACCUMULATE + i) % len(cycle)] for i in range(ACCUMULATE)]
        loss, _ = loss_of(model, [e for examples in micro for e in examples])
        optimiser.zero_grad()
        loss.backward()
        norms.append(float(torch.nn.utils.clip_grad_norm_(trained, CLIP)))
        losses.append(loss.item())
        optimiser.step()
    return {"losses": np.array(losses), "norms": np.array(norms)}


def write(name: str) -> None:
    run = golden.load(name)
    model = base_model(name).double()
    loss, _ = loss_of(model, pairs(run.examples))
    loss.backward()
    arrays = {"loss": loss.detach().numpy()}
    arrays |= {f"grad.{key}": gradient.astype(np.float32) for key, gradient in gradients(model)}
    cycle = [pairs(micro) for micro in run.cycle]
    if cycle:
        exact, single = curve(base_model(name).double(), cycle), curve(base_model(name), cycle)
        apart = float(np.abs(single["losses"] / exact["losses"] - 1).max())
        losses = exact["losses"]
        print(f"{name}: {losses[0]:.4f} -> {losses[-1]:.4f}, torch's own f32 is {apart:.1e} off")
        arrays |= exact
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)


if __name__ == "__main__":
    for each in NAMES:
        write(each)
    pack(FOLDER)
