"""Failures are one line with the value or the path in it, and an object on stdout with --json."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from wgpt.cli import info
from wgpt.cli.failures import line
from wgpt.core.atomic import new_folder, replacing
from wgpt.core.naming import argument, as_options


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("info", "--nosuch"), "no such option: --nosuch (see `wgpt info --help`)"),
        (("nosuch",), "no such command 'nosuch' (see `wgpt --help`)"),
        (("run", "Hello", "-n", "0"), "--max-tokens 0: "),
        (("run", "Hello", "-n0"), "--max-tokens 0: "),
        (("run", "Hello", "--max-tokens=many"), "--max-tokens many: "),
        (("run", "Hello", "--cache", "f8"), "--cache f8: choose one of f16, f32, q8_0"),
        (("tune", "--kernel", "nosuch"), "--kernel: unknown kernel 'nosuch'; known: "),
        (("explain", "nosuch"), "unknown name 'nosuch'; choose decode, "),
        (("merge", "--out", "x"), "missing option '--lora'"),
        (("pull", "a/b", "--force"), "--force is for the known models ("),
    ],
    ids=" ".join,
)
def test_usage_errors_name_the_option_and_its_value(wgpt, args, message):
    result = wgpt(*args)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"wgpt: error: {message}") and len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "args",
    [
        ("info", "--json", "--nosuch"),
        ("run", "Hello", "--json", "-n", "0"),
        ("chat", "--json", "--gpu", "no such gpu"),
        ("cache", "clear", "nosuch", "--json"),
        ("bench", "decode", "--json", "--random", "-m", "x"),
        ("bench", "--json", "-", "--only", "nosuch"),
        ("bench", "all", "--json=-", "--only", "nosuch"),
    ],
    ids=" ".join,
)
def test_json_says_what_failed(wgpt, args):
    result = wgpt(*args)
    assert result.exit_code == 2
    assert result.stderr == f"wgpt: error: {json.loads(result.stdout)['error']}\n"


def test_a_report_that_goes_to_a_file_leaves_stdout_alone(wgpt):
    result = wgpt("bench", "--json", "report.json", "--only", "nosuch")
    assert result.exit_code == 2 and result.stdout == ""


@pytest.mark.parametrize(
    ("error", "kind", "code"), [(KeyboardInterrupt(), "interrupted", 130), (MemoryError(), "out of memory", 2)]
)
def test_json_says_so_whatever_it_was(wgpt, monkeypatch, error, kind, code):
    def fail(*_args: object, **_kwargs: object) -> None:
        raise error

    monkeypatch.setattr(info, "opened", fail)
    result = wgpt("info", "--json")
    assert result.exit_code == code and kind in json.loads(result.stdout)["error"] and kind in result.stderr


def test_a_bug_is_still_a_traceback(wgpt, monkeypatch):
    monkeypatch.setattr(info, "opened", lambda *_args, **_kwargs: {}["key"])
    result = wgpt("info", "--json")
    assert isinstance(result.exception, KeyError) and json.loads(result.stdout) == {"error": "KeyError: 'key'"}


def os_error(code: int, path: str | None = None, other: str | None = None) -> str:
    return line(OSError(code, "Some Reason", path, None, other))


def test_errors_of_the_system_name_the_path_and_the_way_out(home):
    assert os_error(errno.ENOSPC, "/a/b") == "/a/b: some Reason; free some space, or choose another disk"
    assert os_error(errno.ENOSPC, f"{home}/x").endswith("or choose another disk with WGPT_HOME")
    assert os_error(errno.EACCES, "/a/aside", "/a/b").startswith("/a/b: some Reason; check its permissions")
    assert os_error(errno.EIO) == "some Reason"
    assert line(OSError("its own words")) == "its own words"


def test_a_file_that_could_not_be_replaced_is_said_to_be_unchanged(tmp_path: Path):
    (tmp_path / "file").write_text("before")
    with pytest.raises(OSError) as caught, replacing(tmp_path / "file"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert (tmp_path / "file").read_text() == "before"
    expected = (
        f"{tmp_path}/file: cannot be written: No space left on device; the existing content is unchanged; free some"
    )
    assert line(caught.value).startswith(expected)
    with pytest.raises(OSError) as caught, replacing(tmp_path / "file"):
        (tmp_path / "another").open()
    assert line(caught.value) == f"{tmp_path}/another: no such file or directory; check the path"
    (tmp_path / "model").mkdir()
    with pytest.raises(OSError) as caught, new_folder(tmp_path / "model", replace=True) as folder:
        (folder / "missing").open()
    message = "cannot be written: No such file or directory; the existing content is unchanged"
    assert line(caught.value).startswith(f"{tmp_path}/model: {message}")
    with pytest.raises(OSError) as caught, replacing(tmp_path / "file" / "below"):
        pass
    assert line(caught.value).startswith(f"{tmp_path}/file/below: cannot be written: File exists ({tmp_path}/file)")


def test_arguments_are_named_as_the_caller_gives_them():
    assert argument("top_k") == "top_k" and argument("force", True) == "force=True"
    with as_options():
        assert argument("top_k") == "--top-k" and argument("context", 64) == "--context 64"
    assert argument("top_k") == "top_k"


def test_a_value_without_end_is_shortened(wgpt):
    result = wgpt("bench", "decode", "--tokens", "9" * 5000)
    assert result.exit_code == 2 and len(result.stderr) < 600 and "999..." in result.stderr


def test_the_root_is_no_place_for_a_model(wgpt, tmp_path):
    result = wgpt("merge", "--lora", str(tmp_path), "--out", "/")
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1


def test_a_value_of_several_lines_is_shown_on_one(wgpt, tmp_path):
    result = wgpt("merge", "--lora", str(tmp_path), "--out", str(tmp_path / "out"), "--dtype", "a\nb")
    assert result.exit_code == 2 and result.stderr.splitlines() == [result.stderr.rstrip("\n")]
    assert "--dtype a b: choose one of f32" in result.stderr
