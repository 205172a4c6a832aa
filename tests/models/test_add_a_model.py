"""The worked example of docs/add-a-model.md: a made-up family in one file, from either kind of file, against NumPy."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import load
from wgpt.formats import FormatError, family, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.formats.merge import merge
from wgpt.formats.peft import write_lora
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.targets import chosen
from wgpt.models.tiny_models import write_folder

from . import made_up
from .compare import TOLERANCE, error, error_of_decoding, error_of_prefill
from .gguf_maker import write_gguf
from .vocabulary import write_tokenizer

pytestmark = pytest.mark.gpu
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "add_a_model" / "pebble.py"
PAGE = ROOT / "docs" / "add-a-model.md"
OWN = {"model_type": "pebble", "architectures": ["PebbleForCausalLM"], "sliding_window": 5, "local_rope_theta": 30.0}
CONFIG = made_up.llama_like("llama", hidden=64, layers=4, heads=4, kv_heads=2, ffn=96) | OWN
WEIGHTS = made_up.random_weights(CONFIG, seed=3)
METADATA = {"attention.sliding_window": 5, "rope.freq_base_swa": 30.0}
IDS = np.random.default_rng(1).integers(0, CONFIG["vocab_size"], 37).tolist()


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The family is known while a test runs, and only then."""
    monkeypatch.setattr(family, "_families", {each.name: each for each in family.families()})
    spec = importlib.util.spec_from_file_location("pebble", EXAMPLE)
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


@pytest.fixture(params=["hugging face", "gguf"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    if request.param == "gguf":
        write_gguf(tmp_path / "pebble.gguf", CONFIG, WEIGHTS, metadata=METADATA)
        yield tmp_path / "pebble.gguf"
    else:
        yield folder(tmp_path / "pebble")


def folder(path: Path) -> Path:
    path.mkdir()
    write_folder(path, CONFIG, WEIGHTS)
    write_tokenizer(path)
    return path


def adapter_of(config: Config) -> LoraAdapter:
    rng = np.random.default_rng(2)

    def thin(*shape: int) -> np.ndarray:
        return (0.1 * rng.standard_normal(shape)).astype(np.float32)

    shapes = chosen(config, ["q", "down"])
    return LoraAdapter({name: Factors(thin(4, k), thin(n, 4), 2.0) for name, (n, k) in shapes.items()}, rank=4, alpha=8)


def merged_weights(adapter: LoraAdapter) -> dict[str, np.ndarray]:
    added = {f"{name}.weight": f.scale * (f.b @ f.a) for name, f in adapter.targets.items()}
    return {name: values + added.get(name, 0) for name, values in WEIGHTS.items()}


def test_runs_as_numpy_does(path: Path, device: GpuDevice) -> None:
    with open_checkpoint(path) as checkpoint:
        network = Network.load(device, checkpoint)
    try:
        assert error_of_prefill(network, CONFIG, WEIGHTS, IDS) < TOLERANCE
        assert error_of_decoding(network, CONFIG, WEIGHTS, IDS) < TOLERANCE
    finally:
        network.release()


@pytest.mark.parametrize("change", [{"sliding_window": 64}, {"local_rope_theta": 10000.0}])
def test_both_settings_matter(change: dict[str, float]) -> None:
    """The comparison above would see a forward that ignores one of them."""
    expected = reference.logits(CONFIG, WEIGHTS, IDS)
    assert error(reference.logits(CONFIG | change, WEIGHTS, IDS), expected) > 100 * TOLERANCE


def test_generates(path: Path, device: GpuDevice) -> None:
    with load(path, cache="f32", device=device) as model:
        assert model.config.family == "pebble"
        answer = model.generate(IDS, max_tokens=6, ignore_eos=True)
    assert answer.ids == reference.greedy(CONFIG, WEIGHTS, IDS, 6)


@pytest.mark.parametrize("path", [pytest.param("hugging face", marks=pytest.mark.full), "gguf"], indirect=True)
def test_takes_a_lora(path: Path, device: GpuDevice, tmp_path: Path) -> None:
    with load(path, cache="f32", device=device) as model:
        adapter = adapter_of(model.config)
        write_lora(adapter, tmp_path / "lora")
        model.attach(tmp_path / "lora")
        logits = model.logits(IDS)
    assert error(logits, reference.logits(CONFIG, merged_weights(adapter), IDS)) < TOLERANCE


@pytest.mark.full
def test_learns_one(path: Path, device: GpuDevice) -> None:
    texts = [{"text": "abc abc abc abc"}] * 8
    with load(path, cache="f32", device=device) as model:
        before = model.perplexity("abc abc abc abc")
        adapter = model.finetune(texts, epochs=4, lr=0.01, rank=4)
        model.attach(adapter)
        assert model.perplexity("abc abc abc abc") < before / 2


def test_merges_into_a_folder(path: Path, tmp_path: Path) -> None:
    """Its config.json is written with its own keys."""
    with open_checkpoint(path) as checkpoint:
        adapter = adapter_of(Config.of(checkpoint.config))
        merge(checkpoint, adapter, tmp_path / "merged", "f32")
        config = checkpoint.config
    with open_checkpoint(tmp_path / "merged") as merged:
        assert {key: pytest.approx(value) if isinstance(value, float) else value for key, value in config.items()} == (
            merged.config
        )
        expected = merged_weights(adapter)
        for name, stored in merged.tensors.items():
            np.testing.assert_allclose(stored.rows(0, stored.shape[0]), expected[name], rtol=1e-6, atol=1e-6)


def test_what_it_cannot_run_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match="unsupported window_every 3; supported: 2"):
        normalised(CONFIG | {"window_every": 3}, "here")
    with pytest.raises(FormatError, match="local_rope_theta is 0"):
        normalised(CONFIG | {"local_rope_theta": 0}, "here")


def test_a_name_is_taken_once() -> None:
    with pytest.raises(FormatError, match="a family named 'pebble' is already registered"):
        family.register(family.named("pebble"))


def test_the_page_shows_the_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"<!-- include: {EXAMPLE.relative_to(ROOT).as_posix()} -->" in page
    assert EXAMPLE.read_text(encoding="utf-8").strip() in page
