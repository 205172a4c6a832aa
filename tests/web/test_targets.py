"""Programs for several kinds of GPU in one site: what is exported, which one a page takes, and that each is right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wgpt
from wgpt.contracts import trial
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice
from wgpt.gpu.dry import ExportDevice
from wgpt.gpu.exported import export_programs
from wgpt.kernels import registry
from wgpt.web.targets import LIMITS, TARGETS

from .conftest import ROOT, Run, export
from .test_models import prompt_of

EXTENSION = "packed_4x8_integer_dot_product"
TINY = ROOT / "tests" / "golden" / "models" / "llama-gqa"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("targets") / "site"
    return export(TINY, folder, dtype="f16", context=64, targets=list(TARGETS))


def program(site: Path, target: str) -> Any:
    return json.loads((site / "model" / f"program-{target}.json").read_text())


def test_targets_share_the_weights_and_differ_in_shaders(site: Path) -> None:
    description = json.loads((site / "model" / "model.json").read_text())
    assert [target["name"] for target in description["targets"]] == list(TARGETS)
    programs = {name: program(site, name) for name in TARGETS}
    features = {name: set(each["features"]) for name, each in programs.items()}
    assert features["browser"] == features["software"] == set()
    assert features["subgroups"] == {"subgroups"} and features["f16"] == {"shader-f16"}
    assert features["nvidia"] == {"shader-f16", "subgroups"}
    # The matrices are the largest content of each, at the same place in the files.
    largest = {name: max(each["contents"].values(), key=lambda place: place[1]) for name, each in programs.items()}
    assert len({tuple(place) for place in largest.values()}) == 1
    assert description["weights"]["bytes"] < 2 * largest["browser"][1]


def test_f16_is_refused_for_a_model_that_it_does_not_change(tmp_path: Path) -> None:
    with pytest.raises(WgptError, match="target f16: no weights of llama-gqa are f16"):
        export(TINY, tmp_path / "site", dtype="q8_0", targets=["f16"])
    assert not (tmp_path / "site" / "model").exists()


ADAPTERS = {
    # (vendor, smallest and largest subgroup, features) -> the target, for f16 weights
    "nvidia": (("nvidia", 32, 32, ["subgroups", "shader-f16"]), "nvidia"),
    "nvidia, whose driver hides f16": (("nvidia", 32, 32, ["subgroups"]), "subgroups"),
    "apple": (("apple", 32, 32, ["subgroups", "shader-f16"]), "subgroups"),
    "amd": (("amd", 32, 64, ["subgroups", "shader-f16"]), "f16"),
    "intel without f16": (("intel", 8, 32, ["subgroups"]), "browser"),
    "a browser that says nothing": (("", None, None, []), "browser"),
    "swiftshader": (("google", 4, 4, ["subgroups"]), "software"),
}


def adapter(vendor: str, least: int | None, most: int | None, features: list[str]) -> dict[str, Any]:
    architecture = "swiftshader" if vendor == "google" else ""
    sizes = {"subgroupMinSize": least, "subgroupMaxSize": most}
    return {"info": {"vendor": vendor, "architecture": architecture, **sizes}, "features": features}


def test_a_page_takes_the_most_that_the_gpu_has(node: Run, site: Path) -> None:
    targets = json.loads((site / "model" / "model.json").read_text())["targets"]
    chosen = node("choose", targets=targets, adapters=[adapter(*facts) for facts, _ in ADAPTERS.values()])
    assert dict(zip(ADAPTERS, chosen, strict=True)) == {name: target for name, (_, target) in ADAPTERS.items()}


def test_shaders_with_integer_dot_products_name_the_extension() -> None:
    device, kernel = ExportDevice(TARGETS["subgroups"].traits, LIMITS), registry.get("gemv_fused")
    cases = [case for case in kernel.cases if case.problem["weight"] == "q4_1"]
    tried = ((case, variant) for case in cases for variant in kernel.usable(device.traits, case.problem))
    case, variant = next(pair for pair in tried if pair[1].get("digits"))
    for chosen, language in ((variant, [EXTENSION]), ({**variant, "digits": 0}, [])):
        exported = export_programs({"main": trial.record(trial.prepare(kernel, case), device, chosen)})
        assert exported.manifest["language"] == language


def test_a_page_takes_no_shaders_that_its_browser_cannot_read(node: Run, site: Path) -> None:
    targets = json.loads((site / "model" / "model.json").read_text())["targets"]
    needing = [{**target, "language": [EXTENSION]} if target["name"] == "subgroups" else target for target in targets]
    apple = adapter("apple", 32, 32, ["subgroups"])
    adapters = [{**apple, "language": language} for language in ([EXTENSION], [], None)]
    assert node("choose", targets=needing, adapters=adapters) == ["subgroups", "browser", "browser"]


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("target", ["f16", "subgroups"])
def test_faster_programs_give_the_tokens_of_python(
    node: Run, device: GpuDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    # A software driver has smaller subgroups than the GPUs that the target is for.
    own = {**TARGETS, "subgroups": replace(TARGETS["subgroups"], subgroup_size=device.traits.subgroup_size)}
    monkeypatch.setattr("wgpt.web.site.TARGETS", own)
    site = export(TINY, tmp_path / "site", cache="f32", dtype="f16", context=64, targets=[target])
    prompt = prompt_of(61)
    generations = [{"prompt": prompt, "options": {"maxTokens": 6, "ignoreEos": True}}]
    [result] = node("generate", sites=[str(site)], generations=generations)
    assert result["target"] == target
    with wgpt.load(TINY, device=device, dtype="f16", cache="f32") as model:
        assert result["results"][0]["ids"] == list(model.generate(prompt, max_tokens=6, ignore_eos=True).ids)
