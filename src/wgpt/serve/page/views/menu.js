// A menu of actions below a button: arrow keys move, Escape closes, a click elsewhere too.

import { element, icon } from "../dom.js";

let closeOpenMenu = () => {};

/** @param entries [{ icon, label, action, danger }] */
export function openMenu(button, entries) {
  const wasOpen = button.getAttribute("aria-expanded") === "true";
  closeOpenMenu();
  if (wasOpen) return;

  const close = (refocus) => {
    menu.remove();
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", elsewhere, true);
    window.removeEventListener("resize", closeWithoutFocus);
    document.removeEventListener("scroll", closeWithoutFocus, true);
    closeOpenMenu = () => {};
    if (refocus) button.focus();
  };
  const closeWithoutFocus = () => close(false);
  const elsewhere = (event) => {
    if (!menu.contains(event.target) && !button.contains(event.target)) close(false);
  };
  const items = entries.map(({ icon: name, label, action, danger }) => {
    const run = () => {
      close(true);
      action();
    };
    const properties = { type: "button", role: "menuitem", tabindex: "-1", "data-danger": danger, on: { click: run } };
    return element("button", properties, icon(name), label);
  });
  const onKey = (event) => {
    const at = items.indexOf(document.activeElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (target !== undefined) items.at(target % items.length).focus();
    else if (event.key === "Escape") close(true);
    else if (event.key === "Tab") close(true);
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  const menu = element("div", { class: "menu", role: "menu", "aria-label": button.getAttribute("aria-label"), on: { keydown: onKey } }, ...items);

  button.after(menu); // next in the order of focus, and in the same landmark
  place(menu, button);
  button.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", elsewhere, true);
  window.addEventListener("resize", closeWithoutFocus);
  document.addEventListener("scroll", closeWithoutFocus, true);
  closeOpenMenu = closeWithoutFocus;
  items[0].focus();
}

function place(menu, button) {
  const anchor = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(anchor.left, window.innerWidth - width - 8);
  const below = anchor.bottom + 4;
  const top = below + height > window.innerHeight ? anchor.top - height - 4 : below;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, top)}px`;
}
