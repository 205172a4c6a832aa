"""run and chat with --lora, merge and export-lora; on tiny models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import gguf
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.models.gguf_maker import write_gguf
from tests.models.golden import read_safetensors
from tests.train import golden

from wgpt import Model, load
from wgpt.cli import chat as chat_command
from wgpt.formats import merge as merge_module
from wgpt.formats.peft import CONFIG, WEIGHTS, read_lora

TRAINING = golden.load("llama-gqa-seven")
TINY, LORA = str(TRAINING.model), str(TRAINING.adapter)
OTHERS = str(golden.load("qwen3").adapter)
PROMPT = "The quick brown fox"

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def model(device):
    with load(TINY, device=device) as model:
        yield model


@pytest.fixture
def refused(wgpt):
    """The one-line error message of a command that must fail."""

    def run(*args: str) -> str:
        result = wgpt(*args)
        assert result.exit_code == 2 and result.stdout == "" and len(result.stderr.splitlines()) == 1, result.stderr
        return result.stderr

    return run


def adapter_of(folder: Path, base: str | None) -> Path:
    """The adapter as one that names its model."""
    shutil.copytree(LORA, folder, ignore=shutil.ignore_patterns("golden.npz"))
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | {"base_model_name_or_path": base}))
    return folder


def test_run_with_an_adapter(wgpt_json, refused, model: Model, tmp_path):
    command = ("run", PROMPT, "-m", TINY, "-n", "8", "--ignore-eos")
    answers = [wgpt_json(*command, *more) for more in ((), ("--lora", LORA))]
    try:
        model.attach(LORA)
        assert answers[1]["ids"] == model.chat(PROMPT, max_tokens=8, ignore_eos=True).ids
    finally:
        model.detach()
    assert answers[0]["ids"] == model.chat(PROMPT, max_tokens=8, ignore_eos=True).ids != answers[1]["ids"]
    assert [each["lora"] for each in answers] == [None, "llama-gqa-seven"]
    own = wgpt_json("run", PROMPT, "-n", "8", "--ignore-eos", "-l", str(adapter_of(tmp_path / "own", TINY)))
    assert own["model"]["name"] == TINY and own["ids"] == answers[1]["ids"]
    assert "belongs to another model" in refused("run", PROMPT, "-m", TINY, "--lora", OTHERS)
    assert "unknown adapter 'nowhere': no such folder" in refused("chat", "-m", TINY, "--lora", "nowhere")


@pytest.mark.parametrize("side", ["A", "B"])
def test_factors_that_overflow_are_refused_by_every_command(refused, data, tmp_path, side: str):
    """Finite in the file, but a scale or an activation makes them Inf."""
    large = adapter_of(tmp_path / "large", TINY)
    tensors = load_file(large / WEIGHTS)
    name = f"base_model.model.model.layers.1.self_attn.v_proj.lora_{side}.weight"
    tensors[name][1, 2] = 3e38
    save_file(tensors, large / WEIGHTS)
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text('{"prompt": "A"}\n')
    new = str(tmp_path / "new")
    for command in (
        ("run", PROMPT, "-m", TINY, "--lora"),
        ("batch", str(prompts), "-o", str(tmp_path / "answers.jsonl"), "-m", TINY, "--lora"),
        ("merge", "-m", TINY, "-o", new, "--lora"),
        ("export-lora", "-m", TINY, "-o", new, "--lora"),
        ("export-web", "-m", TINY, "-o", new, "--lora"),
        ("finetune", "-m", TINY, "-d", str(data), "-o", new, "--init-lora"),
    ):
        expected = f"{large}: its factors for model.layers.1.self_attn.v_proj have values that overflow f32"
        assert expected in refused(*command, str(large)), command


def test_chat_changes_adapters_on_the_way(wgpt, model: Model, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    adapter_of(tmp_path / "mine", None)
    lines = ["/lora", "Hello", "/lora mine", "/reset", "Hello", "/lora nowhere", f"/lora {OTHERS}", "/lora off"]
    lines += ["/reset", "Hello", "/lora", "/lora mine", "/reset", "Hello"]
    result = wgpt("chat", "-m", TINY, "--json", "-n", "6", "--ignore-eos", input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.stderr
    plain, adapted, again, last = (json.loads(line)["text"] for line in result.stdout.splitlines())
    assert plain == again != adapted == last
    assert plain == model.chat("Hello", max_tokens=6, ignore_eos=True).text
    notes = [line for line in result.stderr.splitlines() if "adapter" in line or "mine" in line or "error" in line]
    assert notes[:2] == ["without a LoRA adapter", "with mine (loaded: mine)"]
    assert "unknown adapter 'nowhere': no such folder; loaded: 'mine'" in notes[2] and "another model" in notes[3]
    assert notes[4:] == ["without a LoRA adapter (loaded: mine)"] * 2 + ["with mine (loaded: mine)"]
    assert "/lora DIR" in chat_command._HELP


def test_merge_writes_a_model_that_says_the_same(wgpt, wgpt_json, tmp_path):
    lora = adapter_of(tmp_path / "mine", TINY)
    result = wgpt("merge", "--lora", str(lora), "--out", str(tmp_path / "merged"))
    assert result.exit_code == 0 and result.stdout == f"{tmp_path / 'merged'}\n"
    assert "files, " in result.stderr and len(result.stderr.splitlines()) == 1
    short = ("run", PROMPT, "-n", "8", "--ignore-eos", "--cache", "f32")
    attached, merged = wgpt_json(*short, "-l", str(lora)), wgpt_json(*short, "-m", str(tmp_path / "merged"))
    assert attached["ids"] == merged["ids"] and merged["lora"] is None


def test_merge_of_a_gguf_file(wgpt_json, tmp_path):
    config = json.loads((TRAINING.model / "config.json").read_text())
    weights = {}
    for file in TRAINING.model.glob("*.safetensors"):
        weights |= read_safetensors(file)
    write_gguf(tmp_path / "model.gguf", config, weights, "f32")
    base, out = str(tmp_path / "model.gguf"), str(tmp_path / "new" / "m")
    report = wgpt_json("merge", "-m", base, "--lora", LORA, "--out", out)
    files = ["config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
    assert report["files"] == files and report["not_written"] == []
    assert report["bytes"] == sum(f.stat().st_size for f in (tmp_path / "new" / "m").iterdir())
    tensors = read_safetensors(tmp_path / "new" / "m" / "model.safetensors")
    assert {array.dtype for array in tensors.values()} == {np.dtype(np.float16)}
    assert wgpt_json("run", PROMPT, "-m", str(tmp_path / "new" / "m"), "-n", "2")["ids"]
    again = ("merge", "-m", str(tmp_path / "model.gguf"), "--lora", LORA, "--out", str(tmp_path / "wide"))
    wgpt_json(*again, "--dtype", "f32")
    wide = read_safetensors(tmp_path / "wide" / "model.safetensors")
    assert {array.dtype for array in wide.values()} == {np.dtype(np.float32)}


@pytest.mark.parametrize("base", ["gguf", "hf"])
def test_a_tokenizer_that_could_not_be_written_is_said(base, wgpt, wgpt_json, tmp_path):
    place = tmp_path / "model"
    shutil.copytree(TRAINING.model, place, ignore=shutil.ignore_patterns("tokenizer*", "golden.npz", "vocab*"))
    if base == "gguf":
        config = json.loads((place / "config.json").read_text())
        write_gguf(tmp_path / "whole.gguf", config, read_safetensors(place / "model.safetensors"), "f32")
        raw = (tmp_path / "whole.gguf").read_bytes()
        place = tmp_path / "model.gguf"
        place.write_bytes(raw.replace(b"tokenizer.ggml.merges", b"tokenizer.ggml.m_rges"))
    result = wgpt("merge", "-m", str(place), "--lora", LORA, "--out", str(tmp_path / "merged"))
    assert result.exit_code == 0
    message = result.stderr.splitlines()[-1]
    assert message.startswith("no tokenizer was written: ")
    if base == "gguf":
        assert "merges is missing" in message and "copy the original" in message
    else:
        assert "has none" in message
    assert not list((tmp_path / "merged").glob("tokenizer*"))
    merged = wgpt_json("run", PROMPT, "-m", str(tmp_path / "merged"), "--tokenizer", TINY, "-n", "2")
    assert merged["ids"]


def test_merge_replaces_nothing_by_mistake(wgpt, refused, tmp_path):
    def merge(out: Path, *more: str, model: Path = TRAINING.model, lora: Path = TRAINING.adapter) -> tuple[str, ...]:
        return ("merge", "-m", str(model), "--lora", str(lora), "--out", str(out), *more)

    full = tmp_path / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine")
    assert "already exists: give the merged model a new folder, or --force" in refused(*merge(full))
    assert "is not a model folder" in refused(*merge(full, "--force"))
    copy = tmp_path / "base" / "copy"
    shutil.copytree(TRAINING.model, copy)
    assert "contains the base model" in refused(*merge(copy, "--force", model=copy))
    assert "contains the base model" in refused(*merge(tmp_path / "base", "--force", model=copy))
    lora = adapter_of(copy / "lora", None)
    assert "contains the adapter" in refused(*merge(copy, "--force", lora=lora))
    shutil.rmtree(lora)
    (copy / "left.bin").write_text("of a model that was here before")
    assert wgpt(*merge(copy, "--force")).exit_code == 0
    assert not (copy / "left.bin").exists()
    assert (full / "note.txt").read_text() == "mine"
    assert sorted(path.name for path in (tmp_path / "base").iterdir()) == ["copy"]


def test_a_merge_that_fails_leaves_what_was_there(wgpt, monkeypatch, tmp_path):
    out = tmp_path / "models" / "merged"
    shutil.copytree(TRAINING.model, out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    adding = merge_module._adding

    left = [None] * 5  # layers that still fit

    def failing(*args: object) -> object:
        if not left:
            raise OSError("No space left on device")
        left.pop()
        return adding(*args)

    monkeypatch.setattr(merge_module, "_adding", failing)
    result = wgpt("merge", "-m", TINY, "--lora", LORA, "--out", str(out), "--force")
    assert result.exit_code == 2 and "No space left" in result.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in out.parent.iterdir()] == ["merged"]


def test_export_for_llama_cpp(wgpt, wgpt_json, refused, tmp_path):
    file = tmp_path / "out" / "lora.gguf"
    report = wgpt_json("export-lora", "--gguf", "-m", TINY, "--lora", LORA, "--out", str(file), "--dtype", "f16")
    adapter = read_lora(LORA)
    assert (report["layers"], report["rank"], report["parameters"]) == (21, adapter.rank, adapter.parameters)
    assert report["bytes"] == file.stat().st_size
    reader = gguf.GGUFReader(file)
    assert reader.fields["general.type"].contents() == "adapter" and len(reader.tensors) == 42
    assert {tensor.tensor_type.name for tensor in reader.tensors} == {"F16"}
    again = ("export-lora", "-m", TINY, "--lora", LORA, "--out", str(file))
    assert "exists: choose another name, or overwrite it with --force" in refused(*again)
    result = wgpt(*again, "--force")
    assert result.stdout == f"{file}\n" and "21 layers, rank" in result.stderr
    assert {tensor.tensor_type.name for tensor in gguf.GGUFReader(file).tensors} == {"F32"}
    assert "is a folder" in refused("export-lora", "-m", TINY, "--lora", LORA, "--out", str(tmp_path))
    assert [path.name for path in file.parent.iterdir()] == ["lora.gguf"]


def test_export_does_not_write_over_its_model(refused, tmp_path):
    config = json.loads((TRAINING.model / "config.json").read_text())
    path = tmp_path / "model.gguf"
    write_gguf(path, config, read_safetensors(TRAINING.model / "model.safetensors"), "f32")
    before = path.read_bytes()
    assert "is the model itself" in refused(
        "export-lora", "-m", str(path), "--lora", LORA, "--out", str(path), "--force"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["merge", "export-lora"])
def test_which_model(command, wgpt, refused, tmp_path):
    out = ("--out", str(tmp_path / "made"))
    unknown = adapter_of(tmp_path / "unknown", None)
    assert "names no base model: give the model with --model" in refused(command, "-l", str(unknown), *out)
    away = adapter_of(tmp_path / "away", "org/on-the-hub")
    message = refused(command, "-l", str(away), *out)
    assert "names the base model 'org/on-the-hub', which is not on this machine: give the model with --model" in message
    own = adapter_of(tmp_path / "own", TINY)
    assert wgpt(command, "-l", str(own), *out).exit_code == 0
    assert "belongs to another model" in refused(command, "-m", TINY, "-l", OTHERS, "--out", str(tmp_path / "no"))
    assert "has no adapter_config.json" in refused(command, "-m", TINY, "-l", TINY, *out)
    assert not (tmp_path / "no").exists()
