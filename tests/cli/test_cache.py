"""`wgpt cache`: what is kept of converted weights, and how it is cleared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wgpt.formats import weight_cache
from wgpt.formats.packed_file import PackedWriter
from wgpt.triton_kernels import lowered, specs

MODEL = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"


def keep(key: str, model: str, recipe: str) -> None:
    writer = PackedWriter(weight_cache.path_of(key), {"model": model, "recipe": recipe, "files": []})
    writer.commit()


@pytest.fixture
def two(home: Path) -> Path:
    """Converted weights of two models, a damaged file and an unfinished one."""
    keep("a" * 32, "/models/one.gguf", "q8_0")
    keep("b" * 32, "/models/two", "embed=q8_0,ffn=q4_1")
    (home / "converted" / f"{'c' * 32}.weights").write_bytes(b"damaged")
    (home / "converted" / f".unfinished-x-{'d' * 32}.weights").write_bytes(b"wgpt")
    return home / "converted"


def test_help_teaches(wgpt):
    text = " ".join(wgpt("cache", "--help").stdout.split())
    for word in ("WGPT_CACHE_LIMIT", "WGPT_HOME", "wgpt cache clear model.gguf", "least recently used"):
        assert word in text, word
    assert "WGPT_CACHE_LIMIT" in wgpt("--help").stdout


def test_nothing_is_kept(wgpt, wgpt_json, home: Path):
    assert wgpt("cache").stdout == f"0 B of 20.0 GiB in {home / 'converted'}\n"
    empty = {"folder": str(home / "converted"), "limit_bytes": 20 << 30, "bytes": 0, "entries": []}
    kernels = {"folder": str(home / "lowered"), "count": 0, "bytes": 0}
    assert wgpt_json("cache") == {**empty, "kernels": kernels}
    assert wgpt_json("cache", "clear") == {"removed": [], "kernels": 0, "bytes": 0}


def test_what_is_kept(wgpt, wgpt_json, two: Path):
    report = wgpt_json("cache")
    assert {(entry["name"], entry["model"], entry["dtype"]) for entry in report["entries"]} == {
        ("a" * 12, "/models/one.gguf", "q8_0"),
        ("b" * 12, "/models/two", "embed=q8_0,ffn=q4_1"),
    }
    assert report["bytes"] == sum(entry["bytes"] for entry in report["entries"]) > 0
    text = wgpt("cache").stdout
    for word in ("/models/one.gguf", "embed=q8_0,ffn=q4_1", "last used", "of 20.0 GiB"):
        assert word in text, word


@pytest.mark.parametrize("name", ["b" * 12, "two", "/models/two"])
def test_one_is_cleared(wgpt, wgpt_json, two: Path, name: str):
    removed = wgpt_json("cache", "clear", name)["removed"]
    assert [entry["dtype"] for entry in removed] == ["embed=q8_0,ffn=q4_1"]
    assert [entry.recipe for entry in weight_cache.entries()] == ["q8_0"]


def test_all_is_cleared(wgpt, two: Path):
    result = wgpt("cache", "clear")
    assert result.exit_code == 0 and result.stdout.startswith("removed 2, ")
    assert list(two.iterdir()) == []


def test_an_unknown_name(wgpt, two: Path):
    result = wgpt("cache", "clear", "three")
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert "no converted weights 'three' in the cache; it contains" in result.stderr and "(one.gguf)" in result.stderr
    assert len(weight_cache.entries()) == 2


def test_a_limit_that_is_no_size(wgpt, monkeypatch):
    monkeypatch.setenv(weight_cache.LIMIT, "much")
    result = wgpt("cache")
    assert result.exit_code == 2
    assert "WGPT_CACHE_LIMIT must be a number of bytes, such as 800MiB or 4GB, not 'much'" in result.stderr


def test_json_is_the_subcommands(wgpt, two: Path):
    result = wgpt("cache", "--json", "clear")
    assert result.exit_code == 2 and "put --json after clear" in result.stderr
    assert len(weight_cache.entries()) == 2


@pytest.mark.gpu
def test_a_model_that_was_run(wgpt, wgpt_json, tmp_path: Path):
    model = Path(shutil.copytree(MODEL, tmp_path / "model"))
    args = ("run", "--raw", "wind", "-m", str(model), "--dtype", "q8_0", "-n", "2", "--json")
    assert wgpt(*args).exit_code == 0
    (entry,) = wgpt_json("cache")["entries"]
    assert (entry["model"], entry["dtype"]) == (str(model.resolve()), "q8_0")
    assert wgpt(*args).exit_code == 0
    assert wgpt_json("cache", "clear", "model")["bytes"] == entry["bytes"]


@pytest.mark.gpu
def test_a_warning_is_one_line(wgpt, monkeypatch):
    monkeypatch.setenv(weight_cache.LIMIT, "1KiB")
    result = wgpt("run", "--raw", "wind", "-m", str(MODEL), "--dtype", "q8_0", "-n", "2", "--json")
    assert result.exit_code == 0 and len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("wgpt: warning: the converted weights are not cached in ")


def lower_one(home: Path) -> Path:
    lowered._shader.cache_clear()
    lowered.shader(specs.ADD, False)
    (entry,) = (home / "lowered").iterdir()
    return entry


def test_lowered_kernels_are_shown_and_cleared(wgpt, wgpt_json, two: Path, home: Path):
    entry = lower_one(home)
    assert wgpt_json("cache")["kernels"] == {
        "folder": str(home / "lowered"),
        "count": 1,
        "bytes": entry.stat().st_size,
    }
    assert f"of 1 lowered kernel in {home / 'lowered'}" in wgpt("cache").stdout
    assert wgpt("cache", "clear", "kernels").stdout.startswith("removed 0 and 1 lowered kernel, ")
    assert not entry.exists() and len(weight_cache.entries()) == 2
    lower_one(home)
    assert wgpt_json("cache", "clear", "two")["kernels"] == 0
    assert entry.exists()
    assert wgpt_json("cache", "clear")["kernels"] == 1
    assert not entry.exists()
