"""Tables that fit; no GPU."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from wgpt.table import Column, number, percent, show, si

COLUMNS = [
    Column("kernel", words=True),
    Column("variant", words=True, drop=2),
    Column("us"),
    Column("share", drop=1),
    Column("never filled"),
]
ROWS = [("gemv", "threads=256 lanes=32 [x]", "12.3", "88%", ""), ("a_rather_long_kernel", "", "1,234", "", "")]


def printed(width: int) -> tuple[str, list[str]]:
    out = io.StringIO()
    columns = show(Console(file=out, width=width, highlight=False), COLUMNS, ROWS, ("total", "", "1,246", "", ""))
    return out.getvalue(), columns


def test_wide_shows_everything_that_has_content():
    text, columns = printed(100)
    assert columns == ["kernel", "variant", "us", "share"]
    assert "threads=256 lanes=32 [x]" in text
    assert text.splitlines()[-1].split() == ["total", "1,246"]
    assert "hidden" not in text


def test_narrow_loses_the_least_important_first_and_says_so():
    text, columns = printed(40)
    assert columns == ["kernel", "us", "share"]
    assert "hidden" in text and "variant" in text.splitlines()[-2] + text.splitlines()[-1]
    assert printed(25)[1] == ["kernel", "us"]


@pytest.mark.parametrize("width", [25, 40, 60, 120])
def test_no_line_is_too_wide_and_nothing_is_cut(width):
    text, _ = printed(width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert not set(text) & set("─│╭╮╰╯━┃")


def test_numbers():
    assert [number(v) for v in (None, 0, 1234.5, 123.4, 12.345, 1.2345, 0.0123)] == [
        "", "0", "1,234", "123", "12.3", "1.23", "0.0123",
    ]  # fmt: skip
    assert percent(0.876) == "88%" and percent(None) == ""
    assert [si(v) for v in (0, 999, 1500, 2.5e9)] == ["", "999", "1.50 k", "2.50 G"]
