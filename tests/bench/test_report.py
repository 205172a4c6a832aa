"""The page of `wgpt bench --html`, and the tables: their contents and consistency."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.console import Console

from wgpt.bench import charts, report, roofline
from wgpt.bench.everything import Everything, ModelRun
from wgpt.bench.summary import print_everything
from wgpt.kernels import registry

from .made_up import CHOSEN, DECODE, ORIGIN, PREFILL, ROOFS, TRAIN, everything, timeline

VOID = ("meta", "br")


class Balanced(HTMLParser):
    """Fails on a closing tag without its opening tag."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> where {self.open[-3:]} are open"
        self.open.pop()


def parsed(page: str) -> Balanced:
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def svgs(page: str) -> list[ET.Element]:
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.S)]


def test_the_page_is_well_formed_and_needs_nothing_else():
    page = report.html(everything())
    tags = parsed(page).tags
    assert page.startswith("<!doctype html>")
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "object"}
    links = [value for _, attributes in tags for name, value in attributes.items() if name in ("src", "href")]
    assert links and all(link.startswith("#") for link in links)  # markers of the same chart
    assert not re.search(r"https?:", page) and "url(" not in page and "@import" not in page
    assert "prefers-color-scheme: dark" in page
    assert "Fast &lt;1&gt; &amp; [co]" in page and "Fast <1>" not in page
    for svg in svgs(page):
        assert not any(re.search(r"\b(nan|inf)\b", v) for e in svg.iter() for v in e.attrib.values())


def test_the_page_has_every_kernel_every_chart_and_what_was_skipped():
    page = report.html(everything())
    labels = [svg.attrib["aria-label"] for svg in svgs(page)]
    assert {"Timeline of one token", "Roofline of every kernel", "Decode by context length"} <= set(labels)
    assert "Decode by batch size, all sequences together" in labels
    dots = [t.text or "" for svg in svgs(page) if "Roofline" in svg.attrib["aria-label"] for t in svg.iter("title")]
    for kernel in registry.kernels():
        assert any(text.startswith(f"{kernel} ") for text in dots), kernel
        assert f"<td>{kernel}</td>" in page
    assert "a training step of 50.00 ms" in page and "<td>gemm_input_grad</td><td" in page
    assert "skipped: asked for 9 GiB" in page and "decode of 32" in page
    assert "torch, compile" in page and "no &lt;llama-bench&gt; on PATH" in page


def drawn(chart: str) -> ET.Element:
    return ET.fromstring(re.search(r"<svg.*?</svg>", chart, re.S)[0])


def tips(chart: ET.Element) -> dict[str, ET.Element]:
    """The elements with a tooltip, by its text."""
    return {e.find("title").text: e for e in chart.iter("g") if e.find("title") is not None}


def points(path: ET.Element) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"-?[0-9.]+", path.attrib["d"])]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_a_kernel_stands_as_far_below_its_roof_as_it_is_slower():
    """All made-up kernels move bytes at half the speed of a copy: all memory-bound ones are equally far below it."""
    results = [r for r in everything().kernels if not r.skipped]
    assert all(roofline.Roofs.share(ROOFS, r) >= 0.5 - 1e-9 for r in results)
    chart = drawn(roofline.chart(ROOFS, results))
    lines = [p for p in chart.iter("path") if p.attrib["d"].count("L") == 2 and "--ink" in p.attrib.get("style", "")]
    assert len(lines) == 2 and "dasharray" in lines[1].attrib["style"]  # f32 and f16
    (x0, y0), (x1, y1), _ = points(lines[0])
    gaps = set()
    for element in tips(chart).values():
        use = next(element.iter("use"))
        x, y = float(use.attrib["x"]), float(use.attrib["y"])
        gaps.add(round(y - (y0 + (x - x0) / (x1 - x0) * (y1 - y0))))
    assert max(gaps) - min(gaps) <= 1 and min(gaps) > 5  # half the speed is 0.3 decades


def test_the_timeline_is_in_order_and_as_long_as_the_time():
    boxes = list(tips(drawn(charts.timeline(timeline()))).items())
    order, summed = boxes[:5], boxes[5:]
    widths = [points(box.find("path"))[1][0] - points(box.find("path"))[0][0] for _, box in order]
    assert widths == pytest.approx([widths[0] * n for n in (1, 2, 3, 4, 5)], rel=0.02)
    assert [text.split()[1] for text, _ in order][1::2] == ["gemv_fused", "gemv_fused"]
    assert len(summed) == 4 and summed[0][0] == "gemv_fused: 2 dispatches, 6.00 us"


