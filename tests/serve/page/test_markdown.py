"""Markdown in the browser: what models write is shown well, and nothing that they write ever runs."""

from __future__ import annotations

import random
import re

import pytest

# The tags and attributes that Markdown may become: everything else in an answer is text.
TAGS = "A BLOCKQUOTE BR BUTTON CODE DEL DIV EM FIGCAPTION FIGURE H2 H3 H4 H5 H6 HR LI OL P PATH PRE SPAN STRONG SVG"
TAGS += " TABLE TBODY TD TH THEAD TR UL"
ATTRIBUTES = "aria-hidden aria-label class d data-rank href rel role start tabindex target title type viewbox"

# Each list of texts is shown in a view of its own, one after the other: as an answer that streams in.
RENDER = """async (lists) => {
  const { MarkdownView } = await import("/page/markdown/view.js");
  return lists.map((texts) => {
    const view = new MarkdownView();
    document.body.append(view.node);
    for (const text of texts) view.update(text);
    const nodes = [...view.node.querySelectorAll("*")];
    const shown = {
      html: view.node.innerHTML,
      text: view.node.textContent,
      tags: [...new Set(nodes.map((node) => node.tagName.toUpperCase()))],
      attributes: [...new Set(nodes.flatMap((node) => node.getAttributeNames().map((name) => name.toLowerCase())))],
      links: nodes.filter((node) => node.href).map((node) => node.href),
    };
    view.node.remove();
    return shown;
  });
}"""


@pytest.fixture
def page(visit):
    return visit().page


def plain(html: str) -> str:
    """Without what only looks or speaks."""
    html = re.sub(r"<figcaption>.*?</figcaption>", "", html)
    html = re.sub(r'<figure class="code"><pre [^>]*>(.*?)</pre></figure>', r"<pre>\1</pre>", html, flags=re.DOTALL)
    html = re.sub(r' (class|title|rel|target|data-rank|tabindex|role|aria-label)="[^"]*"', "", html)
    return html.replace("<div><table>", "<table>").replace("</table></div>", "</table>")


SHOWN = {
    "one *two* **three** ***four*** ~~five~~ `six`": "<p>one <em>two</em> <strong>three</strong> "
    "<em><strong>four</strong></em> <del>five</del> <code>six</code></p>",
    "**bold *both* bold**": "<p><strong>bold <em>both</em> bold</strong></p>",
    "snake_case_name, 2 * 3 * 4, **open": "<p>snake_case_name, 2 * 3 * 4, **open</p>",
    r"\*not\* \`code\`": "<p>*not* `code`</p>",
    "``a ` b``": "<p><code>a ` b</code></p>",
    "poem\nline": "<p>poem<br>line</p>",
    "# One\n### Two\n# Three #": "<h2>One</h2><h3>Two</h3><h2>Three</h2>",
    "a\n\n---\n\nb": "<p>a</p><hr><p>b</p>",
    "> a\n> b\n>\n> - c": "<blockquote><p>a<br>b</p><ul><li>c</li></ul></blockquote>",
    "- a\n- b": "<ul><li>a</li><li>b</li></ul>",
    "Text:\n1. a\n2. b\n   - c\n   - d\n3. e": "<p>Text:</p>"
    "<ol><li>a</li><li>b<ul><li>c</li><li>d</li></ul></li><li>e</li></ol>",
    "1. a\n  - two spaces": "<ol><li>a<ul><li>two spaces</li></ul></li></ol>",
    "3. c\n4. d": '<ol start="3"><li>c</li><li>d</li></ol>',
    "- a\n\n  more\n- b": "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></ul>",
    "- [x] a\n- [ ] b": "<ul><li><span>☑</span> a</li><li><span>☐</span> b</li></ul>",
    "* a\n* b\n\nafter": "<ul><li>a</li><li>b</li></ul><p>after</p>",
    "| a | b |\n| --- | ---: |\n| 1 | `x\\|y` |\n| 2 |": "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
    "<tbody><tr><td>1</td><td><code>x|y</code></td></tr><tr><td>2</td><td></td></tr></tbody></table>",
    "a | b\nc": "<p>a | b<br>c</p>",
    "```text\na < b\n\n*c*\n```\nafter": "<pre><code>a &lt; b\n\n*c*</code></pre><p>after</p>",
    "```\nopen": "<pre><code>open</code></pre>",
    "~~~\n```\n~~~": "<pre><code>```</code></pre>",
    "- item\n  ```\n  code\n    deeper\n  ```": "<ul><li>item<pre><code>code\n  deeper</code></pre></li></ul>",
    '```python\nreturn "a"  # b\n```': '<pre><code><span>return</span> <span>"a"</span>  <span># b</span></code></pre>',
    "[a *b*](https://c.d/e_(f) 'g')": '<p><a href="https://c.d/e_(f)">a <em>b</em></a></p>',
    "See https://a.b/c?d=e&f=g.": '<p>See <a href="https://a.b/c?d=e&amp;f=g">https://a.b/c?d=e&amp;f=g</a>.</p>',
    "<https://a.b> (https://c.d)": '<p><a href="https://a.b/">https://a.b</a> (<a href="https://c.d/">https://c.d</a>)</p>',
    "![cat](https://a.b/cat.png)": '<p>!<a href="https://a.b/cat.png">cat</a></p>',
    "a <b>c</b> &amp; d": "<p>a &lt;b&gt;c&lt;/b&gt; &amp;amp; d</p>",
    "": "",
}


