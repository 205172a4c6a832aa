// Text to token ids and back: BPE over bytes (GPT-2, Llama 3, Qwen) or over characters (SentencePiece: Llama 2, Gemma).

import { mergedIds } from "./bpe.js";
import { WgptError } from "./errors.js";

// GPT-2's characters for bytes: printable ones stand for themselves, the others are moved above U+0100.
const BYTES = new Map();
const CHARACTERS = [];
for (let byte = 0, moved = 0; byte < 256; byte++) {
  const plain = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  CHARACTERS.push(String.fromCharCode(plain ? byte : 0x100 + moved++));
  BYTES.set(CHARACTERS[byte], byte);
}
// Within the spelling of a control token that is text: a noncharacter of Unicode, which no text should have.
const MARK = "\ufdd1";
const WHITE = /\p{White_Space}/u;

export class Tokenizer {
  #data;
  #ids = new Map();
  #merges = new Map();
  #added; // [raw, normalised]: { pattern, tokens by text }
  #splits;
  #control; // what spells a control token
  #words = new Map(); // ids of words that were seen

  constructor(data) {
    this.#data = data;
    data.tokens.forEach((token, id) => token !== null && this.#ids.set(token, id));
    data.merges.forEach((merge, rank) => {
      const space = merge.indexOf(" ", 1);
      const [left, right] = [merge.slice(0, space), merge.slice(space + 1)];
      const key = this.#ids.get(left) * 2 ** 21 + this.#ids.get(right);
      if (!this.#merges.has(key)) this.#merges.set(key, [rank, this.#ids.get(left + right)]);
    });
    for (const { id, text } of data.added) this.#ids.set(text, id);
    this.#added = [false, true].map((normalized) => this.#matcher(Boolean(normalized)));
    const special = data.added.filter((token) => token.special && token.text.length > 1);
    const texts = special.map((token) => token.text).sort((a, b) => b.length - a.length);
    this.#control = texts.length ? new RegExp(texts.map(escaped).join("|"), "gu") : null;
    this.#splits = data.split.map(([kind, pattern, ...rest]) => {
      return [kind, kind === "mark" ? pattern : pattern && new RegExp(pattern, "gu"), ...rest];
    });
  }

  /** Ids that end a text. */
  get ends() {
    return this.#data.ends;
  }

