"""CommandBatch: many operations written down, then run as one Program in one submit."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder, Tensor, WgptError, default_device
from ..quant.weights import Packed
from . import check
from .elementwise import FORMS
from .engine import GpuEngine
from .linear import Weight, record_linear


class CommandBatch:
    """Records operations on GPU tensors.

    >>> batch = CommandBatch()                       # doctest: +SKIP
    >>> x = batch.upload(activations, "x")           # a named input: replays may rewrite it
    >>> y = batch.matmul(x, weight)
    >>> y = batch.swish(y)
    >>> batch.execute()                              # one compute pass, one submit
    >>> batch.read(y)
    >>> program = batch.finish(y=y)                  # or keep it, immutable, to replay
    """

    def __init__(self, device: GpuDevice | None = None) -> None:
        self.device = device or default_device()
        self._recorder = Recorder(self.device)
        self._engine = GpuEngine(self._recorder)
        self._program: Program | None = None
        self._weights: list[Weight] = []
        self._closed = ""  # why nothing more can be recorded

    # Data in ----------------------------------------------------------------------------------------------

    def upload(self, array: NDArray[Any], name: str | None = None) -> Tensor:
        """Copy an array to the GPU; with a name it is an input of the Program."""
        recorder = self._open()
        if np.size(array) == 0:
            raise ValueError(f"{name or 'the array'} {np.shape(array)} is empty: there is nothing to upload")
        return recorder.upload(np.ascontiguousarray(array), name)

    def upload_weight(self, packed: Packed) -> Weight:
        """Copy packed weights to the GPU; they live as long as the batch."""
        self._open()
        weight = Weight.upload(self.device, packed)
        self._weights.append(weight)
        return weight

    def import_buffer(self, tensor: Tensor) -> Tensor:
        """Use a tensor that lives elsewhere (a resident weight, another Program's output); it is not released."""
        self._open()
        if tensor.buffer.device is not self.device:
            raise WgptError(f"{tensor} lives on {tensor.buffer.device}, not on {self.device}")
        if tensor.buffer.released:
            raise WgptError(f"{tensor} was released")
        return tensor

    # Operations -------------------------------------------------------------------------------------------

    def matmul(self, x: Tensor, w: Weight | Tensor, compute: str = "f32") -> Tensor:
        """x . W^T for a resident Weight (M = 1: GEMV, else GEMM), or x[m, k] . w[k, n] for a plain tensor."""
        if isinstance(w, Weight):
            self._open()
            return record_linear(self._engine, x, w, compute)
        if len(x.shape) != 2 or len(w.shape) != 2 or x.shape[1] != w.shape[0]:
            raise ValueError(f"matmul needs x [m, k] and w [k, n], not {x.shape} and {w.shape}")
        _floats("matmul", x=x, w=w)
        return self._apply("matmul", {"m": x.shape[0], "k": x.shape[1], "n": w.shape[1]}, a=x, b=w)

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
        return self._each("gelu", {"approximate": check.choice("approximate", approximate, FORMS)}, x=x)

    def silu_mul(self, gate: Tensor, up: Tensor) -> Tensor:
        return self._each("silu_mul", gate=gate, up=up)

    def softmax(self, x: Tensor) -> Tensor:
        return self._rows("softmax", x)

    def rmsnorm(self, x: Tensor, g: Tensor, eps: float = 1e-6) -> Tensor:
        return self._rows("rmsnorm", x, {"eps": check.epsilon(eps)}, g=g)

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-5) -> Tensor:
        return self._rows("layernorm", x, {"eps": check.epsilon(eps)}, gamma=gamma, beta=beta)

    def apply(self, kernel: str, problem: dict[str, Any], **tensors: Tensor) -> dict[str, Tensor]:
        """Any kernel of the registry, by name; returns its outputs. The inputs' sizes are the caller's word."""
        self._open()
        return self._engine.apply(kernel, problem, **tensors)

    def _apply(self, kernel: str, problem: dict[str, Any], **tensors: Tensor) -> Tensor:
        return next(iter(self.apply(kernel, problem, **tensors).values()))

    def _each(self, kernel: str, constants: dict[str, Any] | None = None, /, **tensors: Tensor) -> Tensor:
        _floats(kernel, **tensors)
        first = next(iter(tensors.values()))
        for name, t in tensors.items():
            if t.shape != first.shape:
                raise ValueError(f"{kernel} needs tensors of one shape; {name} is {t}, the first is {first}")
        y = self._apply(kernel, {"n": first.size, **(constants or {})}, **tensors)
        return y.reshape(*first.shape)

    def _rows(self, kernel: str, x: Tensor, constants: dict[str, Any] | None = None, /, **tensors: Tensor) -> Tensor:
        _floats(kernel, x=x, **tensors)
        hidden = x.shape[-1]
        for name, t in tensors.items():
            if t.size != hidden:
                raise ValueError(f"{kernel}: {name} has {t.size} elements, but rows of x have {hidden}")
        y = self._apply(kernel, {"rows": x.size // hidden, "hidden": hidden, **(constants or {})}, x=x, **tensors)
        return y.reshape(*x.shape)

    # Running ----------------------------------------------------------------------------------------------

    def execute(self) -> None:
        """Run everything recorded: one compute pass, one submit. May be called again to replay."""
        if self._program is None:
            self._program = self._open().finish()
            self._closed = "executed, and a Program does not change"
        self._program.run()

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """A tensor's contents after `execute`; waits for the GPU."""
        self._executed("read")
        return self.device.read(tensor)

    async def read_async(self, tensor: Tensor) -> NDArray[Any]:
        """The same for asyncio."""
        self._executed("read_async")
        with Recorder(self.device).finish(out=tensor) as program:
            return (await program.submit())["out"]

    def finish(self, **outputs: Tensor) -> Program:
        """The Program itself, with named outputs; the caller replays and releases it, the batch is spent."""
        program = self._open().finish(**outputs)
        self._closed = "finished, and its Program does not change"
        program.adopt([part.buffer for w in self._weights for part in w.planes.values()])
        self._weights = []
        return program

    def release(self) -> None:
        """Give all memory back, but for what `finish` handed over and what was imported."""
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
            why = f"this batch was {self._closed}" if self._closed else "nothing was executed yet"
            raise WgptError(f"{why}: call {reader}() after execute() and before release()")

    def __enter__(self) -> CommandBatch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _floats(kernel: str, **tensors: Tensor) -> None:
    """Kernels check no bounds, so a tensor of another type would be read past its end."""
    for name, t in tensors.items():
        if t.dtype != "f32":
            raise ValueError(f"{kernel} needs f32 tensors, and {name} is {t}: cast it first")
