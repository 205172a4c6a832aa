// From the files of a site to the first token of an answer, in Node with Dawn; the parts, with and without compilation.
//
//     node bench/web_start.mjs SITE [--message TEXT] [--webgpu build/node/node_modules/webgpu]
//
// The first answer compiles what loading did not; the second one, of a model that has forgotten the first, needs only to
// compute. One line of JSON, in seconds.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    message: { type: "string", default: "What is the capital of France?" },
    webgpu: { type: "string", default: "build/node/node_modules/webgpu" },
  },
});
if (positionals.length !== 1) throw new Error("give the folder of one site, made by `wgpt export-web`");
const site = pathToFileURL(`${resolve(positionals[0])}/`);
const { load } = await import(new URL("wgpt/index.js", site));
const { create } = await import(pathToFileURL(resolve(values.webgpu, "index.js")).href);
const gpu = (globalThis.gpu = create([])); // kept: Dawn ends the process if it is collected

const seconds = {};
const clock = (since) => Math.round(performance.now() - since) / 1000;
const began = performance.now();
const model = await load(new URL("model/", site), {
  gpu,
  onProgress({ stage, loaded }) {
    if (stage === "compile") seconds[loaded ? "compiled" : "weights"] = clock(began);
  },
});
const { weights, compiled } = seconds;

async function firstToken() {
  const start = performance.now();
  const generation = model.chats
    ? model.chat([{ role: "user", content: values.message }], { maxTokens: 1, ignoreEos: true })
    : model.generate(values.message, { maxTokens: 1, ignoreEos: true });
  await generation.text();
  model.forget();
  return [clock(start), generation.usage.prompt];
}

const [first] = await firstToken();
const [again, promptTokens] = await firstToken();
const report = {
  adapter: model.adapter.info.description,
  target: model.target.name,
  prompt_tokens: promptTokens,
  load: weights,
  compile: Math.round(1000 * (compiled - weights + Math.max(0, first - again))) / 1000,
  first_token: again,
  without_compilation: Math.round(1000 * (weights + again)) / 1000,
};
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
