// Asks for the server's key when it wants one. The key stays in this tab, unless the person asks to keep it.

import { byId } from "../dom.js";

const STORED = "wgpt.key";

export function storedKey() {
  return sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED) ?? "";
}

function storeKey(key, keep) {
  sessionStorage.setItem(STORED, key);
  if (keep) localStorage.setItem(STORED, key);
  else localStorage.removeItem(STORED);
}

let asking = null;

/** Resolves to the key, or to "" if the dialog was closed; asks once however many requests want it. */
export function askForKey(reason) {
  asking ??= ask(reason).finally(() => (asking = null));
  return asking;
}

function ask(reason) {
  const dialog = byId("key-dialog");
  const form = dialog.querySelector("form");
  byId("key-reason").textContent = reason;
  form.elements.key.value = "";
  form.elements.keep.checked = localStorage.getItem(STORED) !== null;
  dialog.showModal();
  return new Promise((resolve) => {
    const submit = (event) => {
      event.preventDefault();
      const key = form.elements.key.value.trim();
      if (!key) return;
      storeKey(key, form.elements.keep.checked);
      dialog.close(key);
    };
    form.addEventListener("submit", submit);
    const closed = () => {
      form.removeEventListener("submit", submit);
      resolve(dialog.returnValue);
      dialog.returnValue = "";
      form.elements.key.value = "";
    };
    dialog.addEventListener("close", closed, { once: true });
  });
}
