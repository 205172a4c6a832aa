"""The decode rate of an exported model in Node with Dawn, beside Python's in the same run.

    python bench/web_decode.py [--rounds 3] [--tokens 128] [--target subgroups] [--toggles NAME,NAME] [--json]

Writes a GGUF file of SmolLM2-135M's sizes with random weights of its types (Q4_1, the table Q8_0), exports it with
`wgpt export-web`, and measures in turns: `wgpt bench decode` and bench/web_decode.mjs. Needs the package gguf, a Node
(scripts/find_node.py) and the npm package `webgpu`: `make setup` installs them. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import runpy
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
find_node = runpy.run_path(str(ROOT / "scripts" / "find_node.py"))["find_node"]
sys.path.insert(0, str(ROOT / "bench" / "peers"))
PRESET, TYPES = "smollm2-135m", "q4_1 + q8_0"


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="processes of each; the medians are compared")
    parser.add_argument("--context", type=int, default=64, help="tokens at which decoding starts")
    parser.add_argument("--tokens", type=int, default=128, help="tokens to generate")
    parser.add_argument("--repeats", type=int, default=5, help="repetitions in each process")
    parser.add_argument("--target", action="append", help="Programs to export, as for export-web; several in turns")
    parser.add_argument("--toggles", action="append", default=[], help="of Dawn; several lists are measured in turns")
    parser.add_argument("--webgpu", type=Path, default=ROOT / "build/node/node_modules/webgpu", help="npm package")
    parser.add_argument("--model", type=Path, help="a model to export instead of random weights")
    parser.add_argument("--json", action="store_true", help="print all that was measured")
    return parser.parse_args()


def run(*command: Any) -> str:
    words = [str(part) for part in command]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout


def wgpt(*arguments: Any) -> Any:
    return json.loads(run(sys.executable, "-m", "wgpt", *arguments, "--json"))


def write_model(path: Path) -> None:
    import gguf_file

    from wgpt.models.presets import PRESETS

    gguf_file.write(path, asdict(PRESETS[PRESET]), TYPES)


def main() -> None:
    chosen = options()
    node, targets = find_node(), chosen.target or ["subgroups"]
    sizes = ["--context", chosen.context, "--tokens", chosen.tokens, "--repeats", chosen.repeats]
    with tempfile.TemporaryDirectory(prefix="wgpt-web-") as folder:
        model, site = chosen.model or Path(folder) / "random.gguf", Path(folder) / "site"
        if chosen.model is None:
            write_model(model)
        wgpt("export-web", "-m", model, "--out", site, *(f"--target={name}" for name in targets))
        ways = [(name, toggles) for name in targets for toggles in chosen.toggles or [""]]
        python, web = list[Any](), {way: list[Any]() for way in ways}
        for _ in range(chosen.rounds):
            python.append(wgpt("bench", "decode", "-m", model, *sizes))
            for (name, toggles), reports in web.items():
                mjs = [ROOT / "bench" / "web_decode.mjs", site, "--webgpu", chosen.webgpu, "--target", name]
                mjs += [] if reports else ["--verify"]
                try:
                    reports.append(json.loads(run(node, *mjs, *sizes, f"--toggles={toggles}")))
                except subprocess.CalledProcessError as e:  # say, a target that this GPU cannot run
                    print(f"{name} {toggles}: {e}", file=sys.stderr)
    if chosen.json:
        print(json.dumps({"python": python, "web": [report for reports in web.values() for report in reports]}))
        return
    rates = [report["tokens_per_second"] for report in python]
    print(f"Python: {_list(rates)} tok/s")
    for (name, toggles), reports in web.items():
        if not reports:
            print(f"{name}{', ' + toggles if toggles else ''}: failed")
            continue
        own = [median(report["tokens_per_second"]) for report in reports]
        cpu = median(us for report in reports for us in report["cpu_us_per_token"])
        print(
            f"{reports[0]['adapter']}, {name}{', ' + toggles if toggles else ''}: {_list(own)} tok/s, "
            f"{median(own) / median(rates):.2f} of Python's, CPU {cpu:.0f} us a token; "
            f"{reports[0]['checked']} kernels checked, wrong: {reports[0]['wrong'] or 'none'}"
        )


def _list(rates: list[float]) -> str:
    return ", ".join(f"{rate:,.1f}" for rate in rates)


if __name__ == "__main__":
    main()
