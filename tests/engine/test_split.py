"""A model split over several GPUs (here: devices on one adapter) gives the tokens of the whole one."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.models.golden import Golden
from wgpt import Engine, Grammar, Model, WgptError, load
from wgpt.core.errors import PreconditionError
from wgpt.engine.flow import Clock
from wgpt.engine.memory import page_bytes
from wgpt.engine.split_runner import SplitRunner
from wgpt.formats import open_checkpoint
from wgpt.gpu import AllocationError, GpuDevice, NoGpuError, Program, ValidationError
from wgpt.models.network import Network
from wgpt.models.residency import Sizes
from wgpt.models.split_network import SplitNetwork
from wgpt.models.stages import plan_stages
from wgpt.models.tiny_models import CONFIGS, random_weights, write_folder

pytestmark = pytest.mark.gpu
OPTIONS = {"max_tokens": 12, "ignore_eos": True}


def prompts(count: int, longest: int) -> list[list[int]]:
    """Half of them begin the same way."""
    rng = random.Random(7)
    common = [rng.randrange(300) for _ in range(longest)]
    made = []
    for i in range(count):
        shared = common[: rng.randrange(longest - 3)] if i % 2 else []
        made.append(shared + [rng.randrange(300) for _ in range(rng.randrange(3, longest - len(shared) + 1))])
    return made


def test_the_likeliest_tokens(truth: Golden, split: Model) -> None:
    """As transformers computes them, of several sequences at once."""
    texts = [run.ids for run in truth.runs]
    with Engine(split, max_batch=4) as engine:
        requests = [request for (request,) in engine.submit_all(texts, **OPTIONS)]
        assert [request.result().ids for request in requests] == [run.greedy[:12] for run in truth.runs]
        runner = engine._core.runner
        assert isinstance(runner, SplitRunner) and all(seconds > 0 for seconds in runner.busy_seconds)


def test_as_on_a_gpu(truth: Golden, split: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where submits do not block, commands are recorded ahead, and the engine's thread sends all."""
    monkeypatch.setenv("WGPT_SUBMIT_THREAD", "1")
    prepared, prepare = list[bool](), Program.prepare

    def noted(*args: Any, **settings: Any) -> bool:
        prepared.append(prepare(*args, **settings))
        return prepared[-1]

    monkeypatch.setattr(Program, "prepare", noted)
    for run in truth.runs[:2]:
        with Engine(split, max_batch=2) as engine:
            runner = engine._core.runner
            assert isinstance(runner, SplitRunner)
            for stage in runner._flows._stages:
                stage._sender = None
            requests = [engine.submit(ids, **OPTIONS) for ids in (run.ids, truth.runs[0].ids)]
            assert [request.result().ids for request in requests] == [run.greedy[:12], truth.runs[0].greedy[:12]]
    assert sum(prepared) >= 2 * 12  # at least once for each step of a sequence


@pytest.mark.full
def test_the_tokens_of_the_whole_model_bit_for_bit(model: Model, split: Model) -> None:
    """Where results do not depend on the other rows: log-probabilities and scores, too."""
    texts = prompts(9, 100)
    chosen = {"max_tokens": 6, "ignore_eos": True, "logprobs": 5, "temperature": 1.0, "seed": 4}
    results = []
    for each in (model, split):
        with Engine(each, deterministic=True) as engine:
            requests = [request for (request,) in engine.submit_all(texts, max_tokens=20, ignore_eos=True)]
            completion = engine.submit(texts[1], **chosen).result()
            score, vector = engine.score(texts[0]).result().logprobs, engine.embed(texts[2]).result().vector
            tokens = [request.result().ids for request in requests]
            results.append((tokens, completion.ids, completion.logprobs, score.tolist(), vector.tolist()))
    assert results[0] == results[1]


@pytest.mark.full
def test_grammars_and_penalties(model: Model, split: Model) -> None:
    """Choosing by a mask, and counts of tokens, beside plain sequences."""
    person = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
    kinds = [
        {"grammar": Grammar.json_schema(person)},
        {"repetition_penalty": 1.3, "logit_bias": {5: 2.0}},
        {"grammar": Grammar.regex("[a-z ]{5,20}"), "temperature": 0.8, "seed": 2},
        {},
    ]
    results = []
    for each in (model, split):
        with Engine(each, deterministic=True) as engine:
            requests = [engine.submit([17, 33, 250, 4, 99 + i], max_tokens=12, **o) for i, o in enumerate(kinds)]
            results.append([request.result().ids for request in requests])
    assert results[0] == results[1]


