"""ForwardPass: hidden states of token ids, from weights that are uploaded to the GPU once."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core import arguments
from ..core.arguments import as_whole, shown, wrong_type
from ..core.errors import WgptError
from ..core.sizes import readable_bytes
from ..engine.encoder import EncoderRunner, Text
from ..engine.fixed_batch import check_ids
from ..engine.reader import Reader
from ..formats import Checkpoint, open_checkpoint
from ..formats.lora import LoraAdapter, Pairs
from ..formats.sources import resolve
from ..gpu import GpuDevice, default_device
from ..gpu.process_bound import ProcessBound
from ..models.config import Config
from ..models.network import AnyNetwork, Network
from ..models.qv_lora import qv_adapter
from ..models.residency import Resident, parse_resident
from ..models.targets import linear_shapes
from ..ops.lora_pool import LoraPool
from .turns import Turns

_TOKENS = 1 << 14  # most positions of a batch's cache: WebGPU does not report how much memory there is
T = TypeVar("T")


class HasNetwork(Protocol):
    """A Model, which is defined in a higher layer."""

    network: AnyNetwork


Weights = str | Path | Checkpoint | AnyNetwork | HasNetwork | None


class _Maker(Generic[T]):
    """A method that creates an instance first if it is called on the class."""

    def __init__(self, method: Callable[..., T]) -> None:
        self._method, self.__doc__ = method, method.__doc__

    def __get__(self, instance: Any, owner: type[Any]) -> Callable[..., T]:
        def call(*args: Any, **named: Any) -> T:
            return self._method(owner() if instance is None else instance, *args, **named)

        call.__doc__, call.__name__ = self.__doc__, self._method.__name__
        signature = inspect.signature(self._method)
        parameters = [p for name, p in signature.parameters.items() if name != "self"]
        call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return call


class ForwardPass(ProcessBound):
    """Embedding, every layer and final norm, entirely on the GPU; f32 between kernels and in the cache.

    >>> run = wgpt.ForwardPass.with_resident_weights(model)     # a name, a path; or the weights of a loaded Model
    >>> run.forward_hidden([504, 3575, 282]).shape
    (3, 576)
    >>> [states.shape for states in run.forward_hidden_batch([[504, 3575], [282]])]    # weights are read once
    [(2, 576), (1, 576)]
    >>> run.release()
    """

    def __init__(
        self, config: Config | None = None, gpu_index: int | None = None, device: GpuDevice | None = None
    ) -> None:
        if config is not None and not isinstance(config, Config):
            raise WgptError(f"config must be a wgpt.models.config.Config, not {type(config).__name__}")
        if gpu_index is not None and as_whole(gpu_index) is None:
            raise wrong_type("gpu_index", gpu_index, "the number of a GPU in `wgpt info`")
        if device is not None and not isinstance(device, GpuDevice):
            raise WgptError(f"device must be a GpuDevice, not {shown(device)}")
        self.config = config
        self.device = device or (default_device() if gpu_index is None else GpuDevice.open(gpu_index))
        self._network: Network | None = None
        self._owned = False
        self._reader: Reader | None = None
        self._encoder: EncoderRunner | None = None
        self._loras: LoraPool | None = None
        self._digest: bytes | None = None  # of the uploaded LoRA adapter
        self._turns = Turns()

    @classmethod
    def default(cls, config: Config | None = None) -> ForwardPass:
        """A pass on the best GPU."""
        return cls(config)

    @_Maker
    def with_resident_weights(self, model: Weights = None) -> ForwardPass:
        """Upload a model's weights once: a name, a path or an open checkpoint; or share those of a loaded Model.

        Called on the class, it creates a pass on the best GPU.
        """
        return self._with_weights(model, "all")

    @_Maker
    def with_weights(self, model: Weights = None, resident: Resident = 0) -> ForwardPass:
        """Keep layers in host memory and copy them to the GPU in every forward pass: all of them, or those beyond
        `resident` (see wgpt.load). For models that are larger than the GPU's memory."""
        return self._with_weights(model, resident)

    def _with_weights(self, model: Weights, resident: Resident) -> ForwardPass:
        parse_resident(resident)
        with self._turns.call():
            self._load(model, resident)
        return self

    def _load(self, model: Weights, resident: Resident) -> None:
        shared = model if isinstance(model, AnyNetwork) else getattr(model, "network", None)
        if isinstance(shared, AnyNetwork):
            shared = shared.whole("ForwardPass")
            shared.check_open()
            if shared.device is not self.device:
                raise WgptError(f"the model is on {shared.device.info.name}, not on {self.device.info.name}")
            self._adopt(shared, owned=False)
        elif isinstance(model, Checkpoint):
            self._adopt(Network.load(self.device, model, resident=resident), owned=True)
        elif model is None or isinstance(model, str | os.PathLike):
            with open_checkpoint(resolve(model)) as checkpoint:
                self._adopt(Network.load(self.device, checkpoint, resident=resident), owned=True)
        else:
            raise WgptError(
                "model must be a model's name or path, an open checkpoint, a Network or a loaded Model, not "
                f"{type(model).__name__}"
            )

    def _adopt(self, network: Network, owned: bool) -> None:
        if self.config is not None and self.config != network.config:
            if owned:
                network.release()
            raise WgptError(f"the weights have {network.config}, but this pass was created for {self.config}")
        self.release()
        self._network, self._owned, self.config = network, owned, network.config
        self._reader = None if network.config.encoder is not None else Reader(network)

    def forward_hidden(self, token_ids: Sequence[int]) -> NDArray[np.float32]:
        """Hidden states after the final norm, [tokens, hidden]. A single token uses the decode kernels."""
        return self.forward_hidden_batch([token_ids])[0]

    def forward_hidden_batch(
        self,
        token_ids: Sequence[Sequence[int]],
        lora: LoraAdapter | Pairs | None = None,
        alpha: float | None = None,
    ) -> list[NDArray[np.float32]]:
        """Hidden states of several sequences of different lengths, in as few Programs as memory allows:
        each layer's weights are read once for all tokens of a Program, and none are uploaded.

        `lora`: a LoRA adapter (formats.peft.read_lora) for any layers, or a flat list of (A, B) pairs
        [q0, v0, q1, v1, ...] with its `alpha`, also where q, k and v are one matrix. It may have changed since the
        last call.
        """
        sequences = [_ids(i, ids) for i, ids in enumerate(_several(token_ids))]
        with self._turns.call():
            return self._hidden(sequences, _adapter(self._weights().config, lora, alpha))

    def _hidden(self, sequences: Sequence[list[int]], lora: LoraAdapter | None) -> list[NDArray[np.float32]]:
        if self._weights().config.encoder is not None:
            return self._encoded(sequences, lora)
        self._attach(lora)
        assert self._reader is not None
        states: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(sequences)
        for group in _groups([len(ids) for ids in sequences]):
            longest = max(len(sequences[i]) for i in group)
            batch = self._reader.batch(longest, len(group))
            hidden = batch.hidden({slot: sequences[i] for slot, i in enumerate(group)})
            for slot, i in enumerate(group):
                states[i] = self._finite(i, hidden[slot])
        return states

    def _encoded(self, sequences: Sequence[list[int]], lora: LoraAdapter | None) -> list[NDArray[np.float32]]:
        """The hidden states of an encoder."""
        network = self._weights()
        if lora is not None:
            raise WgptError("LoRA adapters are unsupported for encoders")
        if self._encoder is None:
            self._encoder = EncoderRunner(network)
        for ids in sequences:
            self._encoder.check(Text(ids), network.config.context)
            check_ids(ids, network.config.vocab)
        hidden = self._encoder.hidden([Text(ids) for ids in sequences])
        return [self._finite(i, states) for i, states in enumerate(hidden)]

    def _finite(self, i: int, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
        """Refuse NaN and Inf: weights are checked on loading, so an adapter or the driver is the cause."""
        if not np.isfinite(hidden).all():
            row = int(np.flatnonzero(~np.isfinite(hidden).all(axis=1))[0])
            cause = "the LoRA adapter's factors" if self._loras is not None else "the driver (run `wgpt verify`)"
            raise WgptError(f"sequence {i}, token {row}: the hidden state contains NaN or Inf; check {cause}")
        return hidden

    def _attach(self, lora: LoraAdapter | None) -> None:
        """Upload a LoRA adapter, unless the same factors are already on the GPU."""
        network, digest = self._weights(), None if lora is None else lora.digest()
        if digest == self._digest:
            return
        if lora is not None:
            lora.check(linear_shapes(network.config))
        if lora is not None and self._loras is not None:
            self._loras.remove(1)
            if not self._loras.lacks(lora.targets):
                self._loras.add(lora.targets)
                self._digest = digest
                return
        assert self._reader is not None
        self._reader.attach(None)
        if self._loras is not None:
            self._loras.release()
        self._loras, self._digest = None, None
        if lora is not None:
            self._loras, self._digest = LoraPool.holding(self.device, network.adaptable, lora.targets), digest
            self._reader.attach((self._loras, 1))

    def _weights(self) -> Network:
        if self._network is None:
            raise WgptError(
                "this pass has no weights: first call with_resident_weights(model), or with_weights(model) for a model "
                "that is larger than the GPU's memory"
            )
        self._network.check_open()
        return self._network

    @property
    def nbytes(self) -> int:
        """GPU memory of weights, LoRA adapter, KV cache and intermediate results."""
        sizes = [each.nbytes for each in (self._network, self._loras, self._reader, self._encoder) if each is not None]
        return sum(sizes)

    def adapter_info(self) -> str:
        """The GPU, the sizes of the model and its memory, for display.

        >>> wgpt.ForwardPass(model.config).adapter_info().split("; ")[1:]
        ['576x1536 model, 30 layers', 'no weights']
        """
        c, network = self.config, self._network
        sizes = [] if c is None else [f"{c.hidden}x{c.ffn} model, {c.layers} layers"]
        weights = "no weights" if network is None else f"{readable_bytes(network.nbytes)} of resident weights"
        if network is not None and network.released:
            weights = "its weights were released"
        return "; ".join([str(self.device.info), *sizes, weights])

    def __repr__(self) -> str:
        c, network = self.config, self._network
        model = [] if c is None else [f"{c.family}, {c.hidden}x{c.ffn}, {c.layers} layers"]
        if network is None or network.released:
            memory = f"no weights, on {self.device.info.name}"
        else:
            memory = f"{readable_bytes(self.nbytes)} on {self.device.info.name}"
        return f"ForwardPass({', '.join([*model, memory])})"

    def release(self) -> None:
        """Free the cache, and the weights unless they belong to a Model."""
        with self._turns.call():
            self._free()

    def _free(self) -> None:
        if self._reader is not None:
            self._reader.release()
            self._reader = None
        if self._encoder is not None:
            self._encoder.release()
            self._encoder = None
        if self._loras is not None:
            self._loras.release()
        self._loras = self._digest = None
        if self._network is not None and self._owned:
            self._network.release()
        self._network, self._owned = None, False


def _adapter(config: Config, lora: Any, alpha: float | None) -> LoraAdapter | None:
    if lora is None or isinstance(lora, LoraAdapter):
        if alpha is not None:
            raise WgptError("alpha is only for a flat list of LoRA factors; a LoraAdapter has its own alpha")
        return lora
    if not isinstance(lora, list | tuple):
        raise WgptError(f"lora must be a LoraAdapter or a list of (A, B) pairs, not {type(lora).__name__}")
    if alpha is None:
        raise WgptError("lora: a flat list of factors needs its alpha: forward_hidden_batch(ids, pairs, alpha=16)")
    return qv_adapter(config, lora, alpha)


def _several(token_ids: Any) -> Any:
    if not arguments.is_list(token_ids):
        raise WgptError(f"token_ids must be a list of lists of whole numbers, not {type(token_ids).__name__}")
    return token_ids


def _ids(i: int, ids: Any) -> list[int]:
    """The ids of the i-th sequence; NumPy integers are accepted."""
    if isinstance(ids, str):
        raise WgptError(f"sequence {i} must be a list of token ids, not text: encode it with the model's tokenizer")
    return arguments.token_ids(f"sequence {i}", ids)


def _groups(lengths: Sequence[int]) -> list[list[int]]:
    """Numbers of the sequences that run together: of similar lengths, as the cache has equal space for each."""
    groups: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if groups and (len(groups[-1]) + 1) * lengths[groups[-1][0]] <= _TOKENS:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups
