"""README and docs/: the Python blocks run, the commands and their options exist, the pages are in the nav."""

from __future__ import annotations

import re
import runpy
import shlex
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
import yaml

from wgpt.api import forward_pass, loading

from .made_loras import write_made_lora

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WRITTEN = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
MARKDOWN = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "bench").rglob("*.md"))]
PAGES = runpy.run_path(str(ROOT / "scripts" / "docs_pages.py"))
COMMANDS = dict(PAGES["commands"]())


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def commands_in(text: str) -> list[list[str]]:
    """The words of every `wgpt ...`, in blocks of shell or between backticks."""
    shell = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in shell for line in block.replace("\\\n", " ").splitlines()]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    words = [shlex.split(line, comments=True) for line in lines if re.match(r"(\w+=\S+ )*wgpt ", line)]
    return [line[line.index("wgpt") + 1 :] for line in words]


ASKED = [(name_of(path), words) for path in WRITTEN for words in commands_in(path.read_text())]


@pytest.mark.parametrize(("page", "words"), ASKED, ids=[f"{page}: wgpt {' '.join(words)}" for page, words in ASKED])
def test_the_command_and_its_options_exist(page, words):
    name = "wgpt"
    for word in words:
        if f"{name} {word}" in COMMANDS:
            name = f"{name} {word}"
        else:
            break
    assert name != "wgpt" or words[0].startswith("-"), f"{page}: no command {words[0]!r}"
    default = getattr(COMMANDS[name], "default", "")  # of a group: the command that runs where none is named
    name = f"{name} {default}" if default else name
    known = {option for parameter in COMMANDS[name].params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = {word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
    assert used <= known | {"--help", "-h"}, f"{page}: wgpt {shlex.join(words)}"


def test_the_tutorial_estimates_what_it_trains():
    commands = [words for page, words in ASKED if page == "docs/tutorial.md" and words[0] == "finetune"]
    estimate, training = (words for words in commands if "--data" in words)
    assert estimate == [*training, "--dry-run"]
    text = (DOCS / "tutorial.md").read_text()
    (steps,) = re.findall(r"^(\d+) steps of 64 rows", text, re.MULTILINE)
    assert f"step {steps}/{steps} " in text and f"\n{steps} steps, loss" in text


def test_the_readme_lists_the_extras():
    """All but those of developers, and that of the hub's client, which tokenizers brings."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    listed = re.search(r"Extras: (.*?)\. In a checkout", (ROOT / "README.md").read_text(), re.DOTALL)
    assert listed is not None
    assert set(re.findall(r"\[(\w+)\]", listed[1])) == set(extras) - {"dev", "docs", "hub"}
    assert any(each.startswith("huggingface") and "extra ==" not in each for each in requires("tokenizers") or ())
    assert not [page for page in WRITTEN if "wgpt[hub]" in page.read_text()]


def test_pages_with_commands_are_found():
    assert {"README.md", "docs/tutorial.md", "docs/guides/models.md"} <= {page for page, _ in ASKED}


# Triton's needs Triton (tests/triton runs its kernels), requests need a server (tests/serve/test_guide.py), several
# machines need a cluster (tests/cluster), and the worked examples have tests of their own.
ELSEWHERE = ("triton.md", "requests.md", "scale.md", "add-a-kernel.md", "add-a-model.md", "add-a-quantisation.md")
RUN = [path for path in WRITTEN if blocks(path, "python") and path.name not in ELSEWHERE]


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("path", RUN, ids=name_of)
def test_the_python_blocks_run(path, tmp_path, smollm2_path, monkeypatch):
    """One after the other, in one namespace, as a reader would."""
    resolve = loading.resolve
    tiny = {None: smollm2_path, **{name: GOLDEN / folder for name, folder in ENCODERS.items()}}
    for module in (loading, forward_pass):
        monkeypatch.setattr(module, "resolve", lambda name, progress=None: resolve(tiny.get(name, name), progress))
    monkeypatch.setattr(loading, "available_locally", lambda base: smollm2_path)
    monkeypatch.chdir(tmp_path)
    write_made_lora(tmp_path / "kites")
    namespace: dict[str, object] = {"__name__": "__main__"}
    for i, block in enumerate(blocks(path, "python")):
        exec(compile(block, f"{name_of(path)}, block {i + 1}", "exec"), namespace)


# In place of models on the hub: tiny ones.
GOLDEN = ROOT / "tests" / "golden" / "encoders"
ENCODERS = {"BAAI/bge-small-en-v1.5": "bert", "BAAI/bge-reranker-v2-m3": "xlm-roberta-cross"}
MADE_UP = "models/families/pebble.py"  # the path of the worked example


@pytest.mark.parametrize("path", [*WRITTEN, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_the_files_it_names_exist(path):
    named = re.findall(r"`((?:\w+/)+[\w.-]+\.(?:py|wgsl|yaml|md))`", path.read_text())
    missing = [
        name
        for name in named
        if name != MADE_UP and not any((folder / name).exists() for folder in (ROOT, ROOT / "src" / "wgpt", DOCS))
    ]
    assert not missing


def test_the_pages_have_the_code_that_they_include():
    outdated = runpy.run_path(str(ROOT / "scripts" / "write_docs.py"))["outdated"]()
    assert not outdated, f"run python scripts/write_docs.py: {[name_of(path) for path in outdated]}"
    assert sum("<!-- include: " in path.read_text() for path in WRITTEN) == 5


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings that are the same on GitHub and in the site, which joins hyphens."""
    prose = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose.lower(), re.MULTILINE)
    github = {re.sub(r"[^\w\s-]", "", heading).strip().replace(" ", "-") for heading in headings}
    return {anchor for anchor in github if "--" not in anchor}


@pytest.mark.parametrize("path", [*WRITTEN, *MARKDOWN], ids=name_of)
def test_the_relative_links_resolve(path):
    """In the repository; and those of docs/ in the site as well, which has the files of docs/ and no others."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?:|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.is_file(), f"{name_of(path)}: no file {link}"
        assert DOCS not in path.parents or DOCS in target.parents, f"{name_of(path)}: {link} is not in the site"
        assert not anchor or anchor in anchors(target), f"{name_of(path)}: no heading {link}"


def test_the_results_are_a_page():
    """Current figures only: what was tried is in bench/notes, and each note is in their list."""
    assert len((ROOT / "bench" / "RESULTS.md").read_text().splitlines()) <= 250
    notes = ROOT / "bench" / "notes"
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (notes / "README.md").read_text()))
    assert listed == {path.name for path in notes.glob("*.md")} - {"README.md"}


def test_every_page_is_in_the_nav():
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]

    def files(entries: list) -> set[str]:
        pages = set()
        for entry in entries:
            for target in entry.values():
                pages |= files(target) if isinstance(target, list) else {target}
        return pages

    listed = files(nav)
    assert {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")} <= listed
    assert set(PAGES["pages"]()) <= listed


@pytest.mark.parametrize("path", [ROOT / "README.md", DOCS / "index.md"], ids=name_of)
def test_every_guide_is_among_those_to_read_on(path):
    text = path.read_text()
    assert not [guide.name for guide in (DOCS / "guides").glob("*.md") if f"guides/{guide.name}" not in text]
    assert not [name for name in ("tutorial.md", "scale.md", "browser.md", "architecture.md") if name not in text]


def test_every_command_is_in_the_reference():
    page = PAGES["cli_page"]()
    for name, command in COMMANDS.items():
        assert f"# {name}\n" in page
        for parameter in command.params:
            argument = parameter.param_type_name == "argument"
            shown = [parameter.metavar or parameter.name.upper()] if argument else parameter.opts
            assert all(name.replace("|", "\\|") in page for name in shown)
