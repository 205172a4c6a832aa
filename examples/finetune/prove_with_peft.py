"""Checks that LoRA adapters compute the same in wgpt, in torch with peft, and in llama.cpp.

    pip install torch transformers peft xllamacpp
    python examples/finetune/prove_with_peft.py --lora out                    # what `wgpt finetune` wrote
    python examples/finetune/prove_with_peft.py --model model.gguf --lora out
    python examples/finetune/prove_with_peft.py                               # a random adapter

What is compared, on questions from facts-test.jsonl (or --ask):
 1. the adapter attached in wgpt and loaded by peft: logits and greedy answers;
 2. merged by wgpt: logits through transformers alone, and through wgpt; answers of the f16 folder;
 3. an adapter that peft wrote, attached in wgpt: logits; and wgpt's, saved again by peft: every number;
 4. exported as GGUF and loaded by llama.cpp beside the model's GGUF file (with xllamacpp, if it is installed).
torch computes in float64, on the dequantised weights of the model's file. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import shutil
import sys
import tempfile
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM

import wgpt
from wgpt.formats import open_checkpoint
from wgpt.formats.lora_gguf import export_lora_gguf
from wgpt.formats.merge import merge
from wgpt.formats.peft import Factors, LoraAdapter, read_lora, write_lora
from wgpt.formats.sources import available_locally, resolve
from wgpt.models.config import Config
from wgpt.models.targets import chosen

LOGITS = 3e-5  # of the largest logit: f32 on the GPU through all layers, float64 in torch
EXACT = 3e-6  # of the largest logit, where float64 meets float64 and only the merged weights are rounded to f32
NEAR = 0.5  # llama.cpp multiplies quantised weights with activations in eight bits: a logit moves by this at most
Array = NDArray[Any]


class Proof:
    """Prints the outcome of each check beside its limit, and counts the failures."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, check: str, passed: bool, detail: str) -> None:
        self.failed += not passed
        print(f"{'ok  ' if passed else 'FAIL'}  {check}: {detail}", flush=True)

    def logits(self, check: str, logits: list[Array], expected: list[Array], limit: float) -> None:
        difference = apart(logits, expected)
        self(check, difference <= limit, f"logits differ by {difference:.1e} of the largest (limit {limit:.0e})")

    def answers(self, check: str, answers: list[list[int]], expected: list[list[int]]) -> None:
        same = sum(a == b for a, b in zip(answers, expected, strict=True))
        self(check, same == len(expected), f"{same} of {len(expected)} greedy answers are the same")


def apart(logits: list[Array], expected: list[Array]) -> float:
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(logits, expected, strict=True))


# wgpt --------------------------------------------------------------------------------------------------------------


def ask_wgpt(model: wgpt.Model, prompts: list[list[int]], tokens: int) -> tuple[list[Array], list[list[int]]]:
    """Logits of every position, and greedy answers without the token that ends them."""
    logits = [model.logits(ids) for ids in prompts]
    done = [model.generate(ids, max_tokens=tokens) for ids in prompts]
    return logits, [c.ids[:-1] if c.reason == "eos" else c.ids for c in done]


def random_adapter(config: Config, base: str) -> LoraAdapter:
    """Large enough to change the logits, small enough that the answers stay readable."""
    rng = np.random.default_rng(7)
    targets = {}
    for name, (n, k) in chosen(config, ["all"]).items():
        a = rng.uniform(-1, 1, (8, k)) / np.sqrt(k)
        b = rng.standard_normal((n, 8)) * 0.02
        targets[name] = Factors(a.astype(np.float32), b.astype(np.float32), 2.0)
    return LoraAdapter(targets, rank=8, alpha=16.0, base=base)


# torch -------------------------------------------------------------------------------------------------------------


def torch_model(folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).double().eval()


@torch.no_grad()
def torch_logits(model: Any, prompts: list[list[int]]) -> list[Array]:
    return [model(torch.tensor([ids]), use_cache=False).logits[0].numpy() for ids in prompts]


@torch.no_grad()
def torch_answers(model: Any, prompts: list[list[int]], tokens: int, ends: frozenset[int]) -> list[list[int]]:
    answers = []
    for ids in prompts:
        prompt = torch.tensor([ids])
        out = model.generate(
            input_ids=prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            max_new_tokens=tokens,
            eos_token_id=sorted(ends),
            pad_token_id=min(ends),
        )
        answer = out[0, len(ids) :].tolist()
        answers.append(answer[:-1] if answer[-1] in ends else answer)
    return answers


