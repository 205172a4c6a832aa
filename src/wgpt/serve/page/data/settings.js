// The settings of a conversation: their names and ranges. An empty field is not sent, so the server's default holds.

export const FIELDS = [
  { name: "temperature", label: "Temperature", min: 0, max: 2, step: 0.05, hint: "0 always takes the likeliest token" },
  { name: "top_p", label: "Top p", min: 0.01, max: 1, step: 0.01, hint: "Likeliest tokens up to this probability" },
  { name: "top_k", label: "Top k", min: 0, max: 1000, step: 1, hint: "Only the k likeliest tokens; 0 for all" },
  { name: "min_p", label: "Min p", min: 0, max: 0.99, step: 0.01, hint: "At least this share of the likeliest" },
  { name: "max_tokens", label: "Max tokens", min: 1, max: 1000000, step: 1, hint: "The longest answer" },
  { name: "seed", label: "Seed", min: 0, max: 4294967295, step: 1, hint: "The same seed, most often the same answer" },
  { name: "repetition_penalty", label: "Repetition penalty", min: 0.5, max: 2, step: 0.01, hint: "1 is off" },
];

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
