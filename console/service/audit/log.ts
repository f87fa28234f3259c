import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask, type RequestOptions, send, ServiceError } from "../request.ts";
import { type Bytes, readBase64, sha256, toBytes, toHex } from "./bytes.ts";
import { openCheckpoint } from "./open-checkpoint.ts";
import { type Head, isConsistent, isIncluded, toLeafHash } from "./proofs.ts";
import { loadSeen, saveSeen, type Seen } from "./seen.ts";

type Options = Pick<RequestOptions, "signal">;

/** Findings about the log as a whole. */
export interface LogCheck {
  readonly vkey: string;
  /** The service has no checkpoint of a log that this browser has seen. */
  readonly isGone: boolean;
  /** The signed head; undefined where the checkpoint is not signed by the key. */
  readonly head: (Head & { readonly text: string }) | undefined;
  /** Checkpoint that this browser saw before. */
  readonly before: Seen | undefined;
  readonly continues: boolean;
}

/** A record of the log; `fits`: it is the one that its entry names. */
export interface AuditRecord {
  readonly id: string;
  readonly seq: number;
  readonly fits: boolean;
  readonly isRemoved: boolean;
  readonly text: string;
}

export interface EntryPage {
  readonly from: number;
  /** Number behind the last entry of the page. */
  readonly to: number;
  /** Newest first. */
  readonly records: readonly AuditRecord[];
  /** The newest entry is a leaf of the signed tree. */
  readonly isIncluded: boolean;
  /** First entry whose hash is not the one that the next names. */
  readonly broken: number | undefined;
}

/** Status of an address where nothing is. */
const NOT_FOUND = 404;
/** Entries of a page. */
const ENTRIES = 25;

/** Says whether this browser can check: WebCrypto is there over https and on this machine alone. */
export function canCheck(): boolean {
  return globalThis.isSecureContext;
}

/** Loads the head of a log, and checks its signature and that it continues what this browser saw before. */
export function auditHead(tenant: string) {
  return queryOptions({
    queryKey: ["audit", tenant],
    queryFn: ({ signal }) => checkHead(toFolder(tenant), signal),
    staleTime: Infinity,
  });
}

/** Entries up to the head, newest first, each page checked. */
export function auditEntries(tenant: string, head: Head) {
  return infiniteQueryOptions({
    queryKey: ["audit", tenant, "entries", head.size],
    queryFn: ({ signal, pageParam }) => loadPage(toFolder(tenant), head, pageParam, { signal }),
    initialPageParam: head.size,
    getNextPageParam: ({ from }) => (from > 0 ? from : undefined),
    staleTime: Infinity,
  });
}

async function checkHead(folder: string, signal: AbortSignal): Promise<LogCheck> {
  const before = loadSeen(folder);
  const [vkey, text] = await Promise.all([loadText(`/audit/${folder}/key`, signal), loadCheckpoint(folder, signal)]);
  const trimmed = vkey.trim();
  const nothing = { vkey: trimmed, head: undefined, before, continues: false };
  if (text === undefined) return { ...nothing, isGone: true };
  const head = await openCheckpoint(text, trimmed, folder);
  if (head === undefined) return { ...nothing, isGone: false };
  const continues = before === undefined || (before.vkey === trimmed && (await hasGrown(folder, before, head, signal)));
  const root = text.split("\n")[2] ?? "";
  // A log that does not continue the one seen before must not take its place.
  if (continues) saveSeen(folder, { vkey: trimmed, size: head.size, root, at: new Date().toISOString() });
  return { vkey: trimmed, isGone: false, head: { ...head, text: root }, before, continues };
}

async function loadText(path: string, signal: AbortSignal): Promise<string> {
  return (await send(path, { signal })).text();
}

/** Loads the checkpoint of a log; undefined where the browser has seen one, and the service has none. */
async function loadCheckpoint(folder: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await loadText(`/audit/${folder}/checkpoint`, signal);
  } catch (error) {
    const isMissing = error instanceof ServiceError && error.problem.status === NOT_FOUND;
    if (isMissing && loadSeen(folder) !== undefined) return undefined;
    throw error;
  }
}

