// The messages of one conversation, in a region that follows the answer as long as one stays at its end.
//
// Calls: those of a message, and suggest(text)

import { pathTo, variantsOf } from "../data/conversation.js";
import { byId, element } from "../dom.js";
import { MessageView } from "./message.js";

const SUGGESTIONS = [
  ["Explain", "how a GPU differs from a CPU, in three sentences"],
  ["Write", "a haiku about the sea in winter"],
  ["Code", "a Python function that reverses a string"],
  ["Compare", "tea and coffee in a small table"],
];
const NEAR_PX = 80;

export class Thread {
  #calls;
  #region = byId("thread");
  #list = byId("messages");
  #jump = byId("jump");
  #views = new Map(); // message id -> MessageView
  #shownId = null;
  #following = true;
  #frame = 0;
  #changed = new Set();

  constructor(calls) {
    this.#calls = calls;
    this.#region.addEventListener("scroll", () => this.#scrolled());
    this.#jump.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.#following && this.#list.children.length && this.toEnd()).observe(this.#list);
    byId("suggestions").append(...SUGGESTIONS.map(([verb, rest]) =>
      element("button", { type: "button", on: { click: () => calls.suggest(`${verb} ${rest}.`) } },
        element("strong", {}, verb), ` ${rest}`)));
  }

  show(conversation, running) {
    const path = pathTo(conversation);
    if (conversation.id !== this.#shownId) {
      this.#views.clear();
      this.#shownId = conversation.id;
      this.#following = true;
    }
    const kept = new Map();
    path.forEach((message, at) => {
      const view = this.#views.get(message.id) ?? new MessageView(message, this.#calls);
      const variants = variantsOf(conversation, message);
      const place = variants.indexOf(message);
      view.update(message, { running, last: at === path.length - 1, place, count: variants.length });
      kept.set(message.id, view);
    });
    this.#views = kept;
    const nodes = [...kept.values()].map((view) => view.node);
    const same = nodes.length === this.#list.children.length && nodes.every((node, at) => node === this.#list.children[at]);
    if (!same) this.#list.replaceChildren(...nodes);
    byId("welcome").hidden = path.length > 0;
    this.#region.dataset.empty = String(path.length === 0);
    if (this.#following) this.toEnd();
    if (path.length) return;
    this.#region.scrollTop = 0;
    this.#jump.hidden = true;
  }

  /** More text of an answer: shown at the next frame, however many pieces come until then. */
  updateText(message) {
    this.#changed.add(message.id);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      for (const id of this.#changed) this.#views.get(id)?.updateText();
      this.#changed.clear();
    });
  }

  textOf(message) {
    return this.#views.get(message.id)?.text ?? "";
  }

  edit(message) {
    this.#views.get(message.id)?.edit();
  }

  /** Back to the arrow that was pressed, in the version that it has shown. */
  focusVersions(message, step) {
    this.#views.get(message.id)?.focusVersions(step);
  }

  toEnd() {
    this.#following = true;
    this.#region.scrollTop = this.#region.scrollHeight;
    this.#jump.hidden = true;
  }

  #scrolled() {
    const left = this.#region.scrollHeight - this.#region.clientHeight - this.#region.scrollTop;
    this.#following = left < NEAR_PX || !this.#list.children.length;
    this.#jump.hidden = this.#following;
  }
}
