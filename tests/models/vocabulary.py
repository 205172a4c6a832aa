"""A byte-level BPE vocabulary of 320 tokens, small enough to write down: for the made-up models and their files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
BOS, EOS, SIZE = 1, 2, 320
# In GPT-2's spelling a space is Ġ. Each merge makes one token; its halves are bytes or earlier merges.
_MERGED = (
    "Ġ t|h e|Ġ a|i n|r e|o n|Ġt he|e r|Ġ s|a t|Ġ w|e n|Ġ o|o r|i t|Ġ c|i s|e s|a n|n d|Ġ b|e d|Ġ f|in g|Ġ p|o u|"
    "Ġa n|Ġan d|a l|a r|Ġt o|Ġ m|Ġo f|Ġ in|Ġ d|Ġ h|i c|Ġ l|Ġ n|l e|Ġ re|i on|Ġt h|e t|o m|a s|l l|Ġ e|v er|"
    "r o|Ġ is|u r|Ġb e|Ġ g|s t|u n|Ġf or|Ġw as|e ll|o w|Ġ Ġ"
)
MERGES = _MERGED.split("|")
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def byte_symbols() -> list[str]:
    """How GPT-2 spells each byte: itself where it prints, else a character from 256 on."""
    prints = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (b for b in range(256) if b not in prints)
    spelled = {b: chr(b) for b in prints} | {b: chr(256 + i) for i, b in enumerate(others)}
    return [spelled[b] for b in range(256)]


def tokens() -> list[str]:
    texts = [*SPECIAL, *byte_symbols(), *(merge.replace(" ", "") for merge in MERGES)]
    assert len(texts) == len(set(texts)) == SIZE
    return texts


def write_tokenizer(folder: Path) -> None:
    """tokenizer.json and tokenizer_config.json as a Hugging Face folder has them."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    tokenizer: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": i, "content": token, **flags} for i, token in enumerate(SPECIAL)],
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": None,
        "decoder": level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {token: i for i, token in enumerate(tokens())},
            "merges": MERGES,
        },
    }
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIAL[BOS],
        "eos_token": SPECIAL[EOS],
        "chat_template": CHAT_TEMPLATE,
    }
    for name, content in (("tokenizer.json", tokenizer), ("tokenizer_config.json", config)):
        (folder / name).write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
