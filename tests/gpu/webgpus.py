"""The implementations of WebGPU that tests run on: Dawn, too, where it is installed."""

from __future__ import annotations

from wgpt.gpu.webgpu.dawn import library

WEBGPUS = ["wgpu"] if library.missing() else ["wgpu", "dawn"]
