// Markdown inside a paragraph: code, emphasis, links. The result is plain data for view.js:
//
//   "text" | { type: "code", text } | { type: "break" } | { type: "link", url, children }
//   | { type: "strong" | "emphasis" | "deleted", children }
//
// A link is one only if its address is a web or mail address; any other stays the text that it was written as.

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/y;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const SCHEMES = ["http:", "https:", "mailto:"];
const MOST_CHARACTERS = 50_000; // longer ones are shown as they are
const MOST_LEVELS = 50; // of emphasis that is open at the same time

/** @param {string} text */
export function parseInline(text) {
  return text.length > MOST_CHARACTERS ? [text] : new Scanner(text).scan(0, text.length, true);
}

/** The address if following it is harmless, or null. */
export function safeUrl(address) {
  try {
    const url = new URL(address);
    return SCHEMES.includes(url.protocol) ? url.href : null;
  } catch {
    return null; // relative addresses too: they would lead into this server
  }
}

class Scanner {
  #text;
  #brackets; // position of "[" -> position of its "]"
  #ticks; // length of a run of backticks -> its positions, ascending

  constructor(text) {
    this.#text = text;
    this.#brackets = matchBrackets(text);
    this.#ticks = new Map();
    for (const run of text.matchAll(/`+/g)) {
      const places = this.#ticks.get(run[0].length) ?? [];
      places.push(run.index);
      this.#ticks.set(run[0].length, places);
    }
  }

  scan(start, end, links) {
    const nodes = [];
    const runs = []; // emphasis delimiters: { node (index), mark, count, opens, closes }
    let plain = "";
    const flush = () => {
      if (plain) nodes.push(plain);
      plain = "";
    };
    let at = start;
    while (at < end) {
      const character = this.#text[at];
      const special = this.#special(at, end, links);
      if (special) {
        flush();
        nodes.push(special.node);
        at = special.next;
      } else if (character === "\\" && at + 1 < end && ESCAPABLE.test(this.#text[at + 1])) {
        plain += this.#text[at + 1];
        at += 2;
      } else if (character === "*" || character === "_" || character === "~") {
        let next = at;
        while (next < end && this.#text[next] === character) next += 1;
        const run = this.#delimiter(at, next, start, end);
        if (run) {
          flush();
          runs.push({ ...run, node: nodes.length });
          nodes.push(this.#text.slice(at, next));
        } else {
          plain += this.#text.slice(at, next);
        }
        at = next;
      } else {
        plain += character;
        at += 1;
      }
    }
    flush();
    return emphasize(nodes, runs);
  }

  /** What begins here and stands for itself: code, a link, a line break. */
  #special(at, end, links) {
    switch (this.#text[at]) {
      case "\n":
        return { node: { type: "break" }, next: at + 1 };
      case "`":
        return this.#code(at, end);
      case "[":
        return links ? this.#link(at, end) : null;
      case "<":
        return links ? this.#angleAddress(at, end) : null;
      case "h":
        return links ? this.#bareAddress(at, end) : null;
      default:
        return null;
    }
  }

  #code(at, end) {
    let count = 1;
    while (this.#text[at + count] === "`") count += 1;
    const places = this.#ticks.get(count) ?? [];
    const close = places[firstAfter(places, at)];
    if (close === undefined || close + count > end) {
      // No closing run: all of these backticks are text, not only the first.
      return { node: this.#text.slice(at, Math.min(at + count, end)), next: Math.min(at + count, end) };
    }
    let code = this.#text.slice(at + count, close).replaceAll("\n", " ");
    if (/^ .*[^ ].* $/.test(code) || /^ [^ ] $/.test(code)) code = code.slice(1, -1);
    return { node: { type: "code", text: code }, next: close + count };
  }

  /** [label](address) or [label](address "title"). */
  #link(at, end) {
    const close = this.#brackets.get(at);
    if (close === undefined || this.#text[close + 1] !== "(" || close > end) return null;
    const last = closingParenthesis(this.#text, close + 1, end);
    if (last < 0) return null;
    const inside = this.#text.slice(close + 2, last).trim();
    const address = inside.replace(/\s+(?:"[^"]*"|'[^']*')$/, "").replace(/^<(.*)>$/, "$1");
    const url = safeUrl(address);
    if (!url) return { node: this.#text.slice(at, last + 1), next: last + 1 };
    return { node: { type: "link", url, children: this.scan(at + 1, close, false) }, next: last + 1 };
  }

  #angleAddress(at, end) {
    const close = this.#text.indexOf(">", at);
    if (close < 0 || close >= end || close - at > 2000) return null;
    const address = this.#text.slice(at + 1, close);
    const url = /\s/.test(address) ? null : safeUrl(address);
    return url ? { node: { type: "link", url, children: [address] }, next: close + 1 } : null;
  }

  #bareAddress(at, end) {
    WEB_ADDRESS.lastIndex = at;
    const match = WEB_ADDRESS.exec(this.#text);
    if (!match) return null;
    let address = match[0].slice(0, end - at).replace(/[.,;:!?*_~]+$/, "");
    if (address.endsWith(")") && !address.includes("(")) address = address.replace(/\)+[.,;:!?*_~]*$/, "");
    const url = safeUrl(address);
    return url ? { node: { type: "link", url, children: [address] }, next: at + address.length } : null;
  }

  /** CommonMark's rule for which runs of * and _ may open or close emphasis. */
  #delimiter(at, next, start, end) {
    const mark = this.#text[at];
    const count = next - at;
    if (mark === "~" && count !== 2) return null;
    const before = at > start ? this.#text[at - 1] : " ";
    const after = next < end ? this.#text[next] : " ";
    const leftFlanking = !isSpace(after) && (!PUNCTUATION.test(after) || isSpace(before) || PUNCTUATION.test(before));
    const rightFlanking = !isSpace(before) && (!PUNCTUATION.test(before) || isSpace(after) || PUNCTUATION.test(after));
    if (mark !== "_") return { mark, count, opens: leftFlanking, closes: rightFlanking };
    return {
      mark,
      count,
      opens: leftFlanking && (!rightFlanking || PUNCTUATION.test(before)),
      closes: rightFlanking && (!leftFlanking || PUNCTUATION.test(after)),
    };
  }
}

/** Pairs delimiter runs and nests what stands between them. */
function emphasize(nodes, runs) {
  const stack = []; // frames: { run, left (how many marks remain), children }
  const root = { run: null, children: [] };
  const top = () => stack.at(-1) ?? root;
  const byNode = new Map(runs.map((run) => [run.node, run]));
  const open = { "*": 0, _: 0, "~": 0 }; // frames on the stack by mark, so a closer without an opener costs nothing

  const unwind = (depth) => {
    while (stack.length > depth) {
      const frame = stack.pop();
      open[frame.run.mark] -= 1;
      top().children.push(frame.run.mark.repeat(frame.left), ...frame.children);
    }
  };

  nodes.forEach((node, index) => {
    const run = byNode.get(index);
    if (!run) {
      top().children.push(node);
      return;
    }
    let left = run.count;
    while (run.closes && left && open[run.mark]) {
      const depth = stack.findLastIndex((frame) => frame.run.mark === run.mark);
      unwind(depth + 1);
      const frame = stack.at(-1);
      const used = run.mark === "~" ? 2 : Math.min(2, left, frame.left);
      const type = run.mark === "~" ? "deleted" : used === 2 ? "strong" : "emphasis";
      left -= used;
      frame.left -= used;
      const wrapped = { type, children: frame.children };
      if (frame.left) {
        frame.children = [wrapped];
      } else {
        stack.pop();
        open[run.mark] -= 1;
        top().children.push(wrapped);
      }
    }
    if (!left) return;
    if (run.opens && stack.length < MOST_LEVELS) {
      stack.push({ run, left, children: [] });
      open[run.mark] += 1;
    } else {
      top().children.push(run.mark.repeat(left));
    }
  });
  unwind(0);
  return root.children;
}

function matchBrackets(text) {
  const pairs = new Map();
  const open = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "[") open.push(at);
    else if (text[at] === "]" && open.length) pairs.set(open.pop(), at);
  }
  return pairs;
}

function closingParenthesis(text, at, end) {
  let depth = 0;
  for (let next = at; next < end && next - at < 2000; next += 1) {
    if (text[next] === "\n") return -1;
    if (text[next] === "(") depth += 1;
    else if (text[next] === ")" && (depth -= 1) === 0) return next;
  }
  return -1;
}

/** Index of the first entry greater than `value` in an ascending list. */
function firstAfter(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

const isSpace = (character) => /\s/.test(character);
