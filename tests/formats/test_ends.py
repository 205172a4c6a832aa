"""Which tokens end an answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.test_tokenizer import golden
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer


def with_specials(*tokens: str, **fields: Any) -> Tokenizer:
    """The trained vocabulary with these control tokens after its own."""
    metadata = golden("bytes")["metadata"]
    return load_tokenizer(
        metadata
        | {
            "tokenizer.ggml.pre": "gpt-4o",
            "tokenizer.ggml.tokens": [*metadata["tokenizer.ggml.tokens"], *tokens],
            "tokenizer.ggml.token_type": [*metadata["tokenizer.ggml.token_type"], *[3] * len(tokens)],
        }
        | {f"tokenizer.ggml.{name}": value for name, value in fields.items()}
    )


def ends(tokenizer: Tokenizer) -> set[str]:
    return {tokenizer.token(i) for i in tokenizer.eos_ids}


@pytest.mark.parametrize(
    "token", ["<turn|>", "<|tool_response>", "<end_of_turn>", "<|end|>", "<|return|>", "<|call|>", "<|eot_id|>", "[e~["]
)
def test_a_token_that_ends_an_answer(token: str) -> None:
    assert ends(with_specials(token)) == {"<|im_end|>", "<|endoftext|>", token}


def test_a_token_of_another_kind_does_not() -> None:
    assert ends(with_specials("<|channel|>", "<|message|>")) == {"<|im_end|>", "<|endoftext|>"}


@pytest.mark.parametrize("row", [("<|return|>", "<|call|>"), ("<|calls|>", "<|flush|>")])
def test_the_end_of_an_analysis_is_not_the_end_of_the_answer(row: tuple[str, str]) -> None:
    """gpt-oss and Solar write their analysis up to <|end|>, and then the answer."""
    assert ends(with_specials("<|end|>", *row)) == {"<|im_end|>", "<|endoftext|>", *row}
    # A file that names it as its end is believed.
    size = len(golden("bytes")["metadata"]["tokenizer.ggml.tokens"])
    assert "<|end|>" in ends(with_specials("<|end|>", *row, eot_token_id=size))
