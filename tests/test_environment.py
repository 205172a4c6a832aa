"""The table of environment variables agrees with the sources, `wgpt --help` and the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import wgpt
from wgpt.cli.app import make
from wgpt.core.environment import VARIABLES
from wgpt.core.errors import WgptError
from wgpt.gpu import choose_gpu

SOURCES = Path(wgpt.__file__).parent
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "environment.md"


def read_by_the_sources() -> set[str]:
    files = [path for path in SOURCES.rglob("*.py") if path.name != "environment.py"]
    return {name for path in files for name in re.findall(r"\bWGPT_[A-Z][A-Z_]*", path.read_text())}


def test_every_variable_is_in_the_table_and_every_one_in_the_table_is_read():
    assert sorted(v.name for v in VARIABLES) == sorted(read_by_the_sources())


def test_help_prints_the_table():
    output = CliRunner().invoke(make(), ["--help"]).stdout
    lines = [" ".join(line.split()) for line in output.splitlines()]
    for name, example, meaning in VARIABLES:
        assert f"{name}={example} {meaning}" in lines


def test_the_documentation_has_the_same_table():
    rows = re.findall(r"^\| `(WGPT_\w+)=(.*?)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    assert rows == [tuple(v) for v in VARIABLES]


def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WGPT_OFLINE", "1")
    with pytest.raises(WgptError, match="unknown environment variable WGPT_OFLINE: did you mean WGPT_OFFLINE"):
        choose_gpu()
    result = CliRunner().invoke(make(), ["info"])
    assert result.exit_code == 2 and "WGPT_OFLINE" in result.stderr
    monkeypatch.delenv("WGPT_OFLINE")
    monkeypatch.setenv("WGPT_XYZZY", "1")
    with pytest.raises(WgptError, match="unknown environment variable WGPT_XYZZY: known variables: WGPT_"):
        choose_gpu()


def test_no_message_sends_its_reader_to_a_checkout():
    """Users of the installed package have no Makefile."""
    offenders = [str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if "make setup" in path.read_text()]
    assert not offenders
