// Light and dark: the system's preference, or what was chosen here.

import { byId, icon } from "../dom.js";

const KEY = "wgpt.theme"; // theme.js reads it before the page is shown
const system = matchMedia("(prefers-color-scheme: dark)");

/** "system", "light" or "dark" */
export function chosenTheme() {
  return document.documentElement.dataset.theme ?? "system";
}

export function chooseTheme(theme) {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }
  showSwitch();
}

function isDark() {
  const theme = chosenTheme();
  return theme === "system" ? system.matches : theme === "dark";
}

function showSwitch() {
  const button = byId("theme-switch");
  const label = isDark() ? "Switch to light" : "Switch to dark";
  button.replaceChildren(icon(isDark() ? "sun" : "moon"));
  button.setAttribute("aria-label", label);
  button.title = label;
}

export function startAppearance() {
  byId("theme-switch").addEventListener("click", () => chooseTheme(isDark() ? "light" : "dark"));
  system.addEventListener("change", showSwitch);
  showSwitch();
}
