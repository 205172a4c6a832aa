"""Recipes of weight types on the command line: documented, validated before any work, and applied."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import wgpt as package
from wgpt.models import presets
from wgpt.models.config import Config
from wgpt.models.weight_recipe import MIXES, PARTS
from wgpt.quant.weights import TYPES
from wgpt.train.run_folder import latest_state

MODEL = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
SMALL = Config("llama", 512, 64, 96, 2, 4, 2, 16, 128, 1e-5)
RECIPE = "attn=Q8_0, embed=q8_0,ffn=q4_1"
SPELLED = "embed=q8_0,attn=q8_0,ffn=q4_1"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps({"text": f"kite {i} and wind"}) + "\n" for i in range(6)), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["run", "chat", "finetune"])
def test_help_teaches(wgpt, command: str):
    text = " ".join(wgpt(command, "--help").stdout.split())
    for word in ("q4_k_m", "8/8/4", "embed=q8_0,head=q8_0,attn=q8_0,ffn=q4_1", "q4_k_m,embed=q8_0"):
        assert word in text, word


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("q3", "unknown weight type 'q3'; supported: f32"),
        ("attn=q3", "unknown weight type 'q3' of a part"),
        ("heads=q8_0", "unknown part 'heads'"),
        ("q4_k_l", "the mixes q4_k_m, q5_k_m, 8/8/4, 8/4/4"),
    ],
)
@pytest.mark.parametrize("command", [("run", "Hello"), ("bench", "decode"), ("finetune", "-o", "x", "-d", "y")])
def test_refused_before_a_model_is_opened(wgpt, command: tuple[str, ...], recipe: str, message: str):
    result = wgpt(*command, "-m", "no-such-model", "--dtype", recipe)
    assert result.exit_code == 2 and message in " ".join(result.stderr.split()), result.stderr


def test_python_refuses_before_a_model_is_opened():
    with pytest.raises(ValueError, match="unknown part 'heads'"):
        package.load("no-such-model", dtype="heads=q8_0")


def test_what_does_not_suit_the_model(wgpt):
    """A preset is refused before a device is opened, a file before its weights are read."""
    result = wgpt("bench", "decode", "--preset", "smollm2-135m", "--dtype", "embed=q4_0,head=q8_0")
    assert result.exit_code == 2 and "are one matrix" in result.stderr
    result = wgpt("run", "Hello", "-m", str(MODEL), "--dtype", "positions=f16")
    assert result.exit_code == 2 and "this llama model has no positions matrix" in result.stderr


def test_a_feed_forward_block_has_one_type(wgpt):
    result = wgpt("explain", "mlp", "--weights", "q4_k_m")
    assert result.exit_code == 2 and "--weights q4_k_m: mlp has one type" in result.stderr


@pytest.mark.gpu
@pytest.mark.full
def test_a_file_is_run_by_a_recipe(wgpt):
    result = wgpt("run", "--raw", "wind", "-m", str(MODEL), "--dtype", RECIPE, "-n", "2")
    assert result.exit_code == 0, result.stderr


@pytest.mark.gpu
@pytest.mark.full
def test_random_weights_by_a_recipe(wgpt_json, monkeypatch):
    monkeypatch.setitem(presets.PRESETS, "gpt2", SMALL)
    args = ("--preset", "gpt2", "--random", "--tokens", "3", "--context", "20", "--repeats", "3")
    report = wgpt_json("bench", "decode", *args, "--dtype", RECIPE)
    assert report["model"] == {"name": "gpt2", "random": True, "dtype": SPELLED, "table": None}
    rows = {"q8_0": 512 + 2 * 64 * 3, "q4_1": 2 * 96 * 2}  # of 64 weights; the embedding, q, k, v and o
    down = 2 * 64 * 96 * 20 // 32
    assert report["step"]["weight_bytes"] == rows["q8_0"] * 68 + rows["q4_1"] * 40 + down
    kinds = {w["kernel"] for w in wgpt_json("explain", "decode", "--preset", "gpt2", "--weights", RECIPE)["dispatches"]}
    assert kinds


@pytest.mark.gpu
@pytest.mark.full
def test_a_run_by_a_recipe_goes_on_by_it(wgpt_json, data: Path, tmp_path: Path):
    """The run's folder stores it in normal form; the memory estimate uses it as well."""
    out, args = tmp_path / "out", ("finetune", "-m", str(MODEL), "-d", str(data), "--hold-out", "0", "--batch", "2")
    report = wgpt_json(*args, "-o", str(tmp_path / "other"), "--dry-run", "--dtype", RECIPE)
    assert {"q8_0 weights", "q4_1 weights"} <= set(report["parts"]) and "f32 weights" not in report["parts"]
    with package.load(MODEL, dtype=RECIPE) as model:
        assert model.dtype == SPELLED
        model.finetune(data, out=out, steps=2, batch=2, rank=2, hold_out=0)
    state = latest_state(out, resume=True)
    assert state is not None and state.config["about"]["dtype"] == SPELLED
    assert len(wgpt_json("finetune", "-o", str(out), "--resume")["losses"]) == 2


def test_help_names_the_common_types_and_where_all_are(wgpt):
    for command in (("run",), ("finetune",), ("bench", "decode"), ("explain",)):
        text = " ".join(wgpt(*command, "--help").stdout.split())
        assert "`wgpt help types` lists all" in text
        assert "q4_k, " in text and "iq2_xxs" not in text


def test_help_types_has_every_type(wgpt, wgpt_json):
    out = wgpt("help", "types").stdout
    facts = wgpt_json("help", "types")
    assert [each["type"] for each in facts["types"]] == list(TYPES) and facts["mixes"] == list(MIXES)
    for name, kind in TYPES.items():
        assert re.search(rf"^{name} +{kind.bits_per_weight:.4g} +{re.escape(kind.good_for)}", out, re.MULTILINE), name
    assert all(name in out for name in (*MIXES, *PARTS))


def test_every_type_says_what_it_is_good_for():
    assert not [name for name, kind in TYPES.items() if not 5 < len(kind.good_for) < 70]
    assert 4 <= sum(kind.common for kind in TYPES.values()) <= 8


def test_help_of_a_command_is_its_help(wgpt, wgpt_json):
    assert wgpt("help", "bench", "decode").stdout.strip() == wgpt("bench", "decode", "--help").stdout.strip()
    assert wgpt("help").stdout.strip() == wgpt("--help").stdout.strip()
    assert wgpt_json("help", "merge")["help"].startswith("Usage: wgpt merge ")
    for words in (("nonsense",), ("run", "decode"), ("bench", "nonsense")):
        result = wgpt("help", *words)
        assert result.exit_code == 2 and f"no help on {' '.join(words)!r}" in result.stderr
