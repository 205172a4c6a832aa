// The state of the server, in a line above the conversation. It is asked about now and then, and often while
// something is wrong; when all is well again the line goes away by itself.

import { byId } from "../dom.js";

const EVERY_MS = { ready: 30_000, unavailable: 2_000, unreachable: 3_000 };

export class Status extends EventTarget {
  #transport;
  #state = "ready";
  #timer = 0;

  /** Dispatches "ready" whenever the server can be used again. */
  constructor(transport) {
    super();
    this.#transport = transport;
    window.addEventListener("online", () => this.check());
    window.addEventListener("offline", () => this.check());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
  }

  async check() {
    clearTimeout(this.#timer);
    const { state, message } = await this.#transport.health();
    const before = this.#state;
    this.#state = state;
    this.#show(state, message);
    if (state === "ready" && before !== "ready") this.dispatchEvent(new Event("ready"));
    clearTimeout(this.#timer);
    // A hidden page asks again when it is looked at.
    if (!document.hidden) this.#timer = setTimeout(() => this.check(), EVERY_MS[state]);
  }

  #show(state, message) {
    const banner = byId("status");
    banner.dataset.state = state;
    const text = { ready: "", unavailable: `The model is not ready (${message}).`, unreachable: message }[state];
    const full = text && `${text} Trying again…`;
    if (banner.textContent !== full) banner.textContent = full; // unchanged text is not announced again
  }
}