# llama.cpp ---------------------------------------------------------------------------------------------------------


def ask_llama_cpp(model: Path, lora: Path | None, prompts: list[list[int]], tokens: int) -> list[dict[str, Any]]:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.n_parallel, params.warmup = 1024, 1, False
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    if lora is not None:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(lora), 1.0)]
    server = xllamacpp.Server(params)
    replies = []
    for ids in prompts:
        body = {"prompt": ids, "n_predict": tokens, "temperature": 0, "cache_prompt": False}
        body |= {"return_tokens": True, "n_probs": 10}
        request = urllib.request.Request(
            f"{server.listening_address}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as reply:
            replies.append(json.load(reply))
    del server
    return replies


def first_difference(ours: list[int], theirs: list[int]) -> int | None:
    """The index of the first token that differs, or None."""
    if ours == theirs:
        return None
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))


def unlike(logits: Array, reply: dict[str, Any]) -> float:
    """The largest difference among the log-probabilities of the answer's first token."""
    last = logits[-1].astype(np.float64)
    likely = last - np.logaddexp.reduce(last)
    return max(abs(e["logprob"] - likely[e["id"]]) for e in reply["completion_probabilities"][0]["top_logprobs"])


def prove_llama_cpp(
    proof: Proof,
    model: wgpt.Model,
    file: Path,
    lora: Path,
    prompts: list[list[int]],
    plain: list[Array],
    ours: tuple[list[Array], list[list[int]]],
    tokens: int,
) -> None:
    theirs, bare = (ask_llama_cpp(file, which, prompts, tokens) for which in (lora, None))
    worst = [
        max(unlike(logits, reply) for logits, reply in zip(each, replies, strict=True))
        for each, replies in ((ours[0], theirs), (plain, bare))
    ]
    same, parted = 0, []
    for ids, answer, reply in zip(prompts, ours[1], theirs, strict=True):
        if reply["tokens"][-1:] and reply["tokens"][-1] in model.tokenizer.eos_ids:
            reply["tokens"].pop()
        at = first_difference(answer, reply["tokens"])
        if at is None:
            same += 1
            continue
        row = model.logits([*ids, *answer[:at]])[-1]  # the difference of the two tokens' logits
        rival = reply["tokens"][at] if at < len(reply["tokens"]) else max(model.tokenizer.eos_ids, key=lambda i: row[i])
        parted.append(float(row.max() - row[rival]))
    detail = f"the ten likeliest log-probabilities differ by {worst[0]:.3f} (without any adapter by {worst[1]:.3f})"
    proof("llama.cpp with the exported adapter", worst[0] < NEAR, detail)
    near = f"; where the others part, the logits are {max(parted):.3f} apart at most" if parted else ""
    passed = all(gap < NEAR for gap in parted)
    proof("llama.cpp's answers", passed, f"{same} of {len(prompts)} greedy answers are the same{near}")
    changed = sum(a["tokens"] != b["tokens"] for a, b in zip(theirs, bare, strict=True))
    proof("llama.cpp without the adapter", changed > 0, f"{changed} of {len(prompts)} answers are others")
    for reply in theirs:
        print(f"      llama.cpp: {reply['content']!r}")


# All of it ---------------------------------------------------------------------------------------------------------


