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

  /** The words of a record with these options, or why they are refused. */
  async records({ layout, options }) {
    const { recordOf, settingsOf } = await import(new URL("settings.js", pathToFileURL(request.runtime)).href);
    const place = { token: 1, position: 2, drawn: 3, lora: 0 };
    return options.map((each) => {
      try {
        return [...recordOf(settingsOf(each), layout, place)];
      } catch (error) {
        return error.message;
      }
    });
  },

  async prompts({ chat, conversations }) {
    return conversations.map((messages) => promptOf(chat, messages));
  },

  async chatIds({ data, chat, conversations }) {
    const tokenizer = new runtime.Tokenizer(data);
    return conversations.map((messages) => {
      const prompt = promptOf(chat, messages, (text) => tokenizer.asText(text));
      return tokenizer.encode(prompt, { special: false, marked: true });
    });
  },

  /** Visits of a site whose server answers in several ways: what each reads of a file, or the kind of its error. */
  async visits({ site, visits }) {
    const { Files } = await import(new URL("files.js", pathToFileURL(request.runtime)).href);
    const kept = new Map();
    const store = {
      match: async (url) => (kept.has(String(url)) ? new Response(kept.get(String(url))) : undefined),
      put: async (url, response) => void kept.set(String(url), await response.arrayBuffer()),
      delete: async (url) => kept.delete(String(url)),
    };
    globalThis.caches = { open: async () => store };
    const read = (url) => readFileSync(new URL(url.pathname.slice(1), pathToFileURL(`${site}/`)));
    const answers = {
      well: async (url) => new Response(read(url)),
      cut: async (url) => new Response(read(url).subarray(0, -1)),
      portal: async () => new Response("<html>Log in</html>"),
      missing: async () => new Response("", { status: 404 }),
      offline: async () => Promise.reject(new TypeError("no network")),
    };
    const results = [];
    for (const { answer, damage } of visits) {
      if (damage) for (const url of kept.keys()) if (url.includes(damage)) kept.set(url, new ArrayBuffer(3));
      let requests = 0;
      const fetch = (url) => (requests++, answers[answer](url));
      try {
        const files = await Files.open("http://site/model/", { fetch });
        const { name, tokenizer } = await files.description();
        const { tokens } = await files.json(tokenizer);
        results.push({ name, tokens: tokens.length, requests });
      } catch (error) {
        results.push({ kind: error.kind, message: error.message, requests });
      }
    }
    return results;
  },

  /** The target that is taken for each of some made-up adapters. */
  async choose({ targets, adapters }) {
    const { openDevice } = await import(new URL("device.js", pathToFileURL(request.runtime)).href);
    const limits = new Proxy({}, { get: () => 2 ** 40 });
    const chosen = adapters.map(async ({ info, features, language }) => {
      const adapter = { info, limits, features: new Set(features), requestDevice: async () => ({}) };
      const gpu = { requestAdapter: async () => adapter, wgslLanguageFeatures: language && new Set(language) };
      return (await openDevice(gpu, targets)).target.name;
    });
    return Promise.all(chosen);
  },

  /** What a model goes through: turns, aborts, a lost device, two prompts at once, many tokens. */
  async life({ prompt, turns }) {
    const model = await load();
    const options = { maxTokens: 20, ignoreEos: true };
    const facts = { whole: await said(model.generate(prompt, options)) };
    facts.again = await said(model.generate(prompt, options));

    const controller = new AbortController();
    const aborted = model.generate(prompt, { ...options, signal: controller.signal });
    try {
      for await (const text of aborted) if (text && aborted.ids.length >= 3) controller.abort();
    } catch (error) {
      facts.aborted = { name: error.name, ids: aborted.ids.length };
    }
    for await (const text of model.generate(prompt, options)) if (text) break; // leaves it in the middle
    facts.after = await said(model.generate(prompt, options));

    model.forget();
    const early = new AbortController();
    const onProgress = ({ loaded }) => loaded && early.abort(); // after the first chunk of the prompt
    facts.early = await model.generate(prompt, { ...options, signal: early.signal, onProgress }).text().catch((e) => e.name);
    facts.resumed = await said(model.generate(prompt, options));

    const [first, second] = await Promise.all([
      said(model.generate(prompt, options)),
      said(model.generate(prompt.slice(0, 5), options)),
    ]);
    facts.together = { first, second, alone: await said(model.generate(prompt.slice(0, 5), options)) };

    facts.turns = [];
    let known = [];
    for (const turn of turns) {
      known = [...known, ...turn];
      const answer = await said(model.generate(known, options));
      model.forget();
      const fresh = await said(model.generate(known, options));
      facts.turns.push({ answer, fresh });
      known = [...known, ...answer.ids];
    }

    const lost = model.generate(prompt, options);
    for await (const text of lost) if (text && lost.ids.length === 7) model.device.destroy();
    facts.lost = lost.ids;

    facts.stops = await said(model.generate(prompt, { ...options, stop: facts.whole.text.slice(3, 6) }));

    // The device is a new one since it was lost: count what it allocates.
    await model.generate(prompt, options).text();
    let made = 0;
    const create = model.device.createBuffer;
    model.device.createBuffer = function (...args) {
      made++;
      return create.apply(this, args);
    };
    globalThis.gc?.();
    const before = process.memoryUsage();
    let tokens = 0;
    for (let seed = 0; tokens < request.tokens; seed++) {
      const generation = model.generate(prompt, { maxTokens: 200, ignoreEos: true, temperature: 1, seed });
      await generation.text();
      tokens += generation.ids.length;
    }
    globalThis.gc?.();
    const after = process.memoryUsage();
    const grown = { heap: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers };
    facts.growth = { tokens, made, ...grown };

    facts.refused = [];
    const options_refused = [{ temperature: -1 }, { logitBias: {} }, { topP: 0 }, { stop: [""] }, { seed: -1 }];
    options_refused.push({ ignoreEos: "no" }, { signal: {} }, { onProgress: true });
    const wrong = [[[], {}], [[1 << 20], {}], ...options_refused.map((each) => [prompt, each])];
    wrong.push([new Array(model.context + 1).fill(5), {}]);
    for (const [ids, each] of wrong) {
      try {
        await model.generate(ids, each).text();
        facts.refused.push(null);
      } catch (error) {
        facts.refused.push({ kind: error.kind, message: error.message });
      }
    }
    facts.refused.push(await load(undefined, { retries: 3 }).catch(({ kind, message }) => ({ kind, message })));
    await model.close();
    facts.closed = await model.generate(prompt).text().catch((error) => error.kind);
    return facts;
  },

  async verify({ site }) {
    const results = [];
    const options = { gpu: dawn(), target: request.target };
    for await (const result of runtime.verify(pathToFileURL(`${site}/model/`), options)) results.push(result);
    return results;
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
