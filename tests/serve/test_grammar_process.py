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

pytestmark = pytest.mark.full

HANGS = {"type": "integer", "multipleOf": 9999999, "minimum": 0}


def test_a_grammar_that_takes_too_long_is_refused_and_the_next_is_not(smollm2_path: Path):
    with open_checkpoint(smollm2_path) as checkpoint:
        tokenizer = load_tokenizer(checkpoint.tokenizer)

    async def check(checks: GrammarProcess, schema: dict[str, Any]) -> None:
        await checks.check(Rule(JSON_SCHEMA, schema, "guided_json"))

    async def checked() -> None:
        checks = GrammarProcess(tokenizer, 3.0)
        try:
            await check(checks, {"type": "integer"})
            with pytest.raises(ApiError, match="propertyNames") as refused:
                await check(checks, {"propertyNames": {"pattern": "a"}})
            assert refused.value.param == "guided_json" and refused.value.status == 400
            first = checks.process._process
            began = time.monotonic()
            with pytest.raises(ApiError, match="took more than 3 s to compile") as slow:
                await check(checks, HANGS)
            assert slow.value.code == "grammar_too_complex" and time.monotonic() - began < 60
            assert first is not None and not first.is_alive()
            await check(checks, {"type": "string"})
        finally:
            await checks.end()

    asyncio.run(checked())


def test_a_process_that_somebody_killed_is_started_again_for_the_same_rule(smollm2_path: Path):
    with open_checkpoint(smollm2_path) as checkpoint:
        tokenizer = load_tokenizer(checkpoint.tokenizer)
    rule = Rule(JSON_SCHEMA, {"type": "integer"}, "guided_json")

    async def checked() -> None:
        checks = GrammarProcess(tokenizer, 60.0)
        try:
            await checks.check(rule)
            first = checks.process._process
            assert first is not None
            first.kill()
            first.join()
            await checks.check(rule)
            assert checks.process._process is not first
        finally:
            await checks.end()

    asyncio.run(checked())
