"""Every test belongs to one tier, and every tier runs somewhere."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.mark.expression import Expression

from . import tiers

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def item(*marks: str) -> Any:
    return SimpleNamespace(nodeid="test_it", iter_markers=lambda: [SimpleNamespace(name=mark) for mark in marks])


def recipe(target: str) -> str:
    """The commands of a target of the Makefile."""
    (found,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return found


def test_a_test_without_marks_is_quick_and_two_tiers_are_refused():
    assert [tiers.tier_of(item(*marks)) for marks in ((), ("gpu",), ("gpu", "full"), ("slow",))] == [
        "quick",
        "quick",
        "full",
        "slow",
    ]
    with pytest.raises(pytest.UsageError, match="test_it is marked both full and slow"):
        tiers.tier_of(item("full", "slow"))


@pytest.mark.parametrize(("tier", "compiling"), [*product(["quick", "full", "slow"], [False, True])])
def test_each_tier_runs_in_one_target(tier: str, compiling: bool):
    """What the three targets ask for, each test is in exactly one of their commands."""
    marks = {tier} | ({"compiling"} if compiling else set())
    runs = [
        target
        for target in ("test", "test-full", "test-slow")
        for expression in re.findall(r'-m (?:"([^"]+)"|(\w+))', recipe(target))
        if Expression.compile("".join(expression)).evaluate(lambda name, **_: name in marks)
    ]
    assert runs == [{"quick": "test", "full": "test-full", "slow": "test-slow"}[tier]]


def test_integration_runs_the_full_tier_and_a_turn_of_the_slow_one():
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test-full" in commands and "make test-turn" in commands
    assert "test-full: test\n" in MAKEFILE and "--turn" in recipe("test-turn")


def test_every_slow_test_has_one_turn_in_eight():
    names = [f"tests/test_a.py::test_it[{i}]" for i in range(100)]
    for start in (0, 5, 1223):
        turns = [sum(tiers.has_turn(name, start + i) for i in range(tiers.TURNS)) for name in names]
        assert turns == [1] * len(names)
    for turn in range(tiers.TURNS):
        assert any(tiers.has_turn(name, turn) for name in names)


def test_the_turn_is_a_number_in_any_clone(tmp_path: Path):
    """The number of commits, or in a shallow clone, which does not know it, the commit itself."""

    def git(*command: str, folder: Path = tmp_path / "whole") -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        done = subprocess.run(["git", "-C", folder, *identity, *command], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def turn(folder: Path) -> int:
        command = ["bash", str(ROOT / "scripts" / "turn")]
        return int(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)

    (tmp_path / "whole").mkdir()
    git("init", "-q")
    turns = []
    for i in range(3):
        git("commit", "-q", "--allow-empty", "-m", f"commit {i}")
        turns.append(turn(tmp_path / "whole"))
    assert turns == [1, 2, 3]
    git("clone", "-q", "--depth", "1", f"file://{tmp_path / 'whole'}", str(tmp_path / "shallow"))
    assert turn(tmp_path / "shallow") == int(git("rev-parse", "HEAD")[:7], 16)
    (tmp_path / "none").mkdir()
    assert turn(tmp_path / "none") == 0
