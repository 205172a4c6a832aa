"""The page's checks in Node: the kernels of a site are right on this GPU, and a wrong one is found."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from .conftest import ROOT, Run, export

pytestmark = pytest.mark.slow


@pytest.mark.gpu
def test_all_kernels_are_right_and_a_wrong_one_is_found(node: Run, tmp_path: Path) -> None:
    site = export(ROOT / "tests" / "golden" / "models" / "llama-gqa", tmp_path / "site")
    results = node("verify", site=str(site), target="software")
    assert len(results) > 8 and all(each["ok"] for each in results), results
    program = json.loads((site / "model" / "program-software.json").read_text())
    used = {shader["kernel"] for shader in program["shaders"]}
    assert used == {each["kernel"] for each in results}
    _break(site / "model")
    broken = node("verify", site=str(site), target="software")
    assert [each["kernel"] for each in broken if not each["ok"]] == ["rmsnorm"]


def _break(model: Path) -> None:
    """Another kernel in the trials: a norm without its epsilon's root."""
    file = model / "trials-software.json"
    trials = json.loads(file.read_text())
    changed = 0
    for trial in trials:
        for shader in trial["manifest"]["shaders"]:
            if trial["kernel"] == "rmsnorm":
                changed += "inverseSqrt" in shader["wgsl"]
                shader["wgsl"] = shader["wgsl"].replace("inverseSqrt", "sqrt")
    assert changed
    text = json.dumps(trials).encode()
    file.write_bytes(text)
    description = json.loads((model / "model.json").read_text())
    target = next(each for each in description["targets"] if each["name"] == "software")
    target["trials"].update(bytes=len(text), sha256=hashlib.sha256(text).hexdigest())
    (model / "model.json").write_text(json.dumps(description))
