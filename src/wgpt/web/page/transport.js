// The way to the model for the chat page: here the model itself, in this browser. See transport.js of `wgpt serve`.

import { WgptError, load, readableBytes } from "../wgpt/index.js";

/** What went wrong, in words for the person at the page. */
export class TransportError extends Error {
  constructor(message, { kind = "failed" } = {}) {
    super(message);
    this.name = "TransportError";
    Object.assign(this, { kind, status: 0, requestId: "", retryAfter: 0 });
  }
}

export function createTransport() {
  return new LocalTransport(new URL("./model/", document.baseURI));
}

const DEFAULTS = { maxTokens: 1024 };

/** The runtime's name of a setting of the page: maxTokens for max_tokens. */
function inCamelCase(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

class LocalTransport {
  #url;
  #model = null; // the promise of it
  #progress = "";
  #failure = null;

  constructor(url) {
    this.#url = url;
    this.#load();
  }

  /** There are no keys here. */
  useKey() {}

  /** The model that is loaded, for the page's checks. */
  model() {
    return this.#model;
  }

  async models() {
    const { name } = await this.#loaded();
    return [{ id: name, parent: null }];
  }

  async health() {
    if (this.#failure) return { state: "failed", message: this.#failure.message };
    if (this.#progress) return { state: "loading", message: this.#progress };
    return { state: "ready", message: "" };
  }

  async *chat({ messages, settings, signal }) {
    const model = await this.#loaded();
    const options = { ...DEFAULTS, signal };
    for (const [name, value] of Object.entries(settings)) options[inCamelCase(name)] = value;
    try {
      const text = messages.map(({ content }) => content).join("\n");
      const generation = model.chats ? model.chat(messages, options) : model.generate(text, options);
      for await (const piece of generation) yield { text: piece };
      yield { finish: generation.finish };
      const { prompt, cached } = generation.usage;
      yield { usage: { prompt, cached: cached ?? 0, completion: generation.ids.length } };
    } catch (error) {
      if (signal.aborted) throw error;
      throw new TransportError(error.message);
    }
  }

  async #loaded() {
    if (this.#failure) this.#load(); // another try: the network may be back
    try {
      return await this.#model;
    } catch (error) {
      throw new TransportError(error.message, { kind: error.kind });
    }
  }

  #load() {
    this.#failure = null;
    this.#progress = "Loading the model…";
    this.#model = load(this.#url, { onProgress: (progress) => this.#show(progress) });
    this.#model.then(
      () => (this.#progress = ""),
      (error) => (this.#failure = error instanceof WgptError ? error : new WgptError("failed", String(error.message))),
    );
  }

  #show({ stage, loaded, total }) {
    if (stage === "weights") {
      this.#progress = `Loading the model: ${readableBytes(loaded)} of ${readableBytes(total)}`;
    } else {
      this.#progress = "Preparing the GPU…";
    }
  }
}
