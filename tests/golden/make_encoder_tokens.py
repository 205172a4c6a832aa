"""Writes tests/golden/encoder_tokens: ids of WordPiece, unigram and Gemma 4 vocabularies that are trained here.

Run by hand (a minute, no GPU), after make_tokens.py:

    golden-venv/bin/pip install sentencepiece protobuf transformers==5.22.2 torch==2.13.0 xllamacpp -e .
    golden-venv/bin/python -m tests.golden.make_encoder_tokens

The ids are those of transformers' BertTokenizer, of SentencePiece itself, and of the pipeline of Gemma's published
tokenizer.json. llama.cpp is asked too; where it gives others, the texts are listed.
"""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import BertTokenizer

from .archives import pack
from .make_tokens import OUTPUT as TOKENS
from .make_tokens import corpus, llama_cpp, tiny_gguf
from .token_texts import SPLITTING_TEXTS, TEXTS

OUTPUT = Path(__file__).parent / "encoder_tokens"
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

RULES = {"\t": " ", "\n": " ", "\r": " ", "\u00a0": " ", "\u3000": " ", "ﬁ": "fi", "½": "1/2", "②": "2"}
RULES |= {"e\u0301": "é", "A\u030a": "Å", "n\u0303": "ñ", "\u200b": " ", "\ufeff": ""}


def rule(text: str) -> str:
    """As SentencePiece's table of rules has it."""
    return " ".join(f"{ord(c):X}" for c in text)


def main() -> None:
    OUTPUT.mkdir(exist_ok=True)
    texts = TEXTS + SPLITTING_TEXTS
    save("wordpiece", texts, *wordpiece([*texts, "[MASK] word[SEP] [CLS]"]))
    save("cased", texts, *wordpiece(texts, lowercase=False))
    save("unigram", texts, *unigram(texts))
    save("gemma4", texts, *gemma4(texts))


def save(name: str, texts: list[str], described: dict[str, Any], ids: list[list[int]]) -> None:
    texts = [*texts, "[MASK] word[SEP] [CLS]"][: len(ids)]
    if name != "unigram":  # SentencePiece itself says what is right
        with tempfile.TemporaryDirectory() as folder:
            theirs = llama_cpp(tiny_gguf(Path(folder), described), texts)
        print(name, "llama.cpp differs for", [t[:12] for t, a, b in zip(texts, ids, theirs, strict=True) if a != b])
    data = {"metadata": described, "texts": texts, "ids": ids}
    (OUTPUT / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")


def wordpiece(texts: list[str], lowercase: bool = True) -> tuple[dict[str, Any], list[list[int]]]:
    trained = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    trained.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    trained.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # Characters that appear once stay unknown.
    trainer = trainers.WordPieceTrainer(
        vocab_size=900, special_tokens=SPECIALS, limit_alphabet=250, show_progress=False
    )
    # GGUF has "▁" for the beginning of a word: such a character would make two tokens the same there.
    trained.train_from_iterator((line for line in corpus() if "▁" not in line), trainer)
    vocab = trained.get_vocab()
    tokenizer = BertTokenizer(vocab=vocab, do_lower_case=lowercase)
    tokens = sorted(vocab, key=vocab.__getitem__)
    types = [3 if token in SPECIALS else 1 for token in tokens]

    def phantom(token: str, kind: int) -> str:
        return token if kind == 3 else token[2:] if token.startswith("##") else f"▁{token}"

    described = {
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": [phantom(token, kind) for token, kind in zip(tokens, types, strict=True)],
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.unknown_token_id": 1,
        "tokenizer.ggml.bos_token_id": 2,
        "tokenizer.ggml.seperator_token_id": 3,
        "tokenizer.ggml.padding_token_id": 0,
        "tokenizer.ggml.mask_token_id": 4,
    }
    if not lowercase:
        described["tokenizer.ggml.normalizer.lowercase"] = False
    return described, [tokenizer(text).input_ids for text in texts]


def unigram(texts: list[str]) -> tuple[dict[str, Any], list[list[int]]]:
    """With a normalisation of a few rules: that of T5 and XLM-RoBERTa (nmt_nfkc) takes 240 kB."""
    model = io.BytesIO()
    (OUTPUT / "rules.tsv").write_text("".join(f"{rule(a)}\t{rule(b)}\n" for a, b in RULES.items()))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line for line in corpus() if "\n" not in line and "\x00" not in line]),
        model_writer=model,
        model_type="unigram",
        vocab_size=600,
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
        character_coverage=0.98,
        normalization_rule_tsv=str(OUTPUT / "rules.tsv"),
        minloglevel=2,
    )
    (OUTPUT / "rules.tsv").unlink()
    judge = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model.getvalue())
    size = judge.get_piece_size()
    kinds = [(judge.is_unknown, 2), (judge.is_control, 3), (judge.is_byte, 6), (judge.is_unused, 5)]
    described = {
        "tokenizer.ggml.model": "t5",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": [judge.id_to_piece(i) for i in range(size)],
        "tokenizer.ggml.scores": [judge.get_score(i) for i in range(size)],
        "tokenizer.ggml.token_type": [next((kind for test, kind in kinds if test(i)), 1) for i in range(size)],
        "tokenizer.ggml.add_space_prefix": proto.normalizer_spec.add_dummy_prefix,
        "tokenizer.ggml.remove_extra_whitespaces": proto.normalizer_spec.remove_extra_whitespaces,
        "tokenizer.ggml.precompiled_charsmap": list(proto.normalizer_spec.precompiled_charsmap),
        "tokenizer.ggml.eos_token_id": 1,
        "tokenizer.ggml.unknown_token_id": 2,
        "tokenizer.ggml.padding_token_id": 0,
    }
    return described, [[*judge.encode(text), 1] for text in texts]


def gemma4(texts: list[str]) -> tuple[dict[str, Any], list[list[int]]]:
    """The vocabulary of make_tokens' SentencePiece model, with its merges spelled out."""
    described = json.loads((TOKENS / "sentencepiece.json").read_text())["metadata"]
    state = json.loads((TOKENS / "sentencepiece" / "tokenizer.json").read_text())["model"]
    merges = [tuple(merge) for merge in state["merges"]]
    backend = Tokenizer(models.BPE(state["vocab"], merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    backend.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    backend.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in ("<unk>", "<s>", "</s>")])
    backend.add_tokens([AddedToken("lazy dog", normalized=False)])
    own = {"tokenizer.ggml.model": "gemma4", "tokenizer.ggml.merges": [" ".join(merge) for merge in merges]}
    described = {key: value for key, value in described.items() if not key.endswith(".scores")} | own
    described |= {"tokenizer.ggml.pre": "gemma4", "tokenizer.ggml.add_bos_token": True}
    return described, [[1, *backend.encode(text, add_special_tokens=False).ids] for text in texts]


if __name__ == "__main__":
    main()
    pack(OUTPUT)
