"""ForwardPass: hidden states of token ids, from weights that are on the GPU once and for all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..formats import Checkpoint, open_checkpoint
from ..formats.peft import Adapter
from ..formats.sources import resolve
from ..gpu import GpuDevice, WgptError, default_device
from ..models.config import Config
from ..models.network import Network
from ..models.targets import linear_shapes
from ..ops.adapters import Adapters
from .session import Session

_TOKENS = 1 << 14  # positions of one batch's cache at most, where the adapter's memory is not known


class HasNetwork(Protocol):
    """A Model, which lives a floor above."""

    network: Network


class ForwardPass:
    """Embed, every layer, final norm; on the GPU from end to end, f32 between kernels and in the cache.

    >>> run = ForwardPass.default().with_resident_weights("smollm2-135m")       # doctest: +SKIP
    >>> run.forward_hidden([504, 3575, 282]).shape
    (3, 576)
    >>> run.forward_hidden_batch([[504, 3575], [282]])      # each weight is read once for all of them
    """

    def __init__(self, config: Config | None = None, adapter_index: int | None = None) -> None:
        self.config = config
        self.device = default_device() if adapter_index is None else GpuDevice.open(adapter_index)
        self._network: Network | None = None
        self._owned = False
        self._session: Session | None = None
        self._adapters: Adapters | None = None
        self._lora: Adapter | None = None

    @classmethod
    def default(cls, config: Config | None = None) -> ForwardPass:
        """On the best adapter."""
        return cls(config)

    def with_resident_weights(
        self, model: str | Path | Checkpoint | Network | HasNetwork | None = None
    ) -> ForwardPass:
        """Upload a model's weights once: a name, a path, an open checkpoint; or share those of a loaded Model."""
        shared = model if isinstance(model, Network) else getattr(model, "network", None)
        if isinstance(shared, Network):
            if shared.device is not self.device:
                raise WgptError(f"the model is on {shared.device.info.name}, not on {self.device.info.name}")
            self._adopt(shared, owned=False)
        elif isinstance(model, Checkpoint):
            self._adopt(Network.load(self.device, model), owned=True)
        else:
            assert model is None or isinstance(model, str | Path)
            with open_checkpoint(resolve(model)) as checkpoint:
                self._adopt(Network.load(self.device, checkpoint), owned=True)
        return self

    def _adopt(self, network: Network, owned: bool) -> None:
        if self.config is not None and self.config != network.config:
            if owned:
                network.release()
            raise WgptError(f"the weights are of {network.config}, but the pass was made for {self.config}")
        self.release()
        self._network, self._owned, self.config = network, owned, network.config

    def forward_hidden(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Hidden states after the final norm, [tokens, hidden]."""
        return self.forward_hidden_batch([token_ids])[0]

    def forward_hidden_batch(
        self, token_ids: Sequence[Sequence[int]], lora: Adapter | None = None
    ) -> list[NDArray[np.float32]]:
        """The same for several sequences of different lengths together; no weight is uploaded or read twice.

        `lora`: an adapter (formats.peft.read_adapter) that is applied to its layers, q and v or any others.
        """
        self._attach(lora)
        sequences = [[int(i) for i in ids] for ids in token_ids]  # NumPy's too
        found: list[NDArray[np.float32]] = []
        longest = max(map(len, sequences), default=0)
        together = max(1, _TOKENS // max(1, longest))
        for i in range(0, len(sequences), together):
            group = sequences[i : i + together]
            hidden = self._sequences(longest, len(group)).hidden(dict(enumerate(group)))
            found += [hidden[slot] for slot in range(len(group))]
        return found

    def _attach(self, lora: Adapter | None) -> None:
        """Upload an adapter, unless it is the one that is here."""
        if lora is self._lora:
            return
        if self._network is None:
            raise WgptError("this pass has no weights: call with_resident_weights(model) first")
        if lora is not None:
            lora.check(linear_shapes(self._network.config))
        if self._session is not None:
            self._session.attach(None)
        if self._adapters is not None:
            self._adapters.release()
        self._adapters = Adapters(self.device, lora.targets) if lora is not None else None
        self._lora = lora
        if self._session is not None:
            self._session.attach(self._adapters)

    def _sequences(self, longest: int, slots: int) -> Session:
        if self._network is None:
            raise WgptError("this pass has no weights: call with_resident_weights(model) first")
        held = self._session
        if held is None or held.capacity < longest or held.slots < slots:
            if held is not None:
                held.release()
            self._session = None
            capacity = min(self._network.config.context, -(-max(1, longest) // 64) * 64)
            held = self._session = Session(self._network, max(capacity, longest), slots, "f32")
            held.attach(self._adapters)
        return held

    def adapter_info(self) -> str:
        """The adapter, for display."""
        return str(self.device.info)

    def release(self) -> None:
        """Free the cache, and the weights unless they are a Model's."""
        if self._session is not None:
            self._session.release()
            self._session = None
        if self._adapters is not None:
            self._adapters.release()
        self._adapters = self._lora = None
        if self._network is not None and self._owned:
            self._network.release()
        self._network, self._owned = None, False
