import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { join } from "node:path";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";
import { loadText } from "./load-text.ts";

/** Record of an import: where it came from, which tool each operation became, and every file as the import wrote it. */
export interface ImportLock {
  readonly source: string;
  /** SHA-256 of the document. */
  readonly digest: string;
  readonly server: string;
  readonly baseUrl?: string;
  readonly auth?: string;
  /** Names of tools, by key of the operation. */
  readonly tools: ReadonlyMap<string, string>;
  /** Names of secrets, by name of their security scheme. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Texts of files, by path. */
  readonly files: ReadonlyMap<string, string>;
}

interface LockFile {
  readonly about: string;
  readonly source: string;
  readonly digest: string;
  readonly server: string;
  readonly baseUrl?: string;
  readonly auth?: string;
  readonly tools: Readonly<Record<string, string>>;
  /** Absent in locks of before, which had one name for all. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Texts by path: compressed with Brotli, in base64, so that a file is a line. */
  readonly files: Readonly<Record<string, string>>;
}

const ABOUT =
  "Written by `cairn import`. Keep it in git: `files` are the files as the last import wrote them, so that the next one can keep your edits.";
/** Bytes of one file when it is expanded again; a lock of few bytes must not fill the memory. */
const MAX_FILE = 4 * 1024 * 1024;
/** Bytes of a window of Brotli that cannot be referred to (RFC 7932, 9.1). */
const WINDOW_GAP = 16;

/** Returns the path of the lock of an import. */
export function toLockPath(name: string): string {
  return `imports/${name}.lock.json`;
}

/** Loads the lock of an earlier import; undefined before the first. @throws BAD_REQUEST if it cannot be read */
export async function loadLock(folder: string, name: string): Promise<ImportLock | undefined> {
  const path = toLockPath(name);
  const text = await loadText(join(folder, path));
  return text === undefined ? undefined : readLock(text, path);
}

/** Reads the text of a lock. @throws BAD_REQUEST */
export function readLock(text: string, path: string): ImportLock {
  try {
    const { files, tools, secrets = {}, about: _about, ...rest } = JSON.parse(text) as LockFile;
    if (!isObject(files) || !isObject(tools) || !isObject(secrets) || typeof rest.source !== "string")
      throw new Error("a member is missing");
    const expanded = Object.entries(files).map(([file, packed]): [string, string] => [file, unpack(packed)]);
    const toMap = (record: Readonly<Record<string, string>>) => new Map(Object.entries(record));
    return { ...rest, tools: toMap(tools), secrets: toMap(secrets), files: new Map(expanded) };
  } catch (cause) {
    const advice = "Take it from git again, or delete it to import as if for the first time.";
    throw new CairnError("BAD_REQUEST", `\`${path}\` cannot be read. ${advice}`, { cause });
  }
}

/** Writes a lock as the text of its file, in a form that depends on nothing but its content. */
export function writeLock({ files, tools, secrets, ...rest }: ImportLock): string {
  const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const file: LockFile = {
    about: ABOUT,
    ...rest,
    tools: Object.fromEntries(sorted(tools)),
    ...(secrets.size > 0 && { secrets: Object.fromEntries(sorted(secrets)) }),
    files: Object.fromEntries(sorted(files).map(([path, text]) => [path, pack(text)])),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function pack(text: string): string {
  const bytes = Buffer.from(text);
  // Without its size, Brotli prepares for 4 MiB, which takes ten times as long as compressing a handler.
  const window = Math.ceil(Math.log2(bytes.length + WINDOW_GAP));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      constants.BROTLI_MAX_WINDOW_BITS,
      Math.max(constants.BROTLI_MIN_WINDOW_BITS, window),
    ),
  };
  return brotliCompressSync(bytes, { params }).toString("base64");
}

function unpack(packed: string): string {
  return brotliDecompressSync(Buffer.from(packed, "base64"), { maxOutputLength: MAX_FILE }).toString("utf8");
}
