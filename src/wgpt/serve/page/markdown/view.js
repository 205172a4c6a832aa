// Shows Markdown as DOM nodes, and keeps the nodes of blocks that did not change: while an answer streams in, only
// its last block is made anew, and a selection in the others stays.

import { copyButton, element } from "../dom.js";
import { parseBlocks } from "./blocks.js";
import { highlight } from "./highlight.js";
import { parseInline } from "./inline.js";

export class MarkdownView {
  #shown = []; // { source, node } of the blocks, in order

  constructor() {
    this.node = element("div", { class: "markdown" });
  }

  update(text) {
    const lines = text.split(/\r\n?|\n/);
    const blocks = withLevels(parseBlocks(text));
    const shown = blocks.map((block, at) => {
      const source = `${block.level ?? ""}\n${lines.slice(block.start, block.end).join("\n")}`;
      const before = this.#shown[at];
      return before?.source === source ? before : { source, node: blockNode(block) };
    });
    shown.forEach(({ node }, at) => {
      const before = this.#shown[at]?.node;
      if (before === node) return;
      if (before) before.replaceWith(node);
      else this.node.append(node);
    });
    for (const { node } of this.#shown.slice(shown.length)) node.remove();
    this.#shown = shown;
  }
}

/** Gives headings a level: below the page's own h1, and never two steps down at once, whatever the model wrote. */
function withLevels(blocks) {
  let last = 1;
  return blocks.map((block) => {
    if (block.type !== "heading") return block;
    last = Math.min(block.rank + 1, last + 1, 6);
    return { ...block, level: last };
  });
}

function blockNode(block) {
  switch (block.type) {
    case "code":
      return codeNode(block);
    case "heading":
      // Inside a list or a quotation it looks like a heading, but the outline is the answer's own.
      return element(block.level ? `h${block.level}` : "p", { class: "heading", "data-rank": block.rank },
        ...inlineNodes(block.text));
    case "list":
      return listNode(block);
    case "quote":
      return element("blockquote", {}, ...block.blocks.map(blockNode));
    case "rule":
      return element("hr");
    case "table":
      return tableNode(block);
    default:
      return element("p", {}, ...inlineNodes(block.text));
  }
}

function codeNode({ code, language }) {
  const pieces = highlight(code, language).map(({ kind, text }) =>
    kind === "plain" ? text : element("span", { class: `code-${kind}` }, text));
  return element("figure", { class: "code" },
    element("figcaption", {}, element("span", {}, language || "code"), copyButton("Copy code", () => code)),
    element("pre", { tabindex: "0", role: "group", "aria-label": `Code${language ? `, ${language}` : ""}` },
      element("code", {}, ...pieces)));
}

function listNode({ ordered, number, loose, items }) {
  const start = ordered && number !== 1 ? number : null;
  return element(ordered ? "ol" : "ul", { start }, ...items.map(({ blocks, checked }) => {
    const content = blocks.flatMap((block) =>
      block.type === "paragraph" && !loose ? inlineNodes(block.text) : [blockNode(block)]);
    if (checked === null) return element("li", {}, ...content);
    const mark = element("span", { class: "task", role: "img", "aria-label": checked ? "done" : "to do" },
      checked ? "☑" : "☐");
    return element("li", { class: "task-item" }, mark, " ", ...content);
  }));
}

function tableNode({ align, head, rows }) {
  const cell = (tag, text, column) => element(tag, { class: `align-${align[column]}` }, ...inlineNodes(text));
  return element("div", { class: "table", tabindex: "0", role: "group", "aria-label": "Table" },
    element("table", {},
      element("thead", {}, element("tr", {}, ...head.map((text, column) => cell(text ? "th" : "td", text, column)))),
      element("tbody", {}, ...rows.map((row) =>
        element("tr", {}, ...row.map((text, column) => cell("td", text, column)))))));
}

const TAGS = { strong: "strong", emphasis: "em", deleted: "del" };

function inlineNodes(text) {
  return parseInline(text).map(inlineNode);
}

function inlineNode(node) {
  if (typeof node === "string") return node;
  if (node.type === "code") return element("code", {}, node.text);
  if (node.type === "break") return element("br");
  const children = node.children.map(inlineNode);
  if (node.type !== "link") return element(TAGS[node.type], {}, ...children);
  return element("a", { href: node.url, title: node.url, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}
