/** What went wrong, in words for the person at the page. */
export class WgptError extends Error {
  kind: "no-webgpu" | "unsupported" | "memory" | "lost" | "download" | "damaged" | "input" | "closed";
}

export interface Progress {
  stage: "weights" | "compile" | "prompt";
  loaded: number;
  total: number;
}

export interface LoadOptions {
  /** WebGPU; by default navigator.gpu. In Node: `create([])` of the package "webgpu". */
  gpu?: GPU;
  /** The Programs to use, by name; by default the first that the GPU supports. */
  target?: string;
  /** Keep files in the browser's cache (the default). */
  cache?: boolean;
  fetch?: typeof fetch;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface GenerateOptions {
  // derived from wgpt/core/generation.py by scripts/write_options.py
  /** Sampling temperature: 0 always takes the likeliest token, higher values vary more. */
  temperature?: number;
  /** Sample from the K likeliest tokens only; 0 is off. */
  topK?: number;
  /** Sample from the likeliest tokens with total probability P only; 1 is off. */
  topP?: number;
  /** Sample from tokens at least P times as likely as the likeliest only; 0 is off. */
  minP?: number;
  /** Above 1, makes tokens that occurred before less likely; 1 is off. */
  repetitionPenalty?: number;
  /** Random seed. The same seed on the same GPU repeats an answer. Default: random. */
  seed?: number | bigint;
  /** Subtracted from the logits of all tokens generated so far; 0 is off. */
  presencePenalty?: number;
  /** Subtracted from the logit of a token each time it was generated; 0 is off. */
  frequencyPenalty?: number;
  /** Maximum number of tokens to generate. */
  maxTokens?: number;
  /** Stop before this text; may be repeated. */
  stop?: string | string[];
  /** Do not stop at the end-of-text token. */
  ignoreEos?: boolean;
  // end
  signal?: AbortSignal;
  /** How much of the prompt has been read. */
  onProgress?: (progress: Progress) => void;
  /** Also read the logits of each token. */
  logits?: boolean;
}

/** A text as it is generated: iterate over it. */
export class Generation implements AsyncIterable<string> {
  readonly ids: number[];
  readonly seed: bigint;
  /** null until the end. */
  readonly finish: "stop" | "length" | null;
  readonly usage: { prompt: number; cached: number | null };
  readonly logits: Float32Array | null;
  [Symbol.asyncIterator](): AsyncIterator<string>;
  /** All of it at once. */
  text(): Promise<string>;
}

export class Tokenizer {
  constructor(data: object);
  readonly ends: number[];
  encode(text: string, options?: { special?: boolean; marked?: boolean }): number[];
  /** A text for `encode` with `marked`, in which control tokens that it spells stay text. */
  asText(text: string): string;
  decode(ids: number[]): string;
  stream(): { add(id: number): string; finish(): string };
}

export class Model {
  readonly name: string;
  readonly context: number;
  /** Whether it has a chat template. */
  readonly chats: boolean;
  readonly tokenizer: Tokenizer;
  readonly device: GPUDevice;
  /** The answer to a chat; the cache is kept from one turn to the next. */
  chat(messages: Message[], options?: GenerateOptions): Generation;
  /** The continuation of a text, or of token ids. */
  generate(prompt: string | number[], options?: GenerateOptions): Generation;
  /** Forget the conversation. */
  forget(): void;
  /** Free the GPU's memory. */
  close(): Promise<void>;
}

/** Load a model of `wgpt export-web` from the folder of its model.json. */
export function load(url: string | URL, options?: LoadOptions): Promise<Model>;

export interface KernelCheck {
  kernel: string;
  trials: number;
  /** The largest error, relative to the result's scale. */
  error: number;
  allowed: number;
  ok: boolean;
}

/** Run the trials that came with a model on this GPU. */
export function verify(url: string | URL, options?: Omit<LoadOptions, "onProgress">): AsyncGenerator<KernelCheck>;

export function readableBytes(count: number): string;

/** Replays exported Programs: the layer below Model. */
export class Replayer {
  static open(device: GPUDevice, manifest: object): Promise<Replayer>;
  readonly device: GPUDevice;
  writeBuffer(number: number, offset: number, data: ArrayBuffer | ArrayBufferView, from?: number, size?: number): void;
  write(name: string, words: ArrayBufferView, program?: string): void;
  ready(name: string): Promise<object[]>;
  submit(name: string, steps: object[], ...outputs: string[]): Promise<Record<string, ArrayBuffer>>;
  destroy(): void;
}
