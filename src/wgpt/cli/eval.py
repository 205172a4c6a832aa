"""`wgpt eval`: tasks of lm-evaluation-harness."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.arguments import brief
from ..core.atomic import replacing
from ..core.errors import WgptError
from ..table import Column, show
from .common import as_json, print_json, stdout
from .groups import grouped
from .options import ModelOptions
from .outputs import check_report, output_path
from .progress import progress_bar

_MARK = '"bench": "eval"'
_STDOUT = "-"
_COLUMNS = (
    *(Column("task", words=True, least=24), Column("shots"), Column("metric", words=True)),
    *(Column("filter", words=True, drop=1), Column("value"), Column("stderr", drop=2)),
)


@grouped
def command(
    tasks: Annotated[str, typer.Option("--tasks", metavar="NAME,NAME,...", help="Tasks or groups of the harness.")],
    model: ModelOptions = ModelOptions(),
    include: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder with the YAML files of your own tasks.", show_default=False),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Use the first N examples of each task.", show_default=False)
    ] = None,
    shots: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Examples before each question. Default: the task's.", show_default=False
        ),
    ] = None,
    chat: Annotated[bool, typer.Option("--chat", help="Ask through the model's chat template.")] = False,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE|-", help="Write JSON to a file; - prints only JSON, to stdout.", show_default=False),
    ] = None,
) -> None:
    """The harness is an extra: pip install 'wgpt[eval]'. It downloads the data of its tasks from the Hugging Face hub;
    tasks of your own with local data need no network. Values depend on the harness's version, which --json names.

    \b
    Examples:
      wgpt eval --tasks arc_easy,hellaswag --limit 200
      wgpt eval --tasks gsm8k --chat -m ./Qwen2.5-0.5B-Instruct --json gsm8k.json
      wgpt eval --tasks my_task --include ./tasks --lora out
    """
    with progress_bar("opening lm-evaluation-harness"):
        harness = _harness()
    names = [name.strip() for name in tasks.split(",") if name.strip()]
    if not names:
        raise typer.BadParameter("--tasks is empty: name a task, such as arc_easy")
    if include is not None and not include.is_dir():
        raise typer.BadParameter(f"--include {include}: no such folder")
    if json is not None and json != _STDOUT:
        check_report(output_path(json), _MARK)
    with progress_bar("reading the list of tasks"):
        manager = harness.tasks.TaskManager(include_path=None if include is None else str(include))
    unknown = [name for name in names if not manager.match_tasks([name])]
    if unknown:
        raise WgptError(
            f"unknown task {brief(unknown[0])}: `lm-eval ls tasks` lists those of the harness; --include adds a folder"
        )
    from ..integrations.lm_eval import WgptLM

    with model.loaded() as loaded, progress_bar("evaluating") as progress:
        lm = WgptLM(loaded, progress)
        results = harness.simple_evaluate(
            lm,
            tasks=names,
            num_fewshot=shots,
            limit=limit,
            task_manager=manager,
            apply_chat_template=chat,
            log_samples=False,
            bootstrap_iters=1000,
        )
        facts = _facts(results, loaded.name, loaded.lora, limit, harness.__version__)
    if json == _STDOUT:
        print_json(facts)
        return
    show(stdout(), _COLUMNS, [_row(score) for score in facts["scores"]])
    if json is not None:
        with replacing(Path(json)) as file:
            file.write(as_json(facts).encode())
        typer.echo(f"wrote {json}", err=True)


def _harness() -> Any:
    try:
        import lm_eval
        import lm_eval.tasks
    except ModuleNotFoundError as e:
        raise WgptError(f"wgpt eval needs {e.name}, which is not installed: pip install 'wgpt[eval]'") from None
    return lm_eval


def _facts(results: dict[str, Any], model: str, lora: str | None, limit: int | None, version: str) -> dict[str, Any]:
    scores = []
    for task, metrics in results["results"].items():
        for name, value in metrics.items():
            metric, comma, chosen = name.partition(",")
            if not comma or metric.endswith("_stderr") or not isinstance(value, int | float):
                continue
            error = metrics.get(f"{metric}_stderr,{chosen}")
            scores.append(
                {
                    "task": task,
                    "shots": results.get("n-shot", {}).get(task),
                    "metric": metric,
                    "filter": chosen,
                    "value": value,
                    "stderr": error if isinstance(error, int | float) else None,
                    "examples": results.get("n-samples", {}).get(task, {}).get("effective"),
                }
            )
    return {"bench": "eval", "model": model, "lora": lora, "limit": limit, "lm_eval": version, "scores": scores}


def _row(score: dict[str, Any]) -> list[str]:
    shots, error = score["shots"], score["stderr"]
    return [
        score["task"],
        "" if shots is None else str(shots),
        score["metric"],
        "" if score["filter"] == "none" else score["filter"],
        f"{score['value']:.4f}",
        "" if error is None else f"{error:.4f}",
    ]
