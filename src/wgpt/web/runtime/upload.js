// Weights from their files to the GPU, one file after the other: a page need not hold all of them at once.

/**
 * @param contents where the contents of buffers begin in the stream of all files, by number: [first byte, bytes]
 */
export async function upload(files, { bytes, shards }, contents, replayer, onProgress) {
  const windows = Object.entries(contents).map(([buffer, [begin, size]]) => ({ buffer: Number(buffer), begin, size }));
  const arrived = new Array(shards.length).fill(0);
  const fetched = (i) => {
    return files.bytes(shards[i], (count) => {
      arrived[i] = count;
      onProgress({ stage: "weights", loaded: arrived.reduce((sum, n) => sum + n, 0), total: bytes });
    });
  };
  let at = 0;
  let next = shards.length ? fetched(0) : null;
  for (let i = 0; i < shards.length; i++) {
    const data = await next;
    next = i + 1 < shards.length ? fetched(i + 1) : null;
    next?.catch(() => {}); // its error is thrown when it is awaited
    for (const { buffer, begin, size } of windows) {
      const first = Math.max(begin, at);
      const end = Math.min(begin + size, at + data.byteLength);
      if (first < end) replayer.writeBuffer(buffer, first - begin, data, first - at, end - first);
    }
    at += data.byteLength;
  }
}
