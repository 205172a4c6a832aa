/** What went wrong, in words for the person at the page. */
export class WgptError extends Error {
  /**
   * @param {string} kind "no-webgpu", "unsupported", "memory", "lost", "download", "damaged", "input" or "closed"
   * @param {string} message
   */
  constructor(kind, message, options) {
    super(message, options);
    this.name = "WgptError";
    this.kind = kind;
  }
}

/** 1536 -> "1.5 KiB" */
export function readableBytes(count) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; count >= 1024 && unit < units.length - 1; unit++) count /= 1024;
  return unit ? `${count.toFixed(1)} ${units[unit]}` : `${count} B`;
}
