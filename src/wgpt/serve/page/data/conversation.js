// A conversation is plain data: a tree of messages, of which one path is shown. Asking again or editing a message
// adds a sibling, so nothing that was said is lost.
//
//   { id, title, renamed, created, updated, model, settings, current, messages: [
//     { id, parent, role: "user" | "assistant", text, created, state, ... } ] }
//
// A message stands after its parent in the list. An answer also has: model; state ("running", "done", "stopped",
// "failed"); finish; usage { prompt, cached, completion }; timing { first, rate } in seconds and tokens per second;
// error { message, status, requestId }.

import { newId } from "./ids.js";

export const UNTITLED = "New conversation";
const TITLE_LENGTH = 60;

export function newConversation(settings = {}, model = "") {
  const now = Date.now();
  return {
    id: newId(),
    title: UNTITLED,
    renamed: false,
    created: now,
    updated: now,
    model,
    settings: { ...settings },
    current: null,
    messages: [],
  };
}

/** Adds a message under `parent` (an id or null) and shows it. */
export function addMessage(conversation, parent, role, text, rest = {}) {
  const message = { id: newId(), parent, role, text, created: Date.now(), ...rest };
  conversation.messages.push(message);
  conversation.current = message.id;
  conversation.updated = message.created;
  if (!conversation.renamed && role === "user" && parent === null) conversation.title = titleFrom(text);
  return message;
}

export function findMessage(conversation, id) {
  return conversation.messages.find((message) => message.id === id) ?? null;
}

/** The messages from the first one to `id`, in order. */
export function pathTo(conversation, id = conversation.current) {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]));
  const path = [];
  for (let message = byId.get(id); message; message = byId.get(message.parent)) path.push(message);
  return path.reverse();
}

/** The message and its alternatives, oldest first. */
export function variantsOf(conversation, message) {
  return conversation.messages.filter((other) => other.parent === message.parent && other.role === message.role);
}

/** Shows the variant `step` places after this message, with what last followed it. */
export function showVariant(conversation, message, step) {
  const variants = variantsOf(conversation, message);
  const chosen = variants[variants.indexOf(message) + step];
  if (!chosen) return;
  const latestChild = (parent) => conversation.messages.findLast((other) => other.parent === parent.id);
  for (let last = chosen; last; last = latestChild(last)) conversation.current = last.id;
}

/** Forgets answers to `parent` that failed before their first word: asking again takes their place. */
export function dropFailedAnswers(conversation, parent) {
  const hasChild = new Set(conversation.messages.map((message) => message.parent));
  conversation.messages = conversation.messages.filter((message) =>
    message.parent !== parent || message.state !== "failed" || message.text || hasChild.has(message.id));
  if (!findMessage(conversation, conversation.current)) conversation.current = parent;
}

/** What the model reads: the system prompt and the path, without answers that never began. */
export function promptOf(conversation, id) {
  const prompt = [];
  const system = conversation.settings.system?.trim();
  if (system) prompt.push({ role: "system", content: system });
  for (const { role, text } of pathTo(conversation, id)) {
    if (!text) continue;
    const last = prompt.at(-1);
    // After a failed answer two questions follow each other, which many chat templates refuse.
    if (last?.role === role) last.content += `\n\n${text}`;
    else prompt.push({ role, content: text });
  }
  return prompt;
}

export function titleFrom(text) {
  const line = text.trim().split("\n", 1)[0].replace(/\s+/g, " ");
  if (!line) return UNTITLED;
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line;
}
