"""Decoders that embed and rerank: Qwen3-Embedding by its files, Qwen3-Reranker by its answers yes and no."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tokenizers import AddedToken
from tokenizers import Tokenizer as Backend

from wgpt import Model, WgptError, load
from wgpt.api.ranking import _AFTER, _BEFORE, INSTRUCTION
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.tiny_models import CONFIGS, random_weights, write_folder

from .encoder_vocabulary import SIZE, tokenizer_json

pytestmark = pytest.mark.gpu
CONFIG = CONFIGS["qwen3"] | {"vocab_size": 128, "max_position_embeddings": 512}
WEIGHTS = random_weights(CONFIG)
TOKENS = ("<|im_start|>", "<|im_end|>", "<think>", "</think>", "yes", "no")
TEXTS = ["the sky is blue", "grass is green", "a lazy dog"]
# As Qwen3-Embedding's files have it.
MODULES = [
    {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
    for i, (kind, path) in enumerate((("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")))
]
PROMPTS = {"prompts": {"query": "query: ", "document": ""}, "default_prompt_name": None, "similarity_fn_name": "cosine"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("qwen3")
    write_folder(folder, CONFIG, WEIGHTS)
    backend = Backend.from_str(json.dumps(tokenizer_json() | {"post_processor": None}))
    backend.add_tokens([AddedToken(token, normalized=False) for token in TOKENS])
    assert backend.get_vocab_size() == SIZE + len(TOKENS) <= 128
    backend.save(str(folder / "tokenizer.json"))
    (folder / "modules.json").write_text(json.dumps(MODULES))
    (folder / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 48, "pooling_mode_lasttoken": True, "include_prompt": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(PROMPTS))
    return folder


@pytest.fixture(scope="module")
def model(folder: Path, device: GpuDevice) -> Iterator[Model]:
    with load(folder, device=device) as loaded:
        yield loaded


def test_the_last_token_as_the_files_say(model: Model) -> None:
    vectors = model.embed(TEXTS, prompt_name="query")
    for text, vector in zip(TEXTS, vectors, strict=True):
        last = reference.hidden(CONFIG, WEIGHTS, model.ids(f"query: {text}"))[-1]
        np.testing.assert_allclose(vector, last / np.linalg.norm(last), atol=1e-5)
    plain = model.embed(TEXTS[0], prompt_name="document")
    np.testing.assert_allclose(plain, model.embed(TEXTS[0], pooling="last", normalise=True), atol=1e-6)
    with pytest.raises(WgptError, match="pooling must be mean or last"):
        model.embed(TEXTS[0], pooling="cls")
    assert len(model.generate(TEXTS[0], max_tokens=3, ignore_eos=True).ids) == 3  # it still generates


def test_yes_against_no(model: Model) -> None:
    yes, no = (model.tokenizer.encode(answer, special=False)[0] for answer in ("yes", "no"))
    for instruction in (None, "find the fox"):
        ranked = model.rerank("what is blue", TEXTS, instruction=instruction)
        assert [each.score for each in ranked] == sorted((each.score for each in ranked), reverse=True)
        for each in ranked:
            asked = f"<Instruct>: {instruction or INSTRUCTION}\n<Query>: what is blue\n<Document>: {TEXTS[each.index]}"
            ids = model.tokenizer.encode(f"{_BEFORE}{asked}{_AFTER}", special=False)
            logits = reference.logits(CONFIG, WEIGHTS, ids)[-1]
            assert each.logit == pytest.approx(logits[yes] - logits[no], abs=1e-3)
            assert each.score == pytest.approx(1 / (1 + np.exp(logits[no] - logits[yes])), abs=1e-4)
            assert each.tokens == len(ids)
