// Markdown's blocks, as models write them: paragraphs, headings, lists, quotations, code, tables, rules. The result is
// plain data; HTML in the source stays text. Every pattern is anchored and linear, so no answer can stall the page.
//
// { type: "paragraph" | "heading" | "code" | "rule" | "quote" | "list" | "table", start, end, ... }
// start and end are lines of the source.

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: +|$)/;
const TASK = /^\[([ xX])\] +/;
const DELIMITER_CELL = /^:?-+:?$/;

// Quotations and lists inside each other: deeper ones stay text.
const MOST_LEVELS = 10;

/** @param {string} source */
export function parseBlocks(source) {
  return blocksOf(source.replace(/\r\n?/g, "\n").split("\n").map(expandTabs), 0);
}

function blocksOf(lines, level) {
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const block = readFence(lines, at) ?? readSingleLine(lines, at) ?? readTable(lines, at)
      ?? (level < MOST_LEVELS ? readQuote(lines, at, level) ?? readList(lines, at, level) : null)
      ?? readParagraph(lines, at, level);
    blocks.push({ ...block, start: at });
    at = block.end;
  }
  return blocks;
}

function readFence(lines, at) {
  const open = FENCE.exec(lines[at]);
  if (!open) return null;
  const indent = indentOf(lines[at]);
  const mark = open[1];
  const code = [];
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const close = FENCE.exec(lines[end]);
    if (close && close[2].trim() === "" && close[1][0] === mark[0] && close[1].length >= mark.length) break;
    code.push(withoutIndent(lines[end], indent));
  }
  const language = open[2].trim().split(/\s/, 1)[0];
  return { type: "code", language, code: code.join("\n"), closed: end < lines.length, end: Math.min(end + 1, lines.length) };
}

function readSingleLine(lines, at) {
  const heading = HEADING.exec(lines[at]);
  if (heading) {
    const text = (heading[2] ?? "").trim().replace(/(?:^|[ \t])#+$/, "").trimEnd();
    return { type: "heading", rank: heading[1].length, text, end: at + 1 };
  }
  return RULE.test(lines[at]) ? { type: "rule", end: at + 1 } : null;
}

function readTable(lines, at) {
  if (!lines[at].includes("|") || at + 1 >= lines.length) return null;
  const delimiters = cellsOf(lines[at + 1]);
  const head = cellsOf(lines[at]);
  if (delimiters.length !== head.length || !delimiters.every((cell) => DELIMITER_CELL.test(cell))) return null;
  const align = delimiters.map((cell) => {
    if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
    return "left";
  });
  const rows = [];
  let end = at + 2;
  for (; end < lines.length && lines[end].includes("|") && !isBlank(lines[end]); end += 1) {
    const cells = cellsOf(lines[end]);
    rows.push(head.map((_, column) => cells[column] ?? ""));
  }
  return { type: "table", align, head, rows, end };
}

/** The cells of a row: divided at "|", except at "\|". */
function cellsOf(line) {
  const cells = [""];
  const row = line.trim().replace(/^\|/, "");
  for (let at = 0; at < row.length; at += 1) {
    if (row[at] === "\\" && row[at + 1] === "|") {
      cells[cells.length - 1] += "|";
      at += 1;
    } else if (row[at] === "|") {
      if (at + 1 < row.length) cells.push("");
    } else {
      cells[cells.length - 1] += row[at];
    }
  }
  return cells.map((cell) => cell.trim());
}

function readQuote(lines, at, level) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end])) end += 1;
  if (end === at) return null;
  const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return { type: "quote", blocks: blocksOf(inside, level + 1), end };
}

function readList(lines, at, level) {
  const first = ITEM.exec(lines[at]);
  if (!first || first[1].length > 3) return null;
  const kind = kindOf(first[2]);
  const items = [];
  let loose = false;
  let end = at;
  while (end < lines.length) {
    const marker = ITEM.exec(lines[end]);
    if (!marker || kindOf(marker[2]) !== kind || RULE.test(lines[end])) break;
    const item = readItem(lines, end, marker, level);
    loose ||= item.loose;
    items.push(item);
    end = item.end;
    const next = skipBlank(lines, end);
    const another = next < lines.length ? ITEM.exec(lines[next]) : null;
    if (next > end && another && kindOf(another[2]) === kind) {
      loose = true;
      end = next;
    }
  }
  const number = Number.parseInt(first[2], 10);
  return { type: "list", ordered: kind !== "bullet", number: Number.isNaN(number) ? 1 : number, loose, items, end };
}

/** One item: the rest of its first line, and the lines that are indented below it. */
function readItem(lines, at, marker, level) {
  const width = Math.min(marker[0].length, marker[1].length + marker[2].length + 4);
  const inside = [lines[at].slice(marker[0].length)];
  const least = marker[1].length + 2; // models indent by two even below "1. "
  let end = at + 1;
  let loose = false;
  while (end < lines.length) {
    if (isBlank(lines[end])) {
      const next = skipBlank(lines, end);
      if (next >= lines.length || indentOf(lines[next]) < least) break;
      loose ||= !ITEM.test(withoutIndent(lines[next], width));
      inside.push(...lines.slice(end, next).map(() => ""));
      end = next;
    } else if (indentOf(lines[end]) >= least || continuesText(lines, end)) {
      inside.push(withoutIndent(lines[end], width));
      end += 1;
    } else {
      break;
    }
  }
  const task = TASK.exec(inside[0]);
  if (task) inside[0] = inside[0].slice(task[0].length);
  return { blocks: blocksOf(inside, level + 1), checked: task ? task[1] !== " " : null, loose, end };
}

/** True where a line that is not indented still belongs to the text before it. */
function continuesText(lines, at) {
  return !isBlank(lines[at - 1]) && !startsBlock(lines, at) && !FENCE.test(lines[at - 1]);
}

function readParagraph(lines, at, level) {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && (level >= MOST_LEVELS || !startsBlock(lines, end))) end += 1;
  return { type: "paragraph", text: lines.slice(at, end).map((line) => line.trim()).join("\n"), end };
}

function startsBlock(lines, at) {
  const line = lines[at];
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)
    || ITEM.test(line) || readTable(lines, at) !== null;
}

function kindOf(marker) {
  return marker.length > 1 ? `ordered${marker.at(-1)}` : "bullet";
}

function skipBlank(lines, at) {
  let next = at;
  while (next < lines.length && isBlank(lines[next])) next += 1;
  return next;
}

const isBlank = (line) => line.trim() === "";
const indentOf = (line) => line.length - line.trimStart().length;
const withoutIndent = (line, most) => line.slice(Math.min(indentOf(line), most));
const expandTabs = (line) => line.replace(/^[ \t]+/, (white) => white.replaceAll("\t", "    "));