async function hasGrown(folder: string, before: Seen, head: Head, signal: AbortSignal): Promise<boolean> {
  const root = readBase64(before.root);
  if (root === undefined || before.size > head.size) return false;
  const proof = await loadProof(`/audit/${folder}/consistency?from=${before.size}&to=${head.size}`, { signal });
  return proof !== undefined && isConsistent({ size: before.size, root }, head, proof);
}

async function loadPage(folder: string, head: Head, to: number, options: Options): Promise<EntryPage> {
  const from = Math.max(0, to - ENTRIES);
  const newest = to - 1;
  const [entries, records, proof] = await Promise.all([
    loadLines(folder, "entries.jsonl", from, to, options),
    loadLines(folder, "records.jsonl", from, to, options),
    loadProof(`/audit/${folder}/inclusion?seq=${newest}&size=${head.size}`, options),
  ]);
  const leaf = await toLeafHash(toBytes(entries.at(-1) ?? ""));
  return {
    from,
    to,
    records: (await toRecords(entries, records)).reverse(),
    isIncluded: proof !== undefined && (await isIncluded(leaf, newest, head, proof)),
    broken: await findBroken(entries, from, to),
  };
}

async function loadLines(folder: string, part: string, from: number, to: number, options: Options) {
  const lines: string[] = [];
  for (let next: number | undefined = from; next !== undefined;) {
    const response = await send(`/audit/${folder}/${part}?from=${next}&to=${to}`, options);
    lines.push(...(await response.text()).split("\n").slice(0, -1));
    const more = response.headers.get("cairn-next");
    next = more === null || Number(more) <= next ? undefined : Number(more);
  }
  return lines;
}

async function loadProof(path: string, options: Options): Promise<readonly Bytes[] | undefined> {
  const { hashes } = await ask<{ readonly hashes: readonly string[] }>(path, options);
  const read = hashes.map(readBase64);
  return read.every((hash) => hash !== undefined) ? read : undefined;
}

interface Link {
  readonly seq?: number;
  readonly prev?: string;
  readonly entry?: {
    readonly calls?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly events?: Readonly<Record<string, string>>;
  };
}

/** Reads the bytes of an entry; what is none has no number, and breaks the chain. */
function readLink(line: string): Link {
  try {
    return JSON.parse(line) as Link;
  } catch {
    return {};
  }
}

/** Each entry names the SHA-256 of the one before, so the newest vouches for the page. */
async function findBroken(lines: readonly string[], from: number, to: number): Promise<number | undefined> {
  if (lines.length !== to - from) return from + lines.length;
  let after: Link | undefined;
  for (const [back, line] of lines.toReversed().entries()) {
    const seq = to - 1 - back;
    const link = readLink(line);
    const hash = toHex(await sha256(toBytes(line)));
    if (link.seq !== seq || (after !== undefined && after.prev !== hash)) return seq;
    after = link;
  }
  return undefined;
}

/** Pairs the records with the digests that entries name, which have the order of the records. */
async function toRecords(entries: readonly string[], lines: readonly string[]): Promise<AuditRecord[]> {
  const named = entries.flatMap((line) => {
    const { seq = 0, entry = {} } = readLink(line);
    const groups = [...Object.values(entry.calls ?? {}), entry.events ?? {}];
    return groups.flatMap((digests) => Object.entries(digests).map(([id, digest]) => ({ seq, id, digest })));
  });
  return Promise.all(
    named.map(async ({ seq, id, digest }, at) => {
      const text = lines[at] ?? "";
      const isRemoved = text === JSON.stringify({ redacted: id });
      return { id, seq, text, isRemoved, fits: isRemoved || toHex(await sha256(toBytes(text))) === digest };
    }),
  );
}

/** A tenant's name as a part of addresses, which must not lead elsewhere (`..`). */
function toFolder(tenant: string): string {
  return encodeURIComponent(tenant).replace(/^\./, "%2E");
}
