"""`wgpt export-web` and `wgpt serve --web`; on a tiny model, without a GPU."""

from __future__ import annotations

from pathlib import Path

TINY = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"


def test_the_command(wgpt, wgpt_json, tmp_path):
    out = tmp_path / "site"
    report = wgpt_json("export-web", "-m", str(TINY), "--out", str(out), "--context", "64")
    assert report["context"] == 64 and report["gpu_bytes"]["browser"]
    assert report["targets"] == ["nvidia", "subgroups", "browser"]
    again = wgpt("export-web", "-m", str(TINY), "--out", str(out))
    assert again.exit_code == 2 and "--force" in again.stderr
    assert wgpt("export-web", "-m", str(TINY), "--out", str(out), "--force").exit_code == 0
    unknown = wgpt("export-web", "-m", str(TINY), "--out", str(out), "--target", "abacus")
    assert unknown.exit_code == 2 and "abacus" in unknown.stderr
    served = wgpt("serve", "--web", str(out), "--max-batch", "2")
    assert served.exit_code == 2 and "--max-batch" in served.stderr
    nothing = wgpt("serve", "--web", str(tmp_path))
    assert nothing.exit_code == 2 and "is not a site" in nothing.stderr
