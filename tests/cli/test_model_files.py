"""quantize and convert on tiny models."""

from __future__ import annotations

import pytest
from tests.models import golden

MODEL = str(golden.FOLDER / "models" / "qwen3")


@pytest.mark.full
def test_convert_and_quantize_make_models_that_say_the_same(wgpt, wgpt_json, tmp_path):
    plain, folder, small = (str(tmp_path / name) for name in ("m.gguf", "again", "small.gguf"))
    result = wgpt("convert", MODEL, "--out", plain)
    assert (result.exit_code, result.stdout) == (0, f"{plain}\n")
    report = wgpt_json("convert", plain, "-o", folder)
    assert report["path"] == folder and "model.safetensors" in report["files"] and report["notes"] == []
    report = wgpt_json("quantize", plain, "--to", "Q8_0", "-o", small)
    assert report["path"] == small and report["mixture"] == "q8_0" and report["bytes"] > 0
    runs = [wgpt_json("run", "a b", "-m", model, "-n", "6", "--raw") for model in (MODEL, plain, folder)]
    assert len({tuple(run["ids"]) for run in runs}) == 1
    assert len(wgpt_json("run", "a b", "-m", small, "-n", "6", "--raw")["ids"]) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("quantize", MODEL, "-o", "x.gguf", "--to", "q9"), "unsupported mixture 'q9'; supported: f32, bf16, f16"),
        (("quantize", MODEL, "-o", "x.gguf"), "missing option '--to'"),
        (("quantize", "no-such", "-o", "x.gguf", "--to", "q8_0"), "unknown model 'no-such'"),
        (("quantize", MODEL, "-o", "x.gguf", "--to", "q8_0", "--imatrix", "none.gguf"), "none.gguf"),
        (("convert", MODEL, "-o", MODEL, "--force"), "contains the base model"),
        (("convert", MODEL, "-o", "x", "--dtype", "q8_0"), "choose one of f32, f16, bf16"),
    ],
)
def test_refusals(wgpt, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = wgpt(*arguments)
    assert result.exit_code == 2 and message in result.stderr.replace("\n", " "), result.stderr
    assert list(tmp_path.iterdir()) == []