  /** A text for `encode` with `marked`: control tokens that it spells, or whose beginning it ends with, stay text. */
  asText(text) {
    text = text.replaceAll(MARK, "");
    if (!this.#control) return text;
    for (let marked = null; marked !== text; ) {
      marked = text;
      text = text.replace(this.#control, (token) => token[0] + MARK + token.slice(1));
    }
    const beginning = ({ special, text: token }) => {
      if (!special) return false;
      for (let size = 1; size < token.length; size++) if (text.endsWith(token.slice(0, size))) return true;
      return false;
    };
    return this.#data.added.some(beginning) ? text + MARK : text;
  }

  /** Ids of a text; with `special`, what the model wants around a prompt. A rendered chat has it already. */
  encode(text, { special = true, marked = false } = {}) {
    if (typeof text !== "string") throw new WgptError("input", `A text must be a string, not ${typeof text}.`);
    if (!(text.isWellFormed?.() ?? true)) throw new WgptError("input", "The text has half a surrogate pair in it.");
    const ids = special ? [...this.#data.around[0]] : [];
    let first = true;
    for (const part of this.#cut(text, 0)) {
      if (typeof part !== "string") ids.push(part.id);
      else {
        for (const piece of this.#cut(this.#normalised(part), 1)) {
          if (typeof piece !== "string") ids.push(piece.id);
          else {
            const plain = marked ? piece.replaceAll(MARK, "") : piece;
            for (const word of this.#split(plain, first)) this.#encodeWord(word, ids);
          }
          first = false;
        }
      }
      first = false;
    }
    return special ? ids.concat(this.#data.around[1]) : ids;
  }

  /** The text of ids, without special tokens. */
  decode(ids) {
    const text = this.stream();
    return ids.map((id) => text.add(id)).join("") + text.finish();
  }

  /** The text of ids as they come: { add(id), finish() } return what is final. */
  stream() {
    const [kind, ...rest] = this.#data.join;
    const joiner = kind === "bytes" ? new ByteJoiner() : new PieceJoiner(...rest);
    const special = new Set(this.#data.added.filter((token) => token.special).map((token) => token.id));
    const texts = new Map(this.#data.added.map(({ id, text }) => [id, text]));
    const piece = (id) => texts.get(id) ?? this.#data.tokens[id] ?? null;
    return {
      add: (id) => (special.has(id) || piece(id) === null ? "" : joiner.add(piece(id))),
      finish: () => joiner.finish(),
    };
  }

  #matcher(normalized) {
    const tokens = this.#data.added.filter((token) => Boolean(token.normalized) === normalized);
    const byText = new Map(tokens.map((token) => [normalized ? this.#normalised(token.text) : token.text, token]));
    byText.delete("");
    // The longest first: of those that begin at one place, it wins.
    const texts = [...byText.keys()].sort((a, b) => b.length - a.length);
    const pattern = texts.length ? new RegExp(texts.map(escaped).join("|"), "gu") : null;
    return { pattern, byText };
  }

  /** Added tokens, and the texts between them. */
  *#cut(text, level) {
    const { pattern, byText } = this.#added[level];
    let at = 0;
    if (pattern) {
      for (const match of text.matchAll(pattern)) {
        const token = byText.get(match[0]);
        let [begin, end] = [match.index, match.index + match[0].length];
        if (token.lstrip) while (begin > at && WHITE.test(text[begin - 1])) begin--;
        if (token.rstrip) while (end < text.length && WHITE.test(text[end])) end++;
        if (begin > at) yield text.slice(at, begin);
        yield token;
        at = Math.max(at, end);
      }
    }
    if (at < text.length) yield text.slice(at);
  }

  #normalised(text) {
    for (const [kind, a, b] of this.#data.normalise) {
      if (kind === "form") text = text.normalize(a);
      else if (kind === "prepend") text = text && a + text;
      else text = text.replaceAll(a, b);
    }
    return text;
  }

  #split(text, first) {
    let words = [text];
    for (const [kind, pattern, when, apart] of this.#splits) {
      if (kind === "bytes") words = words.map(spelled);
      else if (kind === "prefix") words = words.map((word) => (/^\s/.test(word) ? word : ` ${word}`));
      else if (kind === "mark") words = words.flatMap((word) => marked(word, pattern, when, apart, first));
      else words = words.flatMap((word) => [...cutBy(pattern, word, kind)]);
    }
    return words;
  }

  #encodeWord(word, ids) {
    let known = this.#words.get(word);
    if (!known) {
      known = this.#bpe(word);
      if (word.length < 64) {
        if (this.#words.size > 20_000) this.#words.clear();
        this.#words.set(word, known);
      }
    }
    for (const id of known) ids.push(id);
  }

  #bpe(word) {
    const whole = this.#data.ignore_merges ? this.#ids.get(word) : undefined;
    if (whole !== undefined) return [whole];
    const ids = [];
    let unknown = false;
    for (const character of word) {
      const id = this.#ids.get(character);
      const bytes = id === undefined && this.#data.byte_fallback ? this.#byteIds(character) : null;
      if (id !== undefined) ids.push(id);
      else if (bytes) ids.push(...bytes);
      else if (this.#data.unknown !== null && !(unknown && this.#data.fuse_unknown)) ids.push(this.#data.unknown);
      unknown = id === undefined && !bytes;
    }
    return mergedIds(ids, this.#merges);
  }

  #byteIds(character) {
    const ids = Array.from(new TextEncoder().encode(character), (byte) => {
      return this.#ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    });
    return ids.includes(undefined) ? null : ids;
  }
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function spelled(text) {
  return Array.from(new TextEncoder().encode(text), (byte) => CHARACTERS[byte]).join("");
}

/** "match": matches and what is between them; "only": matches; "before": pieces that end with a match. */
function* cutBy(pattern, text, kind) {
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (kind === "before") yield text.slice(at, end);
    else {
      if (kind === "match" && match.index > at) yield text.slice(at, match.index);
      if (match[0]) yield match[0];
    }
    at = end;
  }
  if (at < text.length && kind !== "only") yield text.slice(at);
}

function marked(text, mark, when, apart, first) {
  text = text.replaceAll(" ", mark);
  if ((when === "always" || (when === "first" && first)) && !text.startsWith(mark)) text = mark + text;
  if (!apart) return [text];
  return text.split(new RegExp(`(?=${escaped(mark)})`, "u")).filter(Boolean);
}

/** Pieces are bytes; a character may be spread over several of them. */
class ByteJoiner {
  #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  add(token) {
    const bytes = Array.from(token, (character) => BYTES.get(character));
    const data = bytes.includes(undefined) ? new TextEncoder().encode(token) : Uint8Array.from(bytes);
    return this.#utf8.decode(data, { stream: true });
  }

  finish() {
    return this.#utf8.decode();
  }
}

/** Pieces are text with a mark for a space; a run of byte tokens is text only if all of it is UTF-8. */
class PieceJoiner {
  #run = [];
  #strip;

  constructor(mark, space, stripped, count) {
    Object.assign(this, { mark, space, stripped });
    this.#strip = count;
  }

  add(token) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token);
    if (byte) {
      this.#run.push(parseInt(byte[1], 16));
      return "";
    }
    return this.#front(this.#endOfRun() + token.replaceAll(this.mark, this.space));
  }

  finish() {
    return this.#front(this.#endOfRun());
  }

  #endOfRun() {
    const run = Uint8Array.from(this.#run.splice(0));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(run);
    } catch {
      return "\ufffd".repeat(run.length);
    }
  }

  #front(text) {
    while (text && this.#strip) {
      if (!text.startsWith(this.stripped)) this.#strip = 0;
      else {
        text = text.slice(1);
        this.#strip--;
      }
    }
    return text;
  }
}
