// The settings of a conversation. An empty field is not sent, so the server's default holds.

import { FIELDS } from "./fields.js";

export { FIELDS };

const DEFAULTS_KEY = "wgpt.settings";
const FIRST_DEFAULTS = { temperature: 0.7 }; // OpenAI's API has 1, at which small models ramble

/** What is sent with a request: the fields that are set. */
export function samplingOf(settings) {
  const entries = FIELDS.map(({ name }) => [name, settings[name]]);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "number"));
}

/** Settings with everything dropped that is not one; imported files go through this. */
export function cleanSettings(settings) {
  const clean = {};
  if (typeof settings?.system === "string") clean.system = settings.system;
  for (const { name, min, max } of FIELDS) {
    const value = settings?.[name];
    if (typeof value === "number" && value >= min && value <= max) clean[name] = value;
  }
  return clean;
}

/** What new conversations begin with. */
export function defaultSettings() {
  try {
    const kept = localStorage.getItem(DEFAULTS_KEY);
    return kept === null ? { ...FIRST_DEFAULTS } : cleanSettings(JSON.parse(kept));
  } catch {
    return { ...FIRST_DEFAULTS };
  }
}

export function keepAsDefaults(settings) {
  localStorage.setItem(DEFAULTS_KEY, JSON.stringify(cleanSettings(settings)));
}
