"""CommandBatch: many operations recorded, then run as one Program in one submit."""

from __future__ import annotations

import math
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief, one_of
from ..core.errors import WgptError
from ..gpu import GpuDevice, Program, Recorder, Tensor, default_device
from ..gpu.process_bound import ProcessBound
from ..gpu.typed import typed_methods
from ..kernels import registry
from ..kernels.products import lora_product
from ..quant.weights import Packed
from . import check
from .backend import GpuBackend
from .elementwise import FORMS
from .linear import check_linear, record_linear
from .weight import AnyWeight, SplitWeight, Weight, upload
from .windows import rows_of, windows


@typed_methods
class CommandBatch(ProcessBound):
    """Records operations on GPU tensors.

    >>> with wgpt.CommandBatch() as batch:
    ...     x = batch.upload(np.float32([1, 2, 3]), "x")
    ...     y = batch.scale(batch.add(x, x), 10.0)
    ...     batch.execute()                          # one compute pass, one submit
    ...     batch.read(y)
    array([20., 40., 60.], dtype=float32)

    `finish` returns the Program instead, to replay it; a named input can be rewritten between replays:

    >>> batch = wgpt.CommandBatch()
    >>> x = batch.upload(np.float32([1, 2, 3]), "x")
    >>> with batch.finish(y=batch.add(x, x)) as program:
    ...     program.write("x", np.float32([4, 5, 6]))
    ...     program.read()["y"]
    array([ 8., 10., 12.], dtype=float32)
    """

    def __init__(self, device: GpuDevice | None = None) -> None:
        self.device = device or default_device()
        self._recorder = Recorder(self.device)
        self._backend = GpuBackend(self._recorder)
        self._program: Program | None = None
        self._weights: list[AnyWeight] = []
        self._closed = ""  # why nothing more can be recorded

    # Data in ----------------------------------------------------------------------------------------------

    def upload(self, array: NDArray[Any], name: str | None = None) -> Tensor:
        """Copy an array to the GPU; with a name it is an input of the Program."""
        recorder = self._open()
        if np.size(array) == 0:
            label = brief(name) if name else "the array"
            raise ValueError(f"{label} {np.shape(array)} is empty: at least one element is required")
        return recorder.upload(np.ascontiguousarray(array), name)

    def upload_weight(self, packed: Packed) -> AnyWeight:
        """Copy packed weights to the GPU, in parts if one binding is too small; they live as long as the batch."""
        self._open()
        weight = upload(self.device, packed)
        self._weights.append(weight)
        return weight

    def import_buffer(self, tensor: Tensor) -> Tensor:
        """Use a tensor of another owner (a resident weight, another Program's output); it is not released."""
        self._open()
        if tensor.buffer.device is not self.device:
            raise WgptError(f"{tensor} is on {tensor.buffer.device}, not on {self.device}")
        if tensor.buffer.released:
            raise WgptError(f"{tensor} was released")
        return tensor

    # Operations -------------------------------------------------------------------------------------------

    def matmul(self, x: Tensor, w: AnyWeight | Tensor, compute: str = "f32") -> Tensor:
        """x . W^T for a resident Weight (M = 1: GEMV, else GEMM), or x[m, k] . w[k, n] for a plain tensor.

        Either may be larger than a binding."""
        if isinstance(w, Weight | SplitWeight):
            return self._linear(x, w, compute)
        if len(x.shape) != 2 or len(w.shape) != 2 or x.shape[1] != w.shape[0]:
            raise ValueError(f"matmul needs x [m, k] and w [k, n], not {x.shape} and {w.shape}")
        _floats("matmul", x=x, w=w)
        k, n = w.shape
        parts = list(windows(self.device, k, n))
        if len(parts) > 1:
            return self._sum_of_products(x, w, parts)
        return self._along("m", x.shape[0], "matmul", {"k": k, "n": n}, {"a": x}, {"b": w})

    def _sum_of_products(self, x: Tensor, w: Tensor, parts: list[tuple[int, int]]) -> Tensor:
        """x . w for a w that is larger than a binding: columns of x with rows of w, part by part onto y."""
        (m, k), n = x.shape, w.shape[1]
        y = self._open().tensor((m, n), "f32", "matmul.y")
        for row, rows in windows(self.device, m, max(k, n)):
            some_x, some_y = rows_of(x, m, row, rows), rows_of(y, m, row, rows)
            for at, count in parts:
                problem = lora_product.problem_of(rows, n, count, a_width=k, a_at=at, onto=at > 0)
                self.apply("lora_product", problem, a=some_x, b=rows_of(w, k, at, count), y=some_y)
        return y

    def _linear(self, x: Tensor, w: AnyWeight, compute: str) -> Tensor:
        recorder = self._open()
        check_linear(x, w, compute)
        m = x.size // w.k
        parts = list(windows(self.device, m, max(w.n, w.k)))
        if len(parts) == 1:
            return record_linear(self._backend, x, w, compute)
        y = recorder.tensor((*x.shape[:-1], w.n), "f32", "linear.y")
        for at, count in parts:
            record_linear(self._backend, rows_of(x, m, at, count), w, compute, rows_of(y, m, at, count))
        return y

    def add(self, a: Tensor, b: Tensor) -> Tensor:
        return self._each("add", a=a, b=b)

    def mul(self, a: Tensor, b: Tensor) -> Tensor:
        return self._each("mul", a=a, b=b)

    def scale(self, x: Tensor, alpha: float) -> Tensor:
        return self._each("scale", {"alpha": check.finite(alpha=alpha)[0]}, x=x)

    def silu(self, x: Tensor) -> Tensor:
        return self._each("silu", x=x)

    def swish(self, x: Tensor, beta: float = 1.0) -> Tensor:
        return self._each("swish", {"beta": check.finite(beta=beta)[0]}, x=x)

    def gelu(self, x: Tensor, approximate: str = "tanh") -> Tensor:
        return self._each("gelu", {"approximate": one_of("approximate", approximate, FORMS)}, x=x)

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return self._each("silu_mul", gate=gate, up=up)

    def softmax(self, x: Tensor) -> Tensor:
        return self._rows("softmax", x)

    def rmsnorm(self, x: Tensor, g: Tensor, eps: float = 1e-6) -> Tensor:
        return self._rows("rmsnorm", x, {"eps": check.epsilon(eps)}, g=g)

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-5) -> Tensor:
        return self._rows("layernorm", x, {"eps": check.epsilon(eps)}, gamma=gamma, beta=beta)

    def apply(self, kernel: str, problem: dict[str, Any], **tensors: Tensor) -> dict[str, Tensor]:
        """Any kernel of the registry, by name; returns its outputs. The inputs' sizes are not checked."""
        self._open()
        entry = registry.get(kernel)
        try:
            entry.outputs(problem)
        except KeyError as e:
            raise ValueError(f"the problem of kernel {brief(kernel)} lacks {e}: it is {brief(problem)}") from None
        return self._backend.apply(kernel, problem, **tensors)

    def _along(
        self,
        key: str,
        rows: int,
        kernel: str,
        constants: dict[str, Any],
        tensors: dict[str, Tensor],
        beside: dict[str, Tensor] | None = None,
    ) -> Tensor:
        """A kernel over rows, whose number is `key` in its problem; the tensors in `beside` are used for all rows."""
        recorder = self._open()
        problem = {**constants, key: rows}
        ((name, out),) = registry.get(kernel).outputs(problem).items()
        sizes = [math.prod(out.shape), *(t.size for t in tensors.values())]
        parts = list(windows(self.device, rows, max(sizes) // rows))
        if len(parts) == 1:
            return self.apply(kernel, problem, **tensors, **(beside or {}))[name]
        y = recorder.tensor(out.shape, out.dtype, f"{kernel}.{name}")
        for at, count in parts:
            some = {other: rows_of(t, rows, at, count) for other, t in {**tensors, name: y}.items()}
            self.apply(kernel, {**problem, key: count}, **some, **(beside or {}))
        return y

    def _each(self, kernel: str, constants: dict[str, Any] | None = None, /, **tensors: Tensor) -> Tensor:
        _floats(kernel, **tensors)
        first = next(iter(tensors.values()))
        for name, t in tensors.items():
            if t.shape != first.shape:
                raise ValueError(f"{kernel} needs tensors of one shape; {name} is {t}, the first is {first}")
        return self._along("n", first.size, kernel, constants or {}, tensors).reshape(*first.shape)

    def _rows(self, kernel: str, x: Tensor, constants: dict[str, Any] | None = None, /, **tensors: Tensor) -> Tensor:
        _floats(kernel, x=x, **tensors)
        hidden = x.shape[-1]
        for name, t in tensors.items():
            if t.size != hidden:
                raise ValueError(f"{kernel}: {name} has {t.size} elements, but rows of x have {hidden}")
        constants = {"hidden": hidden, **(constants or {})}
        return self._along("rows", x.size // hidden, kernel, constants, {"x": x}, tensors).reshape(*x.shape)

    # Running ----------------------------------------------------------------------------------------------

    def execute(self) -> None:
        """Run everything recorded: one compute pass, one submit. May be called again to replay."""
        if self._program is None:
            self._program = self._open().finish()
            self._closed = "executed, and a Program cannot change"
        self._program.run()

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """A tensor's contents after `execute`; waits for the GPU."""
        self._executed("read")
        return self.device.read(tensor)

    async def read_async(self, tensor: Tensor) -> NDArray[Any]:
        """`read` for asyncio."""
        self._executed("read_async")
        with Recorder(self.device).finish(out=tensor) as program:
            return (await program.submit())["out"]

    def finish(self, **outputs: Tensor) -> Program:
        """The Program, with named outputs; the caller replays and releases it. The batch cannot be used afterwards."""
        program = self._open().finish(**outputs)
        self._closed = "finished, and its Program cannot change"
        program.adopt([tensor.buffer for w in self._weights for tensor in w.tensors])
        self._weights = []
        return program

    def release(self) -> None:
        """Free all memory, except for what belongs to a finished Program and what was imported."""
        self._closed = "released"
        if self._program is not None:
            self._program.release()
            self._program = None
        self._recorder.discard()
        for weight in self._weights:
            weight.release()
        self._weights = []

    def _open(self) -> Recorder:
        if self._closed:
            raise WgptError(f"this batch was {self._closed}: start a new CommandBatch")
        return self._recorder

    def _executed(self, reader: str) -> None:
        if self._program is None:
            why = f"this batch was {self._closed}" if self._closed else "nothing has been executed yet"
            raise WgptError(f"{why}: call {reader}() after execute() and before release()")

    def __enter__(self) -> CommandBatch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _floats(kernel: str, **tensors: Tensor) -> None:
    """Refuse other types: kernels do not check bounds, and could read past a tensor's end."""
    for name, t in tensors.items():
        if t.dtype != "f32":
            raise ValueError(f"{kernel} needs f32 tensors, but {name} is {t}: cast it first")
