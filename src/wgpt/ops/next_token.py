"""What a forward reads from logits: the next token of each row, losses and log-probabilities."""

from __future__ import annotations

from ..gpu import Tensor
from ..kernels.sampling.argmax import parts_for
from .backend import GpuBackend
from .rows import Rows


class NextToken:
    """The operations after the head."""

    def __init__(self, backend: GpuBackend, rows: Rows) -> None:
        self._backend, self._rows = backend, rows

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Negative log-probability of each row's target (i32)."""
        problem = {"rows": logits.shape[0], "vocab": logits.shape[1], "ignore_index": -1}
        return self._backend.apply("cross_entropy_forward", problem, logits=logits, targets=targets)["loss"]

    def maxima(self, logits: Tensor) -> Tensor:
        """The largest logit of each part of each row, [rows, parts, (key, token)]: the largest key is the row's."""
        rows, vocab = logits.shape
        problem = {"rows": rows, "vocab": vocab, "parts": parts_for(vocab, self._backend.recorder.device.software)}
        return self._backend.apply("argmax_parts", problem, logits=logits)["parts"]

    def greedy(self, logits: Tensor, slots: Tensor, *, advance: bool = True) -> Tensor:
        """The most likely token of each row, which is also its slot's next (kernels/sampling/slots.py).

        `advance`: False leaves the slots as they are, for a step with several rows of a sequence.
        """
        maxima = self.maxima(logits)
        pick = {"rows": maxima.shape[0], "parts": maxima.shape[1], "slots": slots.shape[0]} | _advancing(advance)
        return self._backend.apply("argmax_pick", pick, parts=maxima, rows=self._rows.places, slots=slots)["tokens"]

    def sample(
        self,
        logits: Tensor,
        slots: Tensor,
        counts: Tensor | None = None,
        bias: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        filters: bool = False,
        advance: bool = True,
    ) -> Tensor:
        """A token of each row by the settings of its slot, which is also the slot's next (see `greedy`).

        `counts`, `bias` and `mask` have a row per slot; the records' flags say which of them a slot uses. `filters`:
        whether a slot may have options that are marked so in core.generation.
        """
        rows, vocab = logits.shape
        optional = {"counts": counts, "bias": bias, "mask": mask}
        problem = {"rows": rows, "vocab": vocab, "slots": slots.shape[0]} | _advancing(advance)
        problem |= {name: tensor is not None for name, tensor in optional.items()}
        problem |= {"filters": True} if filters else {}
        tensors = {name: tensor for name, tensor in optional.items() if tensor is not None}
        tensors |= {"logits": logits, "rows": self._rows.places, "slots": slots}
        return self._backend.apply("sample", problem, **tensors)["tokens"]

    def top_logprobs(self, logits: Tensor, tokens: Tensor, top: int) -> dict[str, Tensor]:
        """`chosen`: log-probability of each row's token; `ids` and `values`: the `top` most likely ones, in order."""
        problem = {"rows": logits.shape[0], "vocab": logits.shape[1], "top": min(top, logits.shape[1])}
        return self._backend.apply("top_logprobs", problem, logits=logits, tokens=tokens)


def _advancing(advance: bool) -> dict[str, bool]:
    return {} if advance else {"advance": False}
