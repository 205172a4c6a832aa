// Derived from wgpt/core/generation.py by scripts/write_options.py.
// The options of a generation: bounds, and the word of a sequence's record that holds them.
export const OPTIONS = {
  temperature: { default: 0, bounds: { least: 0, most: 1000000, allowed: "from 0 (greedy) to 1e6" }, type: "f32", word: 0 },
  topK: { default: 0, bounds: { least: 0, most: 4294967295, whole: true, allowed: "a whole number from 0 to 2^32 - 1" }, type: "u32", word: 1 },
  topP: { default: 1, bounds: { least: 0, most: 1, above: true, allowed: "above 0 and at most 1 (off)" }, type: "f32", word: 2 },
  minP: { default: 0, bounds: { least: 0, most: 1, below: true, allowed: "0 (off) or more, and below 1" }, type: "f32", word: 3 },
  repetitionPenalty: { default: 1, bounds: { least: 0, most: 3.4028234663852886e+38, above: true, allowed: "above 0, and finite; 1 is off" }, type: "f32", word: 4 },
  seed: { type: "u64", word: 5 },
  presencePenalty: { default: 0, bounds: { least: -2, most: 2, allowed: "from -2 to 2; 0 is off" }, type: "f32", word: 7 },
  frequencyPenalty: { default: 0, bounds: { least: -2, most: 2, allowed: "from -2 to 2; 0 is off" }, type: "f32", word: 8 },
  maxTokens: { default: 256, bounds: { least: 1, whole: true, allowed: "a whole number of at least 1" } },
  stop: { default: [] },
  ignoreEos: { default: false },
};
