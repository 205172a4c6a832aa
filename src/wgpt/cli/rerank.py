"""`wgpt rerank`: texts by how well they answer a query."""

from __future__ import annotations

from typing import Annotated

import typer

from .common import Json, print_json
from .embed import TextFile, Texts, read_texts
from .groups import grouped
from .options import ModelOptions
from .progress import progress_bar


@grouped
def command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question, or words to look for.")],
    texts: Texts = None,
    file: TextFile = None,
    model: ModelOptions = ModelOptions(),
    top: Annotated[
        int | None, typer.Option(min=1, help="Print only this many of the best texts.", show_default=False)
    ] = None,
    instruction: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What makes a text relevant, for Qwen3-Reranker.", show_default=False),
    ] = None,
    truncate: Annotated[
        bool, typer.Option("--truncate", help="Cut texts that are too long, instead of refusing them.")
    ] = False,
    json: Json = False,
) -> None:
    """The model must be a cross-encoder, such as bge-reranker or a MiniLM trained on MS MARCO, or Qwen3-Reranker. A
    score is the probability that the text answers the query, as the model sees it.

    \b
    Examples:
      wgpt rerank "What is blue?" "The sky is blue." "Grass is green." -m BAAI/bge-reranker-v2-m3
      wgpt rerank "What is blue?" --file texts.txt --top 3 -m BAAI/bge-reranker-v2-m3
    """
    if not query:
        raise typer.BadParameter("the query is empty")
    read = read_texts(texts or [], file)
    with model.loaded(encodes=True) as loaded, progress_bar(f"ranking {len(read):,} texts"):
        ranked = loaded.rerank(query, read, top=top, instruction=instruction, truncate=truncate)
    if json:
        results = [{"index": each.index, "score": each.score, "text": read[each.index]} for each in ranked]
        print_json({"query": query, "results": results})
        return
    for each in ranked:
        typer.echo(f"{each.score:.4f}  {read[each.index]}")
