"""Peer scripts: their output, missing packages, and failures."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

import pytest

from wgpt.bench import peers
from wgpt.bench.comparison import CONTEXT, LORA, PROMPT, TASKS, UNIT_OF, Figure, SchemaError, by_task
from wgpt.bench.peers import SCRIPTS, Peers
from wgpt.core.errors import WgptError

from .made_up import PEERS

REPOSITORY = Path(__file__).parents[2]


def figures_of(runner: Peers, peer: str, preset: str = "smollm2-135m") -> list[Figure]:
    figures: list[Figure] = []
    runner.ask(peer, preset, figures.append)
    return figures


@pytest.fixture
def scripts(tmp_path: Path):
    """A function that writes peer scripts with the given source."""

    def write(source: str) -> Path:
        for name in SCRIPTS.values():
            (tmp_path / name).write_text(source)
        return peers.locate(tmp_path)

    return write


def test_the_scripts_are_found_in_the_checkout():
    assert peers.locate() == REPOSITORY / "bench" / "peers"
    with pytest.raises(WgptError, match="--peers-dir"):
        peers.locate(REPOSITORY / "src")


def test_the_scripts_do_the_same_task_as_we_do():
    """The scripts cannot import wgpt: their Python may lack its dependencies."""
    theirs = runpy.run_path(str(peers.locate() / "figures.py"))
    assert (theirs["CONTEXT"], theirs["PROMPT"]) == (CONTEXT, PROMPT)
    assert (theirs["BATCH"], theirs["LENGTH"], theirs["RANK"]) == LORA
    assert theirs["UNITS"] == UNIT_OF and list(UNIT_OF) == list(TASKS)


@pytest.mark.parametrize("peer", SCRIPTS)
def test_without_its_packages_a_peer_skips_with_the_reason(peer, tmp_path, monkeypatch):
    for package in ("torch", "gguf", "xllamacpp"):
        (tmp_path / f"{package}.py").write_text("raise ImportError('it is not installed')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    figures = figures_of(Peers(peers.locate()), peer)
    assert sorted(f.what for f in figures) == sorted(TASKS)
    assert all(f.value is None and f.model == "smollm2-135m" and f.peer == peer for f in figures)
    reasons = {f.what: f.skipped for f in figures}
    assert "it is not installed" in reasons["decode"] and "it is not installed" in reasons["prefill"]
    assert "PyTorch" in reasons["lora"] if peer == "torch" else "trains no LoRA" in reasons["lora"]


def test_llama_cpp_needs_a_binary_or_a_package(tmp_path, monkeypatch):
    (tmp_path / "gguf.py").write_text("")
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('it is not installed')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    reasons = {f.what: f.skipped for f in figures_of(Peers(peers.locate()), "llama.cpp")}
    assert "no llama-bench on PATH, and no package xllamacpp" in reasons["decode"]


def test_llama_bench_on_the_path_is_asked(tmp_path, monkeypatch):
    """With a stand-in for llama-bench that checks the file it gets."""
    bench = tmp_path / "llama-bench"
    bench.write_text(
        f"#!{sys.executable}\n"
        "import gguf, json, sys\n"
        "args = dict(zip(sys.argv[1::2], sys.argv[2::2]))\n"
        "tensors = {t.name: t for t in gguf.GGUFReader(args['-m']).tensors}\n"
        "assert tensors['blk.1.attn_q.bias'].shape.tolist() == [64]\n"
        "assert tensors['blk.0.ffn_down.weight'].shape.tolist() == [96, 64]\n"
        "kind = tensors['blk.0.ffn_up.weight'].tensor_type.name, tensors['token_embd.weight'].tensor_type.name\n"
        "speed = {('F16', 'F16'): 100, ('Q4_1', 'Q8_0'): 200}[kind]\n"
        "assert (args['-n'], args['-p']) in (('8', '0'), ('0', '512'))\n"
        "print(json.dumps([{'avg_ts': speed, 'avg_ns': 1e9 / speed, 'backends': 'Fast'}]))\n"
    )
    bench.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    sizes = {**dict(family="qwen2", vocab=96, hidden=64, ffn=96, layers=2, heads=4, kv_heads=2, head_dim=16)}
    sizes |= dict(context=1024, eps=1e-5, tied=True, qkv_bias=True, theta=1e4)
    monkeypatch.setattr(peers, "asdict", lambda _: sizes)
    figures = [f for f in figures_of(Peers(peers.locate(), quick=True), "llama.cpp") if f.what != "lora"]
    assert [(f.what, f.mode, f.value, f.unit, f.skipped) for f in figures] == [
        ("decode", "llama-bench, f16", 100, "tok/s", None),
        ("prefill", "llama-bench, f16", 10, "ms", None),
        ("decode", "llama-bench, q4_1 + q8_0", 200, "tok/s", None),
        ("prefill", "llama-bench, q4_1 + q8_0", 5, "ms", None),
    ]


LINE = (
    '{"peer": "torch", "mode": "eager", "what": "decode", "model": "m", "value": 7, "unit": "tok/s", "skipped": null}'
)


def test_what_was_said_before_a_failure_is_kept(scripts):
    folder = scripts(f"print('# hello')\nprint('''{LINE}''', flush=True)\nraise SystemExit('out of [memory]')")
    first, *others = figures_of(Peers(folder), "torch")
    assert (first.value, first.mode) == (7.0, "eager")
    assert [(f.what, f.unit) for f in others] == [("prefill", "ms"), ("lora", "ms")]
    assert all(f.skipped == "failed with code 1: out of [memory]" for f in others)


def test_a_script_that_never_ends_is_ended(scripts):
    folder = scripts(f"import time\nprint('''{LINE}''', flush=True)\ntime.sleep(60)")
    first, *others = figures_of(Peers(folder, timeout=2.0), "torch")
    assert first.value == 7.0 and {f.skipped for f in others} == {"took more than 2 s"}


def test_a_python_that_is_not_there(scripts):
    figures = figures_of(Peers(scripts(""), {"torch": "no-such-python"}), "torch")
    assert len(figures) == len(TASKS) and all("cannot start" in f.skipped for f in figures)


@pytest.mark.parametrize(
    "line",
    [
        "{broken",
        LINE.replace("decode", "sleep"),
        LINE.replace("7", "null"),
        LINE.replace("null", '"both"'),
        LINE.replace("7", "-1"),
        LINE.replace("7", "NaN"),
        LINE.replace("tok/s", "parsec"),
        LINE.replace('"peer": "torch", ', ""),
        LINE.replace('"peer"', '"more": 1, "peer"'),
    ],
)
def test_a_line_that_is_no_figure_is_refused(scripts, line):
    with pytest.raises(SchemaError):
        figures_of(Peers(scripts(f"print('''{line}''')")), "torch")


def test_the_schema_is_stable():
    assert list(Figure.of(PEERS[0].to_dict()).to_dict()) == [
        "peer",
        "mode",
        "what",
        "model",
        "value",
        "unit",
        "skipped",
    ]
    assert [Figure.of(f.to_dict()) for f in PEERS] == list(PEERS)


def test_the_best_comes_first_and_what_was_skipped_last():
    slow, fast = (Figure("torch", mode, "lora", "m", ms, "ms") for mode, ms in (("eager", 113.0), ("compile", 54.0)))
    groups = by_task([*PEERS, slow, fast])
    assert [f.mode for f in groups["smollm2-135m", "decode", "tok/s"]] == ["compile", "eager", "-"]
    assert groups["m", "lora", "ms"] == [fast, slow]


def test_which_python_runs_which_peer():
    assert peers.pythons(["a"]) == {"torch": "a", "llama.cpp": "a"}
    assert peers.pythons(["torch=b", "a"]) == {"torch": "b", "llama.cpp": "a"}
    with pytest.raises(WgptError, match="PEER=PYTHON"):
        peers.pythons(["jax=c"])
