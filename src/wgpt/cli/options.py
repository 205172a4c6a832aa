"""The options of every command that runs a model."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ..api import Model, load
from ..bench.models import Chosen
from ..infer.generate import OVERFLOWS
from ..kernels.sampling_settings import Settings
from ..models.network import Network
from ..models.presets import PRESETS
from ..ops.cache import DTYPES
from ..ops.engine import ENGINES
from ..quant.weights import TYPES
from .common import Adapter, byte_bar, opened

_LAYERS_ONLY = [name for name, kind in TYPES.items() if kind.layers_only]
_MOST_BIAS = 1e6  # nothing is left to decide beyond it


def one_of(*names: str) -> Callable[[str | None], str | None]:
    """A callback that refuses anything else."""

    def check(given: str | None) -> str | None:
        if given is not None and given not in names:
            raise typer.BadParameter(f"{given!r}: choose one of {', '.join(names)}")
        return given

    return check


Dtype = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE",
        callback=one_of(*TYPES),
        help=f"Convert the matrices ({', '.join(_LAYERS_ONLY)}: only those of layers): {', '.join(TYPES)}. "
        "Default: they stay as they came.",
        show_default=False,
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME|PATH",
        help="A known name, a .gguf file, a Hugging Face folder, or ORG/NAME of the hub. Default: smollm2-135m.",
        show_default=False,
    ),
]
Kernels = Annotated[
    str, typer.Option(metavar="LANGUAGE", callback=one_of(*ENGINES), help="Kernels written in wgsl, or in triton.")
]
Cache = Annotated[str, typer.Option(metavar="TYPE", callback=one_of(*DTYPES), help="KV cache: f16 or f32.")]
Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=one_of(*PRESETS),
        help=f"A known model's sizes with random weights: {', '.join(PRESETS)}.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """Which model, where, and how it is kept."""

    model: ModelName = None
    adapter: Adapter = None
    dtype: Dtype = None
    cache: Cache = "f16"
    kernels: Kernels = "wgsl"
    context: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Longest context. Default: the model's own.", show_default=False),
    ] = None
    tokenizer: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder of another tokenizer.json.", show_default=False)
    ] = None
    lora: Annotated[
        str | None,
        typer.Option(
            "--lora",
            "-l",
            metavar="DIR",
            help="A LoRA adapter to run with: a folder of wgpt finetune, or of peft. Without --model, the model is "
            "the one that it names, if that is at hand.",
            show_default=False,
        ),
    ] = None

    @contextmanager
    def loaded(self) -> Iterator[Model]:
        """The model on a device of its own; both are freed at the end."""
        with opened(self.adapter) as device:
            with byte_bar("loading") as progress:
                model = load(
                    self.model,
                    device=device,
                    dtype=self.dtype,
                    cache=self.cache,
                    context=self.context,
                    tokenizer=self.tokenizer,
                    lora=self.lora,
                    kernels=self.kernels,
                    progress=progress,
                )
            with model:
                yield model


@contextmanager
def resident(chosen: Chosen, adapter: str | None) -> Iterator[Network]:
    """A benchmark's model on a device of its own; both are freed at the end."""
    with opened(adapter) as device:
        with byte_bar("loading") as progress:
            network = chosen.load(device, progress)
        try:
            yield network
        finally:
            network.release()


@dataclass(frozen=True)
class SamplingOptions:
    """How tokens are chosen, and when to stop."""

    max_tokens: Annotated[int, typer.Option("--max-tokens", "-n", min=1, help="Tokens to generate at most.")] = 256
    temperature: Annotated[
        float, typer.Option("--temperature", "-t", help="0 takes the likeliest token; 0.7 is livelier.")
    ] = 0.0
    top_k: Annotated[int, typer.Option(help="Only the K likeliest tokens; 0 is off.")] = 0
    top_p: Annotated[float, typer.Option(help="Only the likeliest tokens that add up to P; 1 is off.")] = 1.0
    min_p: Annotated[float, typer.Option(help="Only tokens at least P times as likely as the first; 0 is off.")] = 0.0
    repetition_penalty: Annotated[
        float, typer.Option(help="Above 1, tokens that have come before are less likely.")
    ] = 1.0
    seed: Annotated[
        int | None, typer.Option(help="Makes sampling repeatable on one adapter. Default: random.", show_default=False)
    ] = None
    stop: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Stop before this text; may be given again.", show_default=False),
    ] = None
    logit_bias: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=VALUE", help="Add to a token's logit; may be given again.", show_default=False),
    ] = None
    ignore_eos: Annotated[bool, typer.Option("--ignore-eos", help="Go on after the end of text.")] = False
    overflow: Annotated[
        str,
        typer.Option(
            metavar="|".join(OVERFLOWS),
            callback=one_of(*OVERFLOWS),
            help="When the context is full: stop, or forget its older half and go on.",
        ),
    ] = "refuse"

    def keywords(self) -> dict[str, Any]:
        """Keywords of Model.generate; a bad value is refused here, before a model is loaded."""
        seed = secrets.randbits(32) if self.seed is None else self.seed
        Settings(self.temperature, self.top_k, self.top_p, self.min_p, self.repetition_penalty, seed)
        return {
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "top_k": self.top_k,
            "top_p": self.top_p,
            "min_p": self.min_p,
            "repetition_penalty": self.repetition_penalty,
            "seed": seed,
            "stop": tuple(self.stop or ()),
            "logit_bias": dict(map(_bias, self.logit_bias or ())),
            "ignore_eos": self.ignore_eos,
            "overflow": self.overflow,
        }


def _bias(given: str) -> tuple[int, float]:
    token, _, value = given.partition("=")
    try:
        found = int(token), float(value)
    except ValueError:
        raise typer.BadParameter(f"--logit-bias {given!r}: write ID=VALUE, such as 42=-5") from None
    if not abs(found[1]) <= _MOST_BIAS:
        raise typer.BadParameter(f"--logit-bias {given!r}: the value must be from -1e6 to 1e6; -100 rules a token out")
    return found
