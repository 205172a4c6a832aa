"""`--tokenizer DIR`, the way out where a model's own tokenizer is missing or unknown; and quantised folders."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.models.gguf_maker import write_gguf
from tests.models.golden import load as golden

from wgpt.formats import FormatError
from wgpt.serve.prompts import Prompts

MODEL = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
TOKENIZER = ("tokenizer.json", "tokenizer_config.json")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A model without a tokenizer."""
    return Path(shutil.copytree(MODEL, tmp_path / "bare", ignore=shutil.ignore_patterns(*TOKENIZER)))


@pytest.fixture
def unknown(tmp_path: Path) -> Path:
    """A GGUF file whose pre-tokenizer is none that is known."""
    model = golden("llama-gqa")
    path = tmp_path / "unknown.gguf"
    write_gguf(path, model.config, model.weights)
    raw = path.read_bytes()
    at = raw.index(b"tokenizer.ggml.pre") + len("tokenizer.ggml.pre") + 4  # the value's type
    length = int.from_bytes(raw[at : at + 8], "little")
    path.write_bytes(raw[: at + 8] + b"x" * length + raw[at + 8 + length :])
    return path


@pytest.mark.gpu
def test_a_model_without_a_tokenizer(wgpt, bare: Path) -> None:
    refused = wgpt("run", "-m", str(bare), "--raw", "the cat", "-n", "4")
    assert refused.exit_code == 2 and "--tokenizer DIR" in " ".join(refused.stderr.split())
    own = wgpt("run", "-m", str(MODEL), "--raw", "the cat", "-n", "4")
    assert own.exit_code == 0
    other = wgpt("run", "-m", str(bare), "--tokenizer", str(MODEL), "--raw", "the cat", "-n", "4")
    assert (other.exit_code, other.stdout) == (0, own.stdout)


@pytest.mark.gpu
def test_an_unknown_pre_tokenizer(wgpt, unknown: Path) -> None:
    refused = wgpt("run", "-m", str(unknown), "--raw", "the cat", "-n", "4")
    message = " ".join(refused.stderr.split())
    assert refused.exit_code == 2 and "tokenizer.ggml.pre is 'xxx" in message and "--tokenizer DIR" in message
    assert wgpt("run", "-m", str(unknown), "--tokenizer", str(MODEL), "--raw", "the cat", "-n", "4").exit_code == 0


def test_serving_an_unknown_pre_tokenizer(unknown: Path) -> None:
    """The server's own process reads the tokenizer as well as the engine's."""
    with pytest.raises(FormatError, match=r"tokenizer\.ggml\.pre is 'xxx"):
        Prompts.load(unknown, None)
    prompts = Prompts.load(unknown, None, str(MODEL))
    assert prompts.tokenizer.encode("the cat") == Prompts.load(MODEL, None).tokenizer.encode("the cat")


@pytest.mark.gpu
def test_fine_tuning_and_resuming(wgpt, data, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = "--batch 2 --rank 4 --targets q,v --lr 1e-2 --max-tokens 48 --hold-out 0".split()  # noqa: SIM905
    out = tmp_path / "out"
    common = ("finetune", "-m", str(bare), "-d", str(data), "-o", str(out), *quick)
    refused = wgpt(*common, "--steps", "2")
    assert refused.exit_code == 2 and "--tokenizer DIR" in " ".join(refused.stderr.split())
    assert wgpt(*common, "--steps", "2", "--dry-run", "--tokenizer", str(MODEL)).exit_code == 0
    monkeypatch.chdir(MODEL.parent)  # a relative path is found from anywhere later
    assert wgpt(*common, "--steps", "2", "--tokenizer", MODEL.name, "--force").exit_code == 0
    monkeypatch.chdir(tmp_path)
    resumed = wgpt("finetune", "-o", str(out), "--resume", "--steps", "3")
    assert resumed.exit_code == 0, resumed.stderr


@pytest.mark.gpu
def test_an_unknown_quantisation_is_refused(wgpt, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MODEL, tmp_path / "quantised"))
    config = json.loads((folder / "config.json").read_text()) | {"quantization_config": {"quant_method": "aqlm"}}
    (folder / "config.json").write_text(json.dumps(config))
    refused = wgpt("run", "-m", str(folder), "--raw", "the cat", "-n", "4")
    message = " ".join(refused.stderr.split())
    assert refused.exit_code == 2 and "unsupported quantization_config 'aqlm'; supported: mlx, bitsandbytes" in message
