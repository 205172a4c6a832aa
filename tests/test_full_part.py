"""The list of tests that `make test` leaves to the full part."""

from __future__ import annotations

from pathlib import Path

from .conftest import FULL


def test_every_line_names_tests_that_exist():
    for line in FULL:
        path, _, name = line.partition("::")
        text = (Path(__file__).parent / path).read_text(encoding="utf-8")
        assert f"\ndef {name}(" in text or not name, line
    assert list(FULL) == sorted(set(FULL))
