"""Tokenizing without Python's lock: the same ids, and other threads run meanwhile."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from wgpt.core.errors import WgptError
from wgpt.formats.tokenizer import load_tokenizer

GOLDEN = Path(__file__).parents[1] / "golden"
TEXTS = ("", "a", "Hello <|im_start|>world  \n\n", "é😀 ñ", "a b " * 331)


@pytest.mark.parametrize("folder", ["models/llama-gqa", "encoders/bert-tanh"])
def test_it_gives_the_same(folder: str) -> None:
    tokenizer = load_tokenizer(GOLDEN / folder)
    for text in TEXTS:
        for special in (True, False):
            ids = tokenizer.encode(text, special)
            assert tokenizer.encode(text, special, unlocked=True) == ids
            assert tokenizer.decode(ids, special, unlocked=True) == tokenizer.decode(ids, special)
    with pytest.raises(WgptError, match="half a surrogate pair"):
        tokenizer.encode("a\ud800", unlocked=True)


def test_other_threads_run_meanwhile() -> None:
    tokenizer = load_tokenizer(GOLDEN / "models" / "llama-gqa")
    turns, running = list[float](), threading.Event()

    def look() -> None:
        while not running.is_set():
            turns.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=look)
    thread.start()
    began = time.monotonic()
    tokenizer.encode("a b " * 100_000, unlocked=True)  # a tenth of a second, at least
    ended = time.monotonic()
    running.set()
    thread.join()
    middle = [turn for turn in turns if began + (ended - began) * 0.1 < turn < ended - (ended - began) * 0.3]
    assert len(middle) > 3
