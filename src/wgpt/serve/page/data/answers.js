// Answers under way: one for each conversation, which goes on while another conversation is shown.
//
// Events: "change" with detail { conversation, message, stage }, where stage is "start", "text" or "end".

import { addMessage, dropFailedAnswers, promptOf } from "./conversation.js";
import { samplingOf } from "./settings.js";

const SAVE_EVERY_MS = 1000;

export class Answers extends EventTarget {
  #transport;
  #library;
  #running = new Map(); // conversation id -> AbortController
  #leaving = false; // the page is being closed or loaded again, which ends its requests

  constructor(transport, library) {
    super();
    this.#transport = transport;
    this.#library = library;
    window.addEventListener("beforeunload", () => (this.#leaving = true));
    window.addEventListener("pageshow", () => (this.#leaving = false));
  }

  isRunning(conversationId) {
    return this.#running.has(conversationId);
  }

  stop(conversationId) {
    this.#running.get(conversationId)?.abort();
  }

  /** Answers the message `parent` in a conversation; resolves to the finished answer. */
  async start(conversation, parent) {
    this.stop(conversation.id);
    const controller = new AbortController();
    this.#running.set(conversation.id, controller);
    this.#library.hold(conversation.id);
    dropFailedAnswers(conversation, parent);
    const messages = promptOf(conversation, parent);
    const { model } = conversation;
    const answer = addMessage(conversation, parent, "assistant", "", { model, state: "running" });
    const tell = (stage) =>
      this.dispatchEvent(new CustomEvent("change", { detail: { conversation, message: answer, stage } }));
    tell("start");
    await this.#library.save(conversation);

    const clock = new Clock();
    let saved = performance.now();
    try {
      const settings = samplingOf(conversation.settings);
      const pieces = this.#transport.chat({ model, messages, settings, signal: controller.signal });
      for await (const piece of pieces) {
        if (piece.text) {
          answer.text += piece.text;
          clock.tick();
          tell("text");
          if (performance.now() - saved > SAVE_EVERY_MS) {
            saved = performance.now();
            void this.#library.save(conversation);
          }
        }
        if (piece.finish) answer.finish = piece.finish;
        if (piece.usage) answer.usage = piece.usage;
      }
      answer.state = "done";
    } catch (error) {
      if (controller.signal.aborted) {
        answer.state = "stopped";
      } else if (!this.#leaving) { // else it stays "running", which is shown as interrupted
        const { message, kind = "failed", status = 0, requestId = "", retryAfter = 0 } = error;
        answer.state = "failed";
        answer.error = { message, kind, status, requestId, retryAfter };
      }
    }
    answer.timing = clock.timing(answer.usage?.completion);
    conversation.updated = Date.now();
    if (this.#running.get(conversation.id) === controller) {
      this.#running.delete(conversation.id);
      this.#library.release(conversation.id);
    }
    tell("end");
    await this.#library.save(conversation);
    return answer;
  }
}

/** Time to the first piece of text, and the rate after it. */
class Clock {
  #start = performance.now();
  #first = 0;
  #last = 0;

  tick() {
    this.#last = performance.now();
    this.#first ||= this.#last;
  }

  timing(tokens = 0) {
    if (!this.#first) return null;
    const seconds = (this.#last - this.#first) / 1000;
    return {
      first: (this.#first - this.#start) / 1000,
      rate: tokens > 1 && seconds > 0 ? (tokens - 1) / seconds : 0,
    };
  }
}
