"""Every way through a drawn model (odd_sizes.py) on the GPU, against the float64 reference.

A check takes a model, its weights as the reference is to read them, and raises an AssertionError where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from wgpt import Engine, Model, load
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice, Program
from wgpt.gpu.dry import ExportDevice
from wgpt.kernels.sampling.slots import POSITION, RECORD_WORDS, TOKEN
from wgpt.models import reference
from wgpt.models.network import Network
from wgpt.models.reference import Weights
from wgpt.web.errors import WebExportError
from wgpt.web.recording import ChatPrograms
from wgpt.web.site import _check_family
from wgpt.web.targets import BROWSER, LIMITS

from .compare import TOLERANCE, error
from .odd_sizes import Drawn, Rng, in_type, random_lora, with_lora

COUNT = 12  # tokens that are generated
GREEDY = {"max_tokens": COUNT, "ignore_eos": True}
FREE = 40  # positions for prompts, of the 64 that tiny models have
TYPES = ("f16", "bf16", "q8_0", "q4_1", "q6_k", "nf4")  # in words, halves, bytes, nibbles, and blocks of several sizes
EXACT = "exact"  # by default, matrix units get 11 bits of activations: another expert, or token, may be chosen
Check = Callable[[Drawn, GpuDevice, Rng], None]


def prompt(model: Drawn, rng: Rng, length: int) -> list[int]:
    return rng.integers(0, model.vocab, length).tolist()


def check_tokens(
    model: Drawn, weights: Weights, before: Sequence[int], ids: Sequence[int], tolerance: float = TOLERANCE
) -> None:
    """Each token has the largest logit after those before it, or one that rounding cannot tell from it."""
    logits = reference.logits(model.config, weights, [*before, *ids[:-1]])[len(before) - 1 :]
    chosen = logits[np.arange(len(ids)), ids]
    below = (logits.max(axis=1) - chosen) / np.abs(logits).max()
    wrong = int((below > 2 * tolerance).argmax())
    assert below[wrong] <= 2 * tolerance, f"token {wrong} after {len(before)} is {below[wrong]:.1g} below the largest"


def check_generates(model: Drawn, loaded: Model, rng: Rng, weights: Weights, tolerance: float = TOLERANCE) -> None:
    """Logits, a freshly read prompt's tokens, those of a prefix that is in the cache, and those of a batch of two."""
    first, second = prompt(model, rng, int(rng.integers(2, FREE))), prompt(model, rng, int(rng.integers(1, FREE)))
    assert error(loaded.logits(first), reference.logits(model.config, weights, first)) < tolerance
    for before in (first, [*first, 1], second[:1]):
        check_tokens(model, weights, before, loaded.generate(before, **GREEDY).ids, tolerance)
    first.reverse()
    for before, completion in zip((first, second), loaded.generate([first, second], **GREEDY), strict=True):
        check_tokens(model, weights, before, completion.ids, tolerance)


