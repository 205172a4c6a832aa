"""Exported sites: what is written and served, what is refused, and that Python replays it."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt.core.errors import WgptError
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.gpu import GpuDevice, Program
from wgpt.gpu.exported import Exported
from wgpt.kernels.sampling.slots import POSITION, RECORD_WORDS, TOKEN
from wgpt.web.page_assets import page_assets
from wgpt.web.recording import record_layout
from wgpt.web.serving import site_server
from wgpt.web.shards import SHARD_BYTES
from wgpt.web.site import Request, export_site

from .conftest import ROOT, Run, export

MODELS = ROOT / "tests" / "golden" / "models"
TINY = MODELS / "llama-gqa"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(TINY, tmp_path_factory.mktemp("site") / "site", cache="f32")


def described(site: Path) -> Any:
    return json.loads((site / "model" / "model.json").read_text())


def loaded(site: Path, target: str) -> Exported:
    """The Programs of a site, with the weights from its files."""
    description = described(site)
    manifest = json.loads((site / "model" / f"program-{target}.json").read_text())
    files = [site / "model" / shard["file"] for shard in description["weights"]["shards"]]
    stream = np.frombuffer(b"".join(file.read_bytes() for file in files), np.uint8)
    contents = {int(n): stream[at : at + size].copy() for n, (at, size) in manifest.pop("contents").items()}
    return Exported(manifest, contents)


@pytest.mark.gpu
@pytest.mark.parametrize(
    "target", [pytest.param("software", marks=pytest.mark.full), pytest.param("browser", marks=pytest.mark.slow)]
)
def test_python_replays_what_the_browser_does(device: GpuDevice, site: Path, target: str) -> None:
    programs = Program.load_all(device, loaded(site, target))
    prompt = np.random.default_rng(5).integers(3, 61, 16).tolist()
    [steps] = [each["steps"] for each in described(site)["targets"] if each["name"] == target]
    prefill, step = programs["prefill/16"], programs[f"step/{steps[0]}/greedy"]
    places = np.full((16, 2), 0xFFFFFFFF, np.uint32)
    places[:, 0] = 0
    places[:15, 1] = np.arange(15)
    prefill.write("ids", np.array(prompt, np.uint32))
    prefill.write("places", places)
    prefill.read()
    record = np.zeros((1, RECORD_WORDS), np.uint32)
    record[0, TOKEN], record[0, POSITION] = prompt[-1], 15
    step.write("record", record)
    tokens = [int(step.read("tokens")["tokens"][0]) for _ in range(5)]
    with wgpt.load(TINY, device=device, cache="f32") as model:
        assert tokens == list(model.generate(prompt, max_tokens=5, ignore_eos=True).ids)
    for program in programs.values():
        program.release()


def test_every_file_has_its_hash(site: Path) -> None:
    description = described(site)
    entries = [description["tokenizer"], *description["weights"]["shards"]]
    entries += [target[key] for target in description["targets"] for key in ("program", "trials")]
    for entry in entries:
        data = (site / "model" / entry["file"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"])
        assert len(data) <= SHARD_BYTES
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    model = {"model/model.json", *(f"model/{entry['file']}" for entry in entries)}
    assert names == model | set(page_assets())


def test_programs_are_portable(site: Path) -> None:
    browser = json.loads((site / "model" / "program-browser.json").read_text())
    assert browser["features"] == []
    assert browser["limits"]["maxStorageBuffersPerShaderStage"] <= 8
    assert browser["limits"]["maxStorageBufferBindingSize"] <= 128 << 20
    assert not any("f16;" in shader["wgsl"] or "subgroup" in shader["wgsl"] for shader in browser["shaders"])
    assert described(site)["targets"][-1]["name"] == "browser"


def test_the_runtime_is_small() -> None:
    runtime = [content for name, content in page_assets().items() if name.startswith("wgpt/") and name.endswith(".js")]
    assert len(gzip.compress(b"".join(runtime))) < 30_000


def test_the_layout_of_records_is_what_the_runtime_uses() -> None:
    source = (ROOT / "src" / "wgpt" / "web" / "runtime" / "settings.js").read_text()
    used = set(re.findall(r"layout\.([A-Z_]+)", source))
    assert {"RECORD_WORDS", "TOKEN", "POSITION", "COUNTER", "LORA", "FLAGS"} <= used <= set(record_layout())


@pytest.mark.gpu
@pytest.mark.full
def test_a_lora_adapter_is_exported(node: Run, device: GpuDevice, tmp_path: Path) -> None:
    adapter = ROOT / "tests" / "golden" / "training" / "llama-gqa"
    site = export(TINY, tmp_path / "site", cache="f32", lora=read_lora(adapter))
    prompt = np.random.default_rng(5).integers(3, 61, 20).tolist()
    options = {"maxTokens": 6, "ignoreEos": True}
    [result] = node("generate", sites=[str(site)], generations=[{"prompt": prompt, "options": options}])
    with wgpt.load(TINY, device=device, cache="f32", lora=adapter) as model:
        adapted = list(model.generate(prompt, max_tokens=6, ignore_eos=True).ids)
    assert result["results"][0]["ids"] == adapted


def test_refused_before_anything_is_written(tmp_path: Path) -> None:
    with open_checkpoint(TINY) as checkpoint:
        tokenizer = load_tokenizer(checkpoint.tokenizer)
        with pytest.raises(WgptError, match="context must be from 1 to the model's"):
            export_site(Request(checkpoint, tokenizer, "tiny", context=1 << 20), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("model", "why"), [("encoders/bert", "encoders"), ("experts/olmoe", "with experts")])
def test_other_kinds_of_models_are_refused_by_name(tmp_path: Path, model: str, why: str) -> None:
    with pytest.raises(WgptError, match=why):
        export(MODELS.parent / model, tmp_path / "site")
    assert not (tmp_path / "site" / "model").exists()


def test_the_server_serves_the_site_and_nothing_else(site: Path) -> None:
    server = site_server(site, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        with urllib.request.urlopen(f"{address}/") as response:
            assert response.headers["Content-Type"].startswith("text/html")
            assert b"The model runs in this browser" in response.read()
        with urllib.request.urlopen(f"{address}/wgpt/index.js") as response:
            assert response.headers["Content-Type"].startswith("text/javascript")
        for path in ("/../conftest.py", "/model", "/model/../../x", "/%2e%2e/x", "/nothing"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address + path)
    finally:
        server.shutdown()
        server.server_close()
