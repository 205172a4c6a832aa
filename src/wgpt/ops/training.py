"""The training operations on NumPy arrays: gradients, loss, optimiser, NF4."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.columns import row_blocks
from . import check
from .core import F32, Work, both
from .engine import Engine, Handle

IGNORE_INDEX = -100


def _gemm_backward_a(dc: F32, b: F32, m: int, k: int, n: int) -> Work[F32]:
    """dA[m,k] = dC[m,n] . B[k,n]^T, for C = A B."""
    m, k, n = check.positive(m=m, k=k, n=n)
    dc = check.length("dc", dc, m * n, f"m * n = {m} * {n}").reshape(m, n)
    b = check.length("b", b, k * n, f"k * n = {k} * {n}").reshape(k, n)
    return Work(
        max(dc.size, b.size, m * k),
        lambda e: e.apply("gemm_backward_a", {"m": m, "k": k, "n": n}, a=e.array(dc), b=e.array(b)),
        lambda r: r["y"],
    )


def _gemm_backward_b(a: F32, dc: F32, m: int, k: int, n: int) -> Work[F32]:
    """dB[k,n] = A[m,k]^T . dC[m,n], for C = A B."""
    m, k, n = check.positive(m=m, k=k, n=n)
    a = check.length("a", a, m * k, f"m * k = {m} * {k}").reshape(m, k)
    dc = check.length("dc", dc, m * n, f"m * n = {m} * {n}").reshape(m, n)
    return Work(
        max(a.size, dc.size, k * n),
        lambda e: e.apply("gemm_backward_b", {"m": m, "k": k, "n": n}, a=e.array(a), b=e.array(dc)),
        lambda r: r["y"],
    )


def _rmsnorm_backward(
    x: F32, g: F32, dy: F32, rows: int, hidden: int, eps: float = 1e-6
) -> Work[tuple[F32, F32]]:
    """(dx, dg) of y = x * g / sqrt(mean(x^2) + eps); dg is summed in a fixed order, so it repeats to the bit."""
    rows, hidden = check.positive(rows=rows, hidden=hidden)
    eps = check.epsilon(eps)
    means = f"rows * hidden = {rows} * {hidden}"
    x = check.length("x", x, rows * hidden, means).reshape(rows, hidden)
    dy = check.length("dy", dy, rows * hidden, means).reshape(rows, hidden)
    g = check.length("g", g, hidden, "hidden").reshape(hidden)
    blocks = row_blocks(rows)

    def body(e: Engine) -> dict[str, Handle]:
        ex, edy = e.array(x), e.array(dy)
        first = e.apply("rmsnorm_backward", {"rows": rows, "hidden": hidden, "eps": eps}, x=ex, g=e.array(g), dy=edy)
        problem = {"rows": rows, "hidden": hidden, "blocks": blocks}
        part = e.apply("rmsnorm_backward_weight", problem, x=ex, dy=edy, rstd=first["rstd"])
        total = e.apply("column_sum", {"rows": blocks, "hidden": hidden}, x=part["partial"])
        return {"dx": first["dx"], "dg": total["y"]}

    return Work(x.size, body, lambda r: (r["dx"].reshape(rows, hidden), r["dg"].reshape(hidden)))


def _labels(targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int) -> NDArray[np.int32]:
    check.whole("ignore_index", ignore_index, -(2**31), 2**31 - 1)
    targets = check.length("targets", targets, rows, "rows", np.int32)
    wrong = (targets != ignore_index) & ((targets < 0) | (targets >= vocab))
    if wrong.any():
        row = int(np.argmax(wrong))
        value = targets.reshape(-1)[row]
        raise ValueError(f"targets[{row}] is {value}, outside 0 .. {vocab - 1} and not ignore_index {ignore_index}")
    return targets.reshape(-1)


def _forward(e: Engine, z: Handle, t: Handle, problem: dict[str, Any]) -> dict[str, Handle]:
    return e.apply("cross_entropy_forward", problem, logits=z, targets=t)


def _cross_entropy_forward(
    logits: F32, targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int = IGNORE_INDEX
) -> Work[float]:
    """Mean over the rows that count of logsumexp(z) - z[target]."""
    rows, vocab = check.positive(rows=rows, vocab=vocab)
    z = check.length("logits", logits, rows * vocab, f"rows * vocab = {rows} * {vocab}").reshape(rows, vocab)
    labels = _labels(targets, rows, vocab, ignore_index)
    problem = {"rows": rows, "vocab": vocab, "ignore_index": ignore_index}

    def body(e: Engine) -> dict[str, Handle]:
        t = e.array(labels)
        losses = _forward(e, e.array(z), t, problem)
        counted = {"rows": rows, "ignore_index": ignore_index}
        return {"mean": e.apply("cross_entropy_mean", counted, loss=losses["loss"], targets=t)["mean"]}

    return Work(z.size, body, lambda r: float(r["mean"][0]))


def _cross_entropy_backward(
    logits: F32, targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int = IGNORE_INDEX,
    scale: float | None = None,
) -> Work[F32]:  # fmt: skip
    """(softmax(z) - onehot) * scale; by default scale is 1 / rows that count: the gradient of the mean loss."""
    rows, vocab = check.positive(rows=rows, vocab=vocab)
    z = check.length("logits", logits, rows * vocab, f"rows * vocab = {rows} * {vocab}").reshape(rows, vocab)
    labels = _labels(targets, rows, vocab, ignore_index)
    if scale is None:
        scale = 1.0 / max(1, int((labels != ignore_index).sum()))
    (scale,) = check.finite(scale=scale)
    problem = {"rows": rows, "vocab": vocab, "ignore_index": ignore_index}

    def body(e: Engine) -> dict[str, Handle]:
        ez, t = e.array(z), e.array(labels)
        f = _forward(e, ez, t, problem)
        scaled = {**problem, "scale": scale}
        return e.apply("cross_entropy_backward", scaled, logits=ez, targets=t, peak=f["peak"], log_sum=f["log_sum"])

    return Work(z.size, body, lambda r: r["dlogits"].reshape(rows, vocab))


def _adamw_step(
    params: F32, grads: F32, m: F32, v: F32, step: int, lr: float = 1e-3, beta1: float = 0.9, beta2: float = 0.999,
    eps: float = 1e-8, weight_decay: float = 0.01,
) -> Work[None]:  # fmt: skip
    """One step of AdamW; params, m and v are updated in place. Steps count from 1."""
    params, grads, m, v = check.same(params=params, grads=grads, m=m, v=v)
    for name, a in (("params", params), ("m", m), ("v", v)):
        if not a.flags.writeable:
            raise ValueError(f"{name} is read-only, and adamw_step updates it in place")
    (step,) = check.positive(step=step)
    lr, beta1, beta2, decay = check.finite(lr=lr, beta1=beta1, beta2=beta2, weight_decay=weight_decay)
    eps = check.epsilon(eps)
    if not (0 <= beta1 < 1 and 0 <= beta2 < 1):
        raise ValueError(f"beta1 and beta2 must be at least 0 and below 1, not {beta1} and {beta2}")
    problem = {
        "n": params.size, "step": step, "lr": lr, "beta1": beta1, "beta2": beta2, "eps": eps, "decay": decay,
    }  # fmt: skip

    def body(e: Engine) -> dict[str, Handle]:
        flat = {"g": grads, "param": params, "m": m, "v": v}
        return e.apply("adamw_step", problem, **{name: e.array(a.reshape(-1)) for name, a in flat.items()})

    def store(r: dict[str, NDArray[Any]]) -> None:
        for target, name in ((params, "param"), (m, "m"), (v, "v")):
            target[...] = r[name].reshape(target.shape)

    return Work(params.size, body, store)


def _nf4_dequant(
    packed: NDArray[np.uint32], scales: F32, n: int, block_size: int = 64, *, high_first: bool = False
) -> Work[F32]:
    """NF4 codes (eight to a word, low nibble first; bitsandbytes: high_first=True) times their block's scale."""
    n, block_size = check.positive(n=n, block_size=block_size)
    words = check.length("packed", packed, -(-n // 8), f"ceil(n / 8) = ceil({n} / 8)", np.uint32).reshape(-1)
    blocks = f"ceil(n / block_size) = ceil({n} / {block_size})"
    scales = check.length("scales", scales, -(-n // block_size), blocks).reshape(-1)
    problem = {"n": n, "block": block_size, "high_first": bool(high_first)}
    return Work(
        n,
        lambda e: e.apply("nf4_dequant", problem, packed=e.array(words), scales=e.array(scales)),
        lambda r: r["y"],
    )


gemm_backward_a, gemm_backward_a_async = both(_gemm_backward_a)
gemm_backward_b, gemm_backward_b_async = both(_gemm_backward_b)
rmsnorm_backward, rmsnorm_backward_async = both(_rmsnorm_backward)
cross_entropy_forward, cross_entropy_forward_async = both(_cross_entropy_forward)
cross_entropy_backward, cross_entropy_backward_async = both(_cross_entropy_backward)
adamw_step, adamw_step_async = both(_adamw_step)
nf4_dequant, nf4_dequant_async = both(_nf4_dequant)
