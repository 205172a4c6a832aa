// The state of the model, in a line above the conversation: how far its loading is, or why it failed.

import { byId } from "../dom.js";

const EVERY_MS = { ready: 30_000, loading: 200, failed: 30_000 };
const SHOWN = { ready: "ready", loading: "unavailable", failed: "unreachable" }; // as the styles know them

export class Status extends EventTarget {
  #transport;
  #state = "ready";
  #timer = 0;

  /** Dispatches "ready" when the model can be used. */
  constructor(transport) {
    super();
    this.#transport = transport;
  }

  async check() {
    clearTimeout(this.#timer);
    const { state, message } = await this.#transport.health();
    const before = this.#state;
    this.#state = state;
    const banner = byId("status");
    banner.dataset.state = SHOWN[state];
    if (banner.textContent !== message) banner.textContent = message;
    if (state === "ready" && before !== "ready") this.dispatchEvent(new Event("ready"));
    this.#timer = setTimeout(() => this.check(), EVERY_MS[state]);
  }
}
