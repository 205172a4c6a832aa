"""`wgpt finetune` as people use it: data in, adapter out, used by `wgpt run --lora`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models import golden as models
from tests.models.gguf_maker import write_gguf

import wgpt as package
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.models import reference
from wgpt.train.run_folder import latest_state

MODELS = Path(__file__).parents[1] / "golden" / "models"
MODEL = MODELS / "llama-gqa"
QUICK = "--steps 6 --batch 2 --rank 4 --targets q,v --lr 1e-2 --max-tokens 48 --hold-out 0.2".split()  # noqa: SIM905


def test_help_teaches(wgpt):
    result = wgpt("finetune", "--help")
    assert result.exit_code == 0
    for word in ("--data", "--out", "--resume", "--rank", "nf4", "wgpt run --lora"):
        assert word in result.stdout, word


@pytest.mark.parametrize("half", [("--ray",), ("--workers", "2")])
def test_ray_and_workers_belong_together(wgpt, tmp_path, half):
    result = wgpt("finetune", "-d", "some.jsonl", "-o", str(tmp_path / "out"), *half)
    assert result.exit_code == 2 and "--ray and --workers N belong together" in result.stderr


@pytest.mark.gpu
def test_data_in_adapter_out(wgpt, data, tmp_path):
    out = tmp_path / "out"
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK, "--sample", "wind kite")
    assert result.exit_code == 0, result.stderr
    assert "6 steps, loss" in result.stdout and f"--lora {out}" in result.stdout
    assert "step 6/6" in result.stderr and "held out" in result.stderr
    adapter = read_lora(out)
    assert adapter.rank == 4 and len(adapter.targets) == 6 and adapter.base == str(MODEL)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "wind kite" in page and "held-out loss" in page
    assert (out / "loss.png").read_bytes().startswith(b"\x89PNG")
    used = wgpt("run", "-m", str(MODEL), "--lora", str(out), "--raw", "wind kite", "-n", "3")
    assert used.exit_code == 0, used.stderr
    again = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK)
    assert again.exit_code == 2 and "already has a run (checkpoint-6)" in again.stderr


@pytest.mark.gpu
def test_json_and_resume_without_options(wgpt_json, data, tmp_path):
    out = tmp_path / "out"
    first = wgpt_json("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK)
    assert first["finished"] and len(first["losses"]) == first["steps"] == first["total"] == 6
    assert first["held_out"][0]["step"] == 0 and first["peak_bytes"] > 0
    again = wgpt_json("finetune", "-o", str(out), "--resume")
    assert again["losses"] == first["losses"] and again["held_out"] == first["held_out"]


@pytest.mark.gpu
@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, -signal.SIGTERM, marks=pytest.mark.full)],
)
def test_ctrl_c_and_sigterm_save_and_say_how_to_go_on(wgpt_json, data, tmp_path, number, code):
    whole, out = tmp_path / "whole", tmp_path / "out"
    options = [str(MODEL), "-d", str(data), *QUICK, "--steps", "40", "--seed", "5"]
    unbroken = wgpt_json("finetune", "-o", str(whole), "-m", *options)
    args = [sys.executable, "-m", "wgpt", "finetune", "-o", str(out), "-m", *options]
    with subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None
        for line in process.stderr:
            if line.startswith("step 2/"):
                process.send_signal(number)
                break
        process.stderr.read()
        output = process.stdout.read()
    assert process.returncode == code and "--resume" in output and "nothing is lost" in output, output
    rest = wgpt_json("finetune", "-o", str(out), "--resume")
    assert rest["losses"] == unbroken["losses"]
    names = ("adapter_model.safetensors", "adapter_config.json")
    assert all((out / name).read_bytes() == (whole / name).read_bytes() for name in names)


@pytest.mark.gpu
def test_a_run_is_resumed_as_it_was(wgpt, data, tmp_path):
    out = tmp_path / "out"
    assert wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK).exit_code == 0
    assert wgpt("finetune", "-o", str(out), "--resume", "--broken", "skip").exit_code == 0  # all else as it was
    result = wgpt("finetune", "-o", str(out), "--resume", "--hold-out", "0.5")
    assert result.exit_code == 2 and "data is not the data this run began with" in result.stderr
    result = wgpt("finetune", "-o", str(out), "--resume", "--rank", "8")
    assert result.exit_code == 2 and "rank was 4, now 8" in result.stderr
    data.write_text(data.read_text().replace("bell", "lamp"))
    result = wgpt("finetune", "-o", str(out), "--resume")
    assert result.exit_code == 2 and "data is not the data this run began with" in result.stderr


@pytest.mark.gpu
def test_a_dry_run_foretells_the_memory(wgpt, wgpt_json, data, tmp_path, monkeypatch):
    out = tmp_path / "out"
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK]
    estimate = wgpt_json(*args, "--dry-run")
    assert estimate["fits"] and estimate["steps"] == 6 and not out.exists()
    real = wgpt_json(*args)
    assert abs(real["peak_bytes"] - estimate["bytes"]) < 0.1 * estimate["bytes"]
    monkeypatch.setattr("wgpt.gpu.device.GpuDevice.room", lambda device, nbytes: nbytes * 9 // 10)
    short = wgpt(*args, "--out", str(tmp_path / "other"), "--dry-run")
    assert short.exit_code == 1 and "will not fit in" in short.stdout and "--checkpointing" in short.stdout


def test_what_is_missing_is_named(wgpt, data, tmp_path):
    for args, fault in (
        (["-d", str(data)], "--out DIR"),
        (["-o", str(tmp_path / "out")], "--data FILE.jsonl"),
        (["-o", str(tmp_path / "out"), "--resume"], "has no checkpoint to resume from"),
        (["-d", str(data), "-o", str(tmp_path / "out"), "--dropout", "1"], "from 0 to below 1, not 1"),
        (["-d", str(data), "-o", str(tmp_path / "out"), "--schedule", "exp"], "choose one of cosine"),
    ):
        result = wgpt("finetune", "-m", str(MODEL), *args)
        assert result.exit_code == 2 and fault in result.stderr, (args, result.stderr)


@pytest.mark.gpu
def test_a_broken_line_is_named_or_left_out(wgpt, wgpt_json, data, tmp_path):
    data.write_text('{"prompt": "x"}\n' + data.read_text())
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), *QUICK]
    result = wgpt(*args)
    assert result.exit_code == 2 and "data.jsonl, line 1: has the keys" in result.stderr
    assert wgpt_json(*args, "--broken", "skip")["finished"]


@pytest.mark.gpu
def test_layers_that_are_not_there_are_named(wgpt, data, tmp_path):
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), "--targets", "c_attn")
    assert result.exit_code == 2 and "unknown target layer 'c_attn' of this llama model" in result.stderr


# Classification -----------------------------------------------------------------------------------------------------

CLASSIFY = "--task classify --steps 40 --batch 4 --rank 4 --targets q,v --lr 1e-2 --hold-out 0.25".split()  # noqa: SIM905


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    words = {"weather": ["wind", "cloud", "rain"], "house": ["door", "lamp", "chair"]}
    lines = [{"text": f"the {a} and {b}", "label": k} for k, some in words.items() for a in some for b in some]
    path = tmp_path / "mail.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.gpu
@pytest.mark.full
def test_texts_and_labels_in_classifier_out(wgpt, wgpt_json, mail, tmp_path):
    out = tmp_path / "out"
    args = ["finetune", "-m", str(MODEL), "-d", str(mail), "-o", str(out), *CLASSIFY]
    result = wgpt(*args, "--sample", "the wind and rain")
    assert result.exit_code == 0, result.stderr
    assert "2 labels: house, weather" in result.stderr and "accuracy 100.0%" in result.stderr
    assert "-> 100.0%" in result.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "house, weather" in page and "<td>100.0%</td>" in page and "<td>weather (" in page
    adapter = read_lora(out)
    assert adapter.labels == ("house", "weather") and adapter.score.shape == (2, 48)
    run = ["run", "-m", str(MODEL), "--lora", str(out)]
    for text, label in (("the cloud and wind", "weather"), ("the chair and lamp", "house")):
        used = wgpt(*run, text)
        assert used.exit_code == 0 and used.stdout == f"{label}\n", used.stderr
        answer = wgpt_json(*run, text)
        assert answer["label"] == label == next(iter(answer["probabilities"]))
        assert sum(answer["probabilities"].values()) == pytest.approx(1)
    assert "--system needs a chat" in wgpt(*run, "--system", "Be brief.", "x").stderr
    chat = wgpt("chat", "-m", str(MODEL), "--lora", str(out), input="hello\n")
    assert chat.exit_code == 2 and "classifies texts and does not chat" in chat.stderr
    switched = wgpt("chat", "-m", str(MODEL), "-n", "2", "--json", input=f"hello\n/lora {out}\nand now?\n/lora\n")
    assert switched.exit_code == 0 and len(switched.stdout.splitlines()) == 2, switched.stderr
    assert "classifies texts and does not chat" in switched.stderr and "without a LoRA adapter" in switched.stderr
    assert "a SEQ_CLS adapter cannot be merged" in wgpt("merge", *run[1:], "--out", str(tmp_path / "new")).stderr


@pytest.mark.gpu
def test_a_classification_goes_on_and_tells_its_accuracy(wgpt_json, mail, tmp_path):
    out, other = tmp_path / "out", tmp_path / "other"
    args = ["finetune", "-m", str(MODEL), "-d", str(mail), *CLASSIFY, "--steps", "6", "--pack", "64"]
    whole = wgpt_json(*args, "-o", str(out))
    assert all(set(evaluation) == {"step", "loss", "accuracy"} for evaluation in whole["held_out"])
    (out / "checkpoint-6").rename(tmp_path / "gone")  # as if it had been killed before
    again = wgpt_json("finetune", "-o", str(out), "--resume")
    assert (again["losses"], again["held_out"]) == (whole["losses"], whole["held_out"])
    estimate = wgpt_json(*args, "-o", str(other), "--dry-run")
    assert estimate["fits"] and abs(whole["peak_bytes"] - estimate["bytes"]) < 0.1 * estimate["bytes"]


# All weights --------------------------------------------------------------------------------------------------------

FULL = "--full --steps 6 --batch 2 --lr 1e-3 --max-tokens 48 --hold-out 0.2 --seed 2".split()  # noqa: SIM905


def logits_of(folder: Path, ids: list[int]):
    """Computed by the NumPy reference."""
    weights = {}
    for file in sorted(folder.glob("*.safetensors")):
        weights |= models.read_safetensors(file)
    return reference.logits(json.loads((folder / "config.json").read_text(encoding="utf-8")), weights, ids)


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("base", ["llama-gqa", "gpt2", "gguf"])
def test_a_new_model(wgpt, wgpt_json, data, tmp_path, base):
    model, out = MODELS / base, tmp_path / "out"
    if base == "gguf":
        of, model = models.load("gpt2"), tmp_path / "model.gguf"
        write_gguf(model, of.config, of.weights, "f32")
    report = wgpt_json("finetune", "-m", str(model), "-d", str(data), "-o", str(out), *FULL, "--sample", "wind kite")
    assert "<td>wind kite</td>" in (out / "report.html").read_text(encoding="utf-8")
    assert report["finished"] and report["losses"][-1] < report["losses"][0]
    assert report["held_out"][-1]["loss"] < report["held_out"][0]["loss"]
    new = Path(report["model"])
    assert new == out / "model" and not list(out.glob(".unfinished*"))
    with open_checkpoint(new) as after, open_checkpoint(model) as before:
        assert {t.type for t in after.tensors.values()} == {"f32"}
        assert {k: t.shape for k, t in after.tensors.items()} == {k: t.shape for k, t in before.tensors.items()}
        # Not only the rows of tokens that the data has: AdamW's decay changes all.
        assert all((after.tensors[k].rows(0, 1) != before.tensors[k].rows(0, 1)).any() for k in after.tensors)
    ids = [5, 17, 60, 8, 33]
    with package.load(new, cache="f32") as loaded:
        assert abs(loaded.logits(ids) - logits_of(new, ids)).max() < 1e-3
        text = data.read_text(encoding="utf-8").splitlines()[0]
        assert loaded.tokenizer.encode(text) == package.load(model).tokenizer.encode(text)
    used = wgpt("run", "-m", str(new), "--raw", "wind kite", "-n", "3")
    assert used.exit_code == 0, used.stderr


@pytest.mark.gpu
@pytest.mark.full
def test_a_full_run_goes_on_with_the_same_bits_and_may_be_saved_smaller(wgpt_json, data, tmp_path):
    out, whole = tmp_path / "out", tmp_path / "whole"
    args = ["finetune", "-m", str(MODEL), "-d", str(data), *FULL, "--save-dtype", "bf16", "--save-every", "2"]
    unbroken = wgpt_json(*args, "-o", str(whole))
    wgpt_json(*args, "-o", str(out))
    for left in ("checkpoint-6", "model"):
        (out / left).rename(tmp_path / left)
    rest = wgpt_json("finetune", "-o", str(out), "--resume")
    assert (rest["losses"], rest["held_out"]) == (unbroken["losses"], unbroken["held_out"])
    names = sorted(path.name for path in (whole / "model").iterdir())
    assert names == sorted(path.name for path in (out / "model").iterdir()) and "model.safetensors" in names
    for name in names:
        assert (out / "model" / name).read_bytes() == (whole / "model" / name).read_bytes(), name
    with open_checkpoint(out / "model") as checkpoint:
        assert {t.type for t in checkpoint.tensors.values()} == {"bf16"}


@pytest.mark.gpu
def test_a_dry_run_in_full(wgpt_json, data, tmp_path):
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), *FULL]
    estimate = wgpt_json(*args, "--dry-run")
    assert estimate["fits"] and "adapters" not in estimate["parts"]
    beside = estimate["parts"]["gradients"]  # as much as all weights: a checkpoint of so few is read at once
    assert 0.9 * estimate["bytes"] < wgpt_json(*args)["peak_bytes"] < 1.1 * estimate["bytes"] + beside


@pytest.mark.gpu
def test_python_has_it_too(data, tmp_path):
    with package.load(MODEL, dtype="f32", cache="f32") as model:
        before = model.logits([5, 6, 7])
        quick = {"full": True, "steps": 3, "batch": 2, "lr": 1e-3, "hold_out": 0}
        with pytest.raises(package.WgptError, match=r"needs a folder for the model \(out\)"):
            model.finetune(data, **quick)
        new = model.finetune(data, out=tmp_path / "out", **quick)
        assert new == tmp_path / "out" / "model"
        after = model.logits([5, 6, 7])  # the model itself has learnt
        assert abs(after - before).max() > 0.01
        with package.load(new, cache="f32") as loaded:
            assert abs(loaded.logits([5, 6, 7]) - after).max() < 1e-4
    with package.load(MODEL, dtype="f16") as model, pytest.raises(package.WgptError, match="load the model as f32"):
        model.finetune(data, out=tmp_path / "other", **quick)


@pytest.mark.gpu
@pytest.mark.full
def test_what_python_began_the_command_goes_on_with(wgpt_json, data, tmp_path):
    """The base keeps the dtype that it was loaded with, here 4-bit."""
    out = tmp_path / "out"
    with package.load(MODEL, dtype="nf4_dq") as model:
        model.finetune(data, out=out, steps=2, batch=2, rank=2, hold_out=0)
    state = latest_state(out, resume=True)
    assert state is not None and state.config["about"]["dtype"] == "nf4_dq"
    again = wgpt_json("finetune", "-o", str(out), "--resume")  # refused if the weights were others
    assert len(again["losses"]) == 2


@pytest.mark.gpu
def test_a_full_run_does_not_replace_its_own_base(wgpt, data, tmp_path):
    shutil.copytree(MODEL, tmp_path / "out" / "model")
    args = ["finetune", "-m", str(tmp_path / "out" / "model"), "-d", str(data), "-o", str(tmp_path / "out"), *FULL]
    result = wgpt(*args, "--force")
    assert result.exit_code == 2 and "would overwrite the base model" in result.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["model"]


def test_what_a_full_run_is_not(wgpt, data, mail, tmp_path):
    for args, fault in (
        (["--dtype", "nf4"], "--dtype nf4: --full trains f32 weights"),
        (["--rank", "8"], "--rank is an option of adapters, and --full trains none"),
        (["--dropout", "0.1"], "dropout is for an adapter's input"),
        (["--task", "classify"], "--full does not support --task classify"),
    ):
        result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), "--full", *args)
        assert result.exit_code == 2 and fault in " ".join(result.stderr.split()), (args, result.stderr)
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), "--save-dtype", "f16")
    assert result.exit_code == 2 and "--save-dtype needs --full" in result.stderr