def generates(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    with load(model.folder, cache="f32", device=device, precision=EXACT) as loaded:
        check_generates(model, loaded, rng, model.weights)


def generates_with_lora(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    adapter = random_lora(model, rng)
    with load(model.folder, cache="f32", device=device, precision=EXACT, lora=adapter) as loaded:
        check_generates(model, loaded, rng, with_lora(model, adapter))


def in_other_types(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    """Matrices of another type: rows of odd length end within a word, a vector or a block of it."""
    dtype = str(rng.choice(TYPES))
    with load(model.folder, cache="f32", device=device, dtype=dtype, precision=EXACT) as loaded:
        check_generates(model, loaded, rng, in_type(model, dtype))


def in_chunks(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    """A prompt that is read in several chunks, the last one of a few rows; beside another that is generated."""
    long, short = prompt(model, rng, FREE), prompt(model, rng, 5)
    with load(model.folder, cache="f32", device=device, precision=EXACT) as loaded, Engine(loaded) as engine:
        scheduler = engine._core.scheduler
        scheduler.limits = replace(scheduler.limits, chunk=16)
        requests = [engine.submit(before, **GREEDY) for before in (short, long)]
        for before, request in zip((short, long), requests, strict=True):
            check_tokens(model, model.weights, before, request.result().ids)


def with_guesses(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    """By n-grams, and by the model itself as a draft model."""
    before = prompt(model, rng, 4) * 5
    with load(model.folder, cache="f32", device=device, precision=EXACT) as loaded:
        for guessing, width in (({"speculation": "ngram"}, 8), ({"draft": loaded}, 4)):
            with Engine(loaded, **guessing) as engine:
                core = engine._core
                core.scheduler.width = partial(_always, width)
                check_tokens(model, model.weights, before, engine.submit(before, **GREEDY).result().ids)
                assert core.runner.speculation is not None and core.runner.speculation.drafted


def _always(width: int, rows: object) -> int:
    """Of a step, whatever pays."""
    return width


def exported(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    """The Programs of a web page: a prompt's chunk, and steps."""
    with open_checkpoint(model.folder) as checkpoint:
        network = Network.load(ExportDevice(BROWSER.traits, LIMITS), checkpoint, resident="all")
        written, _ = ChatPrograms(network, 64, "f32").export()
    names = ("prefill/32", "step/64/greedy")
    written.manifest["programs"] = {name: written.manifest["programs"][name] for name in names}
    before, rows = prompt(model, rng, int(rng.integers(2, 32))), 32
    read = len(before) - 1  # the last token runs with the first step
    places = np.full((rows, 2), 0xFFFFFFFF, np.uint32)
    places[:, 0], places[:read, 1] = 0, np.arange(read)
    record = np.zeros((1, RECORD_WORDS), np.uint32)
    record[0, TOKEN], record[0, POSITION] = before[-1], read
    programs = Program.load_all(device, written)
    prefill, step = (programs[name] for name in names)
    prefill.write("ids", np.resize(np.array(before[:read], np.uint32), rows))
    prefill.write("places", places)
    prefill.read()
    step.write("record", record)
    results = [step.read() for _ in range(COUNT)]
    for program in programs.values():
        program.release()
    ids = [int(result["tokens"][0]) for result in results]
    check_tokens(model, model.weights, before, ids)
    logits = np.concatenate([result["logits"].reshape(1, -1) for result in results])
    expected = reference.logits(model.config, model.weights, [*before, *ids[:-1]])[read:]
    assert error(logits, expected) < TOLERANCE


def encodes(model: Drawn, device: GpuDevice, rng: Rng) -> None:
    """Hidden states, and pooled ones of texts of several lengths together."""
    texts = [prompt(model, rng, n) for n in (int(rng.integers(1, FREE)), 1, FREE)]
    hidden = [reference.hidden(model.config, model.weights, text) for text in texts]
    options: Mapping[str, Any] = {} if model.settings.encoder else {"cache": "f32"}
    with load(model.folder, device=device, **options) as loaded:
        assert error(loaded.hidden(texts[0]), hidden[0]) < TOLERANCE
        for pooling, pooled in (("mean", [h.mean(axis=0) for h in hidden]), ("last", [h[-1] for h in hidden])):
            assert error(loaded.embed(texts, pooling=pooling, normalise=False), np.stack(pooled)) < TOLERANCE


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (generates, generates_with_lora, in_other_types, in_chunks, with_guesses, exported, encodes)
}


def checks_of(model: Drawn) -> list[str]:
    """Those that a model of its kind can do."""
    settings = model.settings
    if settings.encoder is not None:
        return [encodes.__name__]
    unable = {with_guesses.__name__} if settings.states else set()
    try:
        _check_family(settings)
    except WebExportError:
        unable.add(exported.__name__)
    return [name for name in CHECKS if name not in unable]
