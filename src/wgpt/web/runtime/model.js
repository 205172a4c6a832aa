// A model in the browser: its weights on the GPU, and generation from a prompt or a chat.

import { StopStrings, promptOf } from "./chat.js";
import { openDevice } from "./device.js";
import { WgptError } from "./errors.js";
import { Files } from "./files.js";
import { Generation } from "./generation.js";
import { Replayer } from "./replayer.js";
import { mayRest, resting } from "./resting.js";
import { countsOf, recordOf, settingsOf } from "./settings.js";
import { Tokenizer } from "./tokenizer.js";
import { upload } from "./upload.js";

const NO_TOKEN = 0xffffffff;
const PADDING = 0xffffffff; // the position of a row that is not used
const AHEAD = 2; // steps on their way: one runs while the next is encoded

/**
 * Load an exported model.
 * @param {string | URL} url the folder of its model.json
 */
export async function load(url, options = {}) {
  const { gpu = globalThis.navigator?.gpu, onProgress = () => {}, target, ...others } = options;
  const files = await Files.open(url, others);
  const description = await files.description();
  const model = new Model(files, description, { gpu, target, onProgress });
  await model._open();
  await files.tidy(["model.json", ...model.files.map(({ file }) => file)]).catch(() => {});
  return model;
}

export class Model {
  #files;
  #options;
  #replayer = null;
  #device;
  #lost = false;
  #onLost = () => {}; // what waits for the device now
  #closed = false;
  #rests = false; // see resting.js
  #cached = []; // the tokens whose keys and values are in the cache
  #turn = Promise.resolve(); // the end of the generation before

  constructor(files, description, options) {
    this.#files = files;
    this.description = description;
    this.#options = options;
  }

  get name() {
    return this.description.name;
  }

  get context() {
    return this.description.context;
  }

  /** Whether it has a chat template. */
  get chats() {
    return this.description.chat !== null;
  }

  get device() {
    return this.#device;
  }

  /** All files but model.json: { file, bytes, sha256 }. */
  get files() {
    const { target, description } = this;
    return [target.program, target.trials, description.tokenizer, ...description.weights.shards];
  }

