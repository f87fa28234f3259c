const BYTES = 16;

/** Creates a name for one request that must have one effect. Pages over plain http have no `crypto.randomUUID`. */
export function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