@pytest.mark.slow
def test_arriving_at_random_with_cancels_and_few_pages(model: Model, split: Model) -> None:
    """Token for token what each request gives alone on the whole model."""
    rng, texts, small = random.Random(3), prompts(24, 120), 9 * page_bytes(model.config, "f32")
    settings = {"max_batch": 6, "cache_bytes": small, "deterministic": True}
    with Engine(model, **settings) as engine:  # type: ignore[arg-type]
        requests = [engine.submit(text, max_tokens=30, ignore_eos=True) for text in texts]
        expected = [request.result().ids for request in requests]
    cancelled = 0
    with Engine(split, **settings) as engine:  # type: ignore[arg-type]
        requests = []
        for text in texts:
            requests.append(engine.submit(text, max_tokens=30, ignore_eos=True))
            if rng.random() < 0.3:
                rng.choice(requests).cancel()
            time.sleep(rng.random() * 0.01)
        for request, ids in zip(requests, expected, strict=True):
            completion = request.result(timeout=60)
            cancelled += completion.reason == "cancelled"
            assert completion.ids == (ids if completion.reason == "length" else ids[: len(completion.ids)])
        assert sum(request.result().cached_tokens for request in requests) > 0
        assert engine.health.alive and engine.health.pages_used == 0
    assert 0 < cancelled < 20


@pytest.mark.full
def test_pages_that_run_out(split: Model) -> None:
    """Where pages are not reserved, the younger ones give way and are computed again."""
    with Engine(split, cache_bytes=9 * page_bytes(split.config, "f32")) as engine:
        requests = [engine.submit(text, max_tokens=180, ignore_eos=True) for text in prompts(4, 60)]
        assert all(len(request.result().ids) == 180 for request in requests)
        assert engine.health.preemptions > 0 and engine.health.pages_used == 0


@pytest.mark.full
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_three_stages_of_each_kind_of_decoder(family: str, tmp_path: Path, devices: list[GpuDevice]) -> None:
    """RMSNorm with RoPE, and LayerNorm with learned positions; a stage in the middle has neither embedding nor head."""
    layers = "n_layer" if family == "gpt2" else "num_hidden_layers"
    config = {**CONFIGS[family], layers: 4}
    write_folder(tmp_path, config, random_weights(config, 3))
    results = []
    with open_checkpoint(tmp_path) as checkpoint:
        whole = Network.load(devices[0], checkpoint)
        split = SplitNetwork.load_split([*devices, devices[0]], checkpoint)
    for network in (whole, split):
        with Model(network, None, cache="f32", deterministic=True) as model:
            completion = model.generate([1, 2, 3, 4, 5], max_tokens=12, temperature=1.0, seed=1, logprobs=0)
            results.append((completion.ids, completion.logprobs))
    assert results[0] == results[1] and len(set(results[0][0])) > 1


def test_a_model_larger_than_the_memory_of_one_gpu(truth: Golden, devices: list[GpuDevice]) -> None:
    """The weights and the cache of the whole model exceed what each device may use."""
    options: dict[str, Any] = {"cache": "f32", "cache_bytes": 1 << 20, "context": 128}
    on_one = {"resident": "all", "device": devices[0], **options}
    before = devices[0].bytes_in_use
    with load(truth.folder, **on_one) as model:
        expected = model.generate([1, 2, 3], **OPTIONS).ids
        needed = devices[0].bytes_in_use - before
    try:
        for device in devices:
            device.memory_limit = device.bytes_in_use + needed * 3 // 4
        with pytest.raises(AllocationError), load(truth.folder, **on_one) as model:
            model.generate([1, 2, 3], **OPTIONS)
        with load(truth.folder, device=devices, **options) as model:
            assert model.generate([1, 2, 3], **OPTIONS).ids == expected
        for device in devices:
            device.memory_limit = device.bytes_in_use + needed // 8
        with pytest.raises(AllocationError, match=r"do not fit on 2 GPUs with .* free: use more GPUs"):
            load(truth.folder, device=devices, **options)
    finally:
        for device in devices:
            device.memory_limit = None


