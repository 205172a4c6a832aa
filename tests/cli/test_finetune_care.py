"""`wgpt finetune` protects the user's adapters, runs, folders and time."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import wgpt as package
from wgpt.core import atomic
from wgpt.formats.mapped import Mapped
from wgpt.formats.peft import read_lora, write_lora
from wgpt.formats.safetensors_scan import scan
from wgpt.train import checkpoint
from wgpt.train.run_folder import claimed

MODELS = Path(__file__).parents[1] / "golden" / "models"
MODEL = MODELS / "llama-gqa"
QUICK = "--steps 4 --batch 2 --rank 4 --targets q,v --lr 1e-2 --max-tokens 48 --hold-out 0.2".split()  # noqa: SIM905


@pytest.fixture
def run(wgpt, data, tmp_path):
    """Runs `wgpt finetune` on the data into tmp_path/out."""
    return lambda *args: wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), *QUICK, *args)


def refused(result) -> str:
    """The error message of a command that must exit with code 2."""
    assert result.exit_code == 2 and isinstance(result.exception, SystemExit), (result.exit_code, result.stderr)
    return result.stderr


def other_model(folder: Path) -> Path:
    """Another model of the same shape: one matrix has other values."""
    shutil.copytree(MODEL, folder)
    path = folder / "model.safetensors"
    file = Mapped(path)
    entry = next(e for name, e in scan(file).items() if name.endswith("layers.0.mlp.down_proj.weight"))
    raw = bytearray(file.data.tobytes())
    file.close()
    raw[entry.offset : entry.offset + entry.nbytes] = bytes(entry.nbytes)
    path.unlink()
    path.write_bytes(raw)
    return folder


# Runs that fail -----------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("options", [[], ["--hold-out", "0"], ["--steps", "1"], ["--steps", "1", "--save-every", "1"]])
def test_a_learning_rate_without_reason_leaves_no_adapter(run, tmp_path, options):
    out = tmp_path / "out"
    assert run().exit_code == 0
    good = {name: (out / name).read_bytes() for name in ("adapter_model.safetensors", "report.html")}
    fault = refused(run("--lr", "1e30", "--force", *options))
    assert "step " in fault and "learning rate is probably too high" in fault and "try 0.001" in fault
    assert {name: (out / name).read_bytes() for name in good} == good
    newest = checkpoint.latest(out)
    assert newest is not None and f"The last checkpoint is {newest}" in " ".join(fault.split())


@pytest.mark.gpu
def test_a_full_disk_says_what_is_kept_and_how_to_go_on(run, wgpt, tmp_path, monkeypatch):
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    sync = atomic._sync

    def later(path: Path) -> None:
        (full if "checkpoint-4" in str(path) else sync)(path)

    monkeypatch.setattr(atomic, "_sync", later)
    fault = refused(run("--save-every", "2"))
    assert "checkpoint-4: cannot be written: No space left on device" in fault
    assert f"Everything up to {tmp_path / 'out' / 'checkpoint-2'} is saved" in fault and "--resume" in fault
    monkeypatch.setattr(atomic, "_sync", sync)
    assert wgpt("finetune", "-o", str(tmp_path / "out"), "--resume").exit_code == 0


# What is there ------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_another_s_adapter_is_replaced_only_when_asked(run, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "adapter_model.safetensors").write_text("mine")
    assert "has adapter_model.safetensors, which this run would overwrite" in refused(run())
    assert [path.name for path in out.iterdir()] == ["adapter_model.safetensors"]
    assert run("--force").exit_code == 0 and read_lora(out).rank == 4
    assert run("--force", "--steps", "2").exit_code == 0
    assert [path.name for path in checkpoint.checkpoints(out)] == ["checkpoint-0", "checkpoint-2"]


def test_places_that_are_none(wgpt, data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    args = ["finetune", "-m", str(MODEL), "-d", str(data)]
    for more in ([], ["--dry-run"]):
        assert "out must be the path of a folder, not ''" in refused(wgpt(*args, "-o", "", *more))
        assert "file: is a file" in refused(wgpt(*args, "-o", "file", *more))
    assert "file/a: cannot be written: Not a directory" in refused(wgpt(*args, "-o", "file/a"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.jsonl", "file"]


@pytest.mark.gpu
def test_two_runs_in_one_folder(run, tmp_path):
    with claimed(tmp_path / "out"):
        assert "is training there: wait" in refused(run())
        assert run("--dry-run").exit_code == 0  # which writes nothing
    assert run().exit_code == 0


# Resuming -----------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_over_another_base_a_run_does_not_go_on(run, wgpt, tmp_path):
    assert run().exit_code == 0
    other, resume = other_model(tmp_path / "other"), ["finetune", "-o", str(tmp_path / "out"), "--resume"]
    assert f"this run began with {MODEL}, not {other}" in refused(wgpt(*resume, "-m", str(other)))
    fault = refused(wgpt(*resume, "--dtype", "q8_0"))
    assert f"began with {MODEL} unconverted, not {MODEL} in q8_0" in fault
    copy = shutil.copytree(MODEL, tmp_path / "copy")  # the same model elsewhere is the same
    assert wgpt(*resume, "-m", str(copy), "--steps", "5").exit_code == 0


@pytest.mark.gpu
def test_a_run_goes_on_from_any_directory_and_for_longer(wgpt, wgpt_json, data, tmp_path, monkeypatch):
    shutil.copytree(MODEL, tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    assert wgpt("finetune", "-m", "./model", "-d", "data.jsonl", "-o", "out", *QUICK).exit_code == 0
    monkeypatch.chdir("/")
    out = tmp_path / "out"
    report = wgpt_json("finetune", "-o", str(out), "--resume", "--steps", "7")
    assert report["finished"] and report["steps"] == 7 and read_lora(out).base == str(tmp_path / "model")
    again = wgpt_json("finetune", "-o", str(out), "--resume")
    assert again["losses"] == report["losses"]
    assert "has already done 7 steps, but 3 were requested" in refused(
        wgpt("finetune", "-o", str(out), "--resume", "--steps", "3")
    )
    longer = wgpt_json("finetune", "-o", str(out), "--resume", "--epochs", "2")
    assert longer["total"] == 16 and longer["finished"]


@pytest.mark.gpu
def test_a_damaged_checkpoint_is_told_of(run, wgpt, tmp_path):
    whole = run("--save-every", "2", "--json")
    path = tmp_path / "out" / "checkpoint-4" / "state.safetensors"
    raw = bytearray(path.read_bytes())
    raw[-9] ^= 64
    path.write_bytes(raw)
    again = wgpt("finetune", "-o", str(tmp_path / "out"), "--resume", "--json")
    assert again.exit_code == 0 and "continuing from the older checkpoint-2" in again.stderr
    assert json.loads(again.stdout)["losses"] == json.loads(whole.stdout)["losses"]
    for state in (tmp_path / "out").glob("checkpoint-*/state.json"):
        state.write_text("{}")
    assert "all 2 checkpoints are damaged" in refused(wgpt("finetune", "-o", str(tmp_path / "out"), "--resume"))


# An adapter to start from -------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.full
def test_an_adapter_is_trained_further(run, wgpt, wgpt_json, data, tmp_path):
    first = json.loads(run("--json", "--steps", "8", "--alpha", "6").stdout)
    start = [
        "finetune",
        "-m",
        str(MODEL),
        "-d",
        str(data),
        *QUICK[:4],
        *QUICK[8:],
        "--init-lora",
        str(tmp_path / "out"),
    ]
    second = wgpt_json(*start, "-o", str(tmp_path / "second"))
    assert second["held_out"][0]["loss"] == pytest.approx(first["held_out"][-1]["loss"], rel=1e-5)
    adapter = read_lora(tmp_path / "second")
    assert (adapter.rank, adapter.alpha) == (4, 6)
    assert adapter.targets.keys() == read_lora(tmp_path / "out").targets.keys()
    (tmp_path / "second" / "checkpoint-4").rename(tmp_path / "gone")
    again = wgpt_json("finetune", "-o", str(tmp_path / "second"), "--resume")
    assert again["losses"] == second["losses"]
    same = wgpt(*start, "-o", str(tmp_path / "second"), "--resume")
    assert same.exit_code == 0, same.stderr
    other = wgpt("finetune", "-o", str(tmp_path / "second"), "--resume", "--init-lora", str(tmp_path / "gone"))
    assert "started from" in refused(other)
    for args, fault in (
        (["--rank", "8"], "rank is 8, but .*out has 4: omit rank"),
        (["--alpha", "8"], "alpha is 8.0, but .*out has 6.0"),
        (["--rslora"], "rslora is True, but .*out has False"),
        (["--targets", "q,k"], "targets are q, k, but .*out has q_proj, v_proj"),
        (["--full"], "--init-lora and --full exclude each other"),
    ):
        result = wgpt(*start, "-o", str(tmp_path / "third"), *args)
        assert re.search(fault, refused(result)), (fault, result.stderr)
    assert wgpt(*start, "-o", str(tmp_path / "third"), "--rank", "4", "--targets", "v,q").exit_code == 0


@pytest.mark.gpu
@pytest.mark.full
def test_python_starts_from_an_adapter_too(data, tmp_path):
    with package.load(MODEL) as model:
        quick = {"steps": 2, "batch": 2, "hold_out": 0.2}
        first = model.finetune(data, rank=2, targets="q,down", lr=1e-2, **quick)
        frozen = model.finetune(data, init_lora=first, lr=1e-30, decay=0.0, **quick)
        assert (frozen.rank, frozen.alpha, frozen.targets.keys()) == (first.rank, first.alpha, first.targets.keys())
        for name, factors in first.targets.items():
            np.testing.assert_array_equal(frozen.targets[name].a, factors.a)
            np.testing.assert_array_equal(frozen.targets[name].b, factors.b)
        few = {name: factors for name, factors in first.targets.items() if ".0." in name}
        write_lora(replace(first, targets=few), tmp_path / "few")
        assert model.finetune(data, init_lora=tmp_path / "few", **quick).targets.keys() == few.keys()
        with pytest.raises(package.WgptError, match="rank is 3, but the adapter has 2"):
            model.finetune(data, init_lora=first, rank=3, **quick)
        with pytest.raises(package.WgptError, match="unknown adapter 'nowhere'"):
            model.finetune(data, init_lora="nowhere", **quick)
    with package.load(MODELS / "gpt2") as other, pytest.raises(package.WgptError, match="belongs to another model"):
        other.finetune(data, init_lora=first, **quick)


@pytest.mark.gpu
@pytest.mark.full
def test_a_classifier_is_trained_further(tmp_path):
    mail = [{"text": f"{a} {b}", "label": a} for a in ("wind", "kite") for b in ("bell", "cloud", "lamp")]
    quick = {"steps": 2, "batch": 2, "hold_out": 0}
    with package.load(MODEL) as model:
        first = model.finetune(mail, classify=True, rank=2, targets="q", lr=1e-2, **quick)
        frozen = model.finetune(mail, classify=True, init_lora=first, lr=1e-30, decay=0.0, **quick)
        np.testing.assert_array_equal(frozen.score, first.score)
        others = [{"text": line["text"], "label": line["label"] * 2} for line in mail]
        with pytest.raises(package.WgptError, match="classifies kite, wind, but the data has kitekite, windwind"):
            model.finetune(others, classify=True, init_lora=first, **quick)
        with pytest.raises(package.WgptError, match="classifies kite, wind, but this run does not classify"):
            model.finetune([{"text": "a b c"}] * 3, init_lora=first, **quick)


# Arguments and data -------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_examples_are_cut_to_the_context(wgpt_json, tmp_path):
    context = json.loads((MODEL / "config.json").read_text())["max_position_embeddings"]
    path = tmp_path / "long.jsonl"
    path.write_text(
        json.dumps({"text": "wind kite " * context}) + "\n" + json.dumps({"text": "bell " * context}) + "\n"
    )
    report = wgpt_json(
        *["finetune", "-m", str(MODEL), "-d", str(path), "-o", str(tmp_path / "out"), "--dry-run"],
        *["--max-tokens", str(4 * context), "--batch", "1"],
    )
    assert report["longest"] == context


@pytest.mark.gpu
def test_a_billion_epochs_are_foretold_at_once(wgpt_json, data, tmp_path):
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), "--epochs", "1000000000"]
    assert wgpt_json(*args, "--dry-run")["steps"] == 5 * 10**9
    assert wgpt_json(*args, "--dry-run", "--pack", "64")["steps"] > 10**9


def test_bad_arguments_are_one_line(wgpt, data, tmp_path):
    for args, fault in (
        (["--alpha", "1e300"], "alpha must be a number above 0, at most 1e+06, not 1e+300"),
        (["--alpha", "nan"], "alpha must be a number above 0, at most 1e+06, not nan"),
        (["--alpha", "0"], "alpha must be a number above 0, at most 1e+06, not 0.0"),
        (["--lr", "nan"], "lr must be a number above 0"),
        (["--dtype", "int3"], "--dtype: unknown weight type 'int3'"),
        (["--resume", "--force"], "resume continues a run and force overwrites it"),
    ):
        result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), *args)
        assert fault in " ".join(refused(result).split()), (args, result.stderr)
    assert not (tmp_path / "out").exists()


@pytest.mark.gpu
def test_bad_arguments_of_python(data, tmp_path):
    with package.load(MODEL) as model:
        for options, fault in (
            ({"rank": "4"}, "rank must be a whole number from 1 to 4096, not '4'"),
            ({"lr": None}, "lr must be a number above 0, at most 1e.38, not None"),
            ({"steps": 2.5}, "steps must be a whole number of at least 1, not 2.5"),
            ({"hold_out": "all"}, "hold_out must be a number from 0 to below 1, not 'all'"),
            ({"out": ""}, "out must be the path of a folder, not ''"),
            ({"save_dtype": "int3"}, "save_dtype must be f32, f16 or bf16, not 'int3'"),
        ):
            with pytest.raises(package.WgptError, match=fault):
                model.finetune(data, **options)
    with pytest.raises(package.WgptError, match=r"^dtype: unknown weight type 'int3'"):
        package.load(MODEL, dtype="int3")
