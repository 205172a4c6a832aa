// The choice of the model, or of one of its LoRA adapters.

import { byId, element } from "../dom.js";

const KEY = "wgpt.model";

export class ModelChoice {
  #select = byId("model");
  #models = [];

  constructor(choose) {
    this.#select.addEventListener("change", () => {
      localStorage.setItem(KEY, this.chosen);
      choose(this.chosen);
    });
  }

  /** The id that is selected; "" while the models are unknown. */
  get chosen() {
    return this.#select.value;
  }

  offer(models) {
    this.#models = models;
    const bases = models.filter(({ parent }) => !parent);
    const adapters = models.filter(({ parent }) => parent);
    this.#select.replaceChildren(
      ...(adapters.length ? [group("Model", bases), group("LoRA adapters", adapters)] : bases.map(option)));
    if (!models.length) this.#select.append(element("option", { value: "" }, "no model"));
    this.#select.disabled = models.length === 0;
  }

  /** Selects the model of a conversation; if it is gone, the one that was chosen last, or the first. */
  show(model) {
    const wanted = [model, localStorage.getItem(KEY)].find((id) => this.#models.some((other) => other.id === id));
    this.#select.value = wanted ?? this.#models[0]?.id ?? "";
  }
}

const option = ({ id }) => element("option", { value: id }, id);
const group = (label, models) => element("optgroup", { label }, ...models.map(option));
