"""Model.attach: adapters that are loaded, switched, detached and freed; against merged weights and golden logits."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.gpu.test_leaks import Held
from tests.models import golden as models
from tests.models.compare import TOLERANCE
from tests.models.gguf_maker import write_gguf
from tests.train import golden
from wgpt import Model, WgptError, load
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.merge import merge
from wgpt.formats.peft import LoraAdapter, read_lora, write_lora
from wgpt.formats.sources import available_locally
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.ops.lora_pool import LoraPool, nbytes_of

pytestmark = pytest.mark.gpu
ONE, OTHER = golden.load("llama-gqa-seven"), golden.load("llama-gqa")  # two adapters of one model
IDS = ONE.examples[0].ids
GREEDY = {"max_tokens": 8, "ignore_eos": True}


@pytest.fixture
def model(device: GpuDevice) -> Iterator[Model]:
    with load(ONE.model, device=device, cache="f32", context=64) as model:
        yield model


def close(logits: np.ndarray, expected: np.ndarray) -> bool:
    return bool(np.abs(logits[-len(expected) :] - expected).max() <= TOLERANCE * np.abs(expected).max())


def of_rank_65(training: golden.Training) -> LoraAdapter:
    """The same adapter with ranks that need a pool of their own."""
    adapter, targets = read_lora(training.adapter), {}
    for name, factors in adapter.targets.items():
        more = 65 - len(factors.a)
        targets[name] = factors._replace(
            a=np.pad(factors.a, ((0, more), (0, 0))), b=np.pad(factors.b, ((0, 0), (0, more)))
        )
    return replace(adapter, targets=targets)


@pytest.mark.full
def test_switching_between_two_and_none(model: Model):
    base, base_ids = model.logits(IDS), model.generate(IDS, **GREEDY).ids
    assert (model.lora, model.loras) == (None, [])
    assert model.attach(ONE.adapter) == "llama-gqa-seven" == model.lora
    assert close(model.logits(IDS), ONE.logits[0])
    first = model.logits(IDS)
    assert model.attach(str(OTHER.adapter), "second") == "second" == model.lora
    assert model.loras == ["llama-gqa-seven", "second"]
    for example, expected in zip(OTHER.examples, OTHER.logits, strict=True):
        assert close(model.logits(example.ids), expected)
    model.attach("llama-gqa-seven")
    np.testing.assert_array_equal(model.logits(IDS), first)
    assert model.generate(IDS, **GREEDY).ids != base_ids
    model.detach()
    assert model.lora is None and len(model.loras) == 2
    np.testing.assert_array_equal(model.logits(IDS), base)
    assert model.generate(IDS, **GREEDY).ids == base_ids


@pytest.mark.full
@pytest.mark.parametrize("name", ["llama-gqa-seven", "qwen2-rslora", "qwen3", "gpt2"])
def test_merged_weights_say_the_same(name: str, device: GpuDevice, tmp_path: Path):
    """Logits, hidden states, log-probabilities, and what is generated after a prompt and one token at a time."""
    training = golden.load(name)
    adapter = read_lora(training.adapter)
    with open_checkpoint(training.model) as checkpoint:
        merge(checkpoint, adapter, tmp_path / "merged", "f32")
    ids = training.examples[1].ids
    options = {"device": device, "cache": "f32", "context": 64}
    with load(training.model, lora=adapter, **options) as attached, load(tmp_path / "merged", **options) as merged:
        assert attached.loras == ["adapter-1"]
        for ask in (Model.logits, Model.hidden, Model.logprobs):
            result, expected = ask(attached, ids), ask(merged, ids)
            assert np.abs(result - expected).max() <= TOLERANCE * np.abs(expected).max(), ask
        tolerance = TOLERANCE * float(np.abs(merged.logits(ids)).max())  # of a log-probability, and so of their mean
        assert attached.perplexity(ids) == pytest.approx(merged.perplexity(ids), rel=tolerance)
        assert attached.generate(ids, **GREEDY).ids == merged.generate(ids, **GREEDY).ids


def test_the_cache_of_another_adapter_is_not_used(model: Model, device: GpuDevice):
    model.generate(IDS, **GREEDY)
    model.attach(ONE.adapter)
    adapted = model.generate(IDS, **GREEDY)
    assert adapted.cached_tokens == 0
    model.attach(ONE.adapter)  # it is: nothing is forgotten
    assert model.generate(IDS, **GREEDY).cached_tokens > 0
    with load(ONE.model, device=device, cache="f32", context=64, lora=ONE.adapter) as fresh:
        assert fresh.lora == "llama-gqa-seven"
        assert fresh.generate(IDS, **GREEDY).ids == adapted.ids
        both = fresh.generate([IDS, IDS[:3]], **GREEDY)  # a session that is made while it is attached
        assert both[0].ids == adapted.ids


@pytest.mark.parametrize("begun", [True, False], ids=["after its first piece", "before its first piece"])
def test_a_stream_keeps_its_adapter(model: Model, begun: bool):
    """Whatever is attached, detached or unloaded while it is read."""
    expected = {}
    for name, adapter in {"none": None, "one": ONE.adapter, "other": OTHER.adapter}.items():
        if adapter is not None:
            model.attach(adapter, name)
        expected[name] = model.generate(IDS, **GREEDY).ids
    assert len({tuple(ids) for ids in expected.values()}) == 3
    model.forget()
    for name, change in (
        ("other", lambda: model.attach("one")),
        ("one", model.detach),
        ("none", lambda: model.attach("one")),
        ("one", lambda: model.unload("one")),
        ("none", lambda: model.attach(OTHER.adapter, "the other again")),
        ("none", lambda: model.unload("other")),
    ):
        assert (model.lora or "none") == name or name == "other" == model.attach("other")
        stream = model.stream(IDS, **GREEDY)
        if begun:
            next(stream)
        change()
        list(stream)
        assert stream.completion.ids == expected[name]
        if model.lora == "the other again":
            model.detach()


def test_requests_that_wait_keep_their_adapter(model: Model):
    """Unloading waits for them, and a new pool, with other indices, is no matter to them."""
    model.generate(IDS, max_tokens=1)  # opens the engine
    model.attach(OTHER.adapter, "first")
    model.attach(ONE.adapter, "second")
    expected = model.generate(IDS, **GREEDY).ids
    model.unload("first")  # its index is free: a new pool gives it to the second
    with model._engines.generator().paused():
        waits = model.stream(IDS, **GREEDY)
        before = model._loras.shared.pool
        model.attach(of_rank_65(OTHER), "third")
        assert model._loras.shared.pool is not before
    list(waits)
    assert waits.completion.ids == expected
    model.attach("second")
    with ThreadPoolExecutor(1) as pool:
        with model._engines.generator().paused():
            waits = model.stream(IDS, **GREEDY)
            unloading = pool.submit(model.unload, "second")
            time.sleep(0.1)
            assert not unloading.done()
        unloading.result(timeout=60)
    list(waits)
    assert waits.completion.ids == expected and model.loras == ["third"] and model.lora is None


def test_an_adapter_is_uploaded_once(model: Model, device: GpuDevice):
    """Others like it join it without more memory, up to four times as much."""
    before = model.nbytes
    adapter = read_lora(ONE.adapter)
    assert model.attach(adapter) == "adapter-1"
    size, uploaded = model.nbytes - before, device.uploaded_bytes
    assert size >= 4 * adapter.parameters
    model.detach()
    assert [model.attach(adapter), model.attach("adapter-1")] == ["adapter-1"] * 2
    assert device.uploaded_bytes == uploaded
    model.attach(ONE.adapter)
    once = device.uploaded_bytes - uploaded
    factors = nbytes_of(adapter.targets)
    assert factors <= once <= factors + (size - 4 * factors), "its factors, and the pool's table"
    model.attach(ONE.adapter)
    model.attach(str(ONE.adapter))
    assert device.uploaded_bytes == uploaded + once and model.nbytes == before + size
    assert model.attach(read_lora(ONE.adapter)) == "adapter-2"
    model.unload("adapter-1")
    assert model.lora == "adapter-2" and model.nbytes == before + size
    model.unload("adapter-2")
    model.unload("llama-gqa-seven")
    assert model.lora is None and model.loras == [] and model.nbytes == before


def test_a_folder_that_was_trained_on_is_read_anew(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write_lora(read_lora(OTHER.adapter), tmp_path / "mine")
    model.attach("mine")
    assert close(model.logits(OTHER.examples[0].ids), OTHER.logits[0])
    nbytes = model.nbytes
    write_lora(read_lora(ONE.adapter), tmp_path / "mine")
    model.attach("mine")
    assert model.loras == ["mine"] and close(model.logits(IDS), ONE.logits[0])
    assert model.nbytes > nbytes  # seven targets instead of two, and only those
    model.detach()
    shutil.rmtree(tmp_path / "mine")
    model.attach("mine")  # by its name: it is still here
    assert close(model.logits(IDS), ONE.logits[0])
    with pytest.raises(FormatError, match=r"mine: has no adapter_config\.json"):
        model.attach(tmp_path / "mine")
    assert model.lora == "mine"


def test_what_is_refused(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each in one line that says what to do; what was attached stays attached."""
    model.attach(ONE.adapter)
    first = model.logits(IDS)
    write_lora(read_lora(OTHER.adapter), tmp_path / "llama-gqa-seven")
    head = read_lora(ONE.adapter)
    head = replace(head, targets={"lm_head": next(iter(head.targets.values()))})
    for adapter, error, message in (
        (golden.load("qwen3").adapter, FormatError, r"the model's is \[48, 48\]: it belongs to another model"),
        (golden.load("gpt2").adapter, FormatError, "which the model does not have .* belongs to another model"),
        (read_lora(golden.load("gpt2").adapter), FormatError, "which the model does not have"),
        (head, FormatError, "adapts 'lm_head', which is unsupported; supported: 21 layers named .*q_proj"),
        ("pirate", WgptError, "unknown adapter 'pirate': no such folder; loaded: 'llama-gqa-seven'"),
        (tmp_path / "none", FormatError, "give the folder of a PEFT adapter"),
        (ONE.model, FormatError, "it is a model, not an adapter"),
        (tmp_path / "llama-gqa-seven", WgptError, "is already loaded from .*: choose another name, or unload"),
        (7, WgptError, "not int"),
    ):
        with pytest.raises(error, match=message) as caught:
            model.attach(adapter)
        assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(WgptError, match="adapter 'pirate' is not loaded; loaded: 'llama-gqa-seven'"):
        model.unload("pirate")

    made = LoraPool.__init__

    def only_for_one(pool: LoraPool, device: GpuDevice, layers: object, capacity: int, *more: int) -> None:
        if capacity > nbytes_of(read_lora(ONE.adapter).targets):
            raise AllocationError("out of GPU memory")
        made(pool, device, layers, capacity, *more)

    with monkeypatch.context() as patch:
        patch.setattr(LoraPool, "__init__", only_for_one)
        with pytest.raises(AllocationError, match=r"'more' does not fit: .* \(unload one of 'llama-gqa-seven'\)"):
            model.attach(of_rank_65(OTHER), "more")
    assert model.loras == ["llama-gqa-seven"] and model.lora == "llama-gqa-seven"
    np.testing.assert_array_equal(model.logits(IDS), first)
    model.close()
    with pytest.raises(WgptError, match="was closed"):
        model.attach(ONE.adapter)


