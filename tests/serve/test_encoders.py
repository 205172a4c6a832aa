"""A server with an encoder: vectors and rankings over HTTP, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from openai import BadRequestError, OpenAI

from wgpt import Model, load
from wgpt.gpu import GpuDevice
from wgpt.serve.openai.fields import FieldError
from wgpt.serve.openai.request import Names
from wgpt.serve.rerank import read_rerank, rerank_response
from wgpt.serve.wire import Relevance

from .running import Running, serving

GOLDEN = Path(__file__).parents[1] / "golden" / "encoders"
TEXTS = ["the sky is blue", "grass is green", "a lazy dog"]
pytestmark = [pytest.mark.gpu, pytest.mark.full]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("embedder"), GOLDEN / "bert-tanh", "--name", "bert") as running:
        yield running


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("reranker"), GOLDEN / "bert-cross", "--name", "cross") as running:
        yield running


@pytest.fixture(scope="module")
def bert(device: GpuDevice) -> Iterator[Model]:
    with load(GOLDEN / "bert-tanh", device=device) as model:
        yield model


def test_vectors_are_those_of_the_model(embedder: Running, bert: Model) -> None:
    with OpenAI(base_url=f"{embedder.address}/v1", api_key="none", max_retries=0) as client:
        response = client.embeddings.create(model="bert", input=TEXTS)
        np.testing.assert_allclose([each.embedding for each in response.data], bert.embed(TEXTS), atol=1e-5)
        assert response.usage.prompt_tokens == sum(len(bert.ids(text)) for text in TEXTS)
        prompted = client.embeddings.create(model="bert", input=TEXTS[0], extra_body={"prompt_name": "query"})
        expected = bert.embed(TEXTS[0], prompt_name="query")
        np.testing.assert_allclose(prompted.data[0].embedding, expected, atol=1e-5)
        raw = client.embeddings.create(
            model="bert", input=TEXTS[0], extra_body={"pooling": "cls", "normalize": False}, encoding_format="float"
        )
        expected = bert.embed(TEXTS[0], pooling="cls", normalise=False)
        np.testing.assert_allclose(raw.data[0].embedding, expected, atol=1e-5)
        with pytest.raises(BadRequestError, match="unknown prompt_name 'question'"):
            client.embeddings.create(model="bert", input="a", extra_body={"prompt_name": "question"})
        message = r"the model is an encoder \(bert\): .*: ask /v1/embeddings or /v1/rerank"
        with pytest.raises(BadRequestError, match=message):
            client.chat.completions.create(model="bert", messages=[{"role": "user", "content": "Hello"}])
        with pytest.raises(BadRequestError, match=message):
            client.completions.create(model="bert", prompt="Hello")
    refused = embedder.post("/v1/rerank", {"query": "a", "documents": ["b"]})
    assert refused.status_code == 400 and "cannot rerank" in refused.json()["error"]["message"]
    assert embedder.get("/health").json() == {"status": "ok"}


def test_rankings_are_those_of_the_model(reranker: Running, device: GpuDevice) -> None:
    with load(GOLDEN / "bert-cross", device=device) as model:
        expected = model.rerank("what is blue", TEXTS)
    body = {"model": "cross", "query": "what is blue", "documents": [TEXTS[0], {"text": TEXTS[1]}, TEXTS[2]]}
    answer = reranker.post("/v1/rerank", body).json()
    assert [each["index"] for each in answer["results"]] == [each.index for each in expected]
    assert [each["document"]["text"] for each in answer["results"]] == [TEXTS[each.index] for each in expected]
    scores = [each["relevance_score"] for each in answer["results"]]
    assert scores == pytest.approx([each.score for each in expected], abs=1e-6)
    assert answer["usage"]["total_tokens"] == sum(each.tokens for each in expected) and answer["model"] == "cross"
    short = reranker.post("/rerank", body | {"top_n": 1, "return_documents": False}).json()
    assert short["results"] == [{"index": expected[0].index, "relevance_score": pytest.approx(expected[0].score)}]
    long = reranker.post("/v1/rerank", body | {"documents": ["fox " * 90]})
    message = long.json()["error"]["message"]
    assert long.status_code == 400 and "This model's maximum context length is 64 tokens. However, your" in message
    assert reranker.post("/v1/rerank", body | {"documents": ["fox " * 90], "truncate": True}).status_code == 200


WRONG = {
    "no query": ({"query": None}, "query"),
    "an empty query": ({"query": ""}, "query"),
    "a query that is no text": ({"query": 3}, "query"),
    "no documents": ({"documents": []}, "documents"),
    "documents that are no list": ({"documents": "a"}, "documents"),
    "a document that is no text": ({"documents": [{"title": "a"}]}, "documents"),
    "none of them": ({"top_n": 0}, "top_n"),
    "chunks": ({"max_chunks_per_doc": 3}, "max_chunks_per_doc"),
    "an unknown field": ({"rank_fields": ["a"]}, "rank_fields"),
    "another model": ({"model": "other"}, "model"),
}


@pytest.mark.parametrize(("change", "name"), WRONG.values(), ids=WRONG)
def test_wrong_fields_are_named(change: dict[str, object], name: str) -> None:
    with pytest.raises(FieldError) as error:
        read_rerank({"query": "a", "documents": ["b"], **change}, Names(("cross",)))
    assert error.value.name == name


def test_the_shape_of_a_response() -> None:
    asked = read_rerank({"query": "a", "documents": ["b", "c"], "top_n": 5}, Names(("cross",)))
    answer = rerank_response(asked, [Relevance(0.25, 3), Relevance(0.5, 4)])
    assert answer["id"].startswith("rerank-") and answer["usage"] == {"prompt_tokens": 7, "total_tokens": 7}
    assert answer["results"] == [
        {"index": 1, "relevance_score": 0.5, "document": {"text": "c"}},
        {"index": 0, "relevance_score": 0.25, "document": {"text": "b"}},
    ]
