// Making elements without HTML: text is always text. The page's security policy forbids innerHTML altogether.

import { ICONS } from "./icons.js";

/**
 * element("button", { class: "send", disabled: true, on: { click: send } }, icon("send"), "Send")
 * Children are nodes or strings; null and false are left out.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** A line drawing of 24 by 24 in the colour of the text; hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const data of ICONS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", data);
    svg.append(path);
  }
  return svg;
}

/** A button that shows an icon and has its name as label and tooltip. */
export function iconButton(name, label, click, properties = {}) {
  const own = { type: "button", class: "icon-button", "aria-label": label, title: label, on: { click } };
  return element("button", { ...own, ...properties }, icon(name));
}

export const byId = (id) => document.getElementById(id);

/** Copies text; also on plain http addresses, where browsers have no navigator.clipboard. */
export async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = element("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  field.value = text;
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  if (!copied) throw new Error("the browser does not allow it");
}

/** A button that copies and says so for a moment. */
export function copyButton(label, textOf, properties = {}) {
  const button = iconButton("copy", label, async () => {
    try {
      await copyText(textOf());
    } catch (error) {
      button.title = `Not copied: ${error.message}`;
      return;
    }
    button.replaceChildren(icon("check"));
    button.setAttribute("aria-label", "Copied");
    setTimeout(() => {
      button.replaceChildren(icon("copy"));
      button.setAttribute("aria-label", label);
    }, 1500);
  }, properties);
  return button;
}