def test_an_adapter_of_another_model_is_refused_before_the_weights_are_read(device: GpuDevice):
    before = device.uploaded_bytes, device.bytes_in_use
    with pytest.raises(FormatError, match="belongs to another model"):
        load(ONE.model, device=device, lora=golden.load("qwen3").adapter)
    with pytest.raises(WgptError, match=r"^unknown adapter 'nowhere': no such folder$"):
        load(ONE.model, device=device, lora="nowhere")
    assert (device.uploaded_bytes, device.bytes_in_use) == before


def test_the_adapters_own_model_is_loaded(device: GpuDevice):
    adapter = replace(read_lora(ONE.adapter), base=str(ONE.model))
    with load(lora=adapter, device=device, context=64) as model:
        assert model.name == str(ONE.model) and close(model.logits(IDS), ONE.logits[0])


def test_the_default_model_is_known_by_the_name_that_an_adapter_keeps(device: GpuDevice, monkeypatch):
    """So that what was trained on it is merged without naming it again."""
    monkeypatch.setattr("wgpt.api.loading.resolve", lambda *_: ONE.model)
    with load(device=device, context=64) as model:
        assert available_locally(model.name) == model.name


def test_the_message_names_the_adapters_own_model(model: Model, tmp_path: Path):
    other = replace(read_lora(golden.load("qwen3").adapter), base="org/some-model")
    with pytest.raises(FormatError, match="it belongs to another model, 'org/some-model'"):
        model.attach(other)