  async _open() {
    const { gpu, target, onProgress } = this.#options;
    const opened = await openDevice(gpu, this.description.targets, target);
    this.#device = opened.device;
    this.adapter = opened.adapter;
    this.target = opened.target;
    this.#rests = mayRest(gpu, opened.software);
    this.#lost = false;
    opened.device.lost.then(({ message }) => {
      if (this.#device !== opened.device) return;
      this.#lost = true;
      this.#onLost(new Error(`The GPU was lost: ${message}`));
    });
    const manifest = await this.#files.json(this.target.program);
    this.tokenizer ??= new Tokenizer(await this.#files.json(this.description.tokenizer));
    this.#replayer = await Replayer.open(opened.device, manifest);
    this.#cached = [];
    await upload(this.#files, this.description.weights, manifest.contents, this.#replayer, onProgress);
    const first = [`prefill/${this.description.prefill[0]}`, this.#stepName(1, "greedy")];
    onProgress({ stage: "compile", loaded: 0, total: 1 });
    await Promise.all(first.map((name) => this.#replayer.ready(name)));
    onProgress({ stage: "compile", loaded: 1, total: 1 });
  }

  /** The answer to a chat: for await (const text of model.chat(messages)) ... */
  chat(messages, options) {
    if (!this.chats) throw new WgptError("input", `${this.name} has no chat template: use generate(prompt).`);
    const prompt = promptOf(this.description.chat, messages, (text) => this.tokenizer.asText(text));
    const ids = this.tokenizer.encode(prompt, { special: false, marked: true });
    return this.generate(ids, options);
  }

  /** The continuation of a text, or of token ids. */
  generate(prompt, options) {
    const settings = settingsOf(options);
    const ids = typeof prompt === "string" ? this.tokenizer.encode(prompt) : [...prompt];
    if (!ids.length) throw new WgptError("input", "The prompt is empty: at least one token is required.");
    const wrong = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= this.description.vocab);
    if (wrong !== undefined) throw new WgptError("input", `Token ${wrong} is outside the vocabulary.`);
    if (ids.length > this.context) {
      const most = this.context;
      throw new WgptError("input", `The conversation has ${ids.length} tokens; the model's context is ${most}.`);
    }
    return new Generation(settings, ids.length, (generation) => this.#generate(generation, ids, settings));
  }

  async *#generate(generation, prompt, settings) {
    const before = this.#turn;
    let done;
    this.#turn = new Promise((resolve) => (done = resolve));
    await before;
    try {
      if (this.#closed) throw new WgptError("closed", "The model was closed: load it again.");
      const text = this.tokenizer.stream();
      const stops = new StopStrings(settings.stop);
      const ends = settings.ignoreEos ? [] : this.tokenizer.ends;
      for await (const id of this.#tokens(generation, prompt, settings)) {
        if (ends.includes(id)) {
          generation.finish = "stop";
          break;
        }
        generation.ids.push(id);
        const shown = stops.add(text.add(id));
        if (shown) yield shown;
        if (stops.hit) {
          generation.finish = "stop";
          return;
        }
      }
      generation.finish ??= "length";
      const rest = stops.add(text.finish()) + (stops.hit ? "" : stops.finish());
      if (rest) yield rest;
    } finally {
      done();
    }
  }

  /** Tokens until the context is full, over one loss of the device. */
  async *#tokens(generation, prompt, settings) {
    const drawn = [];
    const most = Math.min(settings.maxTokens, this.context - prompt.length + 1);
    for (let recovered = false; ; ) {
      try {
        if (this.#lost) await this._open();
        yield* this.#run(generation, prompt, drawn, most, settings);
        return;
      } catch (error) {
        // What was submitted to a device that is gone fails with any of several errors; `lost` tells.
        await Promise.resolve();
        if (!this.#lost || recovered || error instanceof WgptError) throw error;
        recovered = true;
      }
    }
  }

  async *#run(generation, prompt, drawn, most, settings) {
    const { signal } = settings;
    const replayer = this.#replayer;
    const known = [...prompt, ...drawn];
    await this.#prefill(generation, known, settings);
    const { record, vocab, lora } = this.description;
    const position = known.length - 1;
    const next = { token: known[position], position, drawn: drawn.length, lora };
    replayer.write("record", recordOf(settings, record, next));
    if (settings.penalised) replayer.write("counts", countsOf(record, vocab, prompt, drawn));
    const outputs = settings.logits ? ["tokens", "logits"] : ["tokens"];
    const queue = [];
    let sent = drawn.length;
    try {
      while (drawn.length < most) {
        signal?.throwIfAborted();
        while (sent < most && queue.length < AHEAD) {
          const name = this.#stepName(prompt.length + sent, settings.mode);
          const steps = await replayer.ready(name);
          queue.push(replayer.submit(name, steps, ...outputs));
          sent++;
        }
        const result = await this.#unlessLost(queue.shift());
        const [id] = new Uint32Array(result.tokens);
        if (id === NO_TOKEN) {
          throw new WgptError("unsupported", "The GPU computed no usable numbers: run the page's checks.");
        }
        if (result.logits) generation.logits = new Float32Array(result.logits);
        this.#cached.push(known.at(-1));
        known.push(id);
        drawn.push(id);
        yield id;
      }
    } finally {
      await Promise.allSettled(queue);
    }
  }

  /** Run the tokens but the last that are not in the cache yet. */
  async #prefill(generation, ids, { signal, onProgress }) {
    const replayer = this.#replayer;
    let at = 0;
    while (at < this.#cached.length && at < ids.length - 1 && this.#cached[at] === ids[at]) at++;
    this.#cached = ids.slice(0, at);
    generation.usage.cached ??= at;
    const sizes = this.description.prefill;
    while (at < ids.length - 1) {
      onProgress?.({ stage: "prompt", loaded: at, total: ids.length - 1 });
      signal?.throwIfAborted();
      const left = ids.length - 1 - at;
      // On a CPU every row costs the same, used or not. A GPU runs some more rows in the same time: one chunk is best.
      const rows = this.target.software
        ? (sizes.findLast((size) => size <= left) ?? sizes[0])
        : (sizes.find((size) => left <= size) ?? sizes.at(-1));
      const count = Math.min(left, rows);
      const chunk = new Uint32Array(rows);
      const places = new Uint32Array(2 * rows).fill(PADDING);
      for (let i = 0; i < rows; i++) {
        places[2 * i] = 0;
        if (i >= count) continue;
        chunk[i] = ids[at + i];
        places[2 * i + 1] = at + i;
      }
      const name = `prefill/${rows}`;
      const steps = await replayer.ready(name);
      replayer.write("ids", chunk, name);
      replayer.write("places", places, name);
      await this.#unlessLost(replayer.submit(name, steps, "done"));
      at += count;
      this.#cached = ids.slice(0, at);
    }
  }

  /** A result; not awaited for ever if the device is lost. A race with `device.lost` would keep every loser. */
  #unlessLost(result) {
    const outcome = new Promise((resolve, reject) => {
      this.#onLost = reject;
      result.then(resolve, reject);
      if (this.#lost) reject(new Error("The GPU was lost."));
    });
    return this.#rests ? resting(outcome) : outcome;
  }

  #stepName(length, mode) {
    const { steps } = this.target;
    return `step/${steps.find((most) => length <= most) ?? steps.at(-1)}/${mode}`;
  }

  /** Forget the conversation: the next prompt is run from its beginning. */
  forget() {
    this.#cached = [];
  }

  /** Free the GPU's memory. */
  async close() {
    this.#closed = true;
    await this.#turn;
    const device = this.#device;
    this.#replayer?.destroy();
    device?.destroy();
  }
}
