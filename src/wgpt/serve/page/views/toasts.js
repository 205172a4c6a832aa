// Short messages at the lower edge, with an action where there is one: "Deleted. Undo".

import { byId, element, iconButton } from "../dom.js";

const SHOWN_MS = 8000;

export function toast(message, { action = null, label = "", problem = false } = {}) {
  const close = () => node.remove();
  const run = () => {
    close();
    action();
  };
  const node = element("div", { class: "toast", "data-problem": problem },
    element("span", {}, message),
    action && element("button", { type: "button", class: "text-button", on: { click: run } }, label),
    iconButton("close", "Dismiss", close));
  byId("toasts").append(node);
  let timer = 0;
  const wait = () => (timer = setTimeout(close, SHOWN_MS));
  // It stays while somebody points at it or is about to press its button.
  for (const type of ["mouseenter", "focusin"]) node.addEventListener(type, () => clearTimeout(timer));
  for (const type of ["mouseleave", "focusout"]) node.addEventListener(type, wait);
  wait();
}
