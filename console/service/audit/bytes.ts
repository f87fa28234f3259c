export type Bytes = Uint8Array<ArrayBuffer>;

export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", concat(parts)));
}

function concat(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Bytes): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads base64 that has no second form; undefined where another text stands for these bytes. */
export function readBase64(text: string): Bytes | undefined {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (letter) => letter.charCodeAt(0)) : undefined;
  } catch {
    // It is no base64, which the caller says.
    return undefined;
  }
}

export function isSame(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
