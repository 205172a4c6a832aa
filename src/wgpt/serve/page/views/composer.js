// The field for the next message. Enter sends, Shift+Enter begins a new line; on a touch screen Enter begins a new
// line and the button sends. While an answer is under way the button stops it.
//
// Calls: send(text), stop(), editLast()

import { byId, icon } from "../dom.js";

const touch = matchMedia("(hover: none) and (pointer: coarse)");
const DRAFT_KEY = "wgpt.draft";

export class Composer {
  #calls;
  #field = byId("message-field");
  #button = byId("send");
  #running = false;

  constructor(calls) {
    this.#calls = calls;
    this.#field.value = sessionStorage.getItem(DRAFT_KEY) ?? "";
    this.#field.addEventListener("input", () => this.#fit());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("resize", () => this.#fit());
    byId("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#running) this.#calls.stop();
      else this.#send();
    });
    this.#fit();
    this.setRunning(false);
  }

  focus() {
    // On a phone the keyboard would cover half of the page.
    if (!touch.matches) this.#field.focus();
  }

  fill(text) {
    this.#field.value = text;
    this.#fit();
    this.#field.focus();
  }

  setRunning(running) {
    this.#running = running;
    const label = running ? "Stop" : "Send";
    this.#button.dataset.running = String(running);
    this.#button.replaceChildren(icon(running ? "stop" : "send"));
    this.#button.setAttribute("aria-label", label);
    this.#button.title = running ? "Stop (Esc)" : "Send (Enter)";
    this.#enable();
  }

  #key(event) {
    if (event.isComposing) return; // Enter that confirms a word of an input method
    if (event.key === "Enter" && !event.shiftKey && !touch.matches) {
      event.preventDefault();
      if (!this.#running) this.#send();
    } else if (event.key === "ArrowUp" && !this.#field.value && !this.#running) {
      event.preventDefault();
      this.#calls.editLast();
    }
  }

  #send() {
    const text = this.#field.value.trim();
    if (!text) return;
    this.#field.value = "";
    this.#fit();
    this.#calls.send(text);
  }

  #fit() {
    this.#field.style.height = "auto";
    this.#field.style.height = `${this.#field.scrollHeight}px`;
    sessionStorage.setItem(DRAFT_KEY, this.#field.value);
    this.#enable();
  }

  #enable() {
    this.#button.disabled = !this.#running && !this.#field.value.trim();
  }
}
