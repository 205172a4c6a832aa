"""A WordPiece vocabulary for tiny encoders, as a tokenizer.json with the templates of a text and of a pair."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_WHOLE = """the cat dog sat sits on a mat rug what who where is are was blue red green sky sea grass tax bank river
    query passage : . , ? ! ##s ##ing ##ed ##er ##ly run walk jump over fox quick brown lazy"""
WORDS = (
    *_WHOLE.split(),
    *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"),
    *"bcdefghijklmnopqrstuvwxyz0123456789",
)
TOKENS = tuple(dict.fromkeys((*SPECIAL, *WORDS)))
SIZE = len(TOKENS)
PAD, UNK, CLS, SEP = range(4)


def tokenizer_json(pair_types: bool = True) -> dict[str, Any]:
    """BERT's; without `pair_types`, RoBERTa's template: all of type 0, and two separators between the texts."""
    vocab = {token: i for i, token in enumerate(TOKENS)}

    def special(id: str, type_id: int = 0) -> dict[str, Any]:
        return {"SpecialToken": {"id": id, "type_id": type_id}}

    def sequence(id: str, type_id: int = 0) -> dict[str, Any]:
        return {"Sequence": {"id": id, "type_id": type_id}}

    second = int(pair_types)
    between = [special("[SEP]")] if pair_types else [special("[SEP]"), special("[SEP]")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": i, "content": token, "special": True}
            | {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
            for i, token in enumerate(SPECIAL)
        ],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special("[CLS]"), sequence("A"), special("[SEP]")],
            "pair": [special("[CLS]"), sequence("A"), *between, sequence("B", second), special("[SEP]", second)],
            "special_tokens": {
                token: {"id": token, "ids": [i], "tokens": [token]} for token, i in (("[CLS]", CLS), ("[SEP]", SEP))
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocab,
        },
    }


def write_tokenizer(folder: Path, pair_types: bool = True) -> None:
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json(pair_types)), encoding="utf-8")