def test_stages_by_memory(devices: list[GpuDevice]) -> None:
    """Alike GPUs get alike shares, the embedding and the head counted; a smaller one gets fewer layers."""
    mib = 1 << 20
    sizes = Sizes((4 * mib,) * 8, 9 * mib, 8 * mib)

    def ends(tied: bool = False, reserve: int = 0) -> list[int]:
        return [stage.end for stage in plan_stages(sizes, devices, tied, reserve)]

    assert ends() == [3, 8]  # 8 + 12 MiB and 20 + 1 MiB
    assert ends(tied=True) == [4, 8]
    try:
        devices[1].memory_limit = devices[1].bytes_in_use + 12 * mib
        assert ends() == [6, 8]
    finally:
        devices[1].memory_limit = None
    with pytest.raises(PreconditionError, match="the model has 8 layers, too few for 10 GPUs"):
        plan_stages(sizes, devices * 5, tied=False)


def test_what_needs_one_gpu_is_refused_by_name(truth: Golden, split: Model, devices: list[GpuDevice]) -> None:
    for options, message in {
        "draft": ({"draft": truth.folder}, "draft and several GPUs exclude each other: choose one GPU"),
        "kernels": ({"kernels": "triton"}, "kernels and several GPUs exclude each other"),
        "resident": ({"resident": 1}, "resident and several GPUs exclude each other"),
        "device": ({"device": devices}, "gpu and device exclude each other"),
    }.values():
        with pytest.raises(WgptError, match=message):
            load(truth.folder, gpu=[0, 0], **options)  # type: ignore[arg-type]
    with pytest.raises(PreconditionError, match="logits and hidden states: the model is split over 2 GPUs"):
        split.logits([1, 2])
    with pytest.raises(PreconditionError, match="speculation: the model is split over 2 GPUs"):
        Engine(split, speculation="ngram")
    with pytest.raises(PreconditionError, match=r"fine-tuning: the model is split over 2 GPUs: .* through Ray"):
        split.finetune([{"text": "a"}])
    with pytest.raises(NoGpuError, match="0,1 are several GPUs"):
        GpuDevice.open("0,1")
    with pytest.raises(PreconditionError, match="gpu must be the number of a GPU"):
        load(truth.folder, gpu=[0, None])  # type: ignore[list-item]


@pytest.mark.full
def test_both_gpus_work_at_once(split: Model) -> None:
    """With many requests, the steps of one group run on a stage while those of another run on the next."""
    with Engine(split, max_batch=16) as engine:
        core = engine._core
        runner = core.runner
        assert isinstance(runner, SplitRunner)
        groups: set[int] = set()
        step = runner.step

        def noted(slots: list[int], *args: Any) -> Any:
            groups.add(len(slots))
            return step(slots, *args)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runner, "step", noted)
            requests = [each for (each,) in engine.submit_all(prompts(16, 12), max_tokens=16, ignore_eos=True)]
            assert all(len(request.result().ids) == 16 for request in requests)
        assert max(groups) == 8  # half of them: the other half runs meanwhile
        assert all(seconds > 0 for seconds in runner.busy_seconds)


def test_an_error_on_the_second_gpu_ends_what_runs_and_nothing_else(
    truth: Golden, split: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine(split, max_batch=4) as engine:
        runner = engine._core.runner
        assert isinstance(runner, SplitRunner)
        clock, send = runner._flows.clocks[1], Clock.send

        def broken(self: Clock, *work: Any) -> Any:
            if self is clock:
                raise ValidationError("the second GPU refuses it")
            return send(self, *work)

        monkeypatch.setattr(Clock, "send", broken)
        with pytest.raises(ValidationError, match="the second GPU refuses it"):
            engine.submit(truth.runs[0].ids, **OPTIONS).result()
        monkeypatch.undo()
        assert engine.submit(truth.runs[0].ids, **OPTIONS).result().ids == truth.runs[0].greedy[:12]
