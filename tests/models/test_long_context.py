"""Thousands of tokens: prefill in chunks and decode in slices, against one pass of NumPy over all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from wgpt import load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.network import Network
from wgpt.models.reference import Array

from . import golden, made_up
from .compare import TOLERANCE, error
from .gguf_maker import write_gguf

pytestmark = pytest.mark.gpu
READ, DRAWN = 4096, 64
CONFIG = made_up.llama_like("llama", hidden=64, layers=2, heads=4, kv_heads=2, ffn=128, positions=8192)
WEIGHTS = made_up.random_weights(CONFIG, seed=11)
IDS = np.random.default_rng(12).integers(0, CONFIG["vocab_size"], READ).tolist()


@pytest.fixture(scope="module")
def network(device: GpuDevice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    path = tmp_path_factory.mktemp("long") / "model.gguf"
    write_gguf(path, CONFIG, WEIGHTS)
    with open_checkpoint(path) as checkpoint:
        network = Network.load(device, checkpoint)
    yield network
    network.release()


def steps(batch: FixedBatch, count: int) -> tuple[list[int], Array]:
    results = [batch.step().result() for _ in range(count)]
    return [int(step["tokens"][0]) for step in results], np.concatenate([step["logits"] for step in results])


@pytest.mark.slow
def test_4096_tokens_read_and_64_drawn(network: Network) -> None:
    with FixedBatch(network, READ + DRAWN, cache="f32", logits=True) as batch:
        assert 4 * batch.chunk < READ
        batch.start({0: IDS})
        ids, logits = steps(batch, DRAWN)
        expected = reference.logits(CONFIG, WEIGHTS, [*IDS, *ids], np.float32)
        assert error(logits, expected[READ - 1 : -1]) < TOLERANCE
        assert ids == expected[READ - 1 : -1].argmax(axis=1).tolist()
        # And every token as part of its chunk; the cache is overwritten.
        assert error(batch.logits({0: [*IDS, *ids]})[0], expected) < TOLERANCE


def test_drawing_across_the_change_to_slices(network: Network) -> None:
    """The context of a short sequence is one slice, that of a long one several."""
    with FixedBatch(network, 600, cache="f32", logits=True) as batch:
        for length in (155, 507):  # it changes at 160 or 512, depending on the GPU
            batch.forget(0)
            batch.start({0: IDS[:length]})
            ids, logits = steps(batch, 10)
            expected = reference.logits(CONFIG, WEIGHTS, [*IDS[:length], *ids[:-1]])[-10:]
            assert error(logits, expected) < TOLERANCE
            assert ids == expected.argmax(axis=1).tolist()
        assert len({id(batch.step_program(length)) for length in (150, 600)}) == 2


def test_sequences_on_both_sides_of_the_change(network: Network) -> None:
    """A short sequence beside a long one is divided as the long one is."""
    prompts = {0: IDS[:3], 1: IDS[100:700]}
    with FixedBatch(network, 640, slots=2, cache="f32", logits=True) as batch:
        batch.start(prompts)
        results = [batch.step().result() for _ in range(3)]
    for slot, prompt in prompts.items():
        ids = [int(step["tokens"][slot]) for step in results]
        expected = reference.logits(CONFIG, WEIGHTS, [*prompt, *ids[:-1]])[-3:]
        assert error(np.stack([step["logits"][slot] for step in results]), expected) < TOLERANCE


def test_a_window_in_a_long_context(device: GpuDevice, tmp_path: Path) -> None:
    """Mistral's: rows of later chunks, and slices of a step, that begin in the middle or see nothing at all."""
    sizes = {"hidden": 64, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 128, "positions": 8192}
    config = made_up.llama_like("mistral", **sizes, sliding_window=100)
    weights = made_up.random_weights(config, seed=13)
    (tmp_path / "config.json").write_text(json.dumps(config))
    save_file(weights, tmp_path / "model.safetensors")
    with open_checkpoint(tmp_path) as checkpoint:
        network = Network.load(device, checkpoint)
    with FixedBatch(network, 720, cache="f32", logits=True) as batch:
        batch.start({0: IDS[:700]})
        ids, logits = steps(batch, 6)
        expected = reference.logits(config, weights, [*IDS[:700], *ids[:-1]])
        assert error(logits, expected[699:]) < TOLERANCE
        assert error(batch.logits({0: [*IDS[:700], *ids[:-1]]})[0], expected) < TOLERANCE
    network.release()


FAMILIES = ("gemma2", "gemma3", "phi3-long", "phi4-mini", "ministral", "smollm3", "granite", "olmo3")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_families_across_pages(device: GpuDevice, name: str) -> None:
    """Contexts of several pages and many windows: all tokens at once, and greedy texts of three sequences together."""
    truth = golden.load(name)
    ids = np.random.default_rng(5).integers(3, truth.config["vocab_size"], 200).tolist()
    prompts = [ids[:70], ids, ids[40:170]]
    with load(truth.folder, cache="f32", device=device) as model:
        assert error(model.logits(ids), reference.logits(truth.config, truth.weights, ids)) < TOLERANCE
        completions = model.generate(prompts, max_tokens=12, ignore_eos=True)
    for prompt, completion in zip(prompts, completions, strict=True):
        expected = reference.logits(truth.config, truth.weights, [*prompt, *completion.ids])[len(prompt) - 1 : -1]
        chosen = expected[np.arange(12), completion.ids]
        assert (expected.max(axis=1) - chosen).max() < TOLERANCE * np.abs(expected).max()
