// The list of conversations, grouped by age, with a search field and a menu for each.
//
// Calls: open(id), rename(id, title), remove(id), exportMarkdown(id), exportJson(id)

import { byId, element, iconButton } from "../dom.js";
import { openMenu } from "./menu.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const COLLAPSED_KEY = "wgpt.sidebar";
const phone = matchMedia("(max-width: 760px)");

export class Sidebar {
  #calls;
  #node = byId("sidebar");
  #search = byId("search");
  #conversations = [];
  #openId = null;
  #isRunning = () => false;
  #renaming = null;
  #signature = "";

  constructor(calls) {
    this.#calls = calls;
    this.#search.addEventListener("input", () => this.#show());
    byId("sidebar-toggle").addEventListener("click", () => this.toggle(!this.isOpen));
    byId("sidebar-close").addEventListener("click", () => this.toggle(false));
    byId("scrim").addEventListener("click", () => this.toggle(false));
    this.#node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !phone.matches) return;
      event.stopPropagation(); // it does not stop an answer as well
      this.toggle(false);
    });
    phone.addEventListener("change", () => this.#restore());
    this.#restore();
  }

  get isOpen() {
    return document.body.dataset.sidebar === "open";
  }

  toggle(open) {
    this.#set(open);
    if (!phone.matches) localStorage.setItem(COLLAPSED_KEY, open ? "open" : "closed");
    (open ? byId("new-conversation") : byId("sidebar-toggle")).focus();
  }

  /** On a phone the list covers the conversation, so it closes once something was chosen. */
  leave() {
    if (phone.matches) this.#set(false);
  }

  #restore() {
    this.#set(!phone.matches && localStorage.getItem(COLLAPSED_KEY) !== "closed");
  }

  #set(open) {
    document.body.dataset.sidebar = open ? "open" : "closed";
    this.#node.inert = !open;
    byId("main").inert = open && phone.matches;
    byId("sidebar-toggle").setAttribute("aria-expanded", String(open));
  }

  update(conversations, openId, isRunning) {
    this.#conversations = conversations;
    this.#openId = openId;
    this.#isRunning = isRunning;
    if (!this.#renaming) this.#show();
  }

  #show() {
    const wanted = this.#search.value.trim().toLowerCase();
    const matching = this.#conversations.filter((conversation) => matches(conversation, wanted));
    const groups = new Map();
    for (const conversation of matching) {
      const age = ageOf(conversation.updated);
      groups.set(age, [...(groups.get(age) ?? []), conversation]);
    }
    // An answer is saved every second: an unchanged list keeps its nodes, and with them an open menu.
    const look = [...groups].map(([age, members]) =>
      [age, members.map(({ id, title }) => [id, title, id === this.#openId, this.#isRunning(id)])]);
    const signature = JSON.stringify([wanted, look]);
    if (signature === this.#signature) return;
    this.#signature = signature;
    const focused = document.activeElement?.closest?.("[data-conversation]")?.dataset.conversation;
    const nodes = [...groups].map(([age, members]) => element("section", { "aria-label": age },
      element("h2", {}, age),
      element("ul", {}, ...members.map((conversation) => this.#item(conversation)))));
    const none = wanted ? "Nothing found." : "Conversations are kept in this browser.";
    byId("conversations").replaceChildren(...(nodes.length ? nodes : [element("p", { class: "hint" }, none)]));
    if (focused) byId("conversations").querySelector(`[data-conversation="${focused}"] .title`)?.focus();
  }

  #item(conversation) {
    const { id, title } = conversation;
    const isOpen = id === this.#openId;
    const open = () => this.#calls.open(id);
    const menu = iconButton("dots", `Actions for ${title}`, () => openMenu(menu, this.#actions(conversation, item)), {
      "aria-haspopup": "menu",
      "aria-expanded": "false",
    });
    const item = element("li", { "data-conversation": id, "data-running": this.#isRunning(id) },
      element("button", { type: "button", class: "title", title, "aria-current": isOpen ? "page" : null, on: { click: open } },
        element("span", {}, title)),
      menu);
    return item;
  }

  #actions(conversation, item) {
    const { id } = conversation;
    return [
      { icon: "edit", label: "Rename", action: () => this.#rename(conversation, item) },
      { icon: "download", label: "Export as Markdown", action: () => this.#calls.exportMarkdown(id) },
      { icon: "download", label: "Export as JSON", action: () => this.#calls.exportJson(id) },
      { icon: "trash", label: "Delete", danger: true, action: () => this.#calls.remove(id) },
    ];
  }

  #rename({ id, title }, item) {
    this.#renaming = id;
    const field = element("input", { class: "rename", "aria-label": "Title of the conversation", maxlength: "200" });
    field.value = title;
    const finish = (keep) => {
      if (!this.#renaming) return;
      this.#renaming = null;
      const name = field.value.trim();
      this.#signature = ""; // the field is in the place of a title
      if (keep && name && name !== title) this.#calls.rename(id, name);
      this.#show();
      byId("conversations").querySelector(`[data-conversation="${id}"] .title`)?.focus();
    };
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
      event.stopPropagation();
      finish(event.key === "Enter");
    });
    field.addEventListener("blur", () => finish(true));
    item.replaceChildren(field);
    field.select();
  }
}

function matches({ title, messages }, wanted) {
  if (!wanted || title.toLowerCase().includes(wanted)) return true;
  return messages.some(({ text }) => text.toLowerCase().includes(wanted));
}

function ageOf(time) {
  const days = Math.floor((new Date().setHours(24, 0, 0, 0) - time) / DAY_MS);
  if (days < 1) return "Today";
  if (days < 2) return "Yesterday";
  return days < 7 ? "The last seven days" : "Earlier";
}
