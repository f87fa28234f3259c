import { createHash } from "node:crypto";
import { canonicalJson } from "../../../json/canonical-json.ts";
import type { StateKey } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { findInexactNumber } from "../../../json/find-inexact-number.ts";
import { readJson } from "../../../json/read-json.ts";
import { toLink } from "../../../store/hash-chain.ts";
import type { Json } from "../../../store/store.ts";
import type { LineageEntry } from "../../lineage/api.ts";
import { createFit, type Fit } from "./create-fit.ts";
import { createWrong, openLines } from "./open-lines.ts";
import type { StatePlace } from "./place.ts";
import type { DataEntry, DataSource } from "./source.ts";

/** Number that goes up when the form of the lines changes. */
const FORM = 1;

/** First line of an export. */
export interface DumpHead extends StatePlace {
  /** RFC 3339. */
  readonly exportedAt: string;
}

/** Last line of an export. */
export interface DumpEnd {
  readonly keys: number;
  readonly lineage: number;
  /** SHA-256 in hexadecimal of all lines before, each with its newline. */
  readonly sha256: string;
}

type DumpLine =
  ({ readonly kind: "entry" } & DataEntry) | { readonly kind: "lineage"; readonly lineage: LineageEntry<Json> };

/** Lines of an export, newlines included: a head, the entries, the lineage, and a digest of all that. Returns the last. */
export async function* toDump(head: DumpHead, source: DataSource): AsyncGenerator<string, DumpEnd> {
  const digest = createHash("sha256");
  const toLine = (value: object) => {
    const line = `${JSON.stringify(value)}\n`;
    digest.update(line);
    return line;
  };
  let keys = 0;
  let lineage = 0;
  yield toLine({ cairn: "state", form: FORM, ...head });
  for await (const { key, value } of source.entries()) {
    keys += 1;
    yield toLine({ key, value });
  }
  for await (const { seq, checksum, at, entry } of source.lineage()) {
    lineage += 1;
    yield toLine({ lineage: { seq, checksum, at, entry } });
  }
  const end = { keys, lineage, sha256: digest.digest("hex") };
  yield `${JSON.stringify({ end })}\n`;
  return end;
}

/**
 * Reads the file of an export as often as it is asked to. Each reading to the end checks each line of it, and whether the
 * store takes the line in `target`.
 *
 * @throws BAD_REQUEST, with the line, for what is none, was changed or does not fit
 */
export async function loadDump(
  path: string,
  target: StatePlace,
): Promise<{ readonly head: DumpHead; readonly source: DataSource }> {
  const head = await loadHead(path);
  return {
    head,
    source: {
      async *entries() {
        for await (const line of readDump(path, target)) if (line.kind === "entry") yield line;
      },
      async *lineage() {
        for await (const line of readDump(path, target)) if (line.kind === "lineage") yield line.lineage;
      },
    },
  };
}

async function loadHead(path: string): Promise<DumpHead> {
  for await (const text of openLines(path)) return toHead(path, parse(path, 1, text));
  throw createWrong(path, 1, "the file is empty");
}

/** All lines between the first and the last, each checked; the digest is compared at the end. */
async function* readDump(path: string, target: StatePlace): AsyncGenerator<DumpLine> {
  const fit = createFit(target);
  const digest = createHash("sha256");
  let count = 0;
  let keys = 0;
  let last: Pick<LineageEntry, "seq" | "checksum"> | undefined;
  let end: unknown;
  for await (const text of openLines(path)) {
    count += 1;
    if (end !== undefined) throw createWrong(path, count, "nothing comes after the digest");
    const line = parse(path, count, text);
    if (count > 1 && isObject(line["end"])) {
      ({ end } = line);
      continue;
    }
    digest.update(`${text}\n`);
    if (count === 1) {
      toHead(path, line);
      continue;
    }
    const found = toDumpLine(line, last, { fit, count });
    if (typeof found === "string") throw createWrong(path, count, found);
    if (found.kind === "entry") keys += 1;
    else last = found.lineage;
    yield found;
  }
  const told = { keys, lineage: (last?.seq ?? -1) + 1, sha256: digest.digest("hex") };
  if (end === undefined) throw createWrong(path, count, "the end is missing, so the file was cut short");
  if (!isEnd(end, told)) throw createWrong(path, count, "its digest is not that of the lines before");
}

function isEnd(end: unknown, told: DumpEnd): boolean {
  if (!isObject(end) || Object.keys(end).length !== Object.keys(told).length) return false;
  return Object.entries(told).every(([name, value]) => end[name] === value);
}

/** Converts a line; a string says what is wrong with it. */
function toDumpLine(
  line: Readonly<Record<string, unknown>>,
  last: Pick<LineageEntry, "seq" | "checksum"> | undefined,
  { fit, count }: { readonly fit: Fit; readonly count: number },
): DumpLine | string {
  const { key, value, lineage } = line;
  if (isStateKey(key) && value !== undefined) {
    const entry = { key, value: value as Json };
    return fit.findMisfit(entry, count) ?? { kind: "entry", ...entry };
  }
  if (!isObject(lineage)) return "it is neither an entry nor one of a lineage";
  const { seq, checksum, at, entry } = lineage;
  if (typeof seq !== "number" || typeof checksum !== "string" || typeof at !== "number" || entry === undefined) {
    return "its lineage lacks `seq`, `checksum`, `at` or `entry`";
  }
  const misfit = fit.findLineageMisfit({ at, entry: entry as Json });
  if (misfit !== undefined) return misfit;
  const head = last === undefined ? undefined : { seq: last.seq, hash: last.checksum };
  const link = toLink(head, canonicalJson({ at, entry, schemaVersion: 1 }));
  if (link.seq !== seq || link.hash !== checksum) return "its hash does not go on with the chain before";
  return { kind: "lineage", lineage: { seq, checksum, at, entry: entry as Json } };
}

function isStateKey(value: unknown): value is StateKey {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => typeof part === "string" || typeof part === "number")
  );
}

function toHead(path: string, line: Readonly<Record<string, unknown>>): DumpHead {
  const { cairn, form, tenant, server, scope, exportedAt } = line;
  if (cairn !== "state" || [tenant, server, scope, exportedAt].some((text) => typeof text !== "string")) {
    throw createWrong(path, 1, "it is not the head of an export of `cairn state`");
  }
  if (form !== FORM)
    throw createWrong(
      path,
      1,
      `its form is ${typeof form === "number" ? form : "no number"}, and this release reads ${FORM}`,
    );
  return { tenant, server, scope, exportedAt } as DumpHead;
}

/** Characters of a number that an error shows. */
const SHOWN_DIGITS = 40;

function parse(path: string, line: number, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = readJson(text);
  } catch (cause) {
    throw createWrong(path, line, "it is no JSON", cause);
  }
  if (!isObject(value)) throw createWrong(path, line, "it is no JSON object");
  const inexact = findInexactNumber(text);
  if (inexact === undefined) return value;
  throw createWrong(
    path,
    line,
    `its number ${inexact.slice(0, SHOWN_DIGITS)} would change, as a double cannot hold it; write it as text`,
  );
}