def test_the_charts_say_their_numbers_as_text():
    page = report.html(everything())
    texts = {t.text for svg in svgs(page) for t in svg.iter("text")}
    assert {"64", "1,024", "4,096", "tok/s", "FLOPS", "f16: 120 TFLOPS", "copy: 4,000 GB/s", "648.0 tok/s"} <= texts
    assert "skipped: no <llama-bench> on PATH & no xllamacpp" in texts


def test_the_same_run_is_the_same_page_to_the_byte():
    assert report.html(everything()) == report.html(everything())


def test_headers_break_between_words_only():
    styles = "".join(re.findall(r"<style[^>]*>(.*?)</style>", report.html(everything()), re.DOTALL))
    anywhere = [rule.partition("{")[0] for rule in styles.split("}") if "overflow-wrap: anywhere" in rule]
    assert anywhere and not any("th" in selector.split() for selector in anywhere), anywhere


def test_without_timestamps_the_timeline_says_so():
    assert "does not support timestamp queries" in charts.timeline(replace(timeline(), profile=None))


def test_a_run_that_measured_nothing_is_still_a_page():
    empty = Everything(ORIGIN, True, interrupted=True, models=[ModelRun(CHOSEN)])
    page = report.html(empty)
    parsed(page)
    assert "interrupted" in page and "a quick run" in page and "<svg" not in page


def test_without_peers_nothing_is_compared():
    run, written = everything(), io.StringIO()
    assert "Comparison with peers" in report.html(run)
    alone = replace(run, peers=[])
    assert alone.figures() and "Comparison with peers" not in report.html(alone)
    print_everything(alone, Console(file=written, width=200))
    assert not re.search(r"^model +task +program", written.getvalue(), re.MULTILINE)
    print_everything(run, Console(file=written, width=200))
    assert re.search(r"^model +task +program", written.getvalue(), re.MULTILINE)


def test_one_context_alone_is_a_dot():
    (text,) = tips(drawn(charts.by_context({"a": [DECODE]})))
    assert text == "a, 64: 1,280 tok/s"


def test_tables():
    out = io.StringIO()
    print_everything(everything(), Console(file=out, width=160, highlight=False))
    text = out.getvalue()
    assert "copies 4,000 GB/s (read + written), 60.0 TFLOPS in f32, 120 TFLOPS in f16" in text
    assert re.search(r"smollm2-135m, random f16 weights +1,280 +600 +200 +154 +11% +51,200 +512", text)
    assert re.search(r"by context length +64 +1,024 +4,096", text) and re.search(r"by batch size +1 +4 +16", text)
    assert "train: 50.00 ms a step" in text
    assert re.search(r"torch, compile +648.0 +tok/s", text) and "skipped smollm2-135m: decode of 32" in text
    rows = [line.split()[0] for line in text.splitlines() if line]
    assert set(registry.kernels()) <= set(rows)


def test_json_schema_is_stable():
    data = everything().to_dict()
    assert list(data) == [
        *("gpu", "date", "versions", "native_replay", "bench", "quick", "interrupted"),
        *("roofs", "models", "kernels", "figures", "skipped"),
    ]
    assert list(data["models"][0]) == ["model", "decode", "prefill", "contexts", "batches", "timeline", "train"]
    assert data["roofs"] == {
        "copy_bytes_per_second": 4e12,
        "f32_flops_per_second": 60e12,
        "f16_flops_per_second": 120e12,
    }
    assert {row["kernel"] for row in data["kernels"]} == set(registry.kernels())
    ours = [f for f in data["figures"] if f["peer"] == "wgpt"]
    assert [(f["what"], f["value"], f["unit"]) for f in ours] == [
        ("decode", pytest.approx(1280), "tok/s"),
        ("prefill", pytest.approx(10), "ms"),
        ("lora", pytest.approx(50), "ms"),
    ]


def test_a_step_of_other_sizes_is_no_figure_beside_the_peers():
    for other in ({"batch": 2}, {"length": 32}, {"rank": 8}, {"targets": ("q_proj",)}):
        model = ModelRun(
            CHOSEN, replace(DECODE, context=9), replace(PREFILL, context=128), train=replace(TRAIN, **other)
        )
        assert list(model.figures()) == []
