"""The lists of tests that `make test` and `make test-full` leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import FULL, SLOW


@pytest.mark.parametrize("lines", [FULL, SLOW], ids=["full", "slow"])
def test_every_line_names_tests_that_exist(lines):
    for line in lines:
        path, _, name = line.partition("[")[0].partition("::")
        text = (Path(__file__).parent / path).read_text(encoding="utf-8")
        assert f"def {name}(" in text or not name, line
    assert list(lines) == sorted(set(lines))
