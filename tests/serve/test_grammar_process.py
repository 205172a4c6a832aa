"""Grammars of strangers: compiled in a process of their own, which is killed if one takes too long."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import open_checkpoint
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.serve.errors import ApiError
from wgpt.serve.grammar_process import GrammarProcess
from wgpt.serve.structured import JSON_SCHEMA, Rule

HANGS = {"type": "integer", "multipleOf": 9999999, "minimum": 0}


def test_a_grammar_that_takes_too_long_is_refused_and_the_next_is_not(smollm2_path: Path):
    with open_checkpoint(smollm2_path) as checkpoint:
        tokenizer = load_tokenizer(checkpoint.tokenizer)
    checks = GrammarProcess(tokenizer, 3.0)

    def check(schema: dict[str, Any]) -> None:
        asyncio.run(checks.check(Rule(JSON_SCHEMA, schema, "guided_json")))

    try:
        check({"type": "integer"})
        with pytest.raises(ApiError, match="propertyNames") as refused:
            check({"propertyNames": {"pattern": "a"}})
        assert refused.value.param == "guided_json" and refused.value.status == 400
        first = checks._process
        began = time.monotonic()
        with pytest.raises(ApiError, match="took more than 3 s to compile") as slow:
            check(HANGS)
        assert slow.value.code == "grammar_too_complex" and time.monotonic() - began < 60
        assert first is not None and not first.is_alive()
        check({"type": "string"})
    finally:
        checks._end()


@pytest.mark.full  # three starts of a process
def test_a_process_that_somebody_killed_is_started_again_for_the_same_rule(smollm2_path: Path):
    with open_checkpoint(smollm2_path) as checkpoint:
        checks = GrammarProcess(load_tokenizer(checkpoint.tokenizer), 60.0)
    rule = Rule(JSON_SCHEMA, {"type": "integer"}, "guided_json")
    try:
        asyncio.run(checks.check(rule))
        first = checks._process
        assert first is not None
        first.kill()
        first.join()
        asyncio.run(checks.check(rule))
        assert checks._process is not first
    finally:
        checks._end()
