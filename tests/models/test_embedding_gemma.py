"""EmbeddingGemma: dense layers after pooling, from folders and from GGUF files; see test_encoders.py for the rest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest

from wgpt import WgptError, load
from wgpt.formats import FormatError, hub, open_checkpoint
from wgpt.formats.write_gguf import write_gguf as write_model_as_gguf
from wgpt.formats.write_model import check_writable
from wgpt.gpu import GpuDevice
from wgpt.models import reference

from .gguf_maker import write_gguf
from .golden import read_safetensors
from .test_encoders import TOLERANCE, dense, error, golden, unit

TRUTH = golden("embeddinggemma")


@pytest.mark.gpu
def test_vectors_are_as_the_files_say(device: GpuDevice) -> None:
    with load(TRUTH.folder, device=device) as model:
        assert model.config.family == "gemma_embedding" and model.config.layer(0).window == 5
        assert error(model.embed(TRUTH.ids), unit(dense(TRUTH, TRUTH.mean))) < TOLERANCE
        with pytest.raises(WgptError, match="turns texts into vectors"):
            model.generate("a")


def _write(path: Path, *, with_dense: bool) -> None:
    """As llama.cpp's converter does."""
    config = json.loads((TRUTH.folder / "config.json").read_text()) | {"model_type": "gemma_embedding"}
    weights = {f"model.{name}": w for name, w in read_safetensors(TRUTH.folder / "model.safetensors").items()}
    for i in (2, 3) if with_dense else ():
        matrix = read_safetensors(TRUTH.folder / f"{i}_Dense" / "model.safetensors")["linear.weight"]
        weights[f"dense_{i}_out.weight"] = matrix
    write_gguf(path, config, weights, metadata={"pooling_type": 1, "attention.sliding_window_pattern": 2})


@pytest.mark.gpu
@pytest.mark.full
def test_gguf_files(device: GpuDevice, tmp_path: Path) -> None:
    """Of llama.cpp's converter, with the dense layers, and of our own writer."""
    _write(tmp_path / "model.gguf", with_dense=True)
    with open_checkpoint(TRUTH.folder) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "own.gguf", "f32")
    for name in ("model.gguf", "own.gguf"):
        with load(tmp_path / name, device=device) as model:
            assert error(model.embed(TRUTH.ids, pooling="mean"), unit(dense(TRUTH, TRUTH.mean))) < TOLERANCE


@pytest.mark.gpu
@pytest.mark.full
def test_a_gguf_file_without_dense_layers(device: GpuDevice, tmp_path: Path) -> None:
    _write(tmp_path / "model.gguf", with_dense=False)
    with load(tmp_path / "model.gguf", device=device) as model:
        with pytest.raises(WgptError, match=r"lacks the dense layers after pooling \(dense_2, dense_3\)"):
            model.embed(TRUTH.ids[0])
        assert error(model.embed(TRUTH.ids, pooling="mean", normalise=False), TRUTH.mean) < TOLERANCE


def test_its_modules_are_downloaded_from_the_hub() -> None:
    """And nothing else in subfolders. The hub's client matches patterns by fnmatch, where * may be a slash."""
    there = [path.relative_to(TRUTH.folder).as_posix() for path in TRUTH.folder.rglob("*.*") if path.suffix != ".npz"]
    others = ["onnx/model.safetensors", "original/params.json", "2_Dense/onnx/config.json", "consolidated.safetensors"]

    def matches(name: str, patterns: Sequence[str]) -> bool:
        return any(fnmatch(name, pattern) for pattern in patterns)

    taken = [name for name in [*there, *others] if matches(name, hub._FILES) and not matches(name, hub._IGNORED)]
    assert taken == there and "2_Dense/model.safetensors" in taken and "1_Pooling/config.json" in taken


def test_it_is_not_written_as_a_folder() -> None:
    with open_checkpoint(TRUTH.folder) as checkpoint:
        with pytest.raises(FormatError, match="a gemma_embedding model with dense layers after pooling as a folder"):
            check_writable(checkpoint, None)


BROKEN = {
    "another activation": (
        "2_Dense/config.json",
        '{"bias": false, "activation_function": "torch.nn.modules.activation.Tanh"}',
        "unsupported dense layer with bias False and activation_function",
    ),
    "a bias": (
        "3_Dense/config.json",
        '{"bias": true, "activation_function": "torch.nn.modules.linear.Identity"}',
        "unsupported dense layer with bias True",
    ),
    "one layer": (
        "modules.json",
        '[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]',
        "has 1 Dense modules; supported: none or 2",
    ),
    "no window": ("config.json", "", "sliding_window is 1; it must be at least 2"),
}


@pytest.mark.parametrize(("name", "text", "message"), BROKEN.values(), ids=BROKEN)
def test_other_dense_layers_are_refused(name: str, text: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(TRUTH.folder, folder)
    if not text:
        text = json.dumps(json.loads((folder / name).read_text()) | {"sliding_window": 1})
    (folder / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        open_checkpoint(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    shutil.copytree(TRUTH.folder, tmp_path / "model")
    (tmp_path / "model" / "3_Dense" / "model.safetensors").unlink()
    with pytest.raises((FormatError, OSError), match="3_Dense"):
        open_checkpoint(tmp_path / "model")


def test_shapes_must_fit(tmp_path: Path) -> None:
    shutil.copytree(TRUTH.folder, tmp_path / "model")
    shutil.copy(tmp_path / "model/2_Dense/model.safetensors", tmp_path / "model/3_Dense/model.safetensors")
    with pytest.raises(FormatError, match=r"dense_3\.linear\.weight is \[56, 32\], not \[32, 56\]"):
        open_checkpoint(tmp_path / "model")


def test_the_reference_sees_both_ways() -> None:
    """A change of the last token changes the first hidden state."""
    config = json.loads((TRUTH.folder / "config.json").read_text())
    weights = read_safetensors(TRUTH.folder / "model.safetensors")
    ids = TRUTH.ids[3]
    states = reference.hidden(config, weights, ids)
    assert error(states, TRUTH.hidden[3]) < 1e-6
    assert np.abs(reference.hidden(config, weights, [*ids[:-1], 7])[0] - states[0]).max() > 1e-4
