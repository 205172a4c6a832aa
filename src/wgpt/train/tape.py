"""The backward pass: a model's forward is recorded, and with it the backward step of each operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gpu import Tensor
from ..kernels import registry
from ..kernels.attention import attention_matrix_backward
from ..kernels.pieces.columns import row_blocks
from ..kernels.products import gemm_input_grad, lora_product
from ..ops import by_rows, matrices
from ..ops.backend import GpuBackend
from ..ops.cache import KVCache
from ..ops.forward import Forward, Heads, Rows, slice_problem
from ..ops.lazy import Lazy, Normed
from ..ops.lora import Lora
from ..ops.parameters import Gradients
from ..ops.resident import Linear
from ..ops.weight import Weight
from .lora import LoraSlices

Back = Callable[[Tensor], None]  # takes the gradient of an operation's result
Taped = tuple[Tensor, Back]


@dataclass(frozen=True, eq=False)
class Dropout:
    """Dropout of the input of each A, with a separate mask for each layer, as in peft.

    Masks follow from the seed (u32 [4], see elementwise/dropout.py) and the layer: the backward pass redraws them.
    """

    rate: float
    seed: Tensor


class TrainForward(Forward):
    """The operations that models are written in, for training: parameters with an entry in `gradients` are trained.

    Every operation records its forward and puts its backward function on the tape. `backward` then records these in
    reverse; gradients of parameters are accumulated. `runs` are each sequence's rows.

    With `checkpointing`, only the tensors between blocks are kept: a block's forward is recorded again before its
    backward. The cache then needs one layer.
    """

    def __init__(
        self,
        backend: GpuBackend,
        rows: Rows,
        cache: KVCache,
        runs: Tensor,
        adapters: Mapping[str, Lora],
        gradients: Gradients,
        checkpointing: bool = False,
        dropout: Dropout | None = None,
    ) -> None:
        super().__init__(backend, rows, cache, fuses=False)  # the backward pass needs the intermediate results
        self._adapters = adapters
        self._runs, self._gradients, self._checkpointing, self._dropout = runs, gradients, checkpointing, dropout
        self._units: dict[int, Tensor] = {}
        self._streams = {name: i for i, name in enumerate(adapters)}
        self._tape: list[Taped] = []
        self._needed: dict[int, Tensor] = {}  # tensors whose gradient affects some parameter
        self._grads: dict[int, Tensor] = {}

    # The tape ---------------------------------------------------------------------------------------------

    def _learns(self, *tensors: Tensor | None) -> bool:
        return any(t is not None and id(t) in self._needed for t in tensors)

    def _record(self, result: Tensor, back: Back) -> Tensor:
        self._needed[id(result)] = result
        self._tape.append((result, back))
        return result

    def _give(self, tensor: Tensor | None, gradient: Tensor) -> None:
        """Add to the gradient of a tensor, if it depends on a trained parameter."""
        if tensor is None or id(tensor) not in self._needed:
            return
        others = self._grads.get(id(tensor))
        if others is not None:
            both = self._backend.apply("add", {"n": gradient.size}, a=others, b=gradient)["y"]
            gradient = both.reshape(*tensor.shape)
        self._grads[id(tensor)] = gradient

    def backward(self, result: Tensor, gradient: Tensor) -> None:
        """Record the backward pass from the gradient of the forward's result to all trained parameters."""
        self._backward(self._tape, result, gradient)

    def _backward(self, tape: Sequence[Taped], result: Tensor, dresult: Tensor) -> None:
        self._give(result, dresult)
        for tensor, back in reversed(tape):
            gradient = self._grads.pop(id(tensor), None)
            if gradient is not None:
                back(gradient)

    # Operations -------------------------------------------------------------------------------------------

    def block(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> Tensor:
        if not self._checkpointing:
            return run(self, i, x)
        y, _ = self._taped(run, i, x)
        if not self._learns(y):
            return y

        def back(dy: Tensor) -> None:
            again, tape = self._taped(run, i, x)
            self._backward(tape, again, dy)

        return self._record(y, back)

    def _taped(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> tuple[Tensor, list[Taped]]:
        """The result of a block, with a separate tape for its backward."""
        outer, self._tape = self._tape, []
        y, inner = run(self, i, x), self._tape
        self._tape = outer
        return y, inner

    def embed(self, table: Linear, scale: float = 1.0) -> Tensor:
        x = super().embed(table, scale)
        if not self._trained(table):
            return x
        return self._record(x, lambda dx: self._table_back(table, self.scaled(dx, scale), self._sorted("tokens")))

    def add_positions(self, x: Tensor, table: Linear) -> Tensor:
        y = super().add_positions(x, table)
        if not self._trained(table) and not self._learns(x):
            return y

        def back(dy: Tensor) -> None:
            if self._trained(table):
                self._table_back(table, dy, self._sorted("positions"))
            self._give(x, dy)

        return self._record(y.reshape(*y.shape), back)  # computed in place, but recorded separately

    def add(self, x: Tensor, y: Tensor, scale: float = 1.0) -> Tensor:
        total = super().add(x, y, scale)
        if not self._learns(x, y):
            return total

        def back(d: Tensor) -> None:
            self._give(x, d)
            self._give(y, self.scaled(d, scale))

        return self._record(total, back)

    def norm_slices(self, x: Tensor, slices: Sequence[tuple[Tensor, int]], eps: float) -> Tensor:
        y = super().norm_slices(self._copied(x), slices, eps)
        if not self._learns(x):
            return y

        def back(dy: Tensor) -> None:
            dx = self._copied(dy)
            for gain, at in slices:
                problem = slice_problem(x, gain, at, eps)
                self._backend.apply("norm_slice_backward", problem, x=x, g=gain, dx=dx)
            self._give(x, dx)

        return self._record(y, back)

    def _copied(self, x: Tensor) -> Tensor:
        return self._backend.apply("scale", {"n": x.size, "alpha": 1.0}, x=x)["y"].reshape(*x.shape)

    def finish_back(self, logits: Tensor, gradient: Tensor, head: Linear) -> Tensor:
        """The gradient of `finished`'s input from that of its result."""
        if head.cap:
            inputs = {"x": self.scaled(logits, head.scale), "dy": gradient}
            gradient = self._backend.apply("softcap_backward", {"n": logits.size, "cap": head.cap}, **inputs)["dx"]
        return self.scaled(gradient.reshape(*logits.shape), head.scale)

    def _sorted(self, table: str) -> dict[str, Tensor]:
        """Inputs for `sorted_ids` of the rows' tokens or positions, which the host computes for each batch."""
        sizes = {"order": self.rows.m, "starts": self.rows.m + 1, "ids": self.rows.m}
        recorder = self._backend.recorder
        return {key: recorder.upload(np.zeros(n, np.uint32), f"{table}.{key}") for key, n in sizes.items()}

    def _table_back(self, table: Linear, dx: Tensor, rows: Mapping[str, Tensor]) -> None:
        first = 0
        for weight in (part.weight for part in table.parts):
            problem = {"rows": dx.shape[0], "n": weight.n, "hidden": weight.k, "first": first}
            into = self._gradients.of(weight.planes["w"])
            assert into is not None
            self._backend.apply("embed_backward", problem, dy=dx, dtable=into, **rows)
            first += weight.n

    def rmsnorm(self, x: Tensor, gain: Tensor, eps: float) -> Tensor:  # type: ignore[override]
        y = self.value(Normed(x, gain, eps))
        into, (rows, hidden) = self._gradients.of(gain), x.shape
        if into is None and not self._learns(x):
            return y

        def back(dy: Tensor) -> None:
            problem = {"rows": rows, "hidden": hidden, "eps": eps}
            grads = self._backend.apply("rmsnorm_backward", problem, x=x, g=gain, dy=dy)
            self._give(x, grads["dx"])
            if into is not None:
                blocks = {"rows": rows, "hidden": hidden, "blocks": row_blocks(rows)}
                made = self._backend.apply("rmsnorm_backward_weight", blocks, x=x, dy=dy, rstd=grads["rstd"])
                self._column_sums(made["partial"], 0, into)

        return self._record(y, back)

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor | None, eps: float) -> Tensor:
        y = super().layernorm(x, gamma, beta, eps)
        into, (rows, hidden) = self._gradients.of(gamma), x.shape
        shift = None if beta is None else self._gradients.of(beta)
        if into is None and not self._learns(x):
            return y

        def back(dy: Tensor) -> None:
            problem = {"rows": rows, "hidden": hidden, "eps": eps}
            grads = self._backend.apply("layernorm_backward", problem, x=x, gamma=gamma, dy=dy)
            self._give(x, grads["dx"])
            if into is not None:
                blocks = {"rows": rows, "hidden": hidden, "blocks": row_blocks(rows)}
                inputs = {"x": x, "dy": dy, "stats": grads["stats"]}
                parts = self._backend.apply("layernorm_backward_weight", blocks, **inputs)["partial"]
                self._column_sums(parts, 0, into)
                self._column_sums(parts, hidden, shift)

        return self._record(y, back)

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None = None) -> Tensor:
        assert isinstance(x, Tensor)
        y = self.projected(x, layer, residual)
        loras = self._adapted_slices(layer)
        thin = [slices.down(self._dropped(x, name)) for name, slices in loras]
        for (_, slices), t in zip(loras, thin, strict=True):
            slices.up_onto(t, y)
        if not loras and not self._trained(layer) and not self._learns(x, residual):
            return y

        def back(dy: Tensor) -> None:
            self._give(residual, dy)
            self.weights_back(x, layer, dy)
            dts = [slices.up_back(dy) for _, slices in loras]
            for (name, slices), t, dt in zip(loras, thin, dts, strict=True):
                slices.weights_back(self._dropped(x, name), t, dy, dt, self._gradients)
            if self._learns(x):
                dx = self.project_back(dy, layer)
                for (name, slices), dt in zip(loras, dts, strict=True):
                    self._down_back(name, slices, dt, dx)
                self._give(x, dx)

        return self._record(y, back)

    def projected(self, x: Tensor, layer: Linear, residual: Tensor | None = None) -> Tensor:
        """The product with the layer's own weights, without a backward."""
        return self._projections.unfused(x, layer, residual)

    def _dropped(self, x: Tensor, name: str, onto: Tensor | None = None) -> Tensor:
        """x with the dropout of an adapted layer, added to `onto` if passed."""
        if self._dropout is None:
            return x
        problem = {"n": x.size, "rate": self._dropout.rate, "stream": self._streams[name], "onto": onto is not None}
        output = {} if onto is None else {"y": onto}
        return self._backend.apply("dropout", problem, x=x, seed=self._dropout.seed, **output)["y"].reshape(*x.shape)

    def _adapted_slices(self, layer: Linear) -> list[tuple[str, LoraSlices]]:
        """The adapted slices of a layer: all together, or with dropout each by itself, as each has its own input."""
        adapted = [(s.name, (s.at, self._adapters[s.name])) for s in layer.slices if s.name in self._adapters]
        groups = [adapted] if self._dropout is None and adapted else [[one] for one in adapted]
        return [(group[0][0], LoraSlices(self._backend, layer.n, [lora for _, lora in group])) for group in groups]

    def _down_back(self, name: str, slices: LoraSlices, dt: Tensor, dx: Tensor) -> None:
        """dx += dt A, with the dropout mask of x."""
        if self._dropout is None:
            slices.down_back(dt, dx)
        else:
            self._dropped(slices.down_back(dt), name, onto=dx)

    def _add_product(self, problem: dict[str, Any], a: Tensor, b: Tensor, into: Tensor | None) -> None:
        """Add a product over all rows to a gradient; in blocks if the result is small. None: it is not trained."""
        if into is None:
            return
        m, n, k = (problem[key] for key in "mnk")
        blocks = lora_product.blocks_of(self._backend.recorder.device.traits, m, n, k)
        if blocks == 1:
            self._backend.apply("lora_product", {**problem, "onto": True}, a=a, b=b, y=into)
            return
        parts = self._backend.apply("lora_product", {**problem, "blocks": blocks}, a=a, b=b)["y"]
        self._backend.apply("column_sum", {"rows": blocks, "hidden": m * n, "onto": True}, x=parts, y=into)

    def _column_sums(self, x: Tensor, at: int, into: Tensor | None) -> None:
        """Add the sums of as many columns of x, from `at` on, to a vector's gradient, if it is trained."""
        if into is None:
            return
        rows, width = x.shape
        problem = lora_product.problem_of(into.size, 1, rows, trans_a=True, a_width=width, a_at=at)
        self._add_product(problem, x, self._ones(rows), into)

    def _ones(self, n: int) -> Tensor:
        if n not in self._units:
            self._units[n] = self._backend.array(np.ones(n, np.float32))
        return self._units[n]

    def _trained(self, layer: Linear) -> bool:
        """Whether the layer's own weights are trained: all of its parts, or none."""
        return self._gradients.of(layer.parts[0].weight.planes["w"]) is not None

    def weights_back(self, x: Tensor, layer: Linear, dy: Tensor) -> None:
        """The gradients of a layer's own weights and biases, if they are trained."""
        at = 0
        for weight, bias in ((part.weight, part.bias) for part in layer.parts):
            problem = lora_product.problem_of(weight.n, weight.k, x.shape[0], trans_a=True, a_width=layer.n, a_at=at)
            self._add_product(problem, dy, x, self._gradients.of(weight.planes["w"]))
            if bias is not None:
                self._column_sums(dy, at, self._gradients.of(bias))
            at += weight.n

    def project_back(self, dy: Tensor, layer: Linear, dx: Tensor | None = None) -> Tensor:
        """The gradient of `projected`'s input, written to `dx` if passed."""
        at = 0
        for weight in (part.weight for part in layer.parts):
            dx = self._part_back(dy, weight, at, dx)
            at += weight.n
        assert dx is not None
        return dx

    def _part_back(self, dy: Tensor, weight: Weight, at: int, dx: Tensor | None) -> Tensor:
        """The input gradient of some rows of a layer, whose outputs are columns of dy from `at` on; all but the first
        part add to dx. In blocks if the result is small."""
        m, traits = dy.shape[0], self._backend.recorder.device.traits
        if by_rows.takes_units(self._backend, weight, m):
            rows = matrices.left(self._backend, dy, at, weight.n)
            return matrices.input_gradient(self._backend, rows, weight, dx, onto=at > 0)
        blocks = gemm_input_grad.blocks_of(traits, m, weight.n, weight.k)
        problem = gemm_input_grad.problem_of(weight.type.name, m, weight.n, weight.k, width=dy.shape[1], at=at)
        if blocks == 1:
            output = {} if dx is None else {"dx": dx}
            problem["onto"] = at > 0
            return self._backend.apply("gemm_input_grad", problem, dy=dy, **weight.planes, **output)["dx"]
        parts = self._backend.apply("gemm_input_grad", {**problem, "blocks": blocks}, dy=dy, **weight.planes)["dx"]
        output = {} if dx is None else {"y": dx}
        if at == 0:
            sums = {"m": m, "n": weight.k, "blocks": blocks, "bias": False, "add": False, "act": "none"}
            return self._backend.apply("sum_blocks", sums, part=parts, **output)["y"]
        onto = {"rows": blocks, "hidden": m * weight.k, "onto": True}
        return self._backend.apply("column_sum", onto, x=parts, **output)["y"].reshape(m, weight.k)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor:
        return self._gated("swiglu", x, gate_up)

    def geglu(self, x: Tensor | Normed, gate_up: Linear, approximate: str = "tanh") -> Tensor:
        return self._gated("geglu", x, gate_up, approximate=approximate)

    def _gated(self, kernel: str, x: Tensor | Normed, gate_up: Linear, **form: str) -> Tensor:
        both = self.linear(x, gate_up)
        problem = {"rows": both.shape[0], "n": gate_up.n // 2, **form}
        y = self._backend.apply(kernel, problem, x=both)["y"]
        if not self._learns(both):
            return y

        def back(dy: Tensor) -> None:
            self._give(both, self._backend.apply(f"{kernel}_backward", problem, x=both, dy=dy)["dx"])

        return self._record(y, back)

    def gelu(self, x: Tensor | Normed, layer: Linear, approximate: str = "tanh") -> Tensor:
        up = self.linear(x, layer)
        problem = {"n": up.size, "approximate": approximate}
        y = self._backend.apply("gelu", problem, x=up)["y"].reshape(*up.shape)
        if not self._learns(up):
            return y

        def back(dy: Tensor) -> None:
            dx = self._backend.apply("gelu_backward", problem, x=up, dy=dy)["dx"]
            self._give(up, dx.reshape(*up.shape))

        return self._record(y, back)

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor:
        cache, rows = self._cache, self.rows
        k, v = cache.layer(0 if self._checkpointing else layer)
        shape = {"heads": heads.heads, "kv_heads": heads.kv_heads, "head_dim": heads.head_dim, "cache": cache.dtype}
        place = {"rows": rows.m, "slots": cache.slots, "capacity": cache.capacity}
        turn = heads.turn
        tables = {name: t for name, t in (("steps", heads.steps), ("gains", heads.gains)) if t is not None}
        kept = {"k": k, "v": v, "rows": rows.places}
        q = self._backend.apply("rope_cache", {**shape, **place, **turn}, qkv=qkv, **kept, **tables)["q"]
        seen = {**shape, **place, **heads.scoring, "window": heads.window}
        kernel, problem = self._attention_of_many(seen)
        into = None if heads.gains is None else self._gradients.of(heads.gains)
        if into is None and not self._learns(qkv):
            return self._backend.apply(kernel, problem, q=q, **kept)["out"]
        on_units = self._backward_on_units(kernel, problem)
        results = self._backend.apply(kernel, problem | ({"log_sums": True} if on_units else {}), q=q, **kept)
        out = results["out"]

        def back(dout: Tensor) -> None:
            saved = {"q": q, "k": k, "v": v, "dout": dout, "runs": self._runs}
            grads = (self._attention_back_on_units if on_units else self._attention_back)(seen, results, saved)
            inputs = {**grads, "qkv": qkv, "rows": rows.places, **tables}
            self._give(qkv, self._turned_back({**shape, **place, **turn}, inputs))
            if into is not None:
                turned = self._turned_back({**shape, **place, **turn, "qk_norm": False}, inputs)
                self._gains_back(heads, qkv, turned, into)

        return self._record(out, back)

    def _backward_on_units(self, kernel: str, problem: dict[str, Any]) -> bool:
        """Whether matrix units compute the gradients, too: their factors are rounded to f16."""
        traits = self._backend.recorder.device.traits
        rounded = kernel == "attention_matrix" and problem["compute"] == "fast"
        return rounded and attention_matrix_backward.takes(traits, problem)

    def _attention_back(
        self, problem: dict[str, Any], results: Mapping[str, Tensor], saved: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        rows = {name: tensor for name, tensor in saved.items() if name != "v"}
        stats = self._backend.apply("attention_stats", problem, out=results["out"], **rows)["stats"]
        dq = self._backend.apply("attention_backward_q", problem, stats=stats, **saved)
        return {**dq, **self._backend.apply("attention_backward_kv", problem, stats=stats, **saved)}

    def _attention_back_on_units(
        self, problem: dict[str, Any], results: Mapping[str, Tensor], saved: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        stats = self._backend.apply("attention_matrix_stats", problem, **results, **saved)["stats"]
        dq = self._backend.apply("attention_matrix_backward_q", problem, stats=stats, **saved)
        return {**dq, **self._backend.apply("attention_matrix_backward_kv", problem, stats=stats, **saved)}

    def _turned_back(self, problem: dict[str, Any], inputs: Mapping[str, Tensor]) -> Tensor:
        names = {b.name for b in registry.get("rope_cache_backward").bound(problem)}
        used = {name: tensor for name, tensor in inputs.items() if name in names}
        return self._backend.apply("rope_cache_backward", problem, **used)["dqkv"]

    def _gains_back(self, heads: Heads, qkv: Tensor, dqkv: Tensor, into: Tensor) -> None:
        """Gradients of the gains of the q and k norms, from those of the normed heads: sums over rows, then heads."""
        (m, width), count = qkv.shape, heads.heads + 2 * heads.kv_heads
        problem = {"rows": m * count, "hidden": heads.head_dim, "eps": heads.eps}
        each = qkv.reshape(m * count, heads.head_dim)
        normed = self._backend.apply("rmsnorm", problem, x=each, g=self._ones(heads.head_dim))["y"]
        terms = self._backend.apply("mul", {"n": qkv.size}, a=normed, b=dqkv)["y"].reshape(m, width)
        sums = self._backend.apply("column_sum", {"rows": m, "hidden": width}, x=terms)["y"]
        which = np.zeros((2, count), np.float32)
        which[0, : heads.heads] = which[1, heads.heads : heads.heads + heads.kv_heads] = 1
        problem = lora_product.problem_of(2, heads.head_dim, count)
        self._add_product(problem, self._backend.array(which), sums, into)
