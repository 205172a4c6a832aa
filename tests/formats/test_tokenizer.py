"""Ids equal transformers' (tests/golden/make_tokens.py), from GGUF metadata and from folders."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.formats.chat import encode_chat
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer

GOLDEN = Path(__file__).parents[1] / "golden" / "tokens"


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def byte_level(pre: str = "gpt-2", **changes: Any) -> Tokenizer:
    metadata = golden("bytes")["metadata"] | {"tokenizer.ggml.pre": pre}
    return load_tokenizer(metadata | {f"tokenizer.ggml.{key}": value for key, value in changes.items()})


@pytest.fixture(scope="session")
def smollm2(smollm2_path: Path) -> Tokenizer:
    with open_checkpoint(smollm2_path) as checkpoint:
        return load_tokenizer(checkpoint.tokenizer)


def test_the_real_model(smollm2: Tokenizer) -> None:
    for case in golden("smollm2")["texts"]:
        assert smollm2.encode(case["text"]) == case["ids"], case["text"]


def test_the_real_model_chats(smollm2: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "allow_control_tokens", True)  # as transformers does
    for case in golden("smollm2")["chats"]:
        ids = encode_chat(smollm2, case["messages"], add_generation_prompt=case["add_generation_prompt"])
        assert ids == case["ids"]


def test_the_real_models_facts(smollm2: Tokenizer) -> None:
    assert (smollm2.vocab_size, smollm2.bos_id, smollm2.eos_id) == (49152, 1, 2)
    assert (smollm2.bos, smollm2.eos) == ("<|im_start|>", "<|im_end|>")
    assert smollm2.eos_ids == {0, 2}
    assert len(smollm2.special_ids) == 17
    assert smollm2.token(905) == "Ġworld"


@pytest.mark.parametrize("pre", golden("bytes")["ids"])
def test_every_splitting(pre: str) -> None:
    tokenizer = byte_level(pre)
    for text, ids in zip(golden("bytes")["texts"], golden("bytes")["ids"][pre], strict=True):
        assert tokenizer.encode(text) == ids, text


def test_sentencepiece_from_scores() -> None:
    tokenizer = load_tokenizer(golden("sentencepiece")["metadata"])
    for text, ids in zip(golden("sentencepiece")["texts"], golden("sentencepiece")["ids"], strict=True):
        assert tokenizer.encode(text) == ids, text
    assert tokenizer.encode("hi", special=False) == tokenizer.encode("hi")[1:]
    assert tokenizer.decode(tokenizer.encode("  two spaces")) == "  two spaces"


def test_sentencepiece_from_its_folder() -> None:
    tokenizer = load_tokenizer(GOLDEN / "sentencepiece")
    for text, ids in zip(golden("sentencepiece")["texts"], golden("sentencepiece")["ids"], strict=True):
        assert tokenizer.encode(text) == ids, text


def test_sentencepiece_without_a_space_in_front() -> None:
    metadata = golden("sentencepiece")["metadata"] | {"tokenizer.ggml.add_space_prefix": False}
    tokenizer = load_tokenizer(metadata)
    assert tokenizer.decode(tokenizer.encode("The fox")) == "The fox"
    assert tokenizer.token(tokenizer.encode("The fox")[1])[0] == "T"


def test_a_folder() -> None:
    tokenizer = load_tokenizer(GOLDEN / "folder")
    expected = golden("folders")
    assert [tokenizer.encode(text) for text in expected["texts"]] == expected["folder"]
    bare = [tokenizer.encode(text, special=False) for text in expected["texts"]]
    assert bare == expected["folder, nothing added"]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    assert encode_chat(tokenizer, messages, add_generation_prompt=False) == expected["chat"]
    assert load_tokenizer(GOLDEN / "folder" / "tokenizer.json").encode("a b") == tokenizer.encode("a b")


def test_a_folder_of_old(tmp_path: Path) -> None:
    """vocab.json and merges.txt, the format that GPT-2 was published in."""
    tokenizer = load_tokenizer(GOLDEN / "old-folder")
    expected = golden("folders")
    assert [tokenizer.encode(text) for text in expected["texts"]] == expected["old-folder"]
    assert (tokenizer.bos_id, tokenizer.eos_id, tokenizer.chat_template) == (0, 0, None)
    shutil.copytree(GOLDEN / "old-folder", tmp_path, dirs_exist_ok=True)
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "Qwen2Tokenizer"}')
    qwen, ids = load_tokenizer(tmp_path), golden("bytes")["ids"]["qwen2"]
    # That vocabulary has no added tokens, so <|im_start|> is not special here.
    plain = [(t, i) for t, i in zip(golden("bytes")["texts"], ids, strict=True) if "lazy" not in t and "<|" not in t]
    assert [qwen.encode(text) for text, _ in plain] == [i for _, i in plain]


@pytest.mark.parametrize("name", ["smollm2", "bytes", "sentencepiece"])
def test_decoding(name: str, request: pytest.FixtureRequest) -> None:
    if name == "smollm2":
        tokenizer = request.getfixturevalue("smollm2")
    else:
        tokenizer = load_tokenizer({"tokenizer.ggml.pre": "gpt-2", **golden(name)["metadata"]})
    for case in golden(name)["decoded"]:
        assert tokenizer.decode(case["ids"], skip_special=case["skip_special"]) == case["text"]


def random_text(chance: random.Random) -> str:
    ranges = [(32, 127), (32, 127), (0, 32), (0xA0, 0x250), (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0x1F300, 0x1F6FF)]
    return "".join(chr(chance.randrange(*chance.choice(ranges))) for _ in range(chance.randrange(60)))


@pytest.mark.parametrize("pre", ["gpt-2", "smollm", "llama-bpe", "tekken", "deepseek-coder"])
def test_any_text_comes_back(pre: str) -> None:
    tokenizer, chance = byte_level(pre), random.Random(1)
    for _ in range(200):
        text = random_text(chance)
        assert tokenizer.decode(tokenizer.encode(text), skip_special=False) == text


def test_any_text_comes_back_from_sentencepiece() -> None:
    tokenizer, chance = load_tokenizer(golden("sentencepiece")["metadata"]), random.Random(2)
    for _ in range(300):
        text = random_text(chance).replace("▁", "")
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_bos_is_added_where_the_file_or_its_kind_says_so() -> None:
    assert byte_level("llama-bpe", add_bos_token=True).encode("a")[0] == 1
    assert byte_level("llama-bpe", add_bos_token=False).encode("a")[0] != 1
    unsaid = golden("bytes")["metadata"] | {"tokenizer.ggml.pre": "llama-bpe"}
    del unsaid["tokenizer.ggml.add_bos_token"]
    assert load_tokenizer(unsaid).encode("a")[0] == 1
    assert load_tokenizer(unsaid | {"tokenizer.ggml.pre": "qwen2"}).encode("a")[0] != 1
    assert byte_level(add_bos_token=True, add_eos_token=True).encode("a")[::2] == [1, 2]


def test_ends_of_turn() -> None:
    assert byte_level(eos_token_id=0, eot_token_id=5).eos_ids == {0, 2, 5}
    assert byte_level(eos_token_id=0xFFFFFFFF).eos_id is None


def test_numpy_values_are_as_good_as_lists() -> None:
    metadata = golden("sentencepiece")["metadata"]
    arrays = {"scores": np.float32, "token_type": np.int32}
    changed = {f"tokenizer.ggml.{k}": np.array(metadata[f"tokenizer.ggml.{k}"], t) for k, t in arrays.items()}
    changed |= {"tokenizer.ggml.bos_token_id": np.uint32(1)}
    assert load_tokenizer(metadata | changed).encode("Hello") == load_tokenizer(metadata).encode("Hello")


def folder_with(tmp_path: Path, **files: Any) -> Path:
    shutil.copytree(GOLDEN / "folder", tmp_path, dirs_exist_ok=True)
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path


def test_what_lies_beside_tokenizer_json(tmp_path: Path) -> None:
    expected = golden("folders")
    templates = [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]
    settings = expected["settings"] | {"chat_template": templates}
    folder = folder_with(tmp_path, tokenizer_config=settings, generation_config={"eos_token_id": [2, 7]})
    (folder / "chat_template.jinja").unlink()
    tokenizer = load_tokenizer(folder)
    assert [tokenizer.encode(text) for text in expected["settings texts"]] == expected["folder with settings"]
    assert tokenizer.decode([1001, 1002, 1003]) == "<think>"
    assert tokenizer.eos_ids == {0, 2, 7}
    assert (tokenizer.chat_template, tokenizer.vocab_size) == ("d", 1004)
    (folder / "chat_template.jinja").write_text("file")
    assert load_tokenizer(folder).chat_template == "file"


def test_what_lies_beside_vocab_json(tmp_path: Path) -> None:
    expected = golden("folders")
    shutil.copytree(GOLDEN / "old-folder", tmp_path, dirs_exist_ok=True)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(expected["settings"]))
    tokenizer = load_tokenizer(tmp_path)
    assert [tokenizer.encode(text) for text in expected["settings texts"]] == expected["old-folder with settings"]


def test_truncation_and_padding_left_in_the_file_are_ignored(tmp_path: Path) -> None:
    state = json.loads((GOLDEN / "folder" / "tokenizer.json").read_text())
    state["truncation"] = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    state["padding"] = {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None}
    state["padding"] |= {"pad_id": 0, "pad_type_id": 0, "pad_token": "<|endoftext|>"}
    folder = folder_with(tmp_path, tokenizer=state)
    text = "The quick brown fox"
    assert load_tokenizer(folder).encode(text) == load_tokenizer(GOLDEN / "folder").encode(text)


def test_wrong_arguments() -> None:
    tokenizer = byte_level()
    with pytest.raises(PreconditionError, match=r"half a surrogate pair .* at character 2"):
        tokenizer.encode("ab\udc80")
    with pytest.raises(PreconditionError, match="must be a str, not bytes"):
        tokenizer.encode(b"ab")  # type: ignore[arg-type]
    for ids in ([-1], [1 << 40], ["a"], [1.5]):
        with pytest.raises(PreconditionError, match="integers from 0 to 1000"):
            tokenizer.decode(ids)  # type: ignore[arg-type]
    for id in (-1, 1001, 1 << 40):
        assert not tokenizer.has(id)
        with pytest.raises(PreconditionError, match=f"token id {id} is not in the vocabulary of 1001"):
            tokenizer.token(id)
    assert tokenizer.decode([5000]) == ""  # a row of the model's table that no text has
