// The way to the model. This one asks a server over HTTP; a page with a model of its own replaces this file with
// another that exports the same names. The rest of the page knows nothing of URLs, keys or event streams.
//
//   const transport = createTransport();
//   for await (const piece of transport.chat({ model, messages, settings, signal })) {
//     piece.text      more of the answer
//     piece.finish    why it ended: "stop", "length", ...
//     piece.usage     { prompt, cached, completion } in tokens
//   }

import { readEvents } from "./event-stream.js";

/** What went wrong, in words for the person at the page, and how to report it. */
export class TransportError extends Error {
  /** @param kind "key", "busy", "unreachable", "unavailable", "refused" or "failed" */
  constructor(message, { kind = "failed", status = 0, requestId = "", retryAfter = 0 } = {}) {
    super(message);
    this.name = "TransportError";
    Object.assign(this, { kind, status, requestId, retryAfter });
  }
}

export function createTransport() {
  return new HttpTransport(new URL("./", document.baseURI));
}

// Names of the page's settings in the request, where they differ.
const REQUEST_NAMES = { max_tokens: "max_completion_tokens" };

const UNREACHABLE = "The server cannot be reached. Is `wgpt serve` still running?";

class HttpTransport {
  #base;
  #key = "";

  constructor(base) {
    this.#base = base;
  }

  /** The key that every request carries; "" for none. */
  useKey(key) {
    this.#key = key;
  }

  /** The models to choose from: [{ id, parent }]; a LoRA adapter's parent is the model it belongs to. */
  async models() {
    const response = await this.#request("v1/models");
    const { data } = await readJson(response);
    return data.map((model) => ({ id: model.id, parent: model.parent ?? null }));
  }

  /** { state: "ready" | "unavailable" | "unreachable", message } */
  async health() {
    try {
      const response = await fetch(new URL("health", this.#base), { cache: "no-store" });
      if (response.ok) return { state: "ready", message: "" };
      const { reason, status } = await response.json().catch(() => ({}));
      return { state: "unavailable", message: reason || status || `status ${response.status}` };
    } catch {
      return { state: "unreachable", message: UNREACHABLE };
    }
  }

  async *chat({ model, messages, settings, signal }) {
    const body = { model, messages, stream: true, stream_options: { include_usage: true } };
    for (const [name, value] of Object.entries(settings)) body[REQUEST_NAMES[name] ?? name] = value;
    const response = await this.#request("v1/chat/completions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    const requestId = requestIdOf(response);
    let complete = false;
    try {
      for await (const data of readEvents(response.body)) {
        if (data === "[DONE]") {
          complete = true;
          break;
        }
        const chunk = JSON.parse(data);
        if (chunk.error) throw new TransportError(chunk.error.message ?? "The answer failed.", { requestId });
        yield* piecesOf(chunk);
      }
    } catch (error) {
      if (error instanceof TransportError || error.name === "AbortError") throw error;
      throw new TransportError(`The connection was lost: ${error.message}`, { kind: "unreachable", requestId });
    }
    if (!complete) {
      const message = "The connection closed before the answer was complete.";
      throw new TransportError(message, { kind: "unreachable", requestId });
    }
  }

  async #request(path, options = {}) {
    const headers = { ...options.headers };
    if (!/^[\x21-\x7e]*$/.test(this.#key)) {
      throw new TransportError("This key has characters that a key cannot have.", { kind: "key" });
    }
    if (this.#key) headers.Authorization = `Bearer ${this.#key}`;
    let response;
    try {
      response = await fetch(new URL(path, this.#base), { ...options, headers });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new TransportError(UNREACHABLE, { kind: "unreachable" });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

function* piecesOf(chunk) {
  const choice = chunk.choices?.[0];
  if (choice?.delta?.content) yield { text: choice.delta.content };
  if (choice?.finish_reason) yield { finish: choice.finish_reason };
  if (chunk.usage) {
    yield {
      usage: {
        prompt: chunk.usage.prompt_tokens,
        cached: chunk.usage.prompt_tokens_details?.cached_tokens ?? 0,
        completion: chunk.usage.completion_tokens,
      },
    };
  }
}

function requestIdOf(response) {
  return response.headers.get("x-request-id") ?? "";
}

async function readJson(response) {
  try {
    return await response.json();
  } catch {
    throw new TransportError("The server's answer is not JSON.", { requestId: requestIdOf(response) });
  }
}

/** The error that a response stands for: OpenAI's shape, plain text, or the status alone. */
async function errorOf(response) {
  const text = await response.text().catch(() => "");
  let message = "";
  try {
    const { error } = JSON.parse(text);
    message = typeof error === "string" ? error : error.message;
  } catch {
    message = text.length < 500 && !text.trimStart().startsWith("<") ? text.trim() : ""; // no proxy's web page
  }
  const { status } = response;
  const kinds = { 401: "key", 429: "busy", 502: "unavailable", 503: "unavailable", 504: "unavailable" };
  return new TransportError(message || `The server answered ${status} ${response.statusText}`.trim(), {
    kind: kinds[status] ?? (status < 500 ? "refused" : "failed"),
    status,
    requestId: requestIdOf(response),
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}
