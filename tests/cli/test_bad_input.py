"""Invalid input gives one line on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wgpu
from tests.models import golden
from tests.models.gguf_maker import write_gguf

from wgpt.cli import common
from wgpt.gpu import device as device_module
from wgpt.gpu.dry import DryDevice

pytestmark = pytest.mark.gpu

Files = Callable[..., Path]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A GGUF file that works."""
    path = tmp_path_factory.mktemp("whole") / "whole.gguf"
    model = golden.load("llama-gqa")
    write_gguf(path, model.config, model.weights)
    return path.read_bytes()


@pytest.fixture
def refused(wgpt) -> Callable[..., str]:
    """The one line that `wgpt ARGS` ends with."""

    def run(*args: str) -> str:
        result = wgpt(*args)
        assert result.exit_code == 2, (result.stdout, result.stderr, result.exception)
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert result.stderr.startswith("wgpt: error: ")
        return result.stderr

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a valid model, to be damaged."""
    return shutil.copytree(golden.FOLDER / "models" / "llama-gqa", tmp_path / "model")


def change(folder: Path, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | values))


@pytest.mark.parametrize("command", ["serve", "bench serve"])
def test_packages_of_an_extra_that_are_not_installed(refused, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(common, "find_spec", lambda name: None)
    assert f"wgpt {command} needs " in refused(*command.split()) and "httptools" in refused(*command.split())
    assert refused(*command.split()).endswith("pip install 'wgpt[serve]'\n")


@pytest.mark.full
def test_the_file_that_is_spoilt_below_works(wgpt, whole: bytes, tmp_path: Path):
    (tmp_path / "m.gguf").write_bytes(whole)
    result = wgpt("run", "Hello", "-m", str(tmp_path / "m.gguf"), "-n", "3")
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda raw: raw[: len(raw) // 2], id="truncated data"),
        pytest.param(lambda raw: raw[:300], id="truncated header"),
        pytest.param(lambda raw: b"", id="empty"),
        pytest.param(lambda raw: bytes(len(raw)), id="zeros"),
        pytest.param(lambda raw: raw[:8] + struct.pack("<Q", 1 << 60) + raw[16:], id="impossible count"),
        pytest.param(lambda raw: raw[:4] + struct.pack("<I", 99) + raw[8:], id="unknown version"),
        pytest.param(lambda raw: raw.replace(b"general.architecture", b"general.architectura"), id="no architecture"),
        pytest.param(lambda raw: raw.replace(b"blk.1.attn_q", b"blk.9.attn_q"), id="a tensor of no layer"),
        pytest.param(lambda raw: b"PK\x03\x04" + raw[4:], id="another format"),
    ],
)
@pytest.mark.parametrize("command", [("run", "Hello"), ("bench", "decode")], ids=" ".join)
def test_a_spoilt_gguf(refused, tmp_path: Path, whole: bytes, spoil, command):
    path = tmp_path / "spoilt.gguf"
    path.write_bytes(spoil(whole))
    assert "spoilt.gguf" in refused(*command, "-m", str(path))


def test_truncated_safetensors(refused, folder: Path):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert "model.safetensors" in refused("run", "Hello", "-m", str(folder))


def test_no_tokenizer(refused, folder: Path):
    (folder / "tokenizer.json").unlink()
    message = refused("run", "Hello", "-m", str(folder))
    assert "tokenizer.json" in message
    assert "tokenizer" in refused("chat", "-m", str(folder))


@pytest.mark.full
def test_another_models_tokenizer_helps(wgpt, folder: Path):
    (folder / "tokenizer.json").unlink()
    other = golden.FOLDER / "models" / "qwen2"
    result = wgpt("run", "Hello", "-m", str(folder), "--tokenizer", str(other), "-n", "2")
    assert result.exit_code == 0, result.stderr


def test_an_unknown_architecture(refused, folder: Path):
    change(folder, model_type="mamba", architectures=["MambaForCausalLM"])
    assert "mamba" in refused("run", "Hello", "-m", str(folder))


def test_sizes_that_contradict_the_weights(refused, folder: Path):
    change(folder, hidden_size=64)
    refused("run", "Hello", "-m", str(folder))


@pytest.mark.parametrize("prompt", ["", "  \n"])
def test_an_empty_prompt(refused, prompt: str):
    for args in ((), ("--raw",)):
        assert "the prompt is empty" in refused("run", prompt, *args)


def test_an_empty_pipe_and_bytes_that_are_no_text(wgpt):
    late = b"a" * 100_000 + b"\xff"
    cases = ((b"", "the prompt is empty"), (b"\xff\xfe", "not text in utf-8"), (late, "start byte at byte 100000"))
    for stdin, message in cases:
        result = wgpt("run", input=stdin)
        assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and message in result.stderr


def test_half_a_surrogate_pair(refused, folder: Path):
    message = refused("run", "ä\ud800b", "-m", str(folder))
    assert "not valid Unicode: no character starts at byte 2" in message


def test_a_prompt_beyond_the_context(refused, folder: Path):
    message = refused("run", "word " * 2000, "-m", str(folder))
    assert "the context length is 256" in message
    assert "from 1 to the model's 256 tokens, not 257" in refused("run", "a", "-m", str(folder), "--context", "257")
    assert "256" in refused("bench", "decode", "-m", str(folder), "--context", "250")
    assert "256" in refused("bench", "prefill", "-m", str(folder), "--context", "257")
    assert "256" in refused("explain", "decode", "-m", str(folder), "--rows", "256")


@pytest.mark.parametrize("bias", ["320=1", "-1=1", "99999999999999999999=1"])
def test_a_token_id_out_of_range(refused, folder: Path, bias: str):
    assert "outside the vocabulary of 320" in refused("run", "Hello", "-m", str(folder), f"--logit-bias={bias}")


@pytest.mark.parametrize(
    "options",
    [
        ("--temperature", "-1"),
        ("--temperature", "nan"),
        ("--top-k", "-1"),
        ("--top-p", "0"),
        ("--top-p", "1.5"),
        ("--min-p", "1"),
        ("--repetition-penalty", "0"),
        ("--repetition-penalty", "inf"),
        ("--seed", "-1"),
        ("--seed", str(2**64)),
        ("--stop", ""),
    ],
    ids=" ".join,
)
def test_options_out_of_range(refused, folder: Path, options: tuple[str, str]):
    assert options[0] in refused("run", "Hello", "-m", str(folder), *options)


@pytest.mark.parametrize(
    "options",
    [
        ("--max-tokens", "0"),
        ("--dtype", "q3"),
        ("--cache", "f8"),
        ("--overflow", "wrap"),
        ("--logit-bias", "7"),
        ("--logit-bias", "a=1"),
        ("--logit-bias", "1=inf"),
        ("--logit-bias", "1=nan"),
        ("--logit-bias", "1=1e39"),
        ("--context", "0"),
    ],
    ids=" ".join,
)
def test_usage_errors(wgpt, options: tuple[str, str]):
    result = wgpt("run", "Hello", *options)
    assert result.exit_code == 2 and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1 and all(part in result.stderr for part in options)


def test_an_unknown_name_and_a_missing_file(refused):
    assert "did you mean smollm2-135m?" in refused("run", "Hello", "-m", "SmolLM2-135")
    assert "no such file" in refused("run", "Hello", "-m", "missing.gguf")
    assert "no such file" in refused("bench", "prefill", "-m", "missing.gguf")


def test_offline_with_nothing_in_the_cache(refused, monkeypatch):
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    for command in (("run", "Hello"), ("chat",), ("bench", "decode")):
        assert "WGPT_OFFLINE is set" in refused(*command)


@pytest.fixture
def small_gpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the GPU to this many bytes of memory."""
    opened = device_module.GpuDevice.__init__

    def init(self, *args: Any, **more: Any) -> None:
        opened(self, *args, **more)
        if isinstance(self, DryDevice):  # it counts what would not fit
            return
        create = self.webgpu.create_buffer

        def limited(size: int, *rest: Any) -> Any:
            if self.bytes_in_use + size > request.param:
                raise wgpu.GPUOutOfMemoryError("Not enough memory left")
            return create(size, *rest)

        monkeypatch.setattr(self.webgpu, "create_buffer", limited)

    monkeypatch.setattr(device_module.GpuDevice, "__init__", init)


@pytest.mark.parametrize("small_gpu", [300_000], indirect=True)
@pytest.mark.usefixtures("small_gpu")
def test_a_model_that_does_not_fit(refused, folder: Path):
    message = refused("run", "Hello", "-m", str(folder))
    assert "do not fit: with all layers in host memory they need" in message and "q4_1" in message
    message = refused("run", "Hello", "-m", str(folder), "--resident", "all")
    assert "do not fit" in message and "out of GPU memory" in message and "q4_1" in message
    assert "do not fit" in refused("bench", "decode", "--preset", "smollm2-135m", "--random")


@pytest.mark.parametrize("small_gpu", [120_000], indirect=True)
@pytest.mark.usefixtures("small_gpu")
def test_a_cache_that_does_not_fit(refused, folder: Path):
    assert "shorter context" in refused("run", "Hello", "-m", str(folder), "--cache", "f32", "--dtype", "q4_0")
