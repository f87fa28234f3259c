import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import type { TapeStep } from "../../kernel/tape/tape.ts";
import type { Json } from "../../store/store.ts";

/** An answer out of a tape; undefined where the tape has none. */
export type Answer = { readonly value: Json | undefined } | undefined;

/** Values by the JSON of their keys; `undefined` is a key that is not there. */
type Values = Map<string, Json | undefined>;

/**
 * The state as the handler of one call sees it: what the recording read, under what has been written since. A call is one
 * transaction, so the order of reads says nothing; only what tools that were called have written can change it (`epoch`).
 */
export interface PlayedState {
  get(key: Json, epoch: number): Answer;
  scan(args: Json, epoch: number): Answer;
  set(key: Json, value: Json): void;
  delete(key: Json): void;
  /** Writes of the call, by the JSON of the key. */
  readonly writes: Map<string, Json | undefined>;
}

interface RecordedScan {
  readonly text: string;
  readonly epoch: number;
  /** Text of what the call itself had written before, under the prefix. */
  readonly own: string;
  readonly found: readonly Row[];
  /** True if the scan showed all that there was. */
  readonly isWhole: boolean;
}

interface Row {
  readonly key: Json;
  readonly value: Json;
}

const SCAN_LIMIT = 1_000;

/** `steps` are the requests of the recording, each with its epoch. */
export function createPlayedState(steps: readonly { readonly step: TapeStep; readonly epoch: number }[]): PlayedState {
  const bases = new Map<number, Values>();
  const scans: RecordedScan[] = [];
  const recorded: Values = new Map();
  for (const { step, epoch } of steps) {
    if (step.error !== undefined) continue;
    const base = bases.get(epoch) ?? new Map<string, Json | undefined>();
    bases.set(epoch, base);
    const learn = (key: Json, value: Json | undefined) => {
      const text = canonicalJson(key);
      if (!recorded.has(text)) base.set(text, value);
    };
    const { key, value } = toMembers(step.args);
    if (step.name === "state.get" && step.at !== undefined) learn(key, step.answer);
    else if (step.name === "state.scan" && step.at !== undefined) {
      const found = toRows(step.answer);
      for (const row of found) learn(row.key, row.value);
      scans.push(toScan(step.args, epoch, recorded, found));
    } else if (step.name === "state.set") recorded.set(canonicalJson(key), value);
    else if (step.name === "state.delete") recorded.set(canonicalJson(key), undefined);
  }
  const writes: Values = new Map();
  return {
    get(key, epoch) {
      const text = canonicalJson(key);
      if (writes.has(text)) return { value: writes.get(text) };
      const base = bases.get(epoch);
      if (base?.has(text) === true) return { value: base.get(text) };
      // A scan that showed all under its prefix says as well what is not there.
      const isAbsent = scans.some((scan) => scan.epoch === epoch && scan.isWhole && showsAll(scan, key));
      return isAbsent ? { value: undefined } : undefined;
    },
    scan(args, epoch) {
      const wanted = toScan(args, epoch, writes, []);
      const same = scans.find(({ text, own, epoch: at }) => text === wanted.text && at === epoch && own === wanted.own);
      return same && { value: same.found as unknown as Json };
    },
    set: (key, value) => void writes.set(canonicalJson(key), value),
    delete: (key) => void writes.set(canonicalJson(key), undefined),
    writes,
  };
}

function toScan(args: Json, epoch: number, writes: Values, found: readonly Row[]): RecordedScan {
  const { prefix, limit, after } = toMembers(args);
  const own = [...writes].filter(([key]) => startsWith(JSON.parse(key) as Json, prefix)).sort();
  const most = typeof limit === "number" ? limit : SCAN_LIMIT;
  const isWhole = own.length === 0 && after === null && found.length < most;
  // Without a limit or with its default is one request.
  const text = canonicalJson({ ...toMembers(args), limit: most });
  return {
    text,
    epoch,
    own: JSON.stringify(own.map(([key, value]) => [key, value ?? null, value === undefined])),
    found,
    isWhole,
  };
}

function showsAll({ text }: RecordedScan, key: Json): boolean {
  const { prefix } = toMembers(JSON.parse(text) as Json);
  return startsWith(key, prefix);
}

function startsWith(key: Json, prefix: Json): boolean {
  if (!Array.isArray(key) || !Array.isArray(prefix)) return false;
  return prefix.every((element, at) => canonicalJson(element as Json) === canonicalJson((key[at] ?? null) as Json));
}

function toRows(answer: Json | undefined): readonly Row[] {
  return Array.isArray(answer) ? (answer as unknown as readonly Row[]) : [];
}

/** Members that requests of the state have; `null` where one is left out. */
function toMembers(args: Json) {
  const given = (isObject(args) ? args : {}) as { readonly [name: string]: Json | undefined };
  const { key = null, value = null, prefix = null, limit = null, after = null, reverse = false } = given;
  return { key, value, prefix, limit, after, reverse };
}
