"""One server for all tests that do not harm it, and one with keys and few places."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from openai import OpenAI

from ..made_loras import write_made_lora
from .fuzzed_bodies import TINY
from .running import Running, serving

ALIAS = "gpt-4o-mini"
KEYS = ("key-one", "key-two", "key-three")


@pytest.fixture(scope="session")
def server(smollm2_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server"), smollm2_path, "--alias", ALIAS) as running:
        yield running


@pytest.fixture(scope="session")
def client(server: Running) -> Iterator[OpenAI]:
    """OpenAI's, for `server`."""
    with OpenAI(base_url=f"{server.address}/v1", api_key="none", max_retries=0) as client:
        yield client


@pytest.fixture(scope="session")
def small(smollm2_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Two sequences at once and three that wait; keys, JSON logs, a LoRA adapter, and others to load."""
    folder = tmp_path_factory.mktemp("small")
    write_made_lora(folder / "pirate")
    write_made_lora(folder / "more" / "poet")
    (folder / "keys").write_text(f"# of two clients\n{KEYS[0]}\n\n{KEYS[1]}\n")
    options = ["--max-batch", "2", "--max-queue", "3", "--api-key-file", str(folder / "keys"), "--log-json"]
    options += ["--lora", f"pirate={folder / 'pirate'}", "--admin", str(folder / "more"), "--stream-timeout", "2"]
    options += ["--cors-origin", "https://chat.example.com"]
    with serving(folder, smollm2_path, *options, WGPT_API_KEY=KEYS[2]) as running:
        running.client.headers["authorization"] = f"Bearer {KEYS[0]}"
        yield running


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A model of a few hundred kilobytes, which writes nonsense: for what does not depend on the words. No keys.

    Its context is longer than its training's, so that tools fit.
    """
    folder = tmp_path_factory.mktemp("tiny")
    model = Path(shutil.copytree(TINY, folder / "model"))
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 1021}))
    (folder / "more" / "broken").mkdir(parents=True)
    with serving(folder, model, "--no-warm-up", "--admin", str(folder / "more")) as running:
        yield running
