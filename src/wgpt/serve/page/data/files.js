// Conversations as files: JSON, which can be imported again, and Markdown, which people read.

import { UNTITLED, addMessage, newConversation, pathTo, titleFrom } from "./conversation.js";
import { newId } from "./ids.js";
import { cleanSettings } from "./settings.js";

const FORMAT = "wgpt-conversations";
const VERSION = 1;
const ROLES = ["user", "assistant"];

export function toJson(conversations) {
  return JSON.stringify({ format: FORMAT, version: VERSION, conversations }, null, 2);
}

export function toMarkdown(conversation) {
  const parts = [`# ${conversation.title}`];
  const system = conversation.settings.system?.trim();
  if (system) parts.push(`> ${system.replaceAll("\n", "\n> ")}`);
  for (const message of pathTo(conversation)) {
    parts.push(`## ${message.role === "user" ? "You" : message.model || "Answer"}`, message.text.trim());
  }
  return `${parts.join("\n\n")}\n`;
}

/** A name that every file system takes. */
export function fileName(title, extension) {
  const name = title.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").toLowerCase();
  return `${name.slice(0, 60) || "conversation"}.${extension}`;
}

/** The conversations in a file: ours, or a list of OpenAI messages. Throws with a reason otherwise. */
export function fromJson(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${error.message}`);
  }
  if (data?.format === FORMAT) {
    if (data.version !== VERSION) throw new Error(`its version is ${data.version}; this page reads version ${VERSION}`);
    if (!Array.isArray(data.conversations)) throw new Error("it has no list of conversations");
    return data.conversations.map(checkedConversation);
  }
  const messages = Array.isArray(data) ? data : data?.messages;
  if (Array.isArray(messages)) return [fromOpenAi(messages)];
  throw new Error(`it has neither "format": "${FORMAT}" nor a list of messages`);
}

/** Copies what is known and of the right type, under new ids. */
function checkedConversation(source, index) {
  const where = `conversation ${index + 1}`;
  if (!Array.isArray(source?.messages)) throw new Error(`${where} has no messages`);
  const conversation = newConversation(cleanSettings(source.settings), string(source.model));
  const ids = new Map([[null, null]]);
  conversation.messages = source.messages.map((message, at) => {
    if (!ROLES.includes(message?.role)) throw new Error(`${where}, message ${at + 1}: unknown role`);
    if (typeof message.text !== "string") throw new Error(`${where}, message ${at + 1} has no text`);
    const parent = message.parent ?? null;
    if (!ids.has(parent)) throw new Error(`${where}, message ${at + 1} follows a message that is not before it`);
    const id = newId();
    ids.set(message.id, id);
    return { id, parent: ids.get(parent), role: message.role, text: message.text, ...checkedRest(message) };
  });
  conversation.current = ids.get(source.current) ?? conversation.messages.at(-1)?.id ?? null;
  conversation.title = string(source.title).slice(0, 200) || UNTITLED;
  conversation.renamed = source.renamed === true;
  conversation.created = number(source.created) || conversation.created;
  return conversation;
}

function checkedRest(message) {
  const rest = { created: number(message.created) || Date.now() };
  if (message.role === "user") return rest;
  rest.model = string(message.model);
  rest.state = ["done", "stopped", "failed"].includes(message.state) ? message.state : "stopped";
  if (typeof message.finish === "string") rest.finish = message.finish;
  if (message.usage) {
    const { prompt, cached, completion } = message.usage;
    rest.usage = { prompt: number(prompt), cached: number(cached), completion: number(completion) };
  }
  if (message.timing) rest.timing = { first: number(message.timing.first), rate: number(message.timing.rate) };
  if (message.error) {
    const { message: text, status, requestId } = message.error;
    rest.error = { message: string(text), kind: "failed", status: number(status), requestId: string(requestId) };
  }
  return rest;
}

function fromOpenAi(messages) {
  const conversation = newConversation();
  for (const [at, message] of messages.entries()) {
    const text = textOf(message?.content);
    if (text === null) throw new Error(`message ${at + 1} has no text`);
    if (["system", "developer"].includes(message.role)) {
      conversation.settings.system = text;
    } else if (ROLES.includes(message.role)) {
      addMessage(conversation, conversation.current, message.role, text, message.role === "user" ? {} : { state: "done" });
    } else {
      throw new Error(`message ${at + 1}: unknown role`);
    }
  }
  conversation.title = titleFrom(conversation.messages[0]?.text ?? "");
  return conversation;
}

/** The text of OpenAI's content: a string, or a list of text parts. */
function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || !content.every((part) => typeof part?.text === "string")) return null;
  return content.map((part) => part.text).join("");
}

const string = (value) => (typeof value === "string" ? value : "");
const number = (value) => (Number.isFinite(value) ? value : 0);
