"""The training operations on NumPy arrays: gradients, loss, optimiser, NF4."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import flag, whole_number
from ..kernels.grid import ceil_div
from ..kernels.pieces.columns import row_blocks
from . import check
from .backend import Array, Backend
from .core import F32, both
from .pieces import Results, Work, length

IGNORE_INDEX = -100


def _gemm_backward_a(b: F32, dc: F32, m: int, k: int, n: int) -> Work[F32]:
    """dA[m,k] = dC[m,n] . B[k,n]^T, for C = A B.

    >>> b, dc = np.float32([[1, 2], [3, 4]]), np.float32([[1, 1]])
    >>> ops.gemm_backward_a(b, dc, m=1, k=2, n=2)
    array([[3., 7.]], dtype=float32)
    """
    m, k, n = check.positive(m=m, k=k, n=n)
    b = check.length("b", b, k * n, f"k * n = {k} * {n}").reshape(k, n)
    dc = check.length("dc", dc, m * n, f"m * n = {m} * {n}").reshape(m, n)

    def body(e: Backend, rows: slice, columns: slice) -> dict[str, Array]:
        problem = {"m": length(rows), "k": length(columns), "n": n}
        return e.apply("gemm_backward_a", problem, a=e.array(dc[rows]), b=e.array(b[columns]))

    return Work(max(dc.size, b.size, m * k), (m, k), body, lambda r: r["y"].reshape(m, k))


def _gemm_backward_b(a: F32, dc: F32, m: int, k: int, n: int) -> Work[F32]:
    """dB[k,n] = A[m,k]^T . dC[m,n], for C = A B.

    >>> a, dc = np.float32([[1, 2]]), np.float32([[1, 10]])
    >>> ops.gemm_backward_b(a, dc, m=1, k=2, n=2)
    array([[ 1., 10.],
           [ 2., 20.]], dtype=float32)
    """
    m, k, n = check.positive(m=m, k=k, n=n)
    a = check.length("a", a, m * k, f"m * k = {m} * {k}").reshape(m, k)
    dc = check.length("dc", dc, m * n, f"m * n = {m} * {n}").reshape(m, n)

    def body(e: Backend, rows: slice, columns: slice) -> dict[str, Array]:
        problem = {"m": m, "k": length(rows), "n": length(columns)}
        return e.apply("gemm_backward_b", problem, a=e.array(a[:, rows]), b=e.array(dc[:, columns]))

    return Work(max(a.size, dc.size, k * n), (k, n), body, lambda r: r["y"].reshape(k, n))


def _rmsnorm_backward(x: F32, g: F32, dy: F32, rows: int, hidden: int, eps: float = 1e-6) -> Work[tuple[F32, F32]]:
    """(dx, dg) of y = x * g / sqrt(mean(x^2) + eps); dg is summed in a fixed order, so it is reproducible.

    >>> x, g, dy = np.float32([[3, 4]]), np.ones(2, np.float32), np.float32([[1, 0]])
    >>> dx, dg = ops.rmsnorm_backward(x, g, dy, rows=1, hidden=2)
    >>> dx.round(3), dg.round(3)
    (array([[ 0.181, -0.136]], dtype=float32), array([0.849, 0.   ], dtype=float32))
    """
    rows, hidden = check.positive(rows=rows, hidden=hidden)
    eps = check.epsilon(eps)
    means = f"rows * hidden = {rows} * {hidden}"
    x = check.length("x", x, rows * hidden, means).reshape(rows, hidden)
    dy = check.length("dy", dy, rows * hidden, means).reshape(rows, hidden)
    g = check.length("g", g, hidden, "hidden").reshape(hidden)

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem, blocks = {"rows": length(part), "hidden": hidden}, row_blocks(length(part))
        ex, edy = e.array(x[part]), e.array(dy[part])
        first = e.apply("rmsnorm_backward", {**problem, "eps": eps}, x=ex, g=e.array(g), dy=edy)
        sums = e.apply("rmsnorm_backward_weight", {**problem, "blocks": blocks}, x=ex, dy=edy, rstd=first["rstd"])
        total = e.apply("column_sum", {"rows": blocks, "hidden": hidden}, x=sums["partial"])
        return {"dx": first["dx"], "dg": total["y"]}

    def shaped(r: Results) -> tuple[F32, F32]:
        return r["dx"].reshape(rows, hidden), r["dg"].reshape(hidden)

    return Work(x.size, (rows,), body, shaped, sums=("dg",))


def _labels(targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int) -> NDArray[np.int32]:
    whole_number("ignore_index", ignore_index, -(2**31), 2**31 - 1)
    targets = check.length("targets", targets, rows, "rows", np.int32)
    wrong = (targets != ignore_index) & ((targets < 0) | (targets >= vocab))
    if wrong.any():
        row = int(np.argmax(wrong))
        value = targets.reshape(-1)[row]
        raise ValueError(f"targets[{row}] is {value}, outside 0 .. {vocab - 1} and not ignore_index {ignore_index}")
    return targets.reshape(-1)


def _cross_entropy_forward(
    logits: F32, targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int = IGNORE_INDEX
) -> Work[float]:
    """Mean of logsumexp(z) - z[target] over the rows that are not ignored, summed in float64.

    >>> logits, targets = np.zeros((2, 4), np.float32), np.int32([1, -100])       # -100: the row is ignored
    >>> round(ops.cross_entropy_forward(logits, targets, rows=2, vocab=4), 3)     # ln 4
    1.386
    """
    rows, vocab = check.positive(rows=rows, vocab=vocab)
    z = check.length("logits", logits, rows * vocab, f"rows * vocab = {rows} * {vocab}").reshape(rows, vocab)
    labels = _labels(targets, rows, vocab, ignore_index)
    count = max(1, int((labels != ignore_index).sum()))

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem = {"rows": length(part), "vocab": vocab, "ignore_index": ignore_index}
        z_part, targets_part = e.array(z[part]), e.array(labels[part])
        return {"loss": e.apply("cross_entropy_forward", problem, logits=z_part, targets=targets_part)["loss"]}

    return Work(z.size, (rows,), body, lambda r: float(r["loss"].sum(dtype=np.float64)) / count)


def _cross_entropy_backward(
    logits: F32, targets: NDArray[np.int32], rows: int, vocab: int, ignore_index: int = IGNORE_INDEX,
    scale: float | None = None,
) -> Work[F32]:  # fmt: skip
    """(softmax(z) - onehot) * scale; the default scale, 1 / rows not ignored, is the gradient of the mean loss.

    >>> logits, targets = np.zeros((2, 4), np.float32), np.int32([1, -100])
    >>> ops.cross_entropy_backward(logits, targets, rows=2, vocab=4)
    array([[ 0.25, -0.75,  0.25,  0.25],
           [ 0.  ,  0.  ,  0.  ,  0.  ]], dtype=float32)
    """
    rows, vocab = check.positive(rows=rows, vocab=vocab)
    z = check.length("logits", logits, rows * vocab, f"rows * vocab = {rows} * {vocab}").reshape(rows, vocab)
    labels = _labels(targets, rows, vocab, ignore_index)
    if scale is None:
        scale = 1.0 / max(1, int((labels != ignore_index).sum()))
    (scale,) = check.finite(scale=scale)

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem = {"rows": length(part), "vocab": vocab, "ignore_index": ignore_index}
        inputs = {"logits": e.array(z[part]), "targets": e.array(labels[part])}
        forward = e.apply("cross_entropy_forward", problem, **inputs)
        inputs |= {name: forward[name] for name in ("peak", "log_sum")}
        return e.apply("cross_entropy_backward", {**problem, "scale": scale}, **inputs)

    return Work(z.size, (rows,), body, lambda r: r["dlogits"].reshape(rows, vocab))


def _adamw_step(
    params: F32, grads: F32, m: F32, v: F32, step: int, lr: float = 1e-3, beta1: float = 0.9, beta2: float = 0.999,
    eps: float = 1e-8, weight_decay: float = 0.01,
) -> Work[None]:  # fmt: skip
    """One step of AdamW; params, m and v are updated in place. Steps count from 1.

    >>> params, grads = np.float32([1, 1]), np.float32([1, -1])
    >>> m, v = np.zeros(2, np.float32), np.zeros(2, np.float32)
    >>> ops.adamw_step(params, grads, m, v, step=1, lr=0.1, weight_decay=0.0)
    >>> params.round(3)
    array([0.9, 1.1], dtype=float32)
    """
    params, grads, m, v = check.same(params=params, grads=grads, m=m, v=v)
    for name, a in (("params", params), ("m", m), ("v", v)):
        if not a.flags.writeable:
            raise ValueError(f"{name} is read-only, but adamw_step updates it in place")
    (step,) = check.positive(step=step)
    lr, beta1, beta2, decay = check.finite(lr=lr, beta1=beta1, beta2=beta2, weight_decay=weight_decay)
    eps = check.epsilon(eps)
    if not (0 <= beta1 < 1 and 0 <= beta2 < 1):
        raise ValueError(f"beta1 and beta2 must be at least 0 and below 1, not {beta1} and {beta2}")
    rates = {"step": step, "lr": lr, "beta1": beta1, "beta2": beta2, "eps": eps, "decay": decay}
    flat = {name: a.reshape(-1) for name, a in (("g", grads), ("param", params), ("m", m), ("v", v))}

    def body(e: Backend, part: slice) -> dict[str, Array]:
        arrays = {name: e.array(a[part]) for name, a in flat.items()}
        return e.apply("adamw_step", {"n": length(part), **rates}, **arrays)

    def store(r: Results) -> None:
        """Write back after all pieces are done, so that a failed step changes nothing."""
        for target, name in ((params, "param"), (m, "m"), (v, "v")):
            target[...] = r[name].reshape(target.shape)

    return Work(params.size, (params.size,), body, store)


def _nf4_dequant(
    packed: NDArray[np.uint32], scales: F32, n: int, block_size: int = 64, *, high_first: bool = False
) -> Work[F32]:
    """NF4 codes (eight to a word, low nibble first; bitsandbytes: high_first=True) times their block's scale.

    >>> ops.nf4_dequant(np.uint32([0x0F7]), np.float32([2.0]), n=3)               # codes 7, 15, 0
    array([ 0.,  2., -2.], dtype=float32)
    """
    high_first = flag("high_first", high_first)
    n, block_size = check.positive(n=n, block_size=block_size)
    words = check.length("packed", packed, ceil_div(n, 8), f"ceil(n / 8) = ceil({n} / 8)", np.uint32).reshape(-1)
    blocks = f"ceil(n / block_size) = ceil({n} / {block_size})"
    scales = check.length("scales", scales, ceil_div(n, block_size), blocks).reshape(-1)

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem = {"n": length(part), "block": block_size, "high_first": high_first}
        some_words = words[part.start // 8 : ceil_div(part.stop, 8)]
        some_scales = scales[part.start // block_size : ceil_div(part.stop, block_size)]
        return e.apply("nf4_dequant", problem, packed=e.array(some_words), scales=e.array(some_scales))

    return Work(n, (n,), body, lambda r: r["y"].reshape(n), steps=(math.lcm(8, block_size),))


gemm_backward_a, gemm_backward_a_async = both(_gemm_backward_a)
gemm_backward_b, gemm_backward_b_async = both(_gemm_backward_b)
rmsnorm_backward, rmsnorm_backward_async = both(_rmsnorm_backward)
cross_entropy_forward, cross_entropy_forward_async = both(_cross_entropy_forward)
cross_entropy_backward, cross_entropy_backward_async = both(_cross_entropy_backward)
adamw_step, adamw_step_async = both(_adamw_step)
nf4_dequant, nf4_dequant_async = both(_nf4_dequant)
