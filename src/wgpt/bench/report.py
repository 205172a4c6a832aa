"""`wgpt bench --html`: the results as one self-contained page, without scripts or external resources."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from ..core.atomic import replacing
from ..core.sizes import readable_bytes
from ..table import number, percent, si
from ..train.report import page
from . import charts, roofline
from .everything import Everything, ModelRun
from .kernels import Result
from .roofline import Roofs

_STYLE = """
body { max-width: 72rem; } h2 { margin-top: 3rem; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } .wide { overflow-x: auto; }
.wide th { vertical-align: bottom; }
.wide td { white-space: nowrap; padding-top: 0.1rem; padding-bottom: 0.1rem; font-size: 0.9rem; }
"""


def write(run: Everything, path: str | Path) -> None:
    """Write the page, overwriting an existing file."""
    with replacing(Path(path)) as file:
        file.write(html(run).encode())


def html(run: Everything) -> str:
    parts = [
        _origin(run),
        _models(run.models),
        _section("Comparison with peers", charts.peers(run.comparison())),
        _section(
            "Decode by context length", charts.by_context({str(m.chosen): m.contexts for m in run.models if m.contexts})
        ),
        _section(
            "Decode by batch size, all sequences together",
            charts.by_batch({str(m.chosen): m.batches for m in run.models if m.batches}),
        ),
        *(_timeline(m) for m in run.models),
        *(_training(m) for m in run.models),
        _kernels(run),
        _skipped(run),
    ]
    return page(f"wgpt bench on {run.origin['gpu']['name']}", "\n".join(p for p in parts if p), _STYLE)


def _section(title: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{body}" if body else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """An HTML table. The first `words` columns are text, the others numbers."""
    kinds = [""] * words + [' class="n"'] * (len(head) - words)

    def cells(tag: str, line: Sequence[str]) -> str:
        return "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, line, strict=True))

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{cells("th", head)}</tr>\n{body}</table></div>'


def _origin(run: Everything) -> str:
    lines = [
        run.origin["date"],
        ", ".join(f"{name} {version}" for name, version in run.origin["versions"].items()),
        *([f"measured: {run.roofs}"] if run.roofs else []),
        *(["a quick run: fewer sizes and repetitions"] if run.quick else []),
        *(["interrupted: not everything was measured"] if run.interrupted else []),
    ]
    return f"<p>{'<br>'.join(map(escape, lines))}</p>"


def _models(models: Sequence[ModelRun]) -> str:
    rows = [_model_row(m) for m in models if m.decode or m.prefill or m.train]
    head = (
        "model",
        "decode tok/s",
        "GPU us",
        "CPU us",
        "dispatches",
        "% of copy",
        "prefill tok/s",
        "ms",
        "LoRA step ms",
    )
    return _section("Models", _table(head, rows)) if rows else ""


def _model_row(m: ModelRun) -> list[str]:
    step, cells = m.decode.step if m.decode else None, [str(m.chosen), number(m.decode.rate if m.decode else None, 4)]
    if step:
        cells += [number(step.gpu_seconds * 1e6), number(step.cpu_seconds * 1e6), str(step.dispatches)]
        cells += [percent(step.of_copy)]
    else:
        cells += ["", "", "", ""]
    if m.prefill:
        ms = 1e3 * m.prefill.tokens / m.prefill.rate
        cells += [number(m.prefill.rate, 4), f"{number(ms)} for {m.prefill.context}"]
    else:
        cells += ["", ""]
    return [
        *cells,
        f"{number(m.train.step_seconds * 1e3, 4)} for {m.train.batch} x {m.train.length}" if m.train else "",
    ]


def _timeline(m: ModelRun) -> str:
    if m.timeline is None:
        return ""
    replayed = m.timeline.replay_seconds
    least = m.timeline.least_seconds()
    notes = [f"Replayed in one pass: {number(replayed * 1e6)} us"] if replayed else []
    notes += [f"if every dispatch ran at its bound: {number(least * 1e6)} us"] if least else []
    return _section(m.timeline.title, f"<p>{escape('; '.join(notes))}.</p>\n{charts.timeline(m.timeline)}")


def _training(m: ModelRun) -> str:
    if m.train is None:
        return ""
    t = m.train
    summary = (
        f"{t.batch} x {t.length} tokens, LoRA of rank {t.rank} on {', '.join(t.targets)}: {t.dispatches} dispatches, "
        f"{number(t.gpu_seconds * 1e3)} ms on the GPU, {percent(t.of_arithmetic)} of its f32 multiply-adds, "
        f"{readable_bytes(t.peak_bytes)} peak memory"
    )
    rows = [(w.kernel, str(w.count), number(w.seconds * 1e3), si(w.flops)) for w in t.kernels]
    table = _table(("kernel", "dispatches", "ms", "FLOPs"), rows) if rows else ""
    return _section(
        f"{m.chosen}: a training step of {number(t.step_seconds * 1e3, 4)} ms", f"<p>{escape(summary)}</p>{table}"
    )


def _kernels(run: Everything) -> str:
    if run.roofs is None or not run.kernels:
        return ""
    head = ("kernel", "problem", "variant", "us", "GB/s", "FLOPS", "FLOPs/byte", "% of roof")
    rows = [_kernel_row(r, run.roofs) for r in run.kernels]
    return _section("Roofline of every kernel", f"{roofline.chart(run.roofs, run.kernels)}\n{_table(head, rows, 3)}")


def _kernel_row(r: Result, roofs: Roofs) -> list[str]:
    if r.skipped:
        return [r.kernel, r.problem, f"skipped: {r.skipped}", "", "", "", "", ""]
    speeds = [number(r.bytes_per_second / 1e9), si(r.flops_per_second), number(r.flops / r.bytes)]
    return [r.kernel, r.problem, r.variant, number(r.seconds * 1e6), *speeds, percent(roofs.share(r))]


def _skipped(run: Everything) -> str:
    rows = [(name, reason) for name, reason in run.skipped.items()]
    return _section("Not measured", _table(("part", "reason"), rows, 2)) if rows else ""
