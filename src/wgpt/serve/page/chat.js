// The page: joins the conversations, the answers and the views.

import { Answers } from "./data/answers.js";
import { UNTITLED, addMessage, findMessage, newConversation, pathTo, showVariant } from "./data/conversation.js";
import { fileName, fromJson, toJson, toMarkdown } from "./data/files.js";
import { Library } from "./data/library.js";
import { defaultSettings } from "./data/settings.js";
import { byId, element } from "./dom.js";
import { TransportError, createTransport } from "./transport.js";
import { announce } from "./views/announcer.js";
import { startAppearance } from "./views/appearance.js";
import { Composer } from "./views/composer.js";
import { askForKey, storedKey } from "./views/key-dialog.js";
import { ModelChoice } from "./views/model-choice.js";
import { SettingsDialog } from "./views/settings-dialog.js";
import { Sidebar } from "./views/sidebar.js";
import { Status } from "./views/status.js";
import { Thread } from "./views/thread.js";
import { toast } from "./views/toasts.js";

class Chat {
  #transport = createTransport();
  #library = new Library();
  #answers = new Answers(this.#transport, this.#library);
  #status = new Status(this.#transport);
  #settings = new SettingsDialog();
  #conversation = newConversation(defaultSettings()); // in the library from its first message on
  #thread = new Thread({
    edit: (message, text) => this.#edit(message, text),
    regenerate: (message) => this.#answer(message.parent),
    showVariant: (message, step) => this.#showVariant(message, step),
    suggest: (text) => this.#send(text),
  });
  #composer = new Composer({
    send: (text) => this.#send(text),
    stop: () => this.#stop(),
    editLast: () => this.#editLast(),
  });
  #models = new ModelChoice((model) => this.#chooseModel(model));
  #sidebar = new Sidebar({
    open: (id) => this.#open(id),
    rename: (id, title) => this.#rename(id, title),
    remove: (id) => this.#remove(id),
    exportMarkdown: (id) => this.#export(id, "md"),
    exportJson: (id) => this.#export(id, "json"),
  });

  async start() {
    startAppearance();
    this.#listen();
    this.#transport.useKey(storedKey());
    await this.#library.open();
    this.#followAddress();
    this.#composer.focus();
    await Promise.all([this.#status.check(), this.#loadModels()]);
  }

  #listen() {
    this.#library.addEventListener("problem", ({ detail }) => toast(detail.message, { problem: true }));
    this.#library.addEventListener("change", ({ detail }) => this.#changed(detail.id));
    this.#answers.addEventListener("change", ({ detail }) => this.#answering(detail));
    this.#status.addEventListener("ready", () => this.#loadModels());
    window.addEventListener("hashchange", () => this.#followAddress());
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("new-conversation").addEventListener("click", () => this.#new());
    byId("settings-open").addEventListener("click", () => this.#openSettings());
    byId("export-all").addEventListener("click", () => this.#exportAll());
    byId("import").addEventListener("click", () => byId("import-file").click());
    byId("import-file").addEventListener("change", (event) => this.#import(event.target));
    byId("skip-link").addEventListener("click", (event) => {
      event.preventDefault(); // the address belongs to the conversation
      this.#sidebar.leave();
      byId("message-field").focus();
    });
  }

  #key(event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]") && !event.defaultPrevented) this.#stop();
    if (event.key.toLowerCase() === "o" && event.shiftKey && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#new();
    }
  }

  // --- which conversation is shown; its id is in the address, so reloading and going back work ---

  #followAddress() {
    const found = this.#library.get(location.hash.replace(/^#c-/, ""));
    if (found) this.#conversation = found;
    else if (this.#library.get(this.#conversation.id)) this.#conversation = this.#fresh();
    this.#show();
  }

  #fresh() {
    return newConversation(defaultSettings(), this.#models.chosen);
  }

  #open(id) {
    location.hash = `c-${id}`;
    this.#sidebar.leave();
    this.#composer.focus();
  }

  #new() {
    this.#conversation = this.#fresh();
    if (location.hash) history.pushState(null, "", location.pathname + location.search);
    this.#show();
    this.#sidebar.leave();
    this.#composer.focus();
  }

  #show() {
    const { id, title } = this.#conversation;
    const running = this.#answers.isRunning(id);
    this.#thread.show(this.#conversation, running);
    this.#composer.setRunning(running);
    this.#models.show(this.#conversation.model);
    byId("conversation-title").textContent = title;
    document.title = title === UNTITLED ? "wgpt" : `${title} · wgpt`;
    this.#showSidebar();
  }

  #showSidebar() {
    this.#sidebar.update(this.#library.list(), this.#conversation.id, (id) => this.#answers.isRunning(id));
  }

  /** A conversation was saved here or in another tab. */
  #changed(id) {
    if (id !== this.#conversation.id) {
      this.#showSidebar();
      return;
    }
    const stored = this.#library.get(id);
    if (stored) this.#conversation = stored;
    this.#show();
  }

  // --- asking and answering ---

  #send(text) {
    const conversation = this.#conversation;
    if (this.#answers.isRunning(conversation.id)) return;
    addMessage(conversation, conversation.current, "user", text);
    if (!this.#library.get(conversation.id)) history.pushState(null, "", `#c-${conversation.id}`);
    this.#thread.toEnd();
    this.#answer(conversation.current);
  }

  async #answer(parent) {
    const conversation = this.#conversation;
    this.#composer.focus(); // the button that was pressed is gone
    conversation.model = this.#models.chosen || conversation.model;
    const answer = await this.#answers.start(conversation, parent);
    if (answer.state !== "failed") return;
    if (answer.error.kind === "key" && (await this.#newKey(answer.error.message))) {
      if (conversation === this.#conversation) await this.#answer(parent);
    } else {
      await this.#status.check();
    }
  }

  #answering({ conversation, message, stage }) {
    const shown = conversation.id === this.#conversation.id;
    if (stage === "text") {
      if (shown) this.#thread.updateText(message);
      return;
    }
    if (shown) this.#show();
    else this.#showSidebar();
    if (stage === "start") announce("Answering");
    else if (message.state === "failed") announce(`Error: ${message.error.message}`);
    else if (shown) announce(`${message.state === "stopped" ? "Stopped. " : ""}${this.#thread.textOf(message)}`);
    else announce(`The answer in “${conversation.title}” is complete.`);
  }

  #stop() {
    this.#answers.stop(this.#conversation.id);
  }

  #edit(message, text) {
    const conversation = this.#conversation;
    if (message.role === "user") {
      const question = addMessage(conversation, message.parent, "user", text);
      this.#answer(question.id);
    } else {
      addMessage(conversation, message.parent, "assistant", text, { model: message.model, state: "done", edited: true });
      this.#library.save(conversation);
    }
  }

  #editLast() {
    const last = pathTo(this.#conversation).findLast(({ role }) => role === "user");
    if (last) this.#thread.edit(last);
  }

  #showVariant(message, step) {
    const conversation = this.#conversation;
    if (this.#answers.isRunning(conversation.id)) return;
    showVariant(conversation, findMessage(conversation, message.id), step);
    this.#library.save(conversation);
    this.#thread.focusVersions(pathTo(conversation).find(({ parent }) => parent === message.parent), step);
  }

  // --- models, key, settings ---

  async #loadModels() {
    try {
      this.#models.offer(await this.#transport.models());
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.kind !== "key") this.#models.offer([]);
      else await this.#newKey(error.message);
    }
    this.#models.show(this.#conversation.model);
  }

  /** Asks for a key; true once there is one that the server takes. */
  async #newKey(reason) {
    const key = await askForKey(reason);
    if (!key) return false;
    this.#transport.useKey(key);
    await this.#loadModels();
    return this.#models.chosen !== "";
  }

  #chooseModel(model) {
    this.#conversation.model = model;
    this.#saveIfKept();
  }

  #openSettings() {
    const conversation = this.#conversation;
    this.#settings.open(conversation.settings, (settings) => {
      conversation.settings = settings;
      this.#saveIfKept();
    });
  }

  #saveIfKept() {
    if (this.#library.get(this.#conversation.id)) this.#library.save(this.#conversation);
  }

  // --- the list ---

  #rename(id, title) {
    const conversation = this.#library.get(id);
    Object.assign(conversation, { title, renamed: true });
    this.#library.save(conversation);
  }

  #remove(id) {
    const conversation = this.#library.get(id);
    this.#answers.stop(id);
    if (id === this.#conversation.id) this.#new();
    this.#library.remove(id);
    const undo = () => {
      this.#library.save(conversation);
      this.#open(id);
    };
    toast(`Deleted “${conversation.title}”.`, { action: undo, label: "Undo" });
  }

  #export(id, extension) {
    const conversation = this.#library.get(id);
    const text = extension === "md" ? toMarkdown(conversation) : toJson([conversation]);
    download(fileName(conversation.title, extension), text, extension === "md" ? "text/markdown" : "application/json");
  }

  #exportAll() {
    download("wgpt-conversations.json", toJson(this.#library.list()), "application/json");
  }

  async #import(input) {
    for (const file of input.files) {
      try {
        const conversations = fromJson(await file.text());
        for (const conversation of conversations) await this.#library.save(conversation);
        if (conversations.length) this.#open(conversations[0].id);
        toast(`Imported ${conversations.length === 1 ? "one conversation" : `${conversations.length} conversations`}.`);
      } catch (error) {
        toast(`${file.name} cannot be imported: ${error.message}.`, { problem: true });
      }
    }
    input.value = "";
  }
}

function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

await new Chat().start();
