"""Chat templates: known hostile ones, and random programs of every filter, method, test and block of Jinja."""

from __future__ import annotations

from pathlib import Path

from tests.formats.hostile_templates import TEMPLATES
from wgpt.formats.chat import render_chat

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick

_MESSAGES = [{"role": "user", "content": "Hello <b>"}, {"role": "assistant", "content": "Yes?"}]
_PLAIN = "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
_NUMBERS = ("0", "1", "3", "99", "9999", "999999", "16000000", "99999999999", "-1", "1.5", "1e308", "9 ** 60")
_VALUES = (
    *("messages", "messages[0].content", "n.v", "n.v", "n.l", "'x'", "'a b\\tc\\n'", "none", "true", "loop.index", "i"),
    *("'{:>9}{}'", "'%s %d'", "['x', 'y']", "{'a': 1}", "(1, 2)", "undefined_name", "range(999)", "caller", "self"),
    *("namespace", "dict(a=1)", "cycler('a', 'b')", "joiner(',')", "messages[0]", "strftime_now", "'x'.format"),
)
_FILTERS = (
    *("abs", "attr('v')", "batch(V)", "capitalize", "center(V)", "default(V)", "dictsort", "escape", "first", "float"),
    *("format(V, V)", "groupby('role')", "indent(V)", "int", "items", "join(V)", "last", "length", "list", "lower"),
    *("map('upper')", "map(attribute='role')", "max", "min", "pprint", "random", "reject('odd')", "replace(V, V)"),
    *(
        "reverse",
        "round(V)",
        "safe",
        "select('string')",
        "selectattr('role')",
        "slice(V)",
        "sort",
        "string",
        "striptags",
    ),
    *(
        "sum",
        "sum(start=V)",
        "title",
        "tojson",
        "tojson(indent=V)",
        "trim",
        "truncate(V)",
        "unique",
        "upper",
        "urlencode",
    ),
    *("urlize(V)", "wordcount", "wordwrap(V)", "xmlattr", "filesizeformat", "forceescape"),
)
_METHODS = (
    *(
        "split(V)",
        "join(V)",
        "replace(V, V)",
        "ljust(V)",
        "zfill(V)",
        "expandtabs(V)",
        "format(V)",
        "encode()",
        "get(V)",
    ),
    *("items()", "keys()", "strip(V)", "splitlines()", "translate({120: V})", "count(V)", "index(V)", "append(V)"),
    *(
        "__class__",
        "__mul__(V)",
        "format_map({'a': V})",
        "partition(V)",
        "title()",
        "copy()",
        "upper()",
        "center(V, 'x')",
    ),
)
_OPERATORS = ("+", "-", "*", "*", "/", "//", "%", "**", "~", "~", "==", "<", "in", "and", "or", "is")


def _expression(rng: Rng, depth: int) -> str:
    def inner() -> str:
        return _expression(rng, depth - 1)

    if depth <= 0:
        return pick(rng, _NUMBERS) if rng.integers(3) == 0 else pick(rng, _VALUES)
    kind = int(rng.integers(6))
    if kind == 0:
        return f"({inner()} {pick(rng, _OPERATORS)} {inner()})"
    if kind == 1:
        return f"({inner()} | {_filled(rng, pick(rng, _FILTERS), depth)})"
    if kind == 2:
        return f"({inner()}).{_filled(rng, pick(rng, _METHODS), depth)}"
    if kind == 3:
        return f"[{inner()}, {inner()}]"
    if kind == 4:
        return f"({inner()})[{pick(rng, (':', '::-1', '0', '-1', '1:', inner()))}]"
    return f"({inner()} if {inner()} else {inner()})"


def _filled(rng: Rng, text: str, depth: int) -> str:
    while "V" in text:
        text = text.replace("V", _expression(rng, depth - 2).replace("V", "v"), 1)
    return text


def _statement(rng: Rng, depth: int) -> str:
    def body() -> str:
        return "".join(_statement(rng, depth - 1) for _ in range(int(rng.integers(1, 4))))

    kind = int(rng.integers(9)) if depth > 0 else int(rng.integers(3))
    if kind == 0:
        return f"{{{{ {_expression(rng, 3)} }}}}"
    if kind in (1, 2):
        return f"{{% set n.{pick(rng, ('v', 'v', 'l'))} = {_expression(rng, 3)} %}}"
    if kind in (3, 4):
        return f"{{% for i in {_expression(rng, 2)} %}}{body()}{{% endfor %}}"
    if kind == 5:
        return f"{{% for i in range({pick(rng, ('9', '60', '999', '99999'))}) %}}{body()}{{% endfor %}}"
    if kind == 6:
        name = f"m{int(rng.integers(3))}"
        call = f"{{{{ {name}({_expression(rng, 1)}) }}}}"
        return f"{{% macro {name}(i) %}}{body()}{{{{ caller and caller() }}}}{{% endmacro %}}{call}"
    if kind == 7:
        return f"{{% filter {_filled(rng, pick(rng, _FILTERS), 1)} %}}{body()}{{% endfilter %}}"
    return f"{{% set n.v %}}{body()}{{% endset %}}".replace("n.v", "t") + "{% set n.v = n.v ~ t %}"


@area("templates")
def template(rng: Rng, folder: Path) -> Case:
    chance = rng.random()
    if chance < 0.1:
        return Case("ChatML", ACCEPTED, lambda: render_chat(_PLAIN, _MESSAGES))
    if chance < 0.25:
        name = pick(rng, sorted(TEMPLATES))
        return Case(f"hostile: {name}", REFUSED, lambda: render_chat(TEMPLATES[name], _MESSAGES))
    text = "{% set n = namespace(v='x', l=['x']) %}" + "".join(
        _statement(rng, 3) for _ in range(int(rng.integers(1, 6)))
    )
    return Case(text[:300].replace("\n", " "), EITHER, lambda: render_chat(text, _MESSAGES))
