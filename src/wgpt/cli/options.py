"""The options of every command that runs a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Self

import typer

from ..api import Model, load
from ..bench.models import Chosen
from ..core.errors import PreconditionError, WgptError
from ..core.sizes import parse_bytes
from ..formats.peft import read_lora
from ..gpu import GpuDevice
from ..models.network import AnyNetwork, Network
from ..models.presets import PRESETS
from ..models.random_source import DEFAULT as RANDOM_TYPE
from ..models.residency import parse_resident
from ..models.weight_recipe import EXAMPLE, MIXES, WeightRecipe
from ..ops.backend import PRECISIONS, backends
from ..ops.cache import DTYPES
from ..quant.weights import TYPES
from .common import Gpu, opened, opened_all
from .loras import base_of
from .progress import byte_bar
from .styles import styled


def one_of(*names: str) -> Callable[[str | None], str | None]:
    """A callback that accepts only these names."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"choose one of {', '.join(names)}")
        return value

    return check


def checked_resident(text: str) -> str:
    try:
        parse_resident(text)
    except WgptError as e:
        raise typer.BadParameter(str(e)) from None
    return text


def weight_recipe(text: str | None) -> str | None:
    """A callback that checks a recipe of weight types and returns its canonical spelling."""
    try:
        return None if text is None else str(WeightRecipe.parse(text))
    except PreconditionError as e:
        raise typer.BadParameter(str(e)) from None


