// The decode rate of an exported model in Node with Dawn; bench/web_decode.py runs it.
//
//     node bench/web_decode.mjs SITE [--context 64] [--tokens 128] [--repeats 5] [--target NAME]
//         [--toggles allow_unsafe_apis,...] [--verify] [--webgpu build/node/node_modules/webgpu]
//
// One line of JSON: tokens per second of each repetition, from the second run on, and the CPU time of a token; with
// --verify also the page's checks of its kernels.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: "string", default: "64" },
    tokens: { type: "string", default: "128" },
    repeats: { type: "string", default: "5" },
    target: { type: "string" },
    toggles: { type: "string", default: "" },
    verify: { type: "boolean", default: false },
    webgpu: { type: "string", default: "build/node/node_modules/webgpu" },
  },
});
if (positionals.length !== 1) throw new Error("give the folder of one site, made by `wgpt export-web`");
const [context, tokens, repeats] = ["context", "tokens", "repeats"].map((name) => {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number, at least 1`);
  return number;
});

const site = pathToFileURL(`${resolve(positionals[0])}/`);
const { load, verify } = await import(new URL("wgpt/index.js", site));
const features = values.toggles ? [`enable-dawn-features=${values.toggles}`] : [];
const { create } = await import(pathToFileURL(resolve(values.webgpu, "index.js")).href);
const gpu = (globalThis.gpu = create(features)); // kept: Dawn ends the process if it is collected

const began = performance.now();
const model = await load(new URL("model/", site), { gpu, target: values.target });
const seconds = { load: (performance.now() - began) / 1000 };

// Any tokens will do, but not the same one again and again.
const prompt = Array.from({ length: context }, (_, i) => (i * 7919 + 1) % model.description.vocab);

/** Seconds and CPU seconds of one answer. The cache holds the prompt after the first. */
async function answer() {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const generation = model.generate(prompt, { maxTokens: tokens, ignoreEos: true });
  await generation.text();
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (generation.ids.length !== tokens) throw new Error(`${generation.ids.length} tokens instead of ${tokens}`);
  return { elapsed, cpu: (user + system) / 1e6, ids: generation.ids };
}

const first = await answer();
seconds.first_answer = first.elapsed;
for (let warm = performance.now(); performance.now() - warm < 500; ) await answer(); // the clocks are up then
const runs = [];
for (let i = 0; i < repeats; i++) runs.push(await answer());
if (runs.some(({ ids }) => ids.join() !== first.ids.join())) throw new Error("the same prompt gave other tokens");

const checks = [];
if (values.verify) {
  for await (const each of verify(new URL("model/", site), { gpu, target: values.target })) checks.push(each);
}

const { vendor, architecture, device, description } = model.adapter.info;
const report = {
  adapter: [vendor, architecture, device, description].filter(Boolean).join(", "),
  node: process.version,
  toggles: values.toggles,
  target: model.target.name,
  features: model.target.features,
  context,
  tokens,
  tokens_per_second: runs.map(({ elapsed }) => tokens / elapsed),
  cpu_us_per_token: runs.map(({ cpu }) => (1e6 * cpu) / tokens),
  seconds,
  checked: checks.length,
  wrong: checks.filter(({ ok }) => !ok).map(({ kernel, error, allowed }) => ({ kernel, error, allowed })),
  ids: first.ids,
};
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