def test_nothing_is_left_behind(model: Model, device: GpuDevice):
    adapters = [read_lora(ONE.adapter), read_lora(OTHER.adapter)]

    def use(adapter: LoraAdapter) -> None:
        name = model.attach(adapter)
        model.generate(IDS, max_tokens=2, ignore_eos=True)
        model.logprobs(IDS)
        model.unload(name)

    for adapter in adapters * 2:  # twice: the heap has its final buffers when each has followed the other
        use(adapter)
    before = Held.now(device)
    for _ in range(5):
        for adapter in adapters:
            use(adapter)
    after = Held.now(device)
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)


@pytest.mark.parametrize("ends", ["closed", "dropped"])
def test_a_model_takes_its_adapters_along(device: GpuDevice, ends: str):
    def use() -> None:
        model = load(ONE.model, device=device, context=64, lora=ONE.adapter)
        model.attach(OTHER.adapter)
        model.generate(IDS, max_tokens=1)
        if ends == "closed":
            model.close()
            assert model.loras == []

    use()
    before = Held.now(device)
    use()
    after = Held.now(device)
    assert not after.grown(before) and after.buffers <= before.buffers and after.bytes <= before.bytes


def test_a_quantised_model(device: GpuDevice, tmp_path: Path):
    """Adapters stay f32 beside weights in blocks: the difference they make is the same to the quantised model."""
    training = golden.load("nf4")  # widths of whole blocks
    config = json.loads((training.model / "config.json").read_text())
    weights = {}
    for file in training.model.glob("*.safetensors"):
        weights |= models.read_safetensors(file)
    write_gguf(tmp_path / "model.gguf", config, weights, "q4_0")
    adapter = read_lora(training.adapter)
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        merge(checkpoint, adapter, tmp_path / "merged", "f32")
    ids = training.examples[0].ids
    options = {"device": device, "cache": "f32", "context": 64}
    with (
        load(tmp_path / "model.gguf", lora=adapter, **options) as attached,
        load(tmp_path / "merged", **options) as merged,
    ):
        logits, expected = attached.logits(ids), merged.logits(ids)
    assert np.abs(logits - expected).max() <= TOLERANCE * np.abs(expected).max()
