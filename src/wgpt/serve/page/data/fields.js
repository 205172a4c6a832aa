// Derived from wgpt/core/generation.py by scripts/write_options.py.
export const FIELDS = [
  { name: "temperature", label: "Temperature", min: 0, max: 2, step: 0.05, hint: "0 always takes the likeliest token" },
  { name: "top_k", label: "Top k", min: 0, max: 1000, step: 1, hint: "Only the k likeliest tokens; 0 for all" },
  { name: "top_p", label: "Top p", min: 0.01, max: 1, step: 0.01, hint: "Likeliest tokens up to this probability" },
  { name: "min_p", label: "Min p", min: 0, max: 0.99, step: 0.01, hint: "At least this share of the likeliest" },
  { name: "repetition_penalty", label: "Repetition penalty", min: 0.5, max: 2, step: 0.01, hint: "1 is off" },
  { name: "seed", label: "Seed", min: 0, max: 4294967295, step: 1, hint: "The same seed, most often the same answer" },
  { name: "max_tokens", label: "Max tokens", min: 1, max: 1000000, step: 1, hint: "The longest answer" },
];
