"""PyTorch at the same task: eager, in a CUDA graph, compiled, and compiled inside a CUDA graph.

    python bench/peers/torch_peer.py --sizes '{...}'        (`wgpt bench --peers` does that)

Favourable to PyTorch: the host reads no tokens while it decodes, the cache is as short as the
task allows, weights are bfloat16 (float32 without CUDA). Compilation is not counted.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from figures import BATCH, CONTEXT, LENGTH, PROMPT, RANK, Task, attempt, middle, say, task

WARM = 3  # warm-up calls before timing or capture
AWAKE = 1.0  # seconds of work until an idle GPU has raised its clocks
GRAPH, COMPILED, BOTH = "cuda graph", "compile", "compile + cuda graph"
MODES = ("eager", GRAPH, COMPILED, BOTH)


def main() -> None:
    job = task(__doc__ or "")
    try:
        import torch
        from torch_model import FAMILIES
    except ImportError as e:
        for measurement in job.measurements:
            say(job, "torch", "-", measurement, skipped=f"no PyTorch in this Python: {e}")
        return
    peer = f"torch {torch.__version__}"
    if job.sizes["family"] not in FAMILIES:
        for measurement in job.measurements:
            say(job, peer, "-", measurement, skipped=f"{job.sizes['family']} is not written in PyTorch here")
        return
    torch.manual_seed(0)
    bench = Bench(job)
    print(f"# {peer} on {bench.where}", flush=True)
    for mode in MODES:  # compilers last: they may run out of time
        for measurement in job.measurements:
            label = f"{mode}, {'bf16' if bench.cuda else 'f32'}"
            if GRAPH in mode and not bench.cuda:
                say(job, peer, label, measurement, skipped="no CUDA device")
                continue
            attempt(job, peer, label, measurement, partial(getattr(bench, measurement), mode))
            bench.forget()


class Bench:
    """The measurements; each creates its own model and returns one figure."""

    def __init__(self, task: Task) -> None:
        import torch

        self.task, self.torch, self.cuda = task, torch, torch.cuda.is_available()
        self.device = torch.device("cuda" if self.cuda else "cpu")
        self.where = torch.cuda.get_device_name() if self.cuda else f"the CPU, {torch.get_num_threads()} threads"

    def model(self, batch: int, capacity: int) -> Any:
        from torch_model import Model

        torch = self.torch
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16 if self.cuda else torch.float32)
        try:
            with self.device:
                return Model(self.task.sizes, batch, -(-capacity // 64) * 64)
        finally:
            torch.set_default_dtype(before)

    def ids(self, *shape: int) -> Any:
        return self.torch.randint(0, self.task.sizes["vocab"], shape, device=self.device)

    def decode(self, mode: str) -> float:
        """Tokens per second, after a context."""
        torch, tokens = self.torch, self.task.tokens
        with torch.no_grad():
            model = self.model(1, CONTEXT + tokens + 1).requires_grad_(False)
            prompt, position = self.ids(1, CONTEXT), torch.empty(1, dtype=torch.long, device=self.device)
            ids = model.prompt(prompt)
            step = self.compiled(model, model.step, mode)

            def once() -> None:
                ids.copy_(step(ids, position))
                position.add_(1)

            def rewind() -> None:
                position.fill_(CONTEXT)

            rewind()
            call = self.prepared(once, mode)

            def seconds() -> float:
                rewind()
                return self.clock(lambda: [call() for _ in range(tokens)])

            self.warm(seconds)
            return tokens / middle(self.task, seconds)

    def prefill(self, mode: str) -> float:
        """Milliseconds until the first token after a prompt is known to the host."""
        with self.torch.no_grad():
            model, ids = self.model(1, PROMPT).requires_grad_(False), self.ids(1, PROMPT)
            read = self.compiled(model, model.prompt, mode)
            token = self.torch.zeros(1, 1, dtype=self.torch.long, device=self.device)
            call = self.prepared(lambda: token.copy_(read(ids)), mode)

            def seconds() -> float:
                return self.clock(lambda: (call(), token.item()))

            self.warm(seconds)
            return 1e3 * middle(self.task, seconds)

    def lora(self, mode: str) -> float:
        """Milliseconds of a step: forward, backward, clipping, AdamW."""
        torch = self.torch
        model, ids = self.model(1, LENGTH), self.ids(BATCH, LENGTH)
        trained = model.adapt(RANK)
        fast = {"fused": True, "capturable": True} if self.cuda else {}
        optimiser = torch.optim.AdamW(trained, lr=1e-4, **fast)
        loss = self.compiled(model, model.loss, mode)

        def once() -> None:
            loss(ids).backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)

        call = self.prepared(once, mode)

        def seconds() -> float:
            return self.clock(call)

        self.warm(seconds)
        return 1e3 * middle(self.task, seconds)

    def compiled(self, model: Any, function: Callable[..., Any], mode: str) -> Callable[..., Any]:
        """By torch.compile where asked; with its own CUDA graphs unless it is captured by hand."""
        if COMPILED not in mode:
            return function
        for buffer in model.buffers():  # a graph may write to the cache only where that never moves
            self.torch._dynamo.mark_static_address(buffer)
        own_graphs = self.cuda and mode == COMPILED
        return self.torch.compile(function, mode="reduce-overhead" if own_graphs else "default", dynamic=False)

    def prepared(self, call: Callable[[], Any], mode: str) -> Callable[[], Any]:
        """Warm up the function, and capture it in a CUDA graph if requested."""
        torch = self.torch
        if GRAPH not in mode:
            for _ in range(WARM):
                call()
            return call
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM):
                call()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            call()
        return graph.replay

    def clock(self, work: Callable[[], Any]) -> float:
        self.wait()
        began = time.perf_counter()
        work()
        self.wait()
        return time.perf_counter() - began

    def warm(self, work: Callable[[], Any]) -> None:
        """Run once; on a GPU until its clocks are up."""
        began = time.perf_counter()
        work()
        while self.cuda and time.perf_counter() - began < AWAKE:
            work()

    def wait(self) -> None:
        if self.cuda:
            self.torch.cuda.synchronize()

    def forget(self) -> None:
        """Free memory and compiled code."""
        self.torch.compiler.reset()
        gc.collect()
        if self.cuda:
            self.torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
