"""Loss curves as PNG and HTML; no GPU, no library to draw with."""

from __future__ import annotations

import math
import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np
import pytest

from wgpt.train import plot
from wgpt.train.canvas import Canvas, text_width
from wgpt.train.report import Run, Sample, html, svg, write_reports

LOSSES = [3 * math.exp(-i / 40) + 0.3 + 0.2 * math.sin(i * 1.7) for i in range(200)]
EVALUATIONS = [(0, 3.4), (100, 0.9), (200, 0.5)]


def pixels(png: bytes) -> np.ndarray:
    """A PNG reader of the tests' own: checks every chunk."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(kind + data)
        chunks[kind] = data
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def near(image: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.abs(image.astype(int) - colour).max(axis=-1) < 40


def test_the_curve_is_where_it_should_be():
    image = pixels(plot.png(LOSSES, EVALUATIONS, "SmolLM2-135M, facts.jsonl"))
    assert image.shape == (plot.HEIGHT, plot.WIDTH, 3)
    inside = near(image, plot.TRAIN)[plot.TOP :, :]
    columns = inside.nonzero()[1]
    assert columns.min() < plot.LEFT + 15 and columns.max() > plot.WIDTH - plot.RIGHT - 10
    heights = [np.nonzero(inside[:, x])[0].mean() for x in (plot.LEFT + 40, plot.WIDTH - 60)]
    assert heights[0] < heights[1] - 150  # it falls, and a smaller loss is further down
    drawn = plot.plot(LOSSES, EVALUATIONS)
    for x, y in drawn.held_out:
        assert near(image, plot.HELD_OUT)[int(y), min(int(x), plot.WIDTH - 1)]


def test_the_axes_say_the_truth():
    drawn = plot.plot(LOSSES, EVALUATIONS)
    assert [text for _, text in drawn.x_ticks] == ["0", "50", "100", "150", "200"]
    ticks = {text: y for y, text in drawn.y_ticks}
    (one, two), held = (ticks["1"], ticks["2"]), drawn.held_out[1][1]
    assert held == pytest.approx(one + 0.1 * (one - two), abs=1e-6)  # 0.9, by the ticks beside it
    places = dict(zip((text for _, text in drawn.x_ticks), (x for x, _ in drawn.x_ticks), strict=True))
    assert drawn.held_out[1][0] == pytest.approx(places["100"])


@pytest.mark.parametrize(
    ("losses", "evaluations"),
    [
        ([], []),
        ([2.5], []),
        ([1.0] * 30, []),
        ([0.0] * 3, [(0, 0.0)]),
        ([math.nan] * 20, []),
        ([3.0, 2.0, math.nan, math.inf, 1.0] * 10, [(5, math.nan), (10, 1.0)]),
        ([1e-7 * i for i in range(50)], []),
        ([1e6, 1e-6] * 20, [(40, 5.0)]),
        ([2.0] * 100_000, [(100_000, 1.0)]),
        ([-1.0, -2.0, -3.0], []),
    ],
    ids=["none", "one", "flat", "zeros", "nan", "gaps", "tiny", "wild", "long", "negative"],
)
def test_any_run_can_be_drawn(losses, evaluations, tmp_path):
    curve, report = write_reports(Run("a run", losses, evaluations), tmp_path)
    assert pixels(curve.read_bytes()).shape == (plot.HEIGHT, plot.WIDTH, 3)
    text = svg(losses, evaluations)
    assert len(report.read_bytes()) < 150_000
    for number in re.findall(r'(?:x1|y1|cx|cy|points)="([^"]*)"', text):
        for value in re.split(r"[ ,]", number):
            assert -1 <= float(value) <= plot.WIDTH + 1
    if any(not math.isfinite(loss) for loss in losses):
        assert "steps had no finite loss" in text


def test_thinning_keeps_peaks():
    run = [(float(i), 1.0) for i in range(50_000)]
    run[31_234] = (31_234.0, 9.0)
    thin = plot.thinned(run)
    assert len(thin) <= 1600 and (31_234.0, 9.0) in thin and [x for x, _ in thin] == sorted(x for x, _ in thin)


def test_ticks_are_round_numbers():
    assert plot.nice_ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert plot.nice_ticks(0.13, 0.72) == [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert plot.nice_ticks(-3, 3) == [-3, -2, -1, 0, 1, 2, 3]
    assert all(2 <= len(plot.nice_ticks(a, a + b)) <= 14 for a in (0, 3.7, -800.1) for b in (1e-6, 0.33, 7, 12345))


def test_every_letter_looks_different():
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:-+=_/()%#"
    seen = {}
    for letter in letters:
        canvas = Canvas(40, 50)
        canvas.text((8, 34), letter, (0, 0, 0), 24)
        seen[letter] = canvas.pixels.tobytes()
    alike = [(a, b) for a in letters for b in letters if a < b and seen[a] == seen[b]]
    assert alike == [("0", "O")]
    assert text_width("ab", 12) == 20


def test_the_page_needs_nothing_else_and_is_escaped():
    page = html(
        Run(
            "<b>Q&A</b>",
            LOSSES,
            EVALUATIONS,
            {"model": "<script>alert(1)</script>", "rank": "16"},
            [Sample("Who is it?", "<i>no idea</i>", "Ada & Co.\nof Nowhere")],
        )
    )
    assert "<script" not in page and "<i>" not in page and "<b>" not in page
    assert not re.search(r"(src|href)\s*=|url\(|@import|https?:", page)
    assert "held-out loss 3.4000 &rarr; 0.5000" in page and "Ada &amp; Co." in page
    root = ElementTree.fromstring(svg(LOSSES, EVALUATIONS))
    assert len(root.findall("circle")) == 3 and "held-out loss 0.9000" in ElementTree.tostring(root, "unicode")
