"""What the tests run on the cluster, each in a process of its own: it prints its result as the last line, in JSON."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import ray

import wgpt
from wgpt.formats.peft import WEIGHTS

from ..train import golden

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lee"]
RECIPE = {
    "rank": 4,
    "targets": "q,v",
    "steps": 6,
    "batch": 2,
    "hold_out": 0.2,
    "seed": 3,
    "lr": 5e-3,
    "max_tokens": 48,
    "save_every": 1,
}
PROMPTS = 200


def model_path() -> str:
    return str(golden.load("llama-gqa").model)


def examples() -> list[dict[str, str]]:
    return [{"prompt": f"Who is {name}?", "completion": f" Number {i}."} for i, name in enumerate(NAMES)]


def connect() -> None:
    ray.init(address=os.environ["RAY_ADDRESS"], _node_ip_address="127.0.0.2", log_to_driver=False)


def nodes() -> int:
    connect()
    return sum(node["Alive"] for node in ray.nodes())


def train(folder: str, workers: str, slow: str = "0", resume: str = "") -> Any:
    """A run with some workers; its weights' digest and its last loss. `slow`: seconds after each step."""
    losses = []

    def watch(moment: Any) -> None:
        losses.append(moment.loss)
        Path(folder + ".step").write_text(str(moment.step))
        time.sleep(float(slow))

    if workers != "1":
        connect()
    with wgpt.load(model_path()) as model:
        more = {"resume": True} if resume else {"workers": int(workers)} if workers != "1" else {"accumulate": 2}
        model.finetune(examples(), out=folder, progress=watch, **RECIPE, **more)
    return {"digest": hashlib.sha256(Path(folder, WEIGHTS).read_bytes()).hexdigest(), "loss": losses[-1]}


def generate(slow: str) -> Any:
    """Answers of all prompts, by number, as Ray Data gives them; some rows are wrong."""
    from wgpt.integrations.ray import Generate

    class Slow(Generate):
        def __call__(self, batch: Any) -> Any:
            time.sleep(float(slow))
            return super().__call__(batch)

    connect()
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"number": i, "prompt": "x" * 5000 if i % 50 == 7 else f"Row {i}:"} for i in range(PROMPTS)]
    answers = (
        ray.data.from_items(rows, override_num_blocks=20)
        .map_batches(
            Slow,
            fn_constructor_kwargs={"model": model_path(), "max_tokens": 6, "loading": {"deterministic": True}},
            compute=ray.data.ActorPoolStrategy(size=2, max_tasks_in_flight_per_actor=1),
            num_gpus=1,
            batch_size=10,
        )
        .take_all()
    )
    return [[row["number"], row["text"], row["error"]] for row in answers]


def batch(prompts: str, out: str) -> Any:
    """`wgpt batch --ray`, on a cluster that is not where it would look; its exit code."""
    from wgpt.cli import main

    connect()
    model = ["-m", model_path(), "--max-batch", "4", "--ignore-eos"]
    sys.argv = ["wgpt", "batch", prompts, "-o", out, *model, "--ray", "--workers", "1"]
    try:
        main()
    except SystemExit as e:
        return e.code
    return None


def guide(folder: str, model: str) -> Any:
    """The blocks of docs/scale.md, with one actor and the model's path: a Ray of its own, as other tests kill nodes."""
    guide = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    code = "\n".join(blocks).replace("size=3", "size=1")
    for name in ("prompts.jsonl", "answers"):  # the cluster's processes have another working directory
        code = code.replace(f'"{name}"', repr(str(Path(folder, name))))
    code = code.replace("fn_constructor_kwargs={", f'fn_constructor_kwargs={{"model": {model!r}, ')
    questions = ["The capital of France is", "Two and two is", "The sky is"]
    Path(folder, "prompts.jsonl").write_text("".join(json.dumps({"question": each}) + "\n" for each in questions))
    connect()
    exec(code, {})
    return [row["text"] for row in ray.data.read_parquet(str(Path(folder, "answers"))).take_all()]


def served(model: str, port: str) -> Any:
    """A stream whose replica is killed, and the request after it; how much of a second turn was read already."""
    from ray import serve

    from wgpt.integrations.ray import app

    connect()
    serve.start(http_options={"host": "127.0.0.1", "port": int(port)})
    serve.run(app(model, name="real", api_keys=["secret"], loading={"context": 512}))
    key = {"Authorization": "Bearer secret"}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=200, headers=key) as client:
        refused = client.get("/v1/models", headers={"Authorization": "Bearer wrong"}).status_code
        ask = {"model": "real", "messages": [{"role": "user", "content": "Count to 1000."}], "temperature": 0}
        first = client.post("/v1/chat/completions", json={**ask, "max_tokens": 8}).json()
        turns = [*ask["messages"], first["choices"][0]["message"], {"role": "user", "content": "Go on."}]
        second = client.post("/v1/chat/completions", json={**ask, "messages": turns, "max_tokens": 8}).json()
        with client.stream("POST", "/v1/chat/completions", json={**ask, "max_tokens": 400, "stream": True}) as stream:
            lines = stream.iter_lines()
            seen = [next(lines)]
            for process in psutil.process_iter():
                with contextlib.suppress(psutil.Error):
                    name = " ".join(process.cmdline())
                    if name.startswith("ray::ServeReplica:default:wgpt") and "wgpt-front" not in name:
                        process.kill()
            seen += [line for line in lines if line]
        again = client.post("/v1/chat/completions", json={**ask, "max_tokens": 8}).json()
    serve.shutdown()
    texts = [answer["choices"][0]["message"]["content"] for answer in (first, again)]
    cached = second["usage"]["prompt_tokens_details"]["cached_tokens"]
    return {"refused": refused, "texts": texts, "cached": cached, "last": seen[-1]}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
