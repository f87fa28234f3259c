import { isUtf8 } from "node:buffer";

/** Files, by path, that can be read one by one: a version's, a folder's or a whole commit's. */
export interface FileSource {
  readonly paths: readonly string[];
  /** The bytes of a file; larger than `maxBytes` is `undefined`, and is not read. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

export interface Texts {
  /** By path, sorted by it. */
  readonly texts: ReadonlyMap<string, string>;
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly path: string;
  /** For example "is larger than 131072 bytes". */
  readonly reason: string;
}

export interface TextLimits {
  /** Of one file. */
  readonly maxFileBytes: number;
  /** Of all files; those that come later by path are skipped. */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export const TEXT_LIMITS: TextLimits = Object.freeze({
  maxFileBytes: 128 * 1024,
  maxBytes: 32 * 1024 * 1024,
  maxFiles: 20_000,
});

/** Reads what is text, and says what it left out and why. */
export async function loadTexts(source: FileSource, limits: TextLimits = TEXT_LIMITS): Promise<Texts> {
  const { maxFileBytes, maxBytes, maxFiles } = limits;
  const texts = new Map<string, string>();
  const skipped: Skipped[] = [];
  let left = maxBytes;
  for (const path of source.paths.toSorted()) {
    const reason = texts.size >= maxFiles ? `comes after the first ${maxFiles} files` : await add(path);
    if (reason !== undefined) skipped.push({ path, reason });
  }
  return { texts, skipped };

  async function add(path: string): Promise<string | undefined> {
    const bytes = await source.read(path, maxFileBytes);
    if (bytes === undefined) return `is larger than ${maxFileBytes} bytes, or no file`;
    if (bytes.length > left) return `comes after the first ${maxBytes} bytes`;
    if (bytes.includes(0) || !isUtf8(bytes)) return "is not UTF-8 text";
    left -= bytes.length;
    texts.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
    return undefined;
  }
}
