// wgpt: language models in the browser. A model comes from `wgpt export-web`.
//
//   import { load } from "./wgpt/index.js";
//   const model = await load("./model/");
//   for await (const text of model.chat([{ role: "user", content: "Hello" }])) console.log(text);

export { WgptError, readableBytes } from "./errors.js";
export { Model, load } from "./model.js";
export { Replayer } from "./replayer.js";
export { Tokenizer } from "./tokenizer.js";
export { verify } from "./verify.js";
