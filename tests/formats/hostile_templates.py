"""Chat templates that try to exhaust memory or time. Each must soon end in a one-line error.

tests/fuzz uses them, too, with other numbers in place of {n}.
"""

from __future__ import annotations

_GROW = "{% set n = namespace(v=[V]) %}{% for i in range(200) %}{% set n.v = [E] %}{% endfor %}{{ n.v }}"


def grown(start: str, step: str) -> str:
    """A value that grows in each round from the one before."""
    return _GROW.replace("[V]", start).replace("[E]", step)


_BIG = "{% set s = 'x' * 9999999 %}"
_NEST = "{% set a = ['x', 'y'] %}" + "{% set a = [a, a, a, a] %}" * 40

TEMPLATES = {
    # Numbers.
    "a number squared": grown("99", "n.v * n.v"),
    "a power of a power": grown("9", "n.v ** 60"),
    "a power of a negative power": "{{ 2.0 ** -99999999999 }}",
    "a sum of squares": "{{ [9 ** 60, 9 ** 60] | sum ** 60 ** 60 }}",
    "a number out of digits": "{{ ('9' * 4000) | int ** 9 }}",
    "a float of many digits": "{{ '%.999999999f' % 1.5 }}",
    "factorials in a loop": "{% set n = namespace(v=1) %}{% for i in range(99999) %}{% set n.v = n.v * (i + 1) %}"
    "{% endfor %}{{ n.v }}",
    # Formats.
    "a width of braces": "{{ '{:>4000000000}'.format(1) }}",
    "a width from an argument": "{{ '{:>{}}'.format(1, '4000000000') }}",
    "a width by name": "{{ '{:{w}}'.format(1, w='4000000000') }}",
    "a width in a map": "{{ '{a:>4000000000}'.format_map({'a': 1}) }}",
    "a width of the filter": "{{ '%4000000000d' | format(1) }}",
    "a width with a star": "{{ '%*d' % (999999999, 1) }}",
    "a named width": "{{ '%(a)4000000000d' % {'a': 1} }}",
    "a precision of braces": "{{ '{:.900000000f}'.format(1.5) }}",
    "a format method kept": "{% set f = '{:>4000000000}'.format %}{{ f(1) }}",
    # Texts.
    "a text squared by replace": "{% set s = 'x' * 99999 %}{{ s.replace('x', s) }}",
    "a text squared by the filter": "{% set s = 'x' * 99999 %}{{ s | replace('x', s) }}",
    "a text squared by join": "{% set s = 'x' * 999999 %}{{ s.join(s) }}",
    "a text joined": _BIG + "{{ (([s] * 9999999) | join) }}",
    "a text joined by method": _BIG + "{{ ''.join([s] * 9999999) }}",
    "a separator joined": _BIG + "{{ range(99999) | join(s) }}",
    "tabs": "{{ ('\\t' * 9999999).expandtabs(9999999) }}",
    "zeros": "{{ '1'.zfill(99999999999) }}",
    "a text centred": "{{ 'x' | center(99999999999) }}",
    "a text indented": "{{ ('x\\n' * 999999) | indent(9999999) }}",
    "a text indented by a text": "{% set s = 'x' * 999999 %}{{ ('x\\n' * 999999) | indent(s) }}",
    "a text wrapped": "{% set s = 'x' * 999999 %}{{ ('x' * 999999) | wordwrap(1, wrapstring=s) }}",
    "links": "{{ ('http://x.y ' * 999999) | urlize(target='x' * 99999) }}",
    "escapes": "{% set n = namespace(v='&') %}{% for i in range(99) %}{% set n.v = n.v | replace('&', '&&') %}"
    "{% endfor %}{{ n.v }}",
    "a translation": grown("'x' * 99", "n.v.translate({120: n.v})"),
    "a text encoded": grown("'x' * 99", "(n.v ~ n.v) | urlencode"),
    "many texts": _BIG + "{% set n = namespace(l=[]) %}{% for i in range(9999) %}{% set n.l = n.l + [s ~ i] %}"
    "{% endfor %}",
    # Lists and objects.
    "a list multiplied": grown("['x', 'y']", "n.v + n.v + n.v"),
    "lists of lists of lists": _NEST + "{{ a }}",
    "lists of lists as JSON": _NEST + "{{ a | tojson }}",
    "lists of lists compared": _NEST + _NEST.replace(" a ", " b ").replace("a,", "b,").replace("a]", "b]")
    + "{{ a == b }}",
    "lists of lists as text": _NEST + "{{ (a | string) | length }}",
    "lists of lists printed": _NEST + "{{ a | pprint }}",
    "a batch": "{{ [1] | batch(999999999, 'x') | list }}",
    "a slice": "{{ range(9) | slice(999999999) | list }}",
    "sums of lists": "{{ ([['x'] * 9999] * 9999) | sum(start=[]) | length }}",
    "an object of itself": "{% set d = {'a': 1} %}"
    + "{% set d = {'a': d, 'b': d, 'c': d} %}" * 40 + "{{ d | tojson }}",
    "sorted over and over": "{% for i in range(9999) %}{% set x = (range(99999) | list | sort(reverse=true)) %}"
    "{% endfor %}",
    "groups over and over": "{% for i in range(9999) %}{% set x = range(99999) | groupby('real') | list %}{% endfor %}",
    "searched over and over": "{% for i in range(99999) %}{% if -1 in range(99999) | list %}x{% endif %}{% endfor %}",
    # Blocks, macros and loops.
    "filler text": "{{ lipsum(n=10**7) }}",
    "loops in loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}x{% endfor %}"
    "{% endfor %}{% endfor %}",
    "a macro of macros": "".join(
        f"{{% macro m{i + 1}() %}}{{{{ m{i}() * 9 }}}}{{% endmacro %}}" for i in range(30)
    ).replace("m0()", "'x'")
    + "{{ m30() }}",
    "a macro that calls itself": "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "a call of a caller": "{% macro m() %}{{ caller() ~ caller() }}{% endmacro %}" + "{% call m() %}" * 30 + "x" * 99
    + "{% endcall %}" * 30,
    "blocks of filters": "{% filter upper %}" * 500 + "x" + "{% endfilter %}" * 500,
    "a set block": "{% set n = namespace(s='x') %}{% for i in range(99) %}{% set t %}{{ n.s }}{{ n.s }}{% endset %}"
    "{% set n.s = t %}{% endfor %}",
    "a block within itself": "{% block a %}{{ self.a() }}{% endblock %}",
    "a loop that is its own list": "{% for i in range(9999) %}{{ loop.cycle(*range(99999)) }}{% endfor %}",
    "a cycler": "{% set c = cycler(*range(99999)) %}{% for i in range(99999) %}{% for j in range(99999) %}"
    "{{ c.next() }}{% endfor %}{% endfor %}",
    "nested in the extreme": "{% if x %}" * 3000 + "{% endif %}" * 3000,
    "not in the extreme": "{{ " + "not " * 30000 + "x }}",
    "a sum in the extreme": "{{ " + "1 + " * 30000 + "1 }}",
    "a list in the extreme": "{{ " + "[" * 30000 + "]" * 30000 + " }}",
    # Ways out of the sandbox.
    "a class": "{{ ().__class__.__base__.__subclasses__() }}",
    "a class by filter": "{{ () | attr('__class__') | attr('__base__') | attr('missing') | length }}",
    "a class by format": "{{ '{0.__class__.__base__}'.format(()) }}",
    "globals": "{{ raise_exception.__globals__.os }}",
    "globals of a macro": "{% macro m() %}{% endmacro %}{{ m.__init__.__globals__ }}",
    "a frame": "{{ self.__init__.__globals__['os'] }}",
    "an import": "{% import 'os' as os %}{{ os.system('x') }}",
    "a file": "{% include '/etc/passwd' %}",
    "a changed message": "{{ messages.append(messages) }}",
}  # fmt: skip
