// All conversations: kept in the browser's database, the same in every open tab.
//
// Events: "change" with detail { id } after a conversation was saved, removed, or changed by another tab;
// "problem" with detail { message } when the browser cannot keep them.

import { openDatabase } from "./database.js";

export class Library extends EventTarget {
  #conversations = new Map();
  #database = null;
  #held = new Set(); // ids that this tab is writing to
  #otherTabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("wgpt-conversations") : null;

  async open() {
    try {
      this.#database = await openDatabase();
      for (const conversation of await this.#database.all()) this.#conversations.set(conversation.id, conversation);
    } catch (error) {
      this.#problem("This browser does not keep conversations: they are lost when the page is closed", error);
    }
    if (this.#otherTabs) this.#otherTabs.onmessage = (event) => this.#reload(event.data.id);
  }

  get(id) {
    return this.#conversations.get(id) ?? null;
  }

  /** Most recently used first. */
  list() {
    return [...this.#conversations.values()].sort((a, b) => b.updated - a.updated);
  }

  async save(conversation) {
    this.#conversations.set(conversation.id, conversation);
    this.#changed(conversation.id);
    await this.#write((database) => database.put(conversation), conversation.id);
  }

  async remove(id) {
    this.#conversations.delete(id);
    this.#changed(id);
    await this.#write((database) => database.delete(id), id);
  }

  async #write(action, id) {
    if (!this.#database) return;
    try {
      await action(this.#database);
      this.#otherTabs?.postMessage({ id });
    } catch (error) {
      this.#problem("The conversation could not be saved in this browser", error);
    }
  }

  /** While a conversation is held, what other tabs do to it is ignored. */
  hold(id) {
    this.#held.add(id);
  }

  release(id) {
    this.#held.delete(id);
  }

  async #reload(id) {
    if (this.#held.has(id)) return;
    const conversation = await this.#database?.get(id);
    if (conversation) this.#conversations.set(id, conversation);
    else this.#conversations.delete(id);
    this.#changed(id);
  }

  #changed(id) {
    this.dispatchEvent(new CustomEvent("change", { detail: { id } }));
  }

  #problem(text, error) {
    this.dispatchEvent(new CustomEvent("problem", { detail: { message: `${text} (${error.message}).` } }));
  }
}
