"""Nothing grows with tokens or models, and little is needed beside the weights and the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gpu.test_leaks import MIB, Held
from tests.models import golden
from tests.models.golden import Golden
from wgpt import ForwardPass, Model, load
from wgpt.engine.batch import TILE
from wgpt.engine.read_outputs import Outputs
from wgpt.gpu import AllocationError, GpuDevice

pytestmark = pytest.mark.gpu
PROMPT = [5, 44, 130, 7, 201, 90, 33, 12]


def check(before: Held, after: Held, mib: int) -> None:
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)
    assert after.rss - before.rss < mib * MIB


@pytest.fixture(autouse=True)
def logits_were_read(device: GpuDevice) -> None:
    """Reading the logits of a token takes a staging buffer from then on."""
    for slots in (1, 2):
        logits = device.empty((slots, 320))
        device.read(logits)
        logits.buffer.release()


@pytest.mark.slow
@pytest.mark.parametrize(("penalty", "before"), [(1.0, 600), (1.1, 2000)])
def test_two_thousand_tokens(shared: Model, device: GpuDevice, penalty: float, before: int) -> None:
    """In a context that slides, so that prompts are read anew on the way. A penalty needs all tokens so far."""
    options = {"ignore_eos": True, "overflow": "slide", "temperature": 1.0, "repetition_penalty": penalty}
    shared.generate(PROMPT, max_tokens=before, **options)
    held = Held.now(device)
    assert len(shared.generate(PROMPT, max_tokens=2000, **options).ids) == 2000
    check(held, Held.now(device), mib=2)


@pytest.mark.slow
def test_two_hundred_prompts_and_abandoned_streams(shared: Model, device: GpuDevice) -> None:
    """Lengths that change, so that Programs come and go; streams that nobody reads to the end.

    The lengths come again every 40 prompts: a new one may need a shader, or a buffer that the pool keeps from then on.
    """

    def use(i: int) -> None:
        shared.generate([5 + i % 7] * (1 + 37 * (i % 40) % 200), max_tokens=2, ignore_eos=True)
        next(shared.stream(PROMPT, max_tokens=20, ignore_eos=True))

    for i in range(80):
        use(i)
    before = Held.now(device)
    for i in range(80, 280):
        use(i)
    check(before, Held.now(device), mib=4)


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["closed", "dropped"])
def test_fifty_models(truth: Golden, device: GpuDevice, ends: str) -> None:
    def use() -> None:
        model = load(truth.folder, device=device)
        assert len(model.generate(PROMPT, max_tokens=3, ignore_eos=True).ids) == 3
        model.generate([PROMPT, PROMPT[:3]], max_tokens=3, temperature=0.7)
        model.hidden(PROMPT)
        if ends == "closed":
            model.close()

    for _ in range(5):
        use()
    before = Held.now(device)
    for _ in range(50):
        use()
    check(before, Held.now(device), mib=16)  # 400 more models take 1 MiB more: the first fill the allocators' caches


@pytest.mark.slow
def test_fifty_forward_passes(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.api.forward_pass.default_device", lambda: device)
    folder = golden.load("gpt2").folder

    def use() -> None:
        forward = ForwardPass.default().with_resident_weights(folder)
        forward.forward_hidden(PROMPT)
        forward.forward_hidden_batch([PROMPT, PROMPT[:3]])
        forward.release()

    for _ in range(5):
        use()
    before = Held.now(device)
    for _ in range(50):
        use()
    check(before, Held.now(device), mib=8)


def test_a_request_that_does_not_fit_leaves_the_model_usable(
    truth: Golden, device: GpuDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Programs that a long prompt needs find no memory."""
    with load(truth.folder, cache="f32", device=device) as model:
        long, options = [9 + i % 90 for i in range(200)], {"ignore_eos": True}
        expected = model.generate(PROMPT, max_tokens=4, **options).ids
        device.pool.trim()
        with monkeypatch.context() as limited:
            limited.setattr(device, "memory_limit", device.bytes_in_use + (1 << 12))
            with pytest.raises(AllocationError) as error:
                model.generate(long, max_tokens=10**6, **options)
            del error
            limited.setattr(device, "memory_limit", device.bytes_in_use + (1 << 20))
            for _ in range(2):
                assert model.generate(PROMPT, max_tokens=4, **options).ids == expected
                assert len(model.logits(PROMPT)) == len(PROMPT)
        again = model.generate(long, max_tokens=40, **options)
        assert len(again.ids) == 40 and again.cached_tokens == 0, "what was not computed is not in the cache"
    with load(truth.folder, cache="f32", device=device) as fresh:
        assert fresh.generate(long, max_tokens=40, **options).ids == again.ids


def test_a_cache_that_does_not_fit_is_smaller(
    truth: Golden, device: GpuDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache of the usual size is a wish; one that was asked for is not."""
    with load(truth.folder, cache="f32", device=device) as model:
        expected = model.generate(PROMPT, max_tokens=4, ignore_eos=True).ids
        usual, count = model._engines.generator().runner.cache.nbytes, model._engines.generator().pages.count
    with load(truth.folder, cache="f32", device=device) as model, monkeypatch.context() as limited:
        device.pool.trim()
        limited.setattr(device, "memory_limit", device.bytes_in_use + usual // 2)
        assert model.generate(PROMPT, max_tokens=4, ignore_eos=True).ids == expected
        assert 1 < model._engines.generator().pages.count < count
        limited.setattr(device, "memory_limit", device.bytes_in_use + usual // 2)
        asked = Model(model.network, model.tokenizer, cache="f32", cache_bytes=usual)
        with pytest.raises(AllocationError, match=r"KV cache of \d+ positions, .*: use a smaller cache_bytes"):
            asked.generate(PROMPT, max_tokens=4)


def test_little_beside_weights_and_cache(smollm2_path: Path) -> None:
    """The peak memory of the real model, with Programs for 512 tokens of a prompt, as on a GPU."""
    device = GpuDevice.open()
    with load(smollm2_path, device=device) as model:
        engine = model._engines.generator()
        engine.runner.record.chunk(512, TILE, Outputs())
        prepared = device.peak_bytes
        model.generate([500 + i for i in range(16)], max_tokens=4, ignore_eos=True)
        assert device.peak_bytes < prepared + (1 << 20), "running takes no more than was made for it"
        needed = model.network.nbytes + engine.runner.cache.nbytes
        assert smollm2_path.stat().st_size * 0.95 < model.network.nbytes < smollm2_path.stat().st_size * 1.05
        assert device.peak_bytes < 1.25 * needed
        assert model.nbytes < 1.25 * needed
        beside = engine.nbytes - engine.runner.cache.nbytes
        assert beside < 0.25 * model.network.nbytes, "little beside a small cache, too"
    device.close()
