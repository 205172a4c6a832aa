"""Loss curves as PNG and HTML; no GPU."""

from __future__ import annotations

import io
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib.image
import numpy as np
import pytest

from wgpt import plotting
from wgpt.train.loss_curve import HELD_OUT, TRAIN, curve_png, curve_svg, thinned
from wgpt.train.report import Run, Sample, html, without_charts, write_reports

LOSSES = [3 * math.exp(-i / 40) + 0.3 + 0.2 * math.sin(i * 1.7) for i in range(200)]
EVALUATIONS = [(0, 3.4), (100, 0.9), (200, 0.5)]


def pixels(png: bytes) -> np.ndarray:
    return matplotlib.image.imread(io.BytesIO(png))[..., :3]


def near(image: np.ndarray, colour: str) -> np.ndarray:
    return np.abs(image - matplotlib.colors.to_rgb(colour)).max(axis=-1) < 0.15


def chart(losses=LOSSES, evaluations=EVALUATIONS) -> ElementTree.Element:
    return ElementTree.fromstring(curve_svg(losses, evaluations)).find("svg")


def test_the_curve_falls_from_left_to_right():
    image = pixels(curve_png(LOSSES, EVALUATIONS, "SmolLM2-135M, facts.jsonl"))
    line = near(image, TRAIN)
    line[: image.shape[0] // 7] = False  # the legend
    columns = line.nonzero()[1]
    width = image.shape[1]
    assert columns.min() < 0.11 * width and columns.max() > 0.95 * width
    early, late = (line[:, int(x * width)].nonzero()[0].mean() for x in (0.15, 0.9))
    assert early < late - 200  # a smaller loss is further down
    assert near(image, HELD_OUT).sum() > 500


def test_the_axes_say_the_truth():
    root = chart()
    place = {}
    for text in root.iter("text"):
        place[text.text] = float(text.attrib["x"]), float(text.attrib["y"])
    assert {"step", "loss", "training", "held out", "100", "200", "1.0", "2.0"} <= place.keys()
    points = {e.find("title").text: next(e.iter("use")) for e in root.iter("g") if e.find("title") is not None}
    assert list(points) == [f"step {step}: held-out loss {loss:.4f}" for step, loss in EVALUATIONS]
    at = [(float(use.attrib["x"]), float(use.attrib["y"])) for use in points.values()]
    tick_1, tick_2 = place["1.0"][1], place["2.0"][1]
    assert at[0][1] - at[1][1] == pytest.approx((3.4 - 0.9) * (tick_2 - tick_1), abs=0.1)  # by the ticks beside them
    assert at[1][0] - at[0][0] == pytest.approx(at[2][0] - at[1][0])
    assert place["200"][0] - place["100"][0] == pytest.approx(at[2][0] - at[1][0], abs=0.1)


def test_the_same_run_is_the_same_to_the_byte():
    assert curve_svg(LOSSES, EVALUATIONS) == curve_svg(LOSSES, EVALUATIONS)
    assert curve_png(LOSSES, EVALUATIONS, "t") == curve_png(LOSSES, EVALUATIONS, "t")


@pytest.mark.full
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
    assert pixels(curve.read_bytes()).shape == (1012, 2 * plotting.WIDTH, 3)
    root = chart(losses, evaluations)
    assert len(report.read_bytes()) < 150_000
    for path in (e.attrib["d"] for e in root.iter("path")):
        for value in re.findall(r"-?[0-9.]+", path):
            assert -10 <= float(value) <= plotting.WIDTH + 10
    text = " ".join(e.text or "" for e in root.iter("text"))
    assert ("steps had no finite loss" in text) == any(not math.isfinite(loss) for loss in losses)


def test_thinning_keeps_peaks():
    run = [(float(i), 1.0) for i in range(50_000)]
    run[31_234] = (31_234.0, 9.0)
    thin = thinned(run)
    assert len(thin) <= 1600 and (31_234.0, 9.0) in thin and [x for x, _ in thin] == sorted(x for x, _ in thin)


def test_without_matplotlib_the_report_has_its_tables_and_says_what_is_missing(tmp_path, monkeypatch):
    (tmp_path / "loss.png").write_bytes(b"of the run that this one replaces")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    message = without_charts()
    assert message is not None and message.startswith("no loss.png") and message.endswith("pip install 'wgpt[charts]'")
    curve, report = write_reports(Run("a run", LOSSES, EVALUATIONS), tmp_path)
    page = report.read_text()
    assert not curve.exists() and "<svg" not in page
    assert "No chart: charts need matplotlib" in page and "wgpt[charts]" in page and "<td>0.9000</td>" in page


def test_a_broken_matplotlib_is_told_from_a_missing_one(monkeypatch):
    assert plotting.chart_problem() is None

    class Broken:
        def find_spec(self, name, path=None, target=None):
            if name == "matplotlib.figure":
                raise ImportError("libfreetype.so.6: no such file")

    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert "cannot be imported (libfreetype" in plotting.chart_problem()


def test_matplotlib_is_imported_to_draw_and_for_nothing_else():
    code = (
        "import sys, wgpt, wgpt.cli, wgpt.train.report, wgpt.bench.report, wgpt.cli.finetune, wgpt.cli.bench_all\n"
        "heavy = ('matplotlib', 'tensorboardX', 'wandb')\n"
        "assert not [name for name in heavy if name in sys.modules]\n"
        "wgpt.train.report.html(wgpt.train.report.Run('a', [1.0]))\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


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
    assert not re.search(r"src\s*=|href\s*=\s*.[^#]|url\(|@import|https?:", page)
    assert "held-out loss 3.4000 &rarr; 0.5000" in page and "Ada &amp; Co." in page
