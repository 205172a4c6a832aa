// Sampling settings, checked, and as the words of a sequence's record, which the sampling kernel reads.

import { WgptError } from "./errors.js";

const COLDEST = 1e-6; // below it the likeliest token has probability 1
const DEFAULTS = {
  maxTokens: 256,
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  seed: undefined,
  stop: [],
  ignoreEos: false,
  signal: undefined,
  onProgress: undefined,
  logits: false,
};

const RANGES = {
  maxTokens: ["a whole number, at least 1", (x) => Number.isInteger(x) && x >= 1],
  temperature: ["from 0 (greedy) to 1e6", (x) => x >= 0 && x <= 1e6],
  topK: ["a whole number, at least 0 (off)", (x) => Number.isInteger(x) && x >= 0 && x < 2 ** 32],
  topP: ["above 0 and at most 1 (off)", (x) => x > 0 && x <= 1],
  minP: ["0 (off) or more, and below 1", (x) => x >= 0 && x < 1],
  repetitionPenalty: ["above 0, and finite; 1 is off", (x) => x > 0 && x <= 3.4e38],
  presencePenalty: ["from -2 to 2; 0 is off", (x) => Math.abs(x) <= 2],
  frequencyPenalty: ["from -2 to 2; 0 is off", (x) => Math.abs(x) <= 2],
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
  for (const [name, [allowed, holds]] of Object.entries(RANGES)) {
    const value = settings[name];
    if (typeof value !== "number" || !holds(value)) {
      throw new WgptError("input", `${name} must be ${allowed}, not ${value}.`);
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

function seedOf(seed) {
  const whole = typeof seed === "bigint" ? seed < 2n ** 64n : Number.isSafeInteger(seed);
  if (whole && seed >= 0) return BigInt(seed);
  throw new WgptError("input", `seed must be a whole number from 0 to 2^64 - 1, not ${seed}.`);
}

/** The record of a sequence whose token `token` runs next, at `position`. */
export function recordOf(settings, layout, { token, position, drawn, lora }) {
  const words = new Uint32Array(layout.RECORD_WORDS);
  words[layout.TOKEN] = token;
  words[layout.POSITION] = position;
  words[layout.COUNTER] = drawn;
  words[layout.LORA] = lora;
  words[layout.FLAGS] = settings.penalised ? layout.PENALISED : 0;
  const first = layout.SETTINGS;
  const { temperature, topP, minP, repetitionPenalty, presencePenalty, frequencyPenalty } = settings;
  const floats = new Float32Array(words.buffer);
  floats[first] = temperature < COLDEST ? 0 : temperature;
  floats.set([topP, minP, repetitionPenalty], first + 2);
  floats.set([presencePenalty, frequencyPenalty], first + 7);
  words[first + 1] = settings.topK;
  words[first + 5] = Number(settings.seed & 0xffffffffn);
  words[first + 6] = Number(settings.seed >> 32n);
  return words;
}

/** How often each token was generated, with a mark on those of the prompt. */
export function countsOf(layout, vocab, prompt, generated) {
  const counts = new Uint32Array(vocab);
  for (const id of generated) counts[id]++;
  for (const id of prompt) counts[id] = (counts[id] | layout.PROMPTED) >>> 0;
  return counts;
}
