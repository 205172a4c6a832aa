"""`wgpt bench serve` against the server of the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from wgpt.cli.app import make

from .conftest import KEYS
from .running import Running

pytestmark = pytest.mark.gpu


def bench(*options: str) -> Result:
    return CliRunner().invoke(make(), ["bench", "serve", *options], prog_name="wgpt")


def measured(*options: str) -> dict[str, Any]:
    result = bench(*options, "--json")
    assert result.exit_code == 0, (result.stderr, result.exception)
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


@pytest.mark.full
def test_loads(server: Running):
    """Clients, then a rate; every request is counted, with its tokens and times."""
    before = server.metric("prompt_tokens_total")
    small = ["--requests", "1", "--prompt", "3", "--new", "2"]
    facts = measured("--url", f"{server.address}/v1", "--clients", "2", "--rate", "50", *small)
    assert (facts["bench"], facts["model"], facts["errors"]) == ("serve", "smollm2", [])
    assert [load["arrivals"] for load in facts["loads"]] == ["2 clients", "50/s"]
    for load in facts["loads"]:
        assert (load["requests"], load["failed"]) == (2, 0)
        assert (load["prompt_tokens"], load["new_tokens"]) == (6, 4)
        assert load["pieces"] >= 2 and 0 < load["first_median"] <= load["first_p99"] <= load["seconds"]
        assert load["tokens_per_second"] == pytest.approx(4 / load["seconds"])
    assert server.metric("prompt_tokens_total") - before == 2 * 12  # each load runs before it is measured


@pytest.mark.slow
def test_a_page_and_a_schema(server: Running, tmp_path: Path):
    schema, page = tmp_path / "schema.json", tmp_path / "serve.html"
    schema.write_text('{"enum": ["yes", "no"]}')
    options = ["--url", server.address, "--clients", "1,2", "--requests", "1", "--prompt", "3-5", "--new", "8"]
    result = bench(*options, "--json-schema", str(schema), "--long", "65", "--long-rate", "0.3", "--html", str(page))
    assert result.exit_code == 0, (result.stderr, result.exception)
    assert "2 clients" in result.stdout and "JSON by a schema" in result.stdout
    assert "<svg" in page.read_text() and "prompts of 65 tokens" in page.read_text()


@pytest.mark.full
def test_a_server_with_keys(small: Running):
    refused = bench("--url", small.address, "--api-key", "wrong")
    assert refused.exit_code and "answers with status 401: the API key is invalid" in refused.stderr
    unknown = bench("--url", small.address, "--api-key", KEYS[0], "-m", "gpt-4")
    assert unknown.exit_code and "has no model 'gpt-4'; it has smollm2, pirate" in unknown.stderr


@pytest.mark.full
def test_bad_options(server: Running, tmp_path: Path):
    broken = tmp_path / "schema.json"
    broken.write_text("{")
    result = bench("--url", server.address, "--json-schema", str(broken))
    assert result.exit_code and "is not JSON" in result.stderr
    result = bench("--url", server.address, "--serve-options", "--max-batch 2")
    assert result.exit_code == 2 and "are for a server that is started here" in result.stderr
    result = bench("--serve-options", "--no-such-option", "--clients", "1")
    assert result.exit_code and "wgpt serve ended" in result.stderr