def prove(options: argparse.Namespace, work: Path) -> int:
    proof = Proof()
    named = options.model or (available_locally(read_lora(options.lora).base) if options.lora else None)
    path = resolve(named)
    base, merged, lora = work / "base", work / "merged", work / "adapter"
    with open_checkpoint(path) as checkpoint:
        original = read_lora(options.lora) if options.lora else random_adapter(Config.of(checkpoint.config), str(path))
        adapter = replace(original, base=str(base))
        write_lora(adapter, lora)
        nothing = {name: factors._replace(scale=0.0) for name, factors in adapter.targets.items()}
        merge(checkpoint, replace(adapter, targets=nothing), base, "f32")  # the model as Hugging Face has it
        merge(checkpoint, adapter, merged, "f32")
        merge(checkpoint, adapter, work / "merged-f16", "f16")
        export_lora_gguf(adapter, checkpoint.config, work / "adapter.gguf")
    size = f"{len(adapter.targets)} layers, rank {adapter.rank}, {adapter.parameters:,} numbers"
    print(f"{path.name} with {options.lora or 'a random adapter'}: {size}", flush=True)

    with wgpt.load(path, cache="f32") as model:
        encode = model.chat_ids if model.tokenizer.chat_template else model.ids
        prompts, ends = [encode(question) for question in options.ask], model.tokenizer.eos_ids
        plain = [model.logits(ids) for ids in prompts]
        model.attach(lora)
        ours = ask_wgpt(model, prompts, options.tokens)
        for ids in ours[1]:
            print(f"      wgpt: {model.tokenizer.decode(ids)!r}")
        far = apart(ours[0], plain)
        proof("with and without the adapter", far > 100 * LOGITS, f"logits differ by {far:.1e} of the largest")
        if path.suffix == ".gguf" and importlib.util.find_spec("xllamacpp") is not None:
            prove_llama_cpp(proof, model, path, work / "adapter.gguf", prompts, plain, ours, options.tokens)
        else:
            print("not checked: llama.cpp, which needs xllamacpp and a model that is a .gguf file")
    with wgpt.load(merged, cache="f32") as model:
        proof.logits("wgpt: merged, beside attached", [model.logits(ids) for ids in prompts], ours[0], LOGITS)
    with wgpt.load(work / "merged-f16", cache="f32") as model:
        proof.answers("wgpt: merged in f16, beside attached", ask_wgpt(model, prompts, options.tokens)[1], ours[1])

    gc.collect()
    loaded = PeftModel.from_pretrained(torch_model(base), lora, autocast_adapter_dtype=False).double().eval()
    theirs = torch_logits(loaded, prompts)
    proof.logits("peft with wgpt's adapter, beside wgpt", ours[0], theirs, LOGITS)
    proof.answers("the same", ours[1], torch_answers(loaded, prompts, options.tokens, ends))
    loaded.float().save_pretrained(work / "saved-again")
    again = read_lora(work / "saved-again")
    same = again.targets.keys() == adapter.targets.keys() and all(
        np.array_equal(again.targets[t].a, f.a) and np.array_equal(again.targets[t].b, f.b)
        for t, f in adapter.targets.items()
    )
    proof("wgpt's adapter, saved again by peft", same, "every number is the same" if same else "numbers differ")
    del loaded
    gc.collect()

    alone = torch_model(merged)
    proof.logits("transformers: merged, beside peft", torch_logits(alone, prompts), theirs, EXACT)
    proof.answers("the same", torch_answers(alone, prompts, options.tokens, ends), ours[1])
    del alone
    gc.collect()

    prove_peft_to_wgpt(proof, base, path, work, prompts)
    return proof.failed


def prove_peft_to_wgpt(proof: Proof, base: Path, path: Path, work: Path, prompts: list[list[int]]) -> None:
    """An adapter that peft created and saved, with rsLoRA scaling and mixed ranks."""
    torch.manual_seed(3)
    kinds = sorted({name.rsplit(".", 1)[-1] for name in read_lora(work / "adapter").targets})
    config = LoraConfig(r=6, lora_alpha=12, use_rslora=True, target_modules=kinds, rank_pattern={kinds[0]: 3})
    peft_model = get_peft_model(torch_model(base).float(), config)
    with torch.no_grad():
        for name, parameter in peft_model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(std=0.01)
    peft_model.save_pretrained(work / "from-peft")
    theirs = torch_logits(peft_model.double().eval(), prompts)
    with wgpt.load(path, cache="f32", lora=work / "from-peft") as model:
        proof.logits("wgpt with peft's adapter, beside peft", [model.logits(ids) for ids in prompts], theirs, LOGITS)
        model.detach()
        far = apart([model.logits(ids) for ids in prompts], theirs)
        proof("the same without it", far > 100 * LOGITS, f"logits differ by {far:.1e} of the largest")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", "-m", help="a known name, a .gguf file or a Hugging Face folder")
    parser.add_argument("--lora", "-l", type=Path, help="the folder of an adapter; without it, a random one is made")
    parser.add_argument("--ask", action="append", help="a question; may be given again")
    parser.add_argument("--tokens", type=int, default=32, help="of an answer, at most (32)")
    parser.add_argument("--work", type=Path, help="a folder to leave all files in")
    options = parser.parse_args()
    if not options.ask:
        lines = (Path(__file__).parent / "facts-test.jsonl").read_text(encoding="utf-8").splitlines()[:3]
        options.ask = [json.loads(line)["messages"][0]["content"] for line in lines]
    work = options.work or Path(tempfile.mkdtemp(prefix="wgpt-proof-"))
    try:
        failed = prove(options, work)
    finally:
        if options.work is None:
            shutil.rmtree(work, ignore_errors=True)
    print("all is well" if not failed else f"{failed} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
