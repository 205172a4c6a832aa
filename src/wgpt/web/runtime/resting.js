// Dawn in Node polls for results without a pause. Where a CPU computes in place of a GPU, that takes a core from it.

const MILLISECONDS = 1;
const CELL = globalThis.SharedArrayBuffer && new Int32Array(new SharedArrayBuffer(4));
let waiting = 0; // results that are awaited
let scheduled = false;

/** Whether to rest between two looks at a result. */
export function mayRest(gpu, software) {
  return software && Boolean(globalThis.process?.versions?.node) && gpu !== globalThis.navigator?.gpu;
}

/** The same result; until it is there, the process sleeps most of the time. */
export function resting(result) {
  waiting++;
  schedule();
  return result.finally(() => waiting--);
}

function schedule() {
  if (scheduled || !waiting) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    if (waiting) Atomics.wait(CELL, 0, 0, MILLISECONDS);
    schedule();
  });
}