def test_markdown_is_shown(page):
    results = page.evaluate(RENDER, [[source] for source in SHOWN])
    assert {source: plain(result["html"]) for source, result in zip(SHOWN, results, strict=True)} == SHOWN


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<svg/onload=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    "[x](/v1/models)",
    "[x](//evil.example/)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "[<img src=x onerror=alert(1)>](https://a.b)",
    '[x](https://a.b"onmouseover="alert(1))',
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "| <script>alert(1)</script> |\n| --- |\n| <img src=x onerror=alert(1)> |",
    "# <script>alert(1)</script>",
    "- <script>alert(1)</script>",
    "> <style>*{display:none}</style>",
    "<form action=https://evil.example><input name=key></form>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "\u0000<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202ealert(1)",
]


def test_nothing_that_a_model_writes_becomes_more_than_text(page):
    results = check_harmless(page, HOSTILE)
    assert [result["text"] for result in results[:5]] == HOSTILE[:5]
    page.wait_for_timeout(500)  # for handlers that would run later; the fixture sees dialogs and errors


def check_harmless(page, sources: list[str]) -> list[dict]:
    results = page.evaluate(RENDER, [[source] for source in sources])
    for source, result in zip(sources, results, strict=True):
        assert set(result["tags"]) <= set(TAGS.split()), source
        assert set(result["attributes"]) <= set(ATTRIBUTES.split()), source
        assert all(link.startswith(("http://", "https://", "mailto:")) for link in result["links"]), source
    return results


PIECES = ["<script>", "</script>", "[", "](", ")", "javascript:", "https://a.b", "`", "```\n", "*", "**", "_"]
PIECES += ["~~", "\n", "[x] ", "\r\n", "!", "a", "é", "😀", '"', "'"]
PIECES += ["\n\n", "- ", "1. ", "> ", "| ", "|\n|---|\n", "# ", "  ", "    ", "\\", "<", ">", "&lt;"]
PIECES += ["onerror=", "\t", "---"]


def made(seed: int) -> str:
    return "".join(random.Random(seed).choices(PIECES, k=60))


def test_random_text_is_harmless(page):
    check_harmless(page, [made(seed) for seed in range(1000)])


def test_an_answer_that_streams_in_ends_like_one_that_came_at_once(page):
    sources = ["\n\n".join(SHOWN), *(made(seed) for seed in range(1000, 1100))]
    growing = [[source[:end] for end in range(0, len(source), 7)] + [source] for source in sources]
    assert page.evaluate(RENDER, growing) == page.evaluate(RENDER, [[source] for source in sources])


def test_finished_blocks_keep_their_nodes(page):
    """A selection in them stays while the answer grows."""
    assert page.evaluate("""async () => {
      const { MarkdownView } = await import("/page/markdown/view.js");
      const view = new MarkdownView();
      view.update("# Title\\n\\nfirst\\n\\nseco");
      const before = [...view.node.children];
      view.update("# Title\\n\\nfirst\\n\\nsecond\\n\\nthird");
      const after = [...view.node.children];
      return [before[0] === after[0], before[1] === after[1], before[2] === after[2], after.length];
    }""") == [True, True, False, 4]


REPEATED = ["[", "*a ", "**a *b ", "_a", "`", "`a``b", "[a](", "<", ">", "- ", "|a", "http://", "\\", "~~", "- a\n"]
REPEATED += ["> - ", "(", "1. a\n   ", "|\n"]


def test_no_text_stalls_the_page(page):
    """A parser that compares all pairs of 25,000 characters takes seconds for some of them."""
    slow = page.evaluate(
        """async (pieces) => {
          const { parseBlocks } = await import("/page/markdown/blocks.js");
          const { parseInline } = await import("/page/markdown/inline.js");
          const { highlight } = await import("/page/markdown/highlight.js");
          return pieces.map((piece) => {
            const text = piece.repeat(49_000 / piece.length);
            const start = performance.now();
            parseBlocks(text);
            parseInline(text);
            for (const language of ["python", "js", "sql", "html"]) highlight(text.slice(0, 39_000), language);
            return [piece, (performance.now() - start) / 1000];
          }).filter(([, seconds]) => seconds > 5);
        }""",
        REPEATED,
    )
    assert not slow


def test_highlighted_code_is_the_code(page):
    sources = [made(seed) for seed in range(2000, 2200)]
    for language in ("python", "js", "sql", "html", "unknown"):
        shown = page.evaluate(
            """async ([sources, language]) => {
              const { highlight } = await import("/page/markdown/highlight.js");
              return sources.map((code) => highlight(code, language).map((piece) => piece.text).join(""));
            }""",
            [sources, language],
        )
        assert shown == sources
