// Identifiers. crypto.randomUUID exists on https and localhost alone; this works on a plain http address as well.

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
