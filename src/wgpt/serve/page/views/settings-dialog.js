// The settings of the conversation that is shown: system prompt, sampling, appearance.

import { FIELDS, keepAsDefaults } from "../data/settings.js";
import { byId, element } from "../dom.js";
import { chooseTheme, chosenTheme } from "./appearance.js";

export class SettingsDialog {
  #dialog = byId("settings-dialog");
  #form = this.#dialog.querySelector("form");
  #save = () => {};

  constructor() {
    byId("sampling-fields").append(...FIELDS.map(fieldNode));
    this.#form.addEventListener("submit", (event) => this.#submit(event));
    this.#form.addEventListener("input", (event) => this.#explain(event.target));
    this.#form.addEventListener("change", (event) => {
      if (event.target.name === "theme") chooseTheme(event.target.value);
    });
    byId("settings-close").addEventListener("click", () => this.#dialog.close());
    byId("settings-reset").addEventListener("click", () => this.#fill({}));
  }

  /** Shows the settings; `save` is called with new ones when they are confirmed. */
  open(settings, save) {
    this.#save = save;
    this.#fill(settings);
    this.#form.elements.theme.value = chosenTheme();
    this.#dialog.showModal();
  }

  #fill(settings) {
    const { elements } = this.#form;
    elements.system.value = settings.system ?? "";
    for (const { name } of FIELDS) {
      elements[name].value = settings[name] ?? "";
      this.#explain(elements[name]);
    }
  }

  /** Says below a field what is wrong with it. */
  #explain(input) {
    const field = FIELDS.find(({ name }) => name === input.name);
    if (!field) return;
    const hint = byId(`hint-${field.name}`);
    const wrong = !input.validity.valid;
    input.setAttribute("aria-invalid", String(wrong));
    const kind = Number.isInteger(field.step) ? "a whole number" : "a number";
    hint.textContent = wrong ? `${kind} from ${field.min} to ${field.max}` : field.hint;
  }

  #submit(event) {
    event.preventDefault();
    const { elements } = this.#form;
    const wrong = FIELDS.map(({ name }) => elements[name]).find((input) => !input.validity.valid);
    if (wrong) {
      wrong.focus();
      return;
    }
    const settings = { system: elements.system.value };
    for (const { name } of FIELDS) if (elements[name].value !== "") settings[name] = elements[name].valueAsNumber;
    if (elements.defaults.checked) keepAsDefaults(settings);
    this.#save(settings);
    this.#dialog.close();
  }
}

function fieldNode({ name, label, min, max, step, hint }) {
  // A step of 0.05 is for the arrows alone: 0.33 is as good a value.
  const anyStep = Number.isInteger(step) ? step : "any";
  return element("div", { class: "field" },
    element("label", { for: `setting-${name}` }, label),
    element("input", {
      ...{ id: `setting-${name}`, name, type: "number", inputmode: "decimal", autocomplete: "off" },
      ...{ min, max, step: anyStep, placeholder: "default", "aria-describedby": `hint-${name}` },
    }),
    element("small", { id: `hint-${name}` }, hint));
}
