// Runs one task of the browser runtime in Node: a request on stdin, JSON on the last line of stdout.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";

const request = JSON.parse(readFileSync(0, "utf8"));
const runtime = await import(pathToFileURL(request.runtime).href);
const { promptOf } = await import(new URL("chat.js", pathToFileURL(request.runtime)).href);

/** Dawn's WebGPU. It ends the process if it is collected while in use. */
function dawn() {
  if (!globalThis.keptGpu) globalThis.keptGpu = createRequire(`${request.modules}/`)("webgpu").create([]);
  return globalThis.keptGpu;
}

function load(site = request.site, options = {}) {
  return runtime.load(pathToFileURL(`${site}/model/`), { gpu: dawn(), target: request.target, ...options });
}

async function said(generation) {
  const text = await generation.text();
  const { ids, finish, usage } = generation;
  return { text, ids, finish, usage, logits: generation.logits && Array.from(generation.logits) };
}

const TASKS = {
  async tokenize({ data, texts, ids }) {
    const tokenizer = new runtime.Tokenizer(data);
    return { ids: texts.map((text) => tokenizer.encode(text)), texts: ids.map((each) => tokenizer.decode(each)) };
  },

  async prompts({ chat, conversations }) {
    return conversations.map((messages) => promptOf(chat, messages));
  },

  /** Several generations of each site, one after the other: { prompt | messages, options }. */
  async generate({ sites, generations }) {
    const every = [];
    for (const site of sites) {
      const model = await load(site);
      const results = [];
      for (const { prompt, messages, options } of generations) {
        results.push(await said(messages ? model.chat(messages, options) : model.generate(prompt, options)));
      }
      every.push({ target: model.target.name, results });
      await model.close();
    }
    return every;
  },
};

const result = await TASKS[request.task](request);
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
