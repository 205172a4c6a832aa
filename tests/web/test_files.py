"""The files of a site over several visits: servers that answer wrongly or not at all, and a damaged cache."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from wgpt.web.site import FORMAT, VERSION

from .conftest import Run


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The two files that the visits read."""
    tokenizer = json.dumps({"tokens": ["a", "b"]}).encode()
    facts = {"file": "tokenizer.json", "bytes": len(tokenizer), "sha256": hashlib.sha256(tokenizer).hexdigest()}
    description = {"format": FORMAT, "version": VERSION, "name": "tiny", "tokenizer": facts}
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "tokenizer.json").write_bytes(tokenizer)
    (tmp_path / "model" / "model.json").write_text(json.dumps(description))
    return tmp_path


def test_a_first_visit_needs_a_server_that_is_right(node: Run, site: Path) -> None:
    answers = ("offline", "missing", "portal", "cut")
    results = node("visits", site=str(site), visits=[{"answer": answer} for answer in answers])
    assert [result["kind"] for result in results] == ["download", "download", "damaged", "damaged"]
    assert "404" in results[1]["message"] and "not JSON" in results[2]["message"]


def test_later_visits_use_what_is_kept_and_mend_it(node: Run, site: Path) -> None:
    visits = [{"answer": answer} for answer in ("well", "well", "offline", "portal", "cut", "missing")]
    visits += [{"answer": "offline", "damage": "tokenizer.json"}, {"answer": "well"}, {"answer": "offline"}]
    results = node("visits", site=str(site), visits=visits)
    good = [result for result in results if "kind" not in result]
    assert len(good) == len(results) - 1
    assert all((result["name"], result["tokens"]) == ("tiny", 2) for result in good)
    assert [result["requests"] for result in results] == [2, 1, 1, 1, 1, 1, 2, 2, 1]
    assert results[6]["kind"] == "download" and "tokenizer.json" in results[6]["message"]


@pytest.mark.parametrize("text", ["null", f'{{"format": "{FORMAT}", "version": {VERSION + 1}}}'])
def test_model_json_of_another_version_is_refused(node: Run, site: Path, text: str) -> None:
    (site / "model" / "model.json").write_text(text)
    [result] = node("visits", site=str(site), visits=[{"answer": "well"}])
    assert result["kind"] == "damaged" and "another version" in result["message"]
