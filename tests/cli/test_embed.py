"""`wgpt embed`: the vectors of Model.embed, from arguments, files and pipes; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from wgpt import load
from wgpt.cli import progress
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
TEXTS = ["the wind and the rain", "a lamp", "Grüße"]


@pytest.fixture(scope="module")
def vectors(device: GpuDevice) -> np.ndarray:
    with load(TINY, device=device) as model:
        return model.embed(TEXTS)


def lines(text: str) -> tuple[list[str], np.ndarray]:
    objects = [json.loads(line) for line in text.splitlines()]
    return [each["text"] for each in objects], np.array([each["vector"] for each in objects], np.float32)


def test_texts_files_and_pipes(wgpt, tmp_path: Path, vectors: np.ndarray) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": t, "id": 3}) + "\n" for t in TEXTS))
    for args, piped in (
        (TEXTS, None),
        (["-f", str(tmp_path / "texts.txt")], None),
        (["--file", str(tmp_path / "texts.jsonl")], None),
        ([], "\n".join(TEXTS)),
    ):
        result = wgpt("embed", *args, "-m", TINY, input=piped)
        assert result.exit_code == 0, result.stderr
        texts, found = lines(result.stdout)
        assert texts == TEXTS
        np.testing.assert_allclose(found, vectors, atol=1e-5)


def test_output_files(wgpt, tmp_path: Path, vectors: np.ndarray) -> None:
    array, text = tmp_path / "v.npy", tmp_path / "v.jsonl"
    for out in (array, text):
        result = wgpt("embed", *TEXTS, "-m", TINY, "--out", str(out))
        assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    np.testing.assert_allclose(np.load(array), vectors, atol=1e-5)
    assert np.array_equal(lines(text.read_text(encoding="utf-8"))[1], np.load(array))
    result = wgpt("embed", "a", "-m", TINY, "--out", str(array))
    assert result.exit_code == 2 and "exists: choose another name, or overwrite it with --force" in result.stderr
    result = wgpt("embed", "a", "-m", TINY, "--out", str(array), "--force", "--pooling", "last", "--no-normalise")
    assert result.exit_code == 0 and np.load(array).shape == (1, 48) and np.linalg.norm(np.load(array)) > 1.5


def test_what_is_refused(wgpt, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "a"}\n{"txt": "b"}\n')
    for args, message in (
        (["-f", str(bad)], 'line 2 must be a string or an object with a "text"'),
        (["-f", str(tmp_path / "none.txt")], "No such file"),
        (["a", ""], "text 2 is empty"),
        (["a", "-f", str(bad)], "give texts or --file, not both"),
        (["a", "--out", str(tmp_path / "v.csv")], "the name must end in .npy or .jsonl"),
        (["a", "--pooling", "max"], "choose one of mean, cls, last"),
    ):
        result = wgpt("embed", *args, "-m", TINY)
        assert result.exit_code == 2 and message in " ".join(result.stderr.split()), result.stderr
    assert "there are no texts" in wgpt("embed", "-m", TINY, input="").stderr


def test_json(wgpt_json, tmp_path: Path, vectors: np.ndarray) -> None:
    data = wgpt_json("embed", *TEXTS, "-m", TINY)
    assert (data["texts"], data["dimensions"]) == vectors.shape
    assert [each["text"] for each in data["results"]] == TEXTS
    np.testing.assert_array_equal(np.array([each["vector"] for each in data["results"]], np.float32), vectors)
    out = tmp_path / "vectors.npy"
    data = wgpt_json("embed", *TEXTS, "-m", TINY, "--out", str(out))
    assert data == {"texts": 3, "dimensions": vectors.shape[1], "out": str(out)}
    np.testing.assert_array_equal(np.load(out), vectors)


def test_progress_is_shown_soon_and_every_text_once(wgpt, monkeypatch, vectors: np.ndarray) -> None:
    """Sixteen texts at first, then twice as many: 49 are three calls."""
    seen: list[tuple[int, int, str]] = []
    monkeypatch.setattr(progress.Lines, "step", lambda self, *now: seen.append(now))
    result = wgpt("embed", "-m", TINY, input="\n".join([*TEXTS, *["a lamp"] * 45, TEXTS[2]]))
    texts, rows = lines(result.stdout)
    assert texts == [*TEXTS, *["a lamp"] * 45, TEXTS[2]]
    assert [now for now in seen if now[1] == 49] == [(0, 49, ""), (16, 49, ""), (48, 49, ""), (49, 49, "")]
    np.testing.assert_allclose(rows[[0, 20, 48]], vectors, atol=1e-4)
