"""LoRA's products in training, forward and backward: one dispatch each for all adapted slices of a layer."""

from __future__ import annotations

from collections.abc import Sequence

from ..gpu import Tensor
from ..kernels.products.lora_slices import LoraLayer
from ..ops.backend import GpuBackend
from ..ops.lora import Lora
from ..ops.parameters import Gradients


class LoraSlices:
    """Adapted slices of a layer with `n` outputs, each with its first output.

    t = x A^T and dt = scale dy B have the slices' ranks side by side.
    """

    def __init__(self, backend: GpuBackend, n: int, slices: Sequence[tuple[int, Lora]]) -> None:
        self._backend = backend
        matrices = [matrix for _, lora in slices for matrix in (lora.a, lora.b)]
        buffer, first = matrices[0].buffer, min(matrix.offset for matrix in matrices)
        assert all(matrix.buffer is buffer for matrix in matrices), "the matrices of LoRA layers are in one flat buffer"
        size = (max(matrix.offset + matrix.nbytes for matrix in matrices) - first) // 4
        self._matrices = Tensor(buffer, (size,), "f32", first)
        offsets = [((lora.a.offset - first) // 4, (lora.b.offset - first) // 4) for _, lora in slices]
        sizes = [(at, lora.b.shape[0], lora.rank, lora.scale) for at, lora in slices]
        self._layer = LoraLayer(n, slices[0][1].a.shape[1], sizes, offsets, size)

    def down(self, x: Tensor) -> Tensor:
        """t = x A^T."""
        m = x.shape[0]
        t = self._backend.apply("lora_slices", self._layer.down(m), a=x, b=self._matrices)["y"]
        return t.reshape(m, self._layer.rank)

    def up_onto(self, t: Tensor, y: Tensor) -> None:
        """y += scale t B^T, in place."""
        self._backend.apply("lora_slices", self._layer.up_onto(t.shape[0]), a=t, b=self._matrices, y=y)

    def up_back(self, dy: Tensor) -> Tensor:
        """dt = scale dy B."""
        m = dy.shape[0]
        dt = self._backend.apply("lora_slices", self._layer.up_back(m), a=dy, b=self._matrices)["y"]
        return dt.reshape(m, self._layer.rank)

    def weights_back(self, x: Tensor, t: Tensor, dy: Tensor, dt: Tensor, gradients: Gradients) -> None:
        """Add the gradients of A and B, if they are trained."""
        into = gradients.of(self._matrices)
        if into is None:
            return
        backend, layer, m = self._backend, self._layer, x.shape[0]
        blocks = layer.blocks(backend.recorder.device.traits, m)
        sums = into if blocks == 1 else backend.recorder.tensor((blocks, layer.size), "f32", "lora_slices.y")
        backend.apply("lora_slices", layer.b_back(m, blocks), a=dy, b=t, y=sums)
        backend.apply("lora_slices", layer.a_back(m, blocks), a=dt, b=x, y=sums)
        if blocks > 1:
            backend.apply("column_sum", {"rows": blocks, "hidden": layer.size, "onto": True}, x=sums, y=into)

    def down_back(self, dt: Tensor, dx: Tensor | None = None) -> Tensor:
        """dt A, added to dx if passed."""
        m = dt.shape[0]
        problem = self._layer.down_back(m, onto=dx is not None)
        output = {} if dx is None else {"y": dx}
        y = self._backend.apply("lora_slices", problem, a=dt, b=self._matrices, **output)["y"]
        return y.reshape(m, self._layer.k)
