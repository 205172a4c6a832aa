// One message: its text, its actions, and below an answer what it cost.
//
// Calls: edit(message, text), regenerate(message), showVariant(message, step)

import { copyButton, element, icon, iconButton } from "../dom.js";
import { MarkdownView } from "../markdown/view.js";

const THINKING = /^\s*<think>([^]*?)(?:<\/think>|$)/;

export class MessageView {
  #calls;
  #message;
  #content = element("div", { class: "content" });
  #foot = element("div", { class: "foot" });
  #answer = new MarkdownView();
  #thoughts = null;
  #status = "";
  #shownText = null;

  constructor(message, calls) {
    this.#message = message;
    this.#calls = calls;
    const label = message.role === "user" ? "You" : `Answer${message.model ? ` of ${message.model}` : ""}`;
    const avatar = message.role === "user" ? null : element("span", { class: "avatar" });
    this.node = element("li", { class: "message", "data-role": message.role, "data-id": message.id },
      element("article", { "aria-label": label }, avatar, element("div", { class: "body" }, this.#content, this.#foot)));
  }

  get text() {
    return this.#answer.node.innerText;
  }

  /** @param context { running, last, place, count }: the place among `count` variants */
  update(message, context) {
    this.#message = message;
    this.updateText();
    const running = context.running && message.state === "running";
    const status = JSON.stringify([message.state, message.error, message.usage, message.timing, running, context]);
    if (status === this.#status) return;
    this.#status = status;
    this.node.dataset.state = running ? "running" : (message.state ?? "done");
    this.node.toggleAttribute("data-last", context.last);
    this.#foot.replaceChildren(...this.#footNodes(context, running));
  }

  updateText() {
    const { role, text } = this.#message;
    if (text === this.#shownText) return;
    this.#shownText = text;
    if (role === "user") {
      this.#content.textContent = text;
      return;
    }
    const thoughts = THINKING.exec(text);
    if (thoughts) this.#think(thoughts[1], text.length > thoughts[0].length);
    this.#answer.update(thoughts ? text.slice(thoughts[0].length) : text);
    if (!this.#answer.node.parentNode) this.#content.append(this.#answer.node);
  }

  /** What a model thinks before it answers: open while it does, folded away after. */
  #think(text, over) {
    if (!this.#thoughts) {
      const view = new MarkdownView();
      const node = element("details", { class: "thoughts", open: true }, element("summary", {}, "Thinking"), view.node);
      this.#thoughts = { view, node, over: false };
      this.#content.prepend(node);
    }
    this.#thoughts.view.update(text);
    if (over && !this.#thoughts.over) {
      this.#thoughts.over = true;
      this.#thoughts.node.open = false;
      this.#thoughts.node.firstChild.textContent = "Thoughts";
    }
  }

  #footNodes(context, running) {
    const message = this.#message;
    if (running) return [element("span", { class: "waiting" }, element("i"), element("i"), element("i"))];
    const isUser = message.role === "user";
    const actions = [
      context.count > 1 && this.#variants(context),
      copyButton(isUser ? "Copy message" : "Copy answer", () => this.#message.text),
      !context.running && iconButton("edit", isUser ? "Edit message" : "Edit answer", () => this.edit()),
      !isUser && !context.running && iconButton("again", "Regenerate", () => this.#calls.regenerate(message)),
    ];
    return [
      message.error && errorNode(message.error, () => this.#calls.regenerate(message)),
      !isUser && element("p", { class: "figures" }, figuresOf(message)),
      (message.text || context.count > 1) && element("div", { class: "actions" }, ...actions),
    ].filter(Boolean);
  }

  #variants({ place, count }) {
    const step = (by) => this.#calls.showVariant(this.#message, by);
    return element("span", { class: "variants" },
      iconButton("left", "Previous version", () => step(-1), { disabled: place === 0 }),
      element("span", { "aria-label": `Version ${place + 1} of ${count}`, role: "img" }, `${place + 1}/${count}`),
      iconButton("right", "Next version", () => step(1), { disabled: place === count - 1 }));
  }

  focusVersions(step) {
    const [previous, next] = this.node.querySelectorAll(".variants button");
    const wanted = step < 0 ? previous : next;
    (wanted?.disabled ? (step < 0 ? next : previous) : wanted)?.focus();
  }

  /** Turns the message into a field; a changed question is asked again, a changed answer is kept beside the old one. */
  edit() {
    const isUser = this.#message.role === "user";
    const field = element("textarea", { "aria-label": isUser ? "Your message" : "The answer", rows: "1" });
    field.value = this.#message.text;
    const close = () => {
      form.replaceWith(this.#content);
      this.#foot.hidden = false;
      this.#foot.querySelector("[title^='Edit']")?.focus();
    };
    const submit = (event) => {
      event?.preventDefault();
      const text = field.value.trim();
      close();
      if (text && text !== this.#message.text) this.#calls.edit(this.#message, text);
    };
    const onKey = (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape") close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (isUser && !event.shiftKey))) submit(event);
      else return;
      event.stopPropagation();
      event.preventDefault();
    };
    const fit = () => {
      field.style.height = "auto";
      field.style.height = `${field.scrollHeight + 2}px`;
    };
    field.addEventListener("keydown", onKey);
    field.addEventListener("input", fit);
    const form = element("form", { class: "edit", on: { submit } }, field,
      element("div", { class: "buttons" },
        element("button", { type: "button", class: "button", on: { click: close } }, "Cancel"),
        element("button", { type: "submit", class: "button primary" }, isUser ? "Send" : "Save")));
    this.#content.replaceWith(form);
    this.#foot.hidden = true;
    fit();
    field.focus();
  }
}

function errorNode({ message, status, requestId, retryAfter }, again) {
  const details = [status && `status ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(" · ");
  const wait = retryAfter ? ` Try again in ${retryAfter} s.` : "";
  return element("div", { class: "error" },
    element("p", {}, `${message}${wait}`),
    details && element("p", { class: "details" }, details),
    element("button", { type: "button", class: "button", on: { click: again } }, icon("again"), "Try again"));
}

const ENDINGS = { length: "ended at the limit of tokens", content_filter: "ended by a filter" };

/** "41.2 tok/s · 57 tokens · 32 of 45 prompt tokens cached · first after 0.41 s" */
export function figuresOf({ state, finish, usage, timing, edited }) {
  const parts = [];
  if (edited) parts.push("edited");
  if (state === "stopped") parts.push("stopped");
  if (state === "running") parts.push("interrupted");
  if (timing?.rate) parts.push(`${timing.rate.toFixed(timing.rate < 100 ? 1 : 0)} tok/s`);
  if (usage) {
    parts.push(`${usage.completion} ${usage.completion === 1 ? "token" : "tokens"}`);
    parts.push(`${usage.cached} of ${usage.prompt} prompt tokens cached`);
  }
  if (timing) parts.push(`first after ${timing.first.toFixed(timing.first < 10 ? 2 : 1)} s`);
  if (ENDINGS[finish]) parts.push(ENDINGS[finish]);
  return parts.join(" · ");
}
