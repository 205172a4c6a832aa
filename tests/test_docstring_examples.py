"""The examples in the docstrings of everything public: each has one, and each runs.

They run on the real SmolLM2-135M, but for fine-tuning, which costs seconds there and shows the same on any model.
"""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt import api, ops, public
from wgpt.api import loading

from .made_loras import write_made_lora
from .models import golden

pytestmark = pytest.mark.full
PUBLIC_OBJECTS: dict[str, Any] = {f"wgpt.{name}": getattr(public, name) for name in public.__all__}
PUBLIC_OBJECTS |= {f"wgpt.ops.{name}": getattr(ops, name) for name in ops.__all__ if not name.endswith("_async")}
PUBLIC_OBJECTS["wgpt.api.Stream"] = api.Stream
TINY = golden.FOLDER / "models" / "qwen2"
ON_OTHERS = {"wgpt.Model.finetune": "tiny", "wgpt.Model.rerank": "reranker", "wgpt.Engine.rerank": "reranker"}


def examples_of(name: str, public_object: Any) -> list[doctest.DocTest]:
    """Of a class, those of its methods too, inherited ones among them."""
    finder = doctest.DocTestFinder(recurse=not inspect.ismodule(public_object))
    bases = [base for base in getattr(public_object, "__mro__", ()) if base.__module__.startswith("wgpt.")]
    examples = [each for documented in bases or [public_object] for each in finder.find(documented, name, module=False)]
    return [each for each in examples if each.examples]


EXAMPLES = {each.name: each for name, value in PUBLIC_OBJECTS.items() for each in examples_of(name, value)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, smollm2_path: Path) -> Path:
    """Where the examples run: a folder with the LoRA adapters that they name."""
    folder = tmp_path_factory.mktemp("examples")
    write_made_lora(folder / "pirate-lora")
    write_made_lora(folder / "poet-lora")
    write_made_lora(folder / "mail-lora", labels=("ham", "spam"))
    return folder


@pytest.fixture(scope="module")
def model(smollm2_path: Path) -> Iterator[wgpt.Model]:
    with wgpt.load(smollm2_path) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def tiny() -> Iterator[wgpt.Model]:
    with wgpt.load(TINY) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def reranker() -> Iterator[wgpt.Model]:
    with wgpt.load(golden.FOLDER / "encoders" / "bert-cross") as loaded:
        yield loaded


@pytest.mark.parametrize("name", PUBLIC_OBJECTS)
def test_there_is_an_example(name):
    assert any(each == name or each.startswith(f"{name}.") for each in EXAMPLES)


def test_no_example_is_skipped():
    skipped = [each.name for each in EXAMPLES.values() if "+SKIP" in (each.docstring or "")]
    assert not skipped


@pytest.mark.gpu
# Chats come one after the other: they have one prompt, which the cache then still holds.
@pytest.mark.parametrize("name", sorted(EXAMPLES, key=lambda name: "chat" not in name))
def test_example(name, request, folder, smollm2_path, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    resolve = loading.resolve  # the default model is the user's own copy of it: the tests have an empty cache
    monkeypatch.setattr(loading, "resolve", lambda name, progress=None: resolve(name or smollm2_path, progress))
    example = EXAMPLES[name]
    model = request.getfixturevalue(ON_OTHERS.get(name, "model"))
    example.globs = {"wgpt": wgpt, "ops": ops, "np": np, "model": model}
    outcome = doctest.DocTestRunner(verbose=False).run(example, clear_globs=False)
    assert not outcome.failed, capsys.readouterr().out
