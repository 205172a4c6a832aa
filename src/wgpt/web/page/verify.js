// "Check this GPU": runs a few trials of every kernel of the model on the visitor's GPU, and shows a table.

import { verify } from "../wgpt/index.js";
import { element } from "./dom.js";

const COLUMNS = ["Kernel", "Trials", "Largest error", "Allowed", "Result"];

document.getElementById("verify").addEventListener("click", () => open());

async function open() {
  const status = element("p", { class: "reason", role: "status" }, "Loading…");
  const body = element("tbody");
  const head = element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, name)));
  const table = element("table", { class: "verify" }, element("thead", {}, head), body);
  const close = element("button", { type: "submit", class: "button primary" }, "Close");
  const title = element("h2", { id: "verify-title" }, "Check this GPU");
  const form = element("form", { method: "dialog" },
    element("header", {}, title),
    element("div", { class: "dialog-body" }, status, table),
    element("footer", {}, element("span", { class: "space" }), close));
  const dialog = element("dialog", { class: "dialog", id: "verify-dialog", "aria-labelledby": "verify-title" }, form);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  try {
    const results = [];
    for await (const result of verify(new URL("./model/", document.baseURI))) {
      results.push(result);
      const { kernel, trials, error, allowed, ok } = result;
      const cells = [kernel, String(trials), error.toPrecision(2), allowed.toPrecision(2), ok ? "ok" : "WRONG"];
      body.append(element("tr", { "data-ok": String(ok) }, ...cells.map((text) => element("td", {}, text))));
      status.textContent = `Checking: ${results.length} kernels so far`;
    }
    const wrong = results.filter(({ ok }) => !ok).length;
    status.textContent = wrong
      ? `${wrong} of ${results.length} kernels compute wrong numbers on this GPU: do not trust its answers.`
      : `All ${results.length} kernels of this model compute correctly on this GPU.`;
  } catch (error) {
    status.textContent = error.message;
  }
}
