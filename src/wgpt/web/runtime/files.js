// The files of a model: fetched with progress, checked by their SHA-256, and kept in the browser's cache.

import { WgptError, readableBytes } from "./errors.js";

const CACHE = "wgpt-models";

export class Files {
  #base;
  #fetch;
  #store; // the Cache, or null
  #signal;

  /** @param {string | URL} base the folder of model.json */
  static async open(base, { fetch = globalThis.fetch, cache = true, signal, ...others } = {}) {
    const [unknown] = Object.keys(others);
    if (unknown) {
      const known = "gpu, target, cache, fetch, signal and, for load, onProgress";
      throw new WgptError("input", `Unknown option "${unknown}"; supported: ${known}.`);
    }
    const files = new Files();
    files.#base = new URL(base, globalThis.document?.baseURI ?? globalThis.location?.href);
    if (!files.#base.pathname.endsWith("/")) files.#base.pathname += "/";
    files.#fetch = fetch.bind(globalThis);
    files.#signal = signal;
    try {
      files.#store = cache && globalThis.caches ? await caches.open(CACHE) : null;
    } catch {
      files.#store = null; // private windows may refuse it
    }
    return files;
  }

  /** A JSON file that may change: from the network, or from the cache if there is none, or something else answers. */
  async #newestJson(name) {
    const url = new URL(name, this.#base);
    try {
      const text = await (await this.#request(url, "no-cache")).text();
      const data = JSON.parse(text);
      await this.#store?.put(url, new Response(text)).catch(() => {});
      return data;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      const kept = await this.#store?.match(url);
      const data = await kept?.json().catch(() => undefined);
      if (data) return data;
      if (error instanceof SyntaxError) throw new WgptError("damaged", `${name} is not JSON: export the model again`);
      throw error;
    }
  }

  /** What model.json says. */
  async description() {
    const description = await this.#newestJson("model.json");
    if (description?.format === "wgpt-web" && description.version === 1) return description;
    throw new WgptError("damaged", "model.json is of another version of wgpt: export the model again.");
  }

  async json(file) {
    return JSON.parse(new TextDecoder().decode(await this.bytes(file)));
  }

  /**
   * The bytes of a file, which must have its size and hash: a damaged one is fetched a second time.
   * @param {{ file: string, bytes: number, sha256: string }} file
   * @param {(bytes: number) => void} [onBytes] how many have arrived
   */
  async bytes(file, onBytes = () => {}) {
    const url = new URL(file.file, this.#base);
    const kept = await this.#store?.match(url);
    if (kept) {
      const data = await kept.arrayBuffer().catch(() => new ArrayBuffer(0));
      if (await matches(data, file)) {
        onBytes(data.byteLength);
        return data;
      }
      await this.#store.delete(url);
    }
    for (const mode of ["default", "reload"]) {
      const data = await this.#read(await this.#request(url, mode), file, mode === "default" ? onBytes : () => {});
      if (!(await matches(data, file))) continue;
      // Without room in the cache, it is fetched again the next time.
      await this.#store?.put(url, new Response(data)).catch(() => {});
      return data;
    }
    throw new WgptError("damaged", `${file.file} is damaged: its contents are not those that were exported`);
  }

  /** Forget files of this model that it does not have any more. */
  async tidy(names) {
    const used = new Set(names.map((name) => new URL(name, this.#base).href));
    for (const request of (await this.#store?.keys()) ?? []) {
      if (request.url.startsWith(this.#base.href) && !used.has(request.url)) await this.#store.delete(request);
    }
  }

  async #request(url, cache) {
    if (url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      return readFile(url).then((data) => new Response(data), (error) => {
        throw new WgptError("download", `${url.pathname} cannot be read: ${error.message}`);
      });
    }
    let response;
    try {
      response = await this.#fetch(url, { cache, signal: this.#signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new WgptError("download", `${url.pathname} cannot be fetched: is there a connection to ${url.host}?`);
    }
    if (!response.ok) throw new WgptError("download", `${url.pathname}: the server answered ${response.status}`);
    return response;
  }

  async #read(response, file, onBytes) {
    if (!response.body) return response.arrayBuffer();
    const data = new Uint8Array(file.bytes);
    const reader = response.body.getReader();
    let at = 0;
    for (;;) {
      let part;
      try {
        part = await reader.read();
      } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new WgptError("download", `${file.file}: the connection was lost after ${readableBytes(at)}`);
      }
      if (part.done) break;
      if (at + part.value.length > data.length) return new ArrayBuffer(0); // not the file: its check fails
      data.set(part.value, at);
      at += part.value.length;
      onBytes(at);
    }
    return at === data.length ? data.buffer : new ArrayBuffer(0);
  }
}

async function matches(data, { bytes, sha256 }) {
  if (data.byteLength !== bytes) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
