// `wgpt verify` in the browser: trials of the model's kernels, with inputs and results that came with it.

import { openDevice } from "./device.js";
import { Files } from "./files.js";
import { Replayer } from "./replayer.js";

const READERS = {
  f32: (data) => new Float32Array(data),
  u32: (data) => new Uint32Array(data),
  i32: (data) => new Int32Array(data),
  u8: (data) => new Uint8Array(data),
  f16: (data) => Float32Array.from(new Uint16Array(data), half),
  bf16: (data) => new Float32Array(Uint32Array.from(new Uint16Array(data), (bits) => bits << 16).buffer),
};
const SIZES = { u8: 1, f16: 2, bf16: 2 };

/**
 * Yields { kernel, trials, error, allowed, ok } for each kernel: its largest error, relative to the result's scale.
 * @param {string | URL} url the folder of model.json
 */
export async function* verify(url, { gpu = globalThis.navigator?.gpu, target, ...options } = {}) {
  const files = await Files.open(url, options);
  const description = await files.description();
  const opened = await openDevice(gpu, description.targets, target);
  try {
    const trials = await files.json(opened.target.trials);
    const kernels = Map.groupBy?.(trials, ({ kernel }) => kernel) ?? grouped(trials);
    for (const [kernel, each] of kernels) {
      const result = { kernel, trials: each.length, error: 0, allowed: Infinity, ok: true };
      for (const trial of each) {
        const error = await errorOf(opened.device, trial);
        result.error = Math.max(result.error, error);
        result.allowed = Math.min(result.allowed, trial.tolerance);
        result.ok &&= error <= trial.tolerance;
      }
      yield result;
    }
  } finally {
    opened.device.destroy();
  }
}

function grouped(trials) {
  const groups = new Map();
  for (const trial of trials) groups.set(trial.kernel, [...(groups.get(trial.kernel) ?? []), trial]);
  return groups;
}

/** The largest error of a trial; Infinity if something was written past an output's end. */
async function errorOf(device, { manifest, contents, expected, guard }) {
  const replayer = await Replayer.open(device, manifest);
  for (const [buffer, text] of Object.entries(contents)) replayer.writeBuffer(Number(buffer), 0, bytes(text));
  const names = Object.keys(expected);
  const results = await replayer.submit("main", await replayer.ready("main"), ...names);
  replayer.destroy();
  let worst = 0;
  for (const name of names) {
    const { dtype, values } = expected[name];
    const references = new Float64Array(bytes(values).buffer);
    const used = references.length * (SIZES[dtype] ?? 4);
    if (new Uint32Array(results[name], Math.ceil(used / 4) * 4).some((word) => word !== guard)) return Infinity;
    worst = Math.max(worst, largestError(READERS[dtype](results[name].slice(0, used)), references));
  }
  return worst;
}

function largestError(results, references) {
  let scale = 0;
  for (const value of references) if (Number.isFinite(value)) scale = Math.max(scale, Math.abs(value));
  let worst = 0;
  for (let i = 0; i < references.length; i++) {
    if (Object.is(results[i], references[i]) || results[i] === references[i]) continue;
    const error = Math.abs(results[i] - references[i]) / (scale || 1);
    worst = Math.max(worst, Number.isNaN(error) ? Infinity : error);
  }
  return worst;
}

function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}
