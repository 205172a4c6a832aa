/** A text as it is generated: iterate over it. What else there is to know is complete at its end. */
export class Generation {
  #pieces;
  ids = []; // the tokens
  finish = null; // "stop", "length"
  logits = null; // of the newest token, if they were asked for

  constructor(settings, promptTokens, pieces) {
    this.seed = settings.seed;
    this.usage = { prompt: promptTokens, cached: null };
    this.#pieces = pieces(this);
  }

  [Symbol.asyncIterator]() {
    return this.#pieces;
  }

  /** All of it at once. */
  async text() {
    let text = "";
    for await (const piece of this) text += piece;
    return text;
  }
}
