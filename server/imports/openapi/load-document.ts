import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "yaml";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { createDocument, type Node, type OpenApiDocument } from "./document.ts";
import { fromSwagger2 } from "./from-swagger-2.ts";

export interface LoadedDocument {
  readonly document: OpenApiDocument;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** Part of the platform's `fetch` that is used. */
export type FetchDocument = (
  url: string,
  init: { readonly signal: AbortSignal },
) => Promise<{ readonly ok: boolean; readonly status: number; readonly body: AsyncIterable<Uint8Array> | null }>;

/** Bytes of a document; the largest public ones have about 15 million. */
const MAX_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 60_000;
/** Nodes that aliases of YAML may repeat, so that a small file cannot fill the memory. */
const MAX_ALIASES = 10_000;

/** Loads an OpenAPI document, JSON or YAML, from a file or an address. @throws BAD_REQUEST, NOT_FOUND or UPSTREAM_ERROR */
export async function loadDocument(
  source: string,
  { folder, fetch }: { readonly folder: string; readonly fetch: FetchDocument },
): Promise<LoadedDocument> {
  const bytes = isAddress(source) ? await download(source, fetch) : await readLocal(source, folder);
  const root = parseDocument(bytes.toString("utf8"), source);
  return { document: createDocument(root), digest: createHash("sha256").update(bytes).digest("hex") };
}

/** Says whether a source is an address rather than a file. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//.test(source);
}

async function readLocal(source: string, folder: string): Promise<Buffer> {
  const path = resolve(folder, source);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new CairnError("NOT_FOUND", `There is no file \`${source}\`.`);
  if (found.size > MAX_BYTES) throw tooLarge(source);
  return readFile(path);
}

async function download(source: string, fetch: FetchDocument): Promise<Buffer> {
  const answer = await fetch(source, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch((cause: unknown) => {
    if (cause instanceof CairnError) throw cause;
    throw new CairnError("UPSTREAM_ERROR", `\`${source}\` could not be reached.`, { cause });
  });
  if (!answer.ok) throw new CairnError("UPSTREAM_ERROR", `\`${source}\` answered with status ${answer.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw tooLarge(source);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(source: string): CairnError {
  return new CairnError("BAD_REQUEST", `\`${source}\` is larger than ${MAX_BYTES} bytes.`);
}

/** Parses a document of OpenAPI 3.0 or 3.1, or of Swagger 2.0, which becomes one of OpenAPI 3.0. */
function parseDocument(text: string, source: string): Node {
  const root = parseText(text, source);
  const version = isObject(root) ? (root["openapi"] ?? root["swagger"]) : undefined;
  if (!isObject(root) || version === undefined) {
    throw new CairnError(
      "BAD_REQUEST",
      `\`${source}\` is no OpenAPI document: it has neither \`openapi\` nor \`swagger\`.`,
    );
  }
  if (/^3\.[01](?:\.|$)/.test(String(version))) return root;
  if (String(version) === "2.0" || version === 2) return fromSwagger2(root);
  const known = "OpenAPI 3.0, OpenAPI 3.1 and Swagger 2.0 can be imported";
  throw new CairnError("BAD_REQUEST", `\`${source}\` says version \`${String(version)}\`; ${known}.`);
}

function parseText(text: string, source: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: MAX_ALIASES, logLevel: "error" });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new CairnError("BAD_REQUEST", `\`${source}\` can be read neither as JSON nor as YAML: ${reason}`, {
      cause: error,
    });
  }
}
