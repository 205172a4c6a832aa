// A chat as the text that the model was trained on: fixed texts between messages, found when it was exported.

import { WgptError } from "./errors.js";

/** The prompt of a chat. `texts` is the export's "chat"; `asText(content)` keeps a message from spelling control tokens. */
export function promptOf(texts, messages, asText = (content) => content) {
  if (!Array.isArray(messages) || !messages.length) throw new WgptError("input", "A chat needs at least one message.");
  let prompt = "";
  let before = "start";
  for (const { role, content } of messages) {
    if (typeof content !== "string") throw new WgptError("input", "A message needs a text as its content.");
    let text = content;
    const thought = role === "assistant" && texts.after ? text.lastIndexOf(texts.after) : -1;
    if (thought >= 0) text = text.slice(thought + texts.after.length).replace(/^\n+/, "");
    if (texts.trim.includes(role)) text = text.trim();
    prompt += textBetween(texts, before, role) + asText(text);
    before = role;
  }
  return prompt + textBetween(texts, before, "generate");
}

function textBetween({ between }, before, after) {
  const text = between[`${before}>${after}`];
  if (text !== undefined) return text;
  const order = before === "start" ? `begin with a message of "${after}"` : `have "${after}" after "${before}"`;
  throw new WgptError("input", `This model's chats cannot ${order}.`);
}

/** Ends a text before the first stop string, which may come in pieces. */
export class StopStrings {
  #stops;
  #pending = "";
  hit = false;

  constructor(stops) {
    this.#stops = stops;
  }

  /** The text that can be shown now. */
  add(text) {
    if (this.hit) return "";
    text = this.#pending + text;
    let first = null; // the stop string that is complete first
    for (const stop of this.#stops) {
      const at = text.indexOf(stop);
      if (at >= 0 && (!first || at + stop.length < first.end)) first = { at, end: at + stop.length };
    }
    if (first) {
      this.hit = true;
      this.#pending = "";
      return text.slice(0, first.at);
    }
    const held = this.#couldBegin(text);
    this.#pending = text.slice(text.length - held);
    return text.slice(0, text.length - held);
  }

  /** What was held back and did not become a stop string. */
  finish() {
    const text = this.#pending;
    this.#pending = "";
    return text;
  }

  #couldBegin(text) {
    const longest = Math.max(0, ...this.#stops.map((stop) => stop.length - 1));
    for (let size = Math.min(longest, text.length); size > 0; size--) {
      const end = text.slice(-size);
      if (this.#stops.some((stop) => stop.length > size && stop.startsWith(end))) return size;
    }
    return 0;
  }
}
