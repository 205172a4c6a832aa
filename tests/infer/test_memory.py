"""Nothing grows with tokens or models, and little is needed beside the weights and the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gpu.test_leaks import MIB, Held
from tests.models import golden
from tests.models.golden import Golden
from wgpt import ForwardPass, Model, load
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.infer.session import Session

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
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


def test_two_thousand_tokens(shared: Model, device: GpuDevice) -> None:
    """In a context that slides, so that prompts are read anew on the way."""
    options = {"ignore_eos": True, "overflow": "slide", "temperature": 1.0, "repetition_penalty": 1.1}
    shared.generate(PROMPT, max_tokens=600, **options)
    before = Held.now(device)
    assert len(shared.generate(PROMPT, max_tokens=2000, **options).ids) == 2000
    check(before, Held.now(device), mib=2)


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


@pytest.mark.full
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


def test_fifty_forward_passes(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.infer.forward_pass.default_device", lambda: device)
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


@pytest.mark.parametrize("fails", ["the cache", "the Programs"])
def test_a_request_that_does_not_fit_leaves_the_model_usable(
    truth: Golden, device: GpuDevice, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """Either the cache does not fit, or it leaves no memory for the rest."""
    with load(truth.folder, cache="f32", device=device) as model:
        long, options = [5 + i % 90 for i in range(200)], {"ignore_eos": True}
        needed = Session(model.network, 256, 1, "f32")
        whole = needed.nbytes
        needed.release()
        with monkeypatch.context() as limited:
            limited.setattr("wgpt.api.sessions._LEAST_CAPACITY", 64)
            expected = model.generate(PROMPT, max_tokens=4, **options).ids
            model.session(32, 2)  # another one in its place, so that the next has its memory to find
            free = whole // 2 if fails == "the cache" else whole
            limited.setattr(device, "memory_limit", device.bytes_in_use + free)
            with pytest.raises(AllocationError) as error:
                model.generate(long, max_tokens=10**6, **options)
            for _ in range(2):
                assert model.generate(PROMPT, max_tokens=4, **options).ids == expected
                assert len(model.logits(PROMPT)) == len(PROMPT)
            del error
        assert len(model.generate(long, max_tokens=40, **options).ids) == 40


def test_doubling_the_cache_is_a_wish(truth: Golden, device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """If twice the positions do not fit, only as many as needed are allocated."""
    monkeypatch.setattr("wgpt.api.sessions._LEAST_CAPACITY", 64)
    with load(truth.folder, cache="f32", device=device) as model:
        half = model.session(128).cache.nbytes
        device.pool.trim()
        monkeypatch.setattr(device, "memory_limit", device.bytes_in_use + half // 2)
        assert model.session(192).capacity == 192


def test_little_beside_weights_and_cache(smollm2_path: Path) -> None:
    """The peak memory of the real model, with a prompt of 512 tokens read as on a GPU."""
    device = GpuDevice.open()
    with load(smollm2_path, device=device) as model:
        session = model.session(600)
        session.chunk = 512
        session.prepare({0: [500 + i for i in range(512)]})
        prepared = device.peak_bytes
        model.generate([500 + i for i in range(16)], max_tokens=4, ignore_eos=True)
        assert device.peak_bytes < prepared + (1 << 20), "running takes no more than was made for it"
        needed = model.network.nbytes + session.cache.nbytes
        assert smollm2_path.stat().st_size * 0.95 < model.network.nbytes < smollm2_path.stat().st_size * 1.05
        assert device.peak_bytes < 1.25 * needed
        assert model.nbytes < 1.25 * needed
    device.close()
