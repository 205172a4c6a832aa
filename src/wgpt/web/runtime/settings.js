// Sampling settings, checked, and as the words of a sequence's record, which the sampling kernel reads.

import { WgptError } from "./errors.js";
import { OPTIONS } from "./options.js";

const COLDEST = 1e-6; // below it the likeliest token has probability 1
const DEFAULTS = {
  ...Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, option.default])),
  signal: undefined,
  onProgress: undefined,
  logits: false,
};

const TYPES = [
  ["ignoreEos", "true or false", (x) => typeof x === "boolean"],
  ["logits", "true or false", (x) => typeof x === "boolean"],
  ["signal", "an AbortSignal", (x) => typeof x.throwIfAborted === "function"],
  ["onProgress", "a function", (x) => typeof x === "function"],
];

/** Options of a generation, complete and checked. */
export function settingsOf(options = {}) {
  const unknown = Object.keys(options).find((name) => !(name in DEFAULTS));
  if (unknown) {
    throw new WgptError("input", `Unknown option "${unknown}"; supported: ${Object.keys(DEFAULTS).join(", ")}.`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  const settings = { ...DEFAULTS, ...Object.fromEntries(given) };
  for (const [name, { bounds }] of Object.entries(OPTIONS)) {
    const value = settings[name];
    if (bounds && !(typeof value === "number" && isWithin(value, bounds))) {
      throw new WgptError("input", `${name} must be ${bounds.allowed}, not ${value}.`);
    }
  }
  for (const [name, type, holds] of TYPES) {
    if (settings[name] !== undefined && !holds(settings[name])) {
      throw new WgptError("input", `${name} must be ${type}, not ${settings[name]}.`);
    }
  }
  settings.seed = settings.seed === undefined ? BigInt(Math.floor(Math.random() * 2 ** 32)) : seedOf(settings.seed);
  settings.stop = typeof settings.stop === "string" ? [settings.stop] : [...settings.stop];
  if (settings.stop.some((text) => typeof text !== "string" || !text)) {
    throw new WgptError("input", "stop must be a text that is not empty, or a list of such texts.");
  }
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = settings;
  settings.penalised = repetitionPenalty !== 1 || presencePenalty !== 0 || frequencyPenalty !== 0;
  settings.mode = settings.penalised ? "penalise" : settings.temperature > 0 ? "sample" : "greedy";
  return settings;
}

function isWithin(value, { least, most = Infinity, above, below, whole }) {
  if (whole && !Number.isInteger(value)) return false;
  return (above ? value > least : value >= least) && (below ? value < most : value <= most);
}

function seedOf(seed) {
  const whole = typeof seed === "bigint" ? seed < 2n ** 64n : Number.isSafeInteger(seed);
  if (whole && seed >= 0) return BigInt(seed);
  throw new WgptError("input", `seed must be a whole number from 0 to 2^64 - 1, not ${seed}.`);
}

const { setFloat32, setUint32, setBigUint64 } = DataView.prototype;
const SETTERS = { f32: setFloat32, u32: setUint32, u64: setBigUint64 };

/** The record of a sequence whose token `token` runs next, at `position`. */
export function recordOf(settings, layout, { token, position, drawn, lora }) {
  const words = new Uint32Array(layout.RECORD_WORDS);
  words[layout.TOKEN] = token;
  words[layout.POSITION] = position;
  words[layout.COUNTER] = drawn;
  words[layout.LORA] = lora;
  words[layout.FLAGS] = settings.penalised ? layout.PENALISED : 0;
  const view = new DataView(words.buffer);
  const values = { ...settings, temperature: settings.temperature < COLDEST ? 0 : settings.temperature };
  for (const [name, { type, word }] of Object.entries(OPTIONS)) {
    if (type) SETTERS[type].call(view, 4 * (layout.SETTINGS + word), values[name], true);
  }
  return words;
}

/** How often each token was generated, with a mark on those of the prompt. */
export function countsOf(layout, vocab, prompt, generated) {
  const counts = new Uint32Array(vocab);
  for (const id of generated) counts[id]++;
  for (const id of prompt) counts[id] = (counts[id] | layout.PROMPTED) >>> 0;
  return counts;
}
