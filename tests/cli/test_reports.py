"""Files that cannot be written are detected before the work, and files of the user's are not overwritten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wgpt.cli import bench_all, explain, tune
from wgpt.core.atomic import PREFIX

WRITERS = {
    "html": ("bench", "--quick", "--html"),
    "json": ("bench", "--quick", "--json"),
    "trace": ("explain", "silu", "--trace"),
}
each_writer = pytest.mark.parametrize("args", WRITERS.values(), ids=WRITERS)


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test if a command begins to work."""

    def begin(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("it began to work")

    for module in (bench_all, explain):
        monkeypatch.setattr(module, "opened", begin)


@each_writer
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing/file", "no such folder"),
        ("folder", "is a folder: give the path of a file"),
        ("mine", "exists and was not written by this command: choose another name, or remove it first"),
        ("pipe", "is not a regular file"),
    ],
)
def test_it_is_refused_at_once(wgpt, tmp_path: Path, args: tuple[str, ...], name: str, message: str):
    (tmp_path / "folder").mkdir()
    (tmp_path / "mine").write_text("years of work")
    if name == "pipe":
        if os.name == "nt":
            pytest.skip("no named pipes here")
        os.mkfifo(tmp_path / "pipe")
    result = wgpt(*args, str(tmp_path / name))
    assert result.exit_code == 2 and result.stderr.startswith(f"wgpt: error: {tmp_path / name}: "), result.stderr
    assert message in result.stderr and len(result.stderr.splitlines()) == 1
    assert (tmp_path / "mine").read_text() == "years of work"


@each_writer
def test_a_folder_that_may_not_be_written(wgpt, tmp_path: Path, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied", f"{tmp_path}/{PREFIX}a-temporary-name")

    monkeypatch.setattr("wgpt.core.atomic.tempfile.mkdtemp", refuse)  # root may write anywhere
    result = wgpt(*args, str(tmp_path / "file"))
    assert result.exit_code == 2
    message = "cannot be written: Permission denied; check its permissions"
    assert result.stderr.startswith(f"wgpt: error: {tmp_path / 'file'}: {message}")


@each_writer
def test_an_empty_file_is_nobodys_work(wgpt, tmp_path: Path, args: tuple[str, ...]):
    (tmp_path / "empty").touch()
    result = wgpt(*args, str(tmp_path / "empty"))
    assert "it began to work" in str(result.exception)


@pytest.mark.gpu
def test_tuning_that_cannot_be_kept_does_not_begin(wgpt, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tune.tune, "run", lambda *_args: pytest.fail("it began to work"))
    (home / "tune").write_text("a file where the folder should be")
    result = wgpt("tune", "--quick")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"wgpt: error: {home / 'tune'}: cannot be written: File exists")
    assert "choose another path" in result.stderr