_COMMON = ", ".join(name for name, kind in TYPES.items() if kind.common)
RECIPES = (
    f"a type ({_COMMON}, ...), a mix ({', '.join(MIXES)}), or types by part, such as "
    f"{EXAMPLE} or q4_k_m,embed=q8_0; `wgpt help types` lists all"
)
Dtype = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE|RECIPE",
        callback=weight_recipe,
        help=f"Convert the matrices to {RECIPES}. Default: as stored; {RANDOM_TYPE} for random weights.",
        show_default=False,
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME|PATH",
        help="Model: a known name, a .gguf file, a Hugging Face folder, or ORG/NAME on the hub. Default: smollm2-135m.",
        show_default=False,
    ),
]
Draft = Annotated[
    str | None,
    typer.Option(
        "--draft",
        metavar="NAME|PATH",
        help="Draft model: a smaller one with the same vocabulary that guesses the next tokens. It changes the speed, "
        "not which tokens are chosen.",
        show_default=False,
    ),
]
Kernels = Annotated[
    str, typer.Option(metavar="LANGUAGE", callback=one_of(*backends()), help="Language of the kernels: wgsl or triton.")
]
_PRECISION: dict[str, Any] = {"metavar": "|".join(PRECISIONS), "callback": one_of(*PRECISIONS)}
Precision = Annotated[
    str,
    typer.Option(
        **_PRECISION,
        help="Of what is generated: fast rounds activations, to f16 on matrix units, and to 16 bits where quantised "
        "weights are multiplied as integers; exact is as exact as f32. What is scored or embedded is always exact.",
    ),
]
TrainingPrecision = Annotated[
    str,
    typer.Option(
        **_PRECISION,
        help="On matrix units: fast rounds activations, gradients and weights to f16 before they are "
        "multiplied; exact is as exact as f32, and slower.",
    ),
]
Cache = Annotated[
    str,
    typer.Option(
        metavar="TYPE",
        callback=one_of(*DTYPES),
        help="Type of the KV cache: f16, f32 (exact), or q8_0 (about half of f16's memory; changes the log-probability "
        "of a token by 0.03 on average).",
    ),
]
CacheMemory = Annotated[
    str | None,
    typer.Option(
        metavar="BYTES",
        help="GPU memory for the KV cache of all sequences, such as 2GiB. Default: as much as is sensible and fits.",
        show_default=False,
    ),
]
Resident = Annotated[
    str,
    typer.Option(
        metavar="auto|all|LAYERS|BYTES",
        callback=checked_resident,
        help="Layers kept in GPU memory: as many as fit (auto), all, a number of layers, or a size such as 2GiB. "
        "The others are copied from host memory in every forward pass.",
    ),
]
TokenizerFolder = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Folder with a tokenizer.json. Default: the model's.", show_default=False),
]
ControlTokens = Annotated[
    bool,
    typer.Option(
        "--allow-control-tokens",
        help="Let messages spell control tokens such as <|im_end|>. By default they come from the chat template alone.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=one_of(*PRESETS),
        help=f"Use the sizes of this model with random weights: {', '.join(PRESETS)}.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class BaseOptions:
    """Which model to load, on which GPU, and how; without LoRA adapters."""

    model: ModelName = None
    gpu: Gpu = None
    dtype: Dtype = None
    cache: Cache = "f16"
    cache_memory: CacheMemory = None
    kernels: Kernels = "wgsl"
    precision: Precision = "fast"
    resident: Resident = "auto"
    context: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Context length, in tokens. Default: the model's.", show_default=False),
    ] = None
    tokenizer: TokenizerFolder = None

    @property
    def cache_bytes(self) -> int | None:
        return None if self.cache_memory is None else parse_bytes(self.cache_memory, "--cache-memory")

    def loading(self) -> dict[str, Any]:
        """Keywords of wgpt.load: all but the model, the GPU and the memory of the KV cache."""
        names = ("dtype", "cache", "context", "tokenizer", "kernels", "precision", "resident")
        return {**{name: getattr(self, name) for name in names}, "allow_control_tokens": self.control_tokens}

    @property
    def control_tokens(self) -> bool:
        """Whether messages may spell control tokens: an option of commands that chat."""
        return False

    def with_base(self, loras: Iterable[str | Path]) -> Self:
        """With the base model of the first of these LoRA adapters, if no model is given."""
        first = next(map(Path, loras), None)
        if self.model is not None or first is None:
            return self
        return replace(self, model=base_of(read_lora(first), first, None))

    @contextmanager
    def opened_with(
        self, lora: str | None, draft: str | None = None, encodes: bool = False, **loading: Any
    ) -> Iterator[Model]:
        """Open a device and load the model, with a LoRA adapter attached; both are released at the end.

        `draft`: the model that guesses for it. `encodes`: it may be an encoder, which generates no text. `loading`:
        further options of wgpt.load, for example max_batch=1 for one conversation.
        """
        with opened_all(self.gpu) as devices:
            with byte_bar("loading") as progress:
                model = load(
                    self.model,
                    device=devices,
                    cache_bytes=self.cache_bytes,
                    lora=lora,
                    draft=draft,
                    progress=progress,
                    **self.loading(),
                    **loading,
                )
            if self.resident != "auto" or len(devices) > 1:  # auto warns when it loads
                print_residency(model.network)
            with model:
                if not encodes:
                    model.network.check_generates()
                yield model


@dataclass(frozen=True)
class ModelOptions(BaseOptions):
    """Which model to load, on which GPU, and how; with a LoRA adapter."""

    lora: Annotated[
        str | None,
        typer.Option(
            "--lora",
            "-l",
            metavar="DIR",
            help="LoRA adapter to use: a folder written by wgpt finetune or peft. Without --model, its base model is "
            "used, if that is on this machine.",
            show_default=False,
        ),
    ] = None

    def loaded(self, draft: str | None = None, encodes: bool = False, **loading: Any) -> AbstractContextManager[Model]:
        """Open a device and load the model; both are released at the end (`opened_with` describes the rest)."""
        return self.opened_with(self.lora, draft, encodes, **loading)


@dataclass(frozen=True)
class ChatBaseOptions(BaseOptions):
    """The same for commands that chat."""

    allow_control_tokens: ControlTokens = False

    @property
    def control_tokens(self) -> bool:
        return self.allow_control_tokens


@dataclass(frozen=True)
class ChatModelOptions(ModelOptions):
    """The same with a LoRA adapter."""

    allow_control_tokens: ControlTokens = False

    @property
    def control_tokens(self) -> bool:
        return self.allow_control_tokens


def print_residency(network: AnyNetwork) -> None:
    """Say on stderr how many layers stream from host memory: every token waits for them; or which are on which GPU."""
    if len(network.parts) > 1:
        places = "; ".join(f"{part.stage} on {part.device.info.name}" for part in network.parts)
        typer.echo(styled(places, dim=True), err=True)
    if network.uploads:
        typer.echo(styled(str(network.residency), dim=True), err=True)


@contextmanager
def on_device(chosen: Chosen, gpu: str | None, encodes: bool = False) -> Iterator[Network]:
    """Open a device and load a benchmark's model; both are released at the end. `encodes`: it may be an encoder."""
    with opened(gpu) as device, loaded_on(device, chosen) as network:
        if not encodes:
            network.check_generates()
        yield network.whole("this benchmark")


@contextmanager
def on_devices(chosen: Chosen, gpu: str | None) -> Iterator[AnyNetwork]:
    """The same for a benchmark of a model that may be split over several GPUs."""
    with opened_all(gpu) as devices, loaded_on(devices, chosen) as network:
        network.check_generates()
        yield network


@contextmanager
def loaded_on(device: GpuDevice | Sequence[GpuDevice], chosen: Chosen) -> Iterator[AnyNetwork]:
    """Load a benchmark's model; it is released at the end."""
    with byte_bar("loading") as progress:
        network = chosen.load(device, progress)
    print_residency(network)
    try:
        yield network
    finally:
        network.release()
