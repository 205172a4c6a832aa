"""Models in Ray (`pip install 'wgpt[ray]'`): classes for Ray Data's map_batches, and an application for Ray Serve."""

from typing import Any

from ...cluster.connection import ray_module
from .rows import Embed, Generate, Score

__all__ = ["Embed", "Generate", "Score", "app"]


def app(model: str | None = None, **options: Any) -> Any:
    """The endpoints of `wgpt serve` as an application of Ray Serve; the options are those of serving.application.

    >>> from ray import serve                                                    # doctest: +SKIP
    >>> serve.run(wgpt.integrations.ray.app(replicas=(1, 4), api_keys=["secret"]))
    """
    ray_module()  # or one line that says what to install
    from .serving import application

    return application(model, **options)
