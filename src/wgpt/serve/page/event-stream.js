// Server-sent events from a fetch response: the data of each event, in order.

/** @param {ReadableStream<Uint8Array>} body */
export async function* readEvents(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // A "\r" at the end of a piece may be half of a "\r\n".
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        if (line.startsWith("data:")) {
          data.push(line.slice(line[5] === " " ? 6 : 5));
        } else if (line === "" && data.length) {
          yield data.join("\n");
          data = [];
        } // anything else is a comment (": ping") or a field that is not used here
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
