import type { ErrorBody } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { assertJson } from "../../json/canonical-json.ts";
import { readPointer } from "../../json/pointer.ts";
import { isObject } from "../../json/is-object.ts";
import { MASK, type Redactor } from "../../log/redact.ts";
import { createRecordReader } from "../../json/stored.ts";
import { bodyKey } from "../../store/keys.ts";
import type { Json, Write } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import { findRedactedValues } from "./redacted-values.ts";
import type { Tape, TapeError } from "../tape/tape.ts";
import { joinParts } from "../transaction.ts";
import type { CallCommit } from "./call-commit.ts";
import type { CallState } from "./call-state.ts";
import { DAY_MS } from "../../text/duration.ts";

/** Input and end of a call, kept of tools whose manifest allows that. */
export interface BodyRecord {
  readonly schemaVersion: 1;
  readonly tool: string;
  /** With what the manifest's `redact` names, and what has the form of a credential, masked. */
  readonly input: Json;
  /** Absent where the call failed. */
  readonly output?: Json;
  /** Failure as the caller got it. Kept of tools that are taped. */
  readonly error?: TapeError;
  /** Answers to the handler, of tools that are taped. */
  readonly tape?: Tape;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export const readBodyRecord = createRecordReader<BodyRecord>("body-record");

export interface BodyOptions {
  /** Milliseconds that bodies are kept of tools whose manifest allows it; absent or 0: nothing is kept. */
  readonly bodyTtl?: number;
  readonly now: () => number;
}

/** Input, end and answers of a call. */
export interface Body {
  readonly input: Json;
  readonly output?: Json;
  readonly error?: TapeError;
  readonly tape?: Tape;
}

/**
 * Errors that say nothing of what a handler does with its input: of the caller's side, of the machine, of other calls, or of
 * Cairn itself. No replay could tell whether another version would end with them.
 */
const PASSING: ReadonlySet<string> = new Set([
  "CANCELLED",
  "CONFLICT",
  "CPU_LIMIT",
  "INPUT_REQUIRED",
  "INTERNAL_ERROR",
  "MEMORY_LIMIT",
  "TIME_LIMIT",
  "UNAVAILABLE",
]);

/** Adds the call's body to what is committed with its record, where its tool's manifest and the operator allow that. */
export function withBody(
  commit: CallCommit,
  state: CallState,
  end: Pick<Body, "output" | "tape"> & { readonly outputText?: string; readonly error?: ErrorBody },
  { bodyTtl = 0, now }: BodyOptions,
): CallCommit {
  const { call, id, redactor } = state;
  const { tool, principal, version, parent } = call;
  // Calls that handlers make happen again when the call that made them is replayed, unless that has their answers on tape.
  if (!tool.record || bodyTtl <= 0 || (parent !== undefined && !tool.tape)) return commit;
  const { output, outputText, tape, error } = end;
  if (error !== undefined && (tape === undefined || PASSING.has(error.name))) return commit;
  // As the caller gave it: another version may have other defaults.
  const input = (call.input ?? {}) as Json;
  const body = { input, ...defined({ output, tape, error: error && toTapeError(error) }) };
  const masked = toMasked(tool, body, redactor);
  const json = writeRecord({ schemaVersion: 1, tool: tool.name, ...masked, at: now() }, [
    { value: state.input, text: state.inputText },
    { value: output, text: outputText ?? "" },
  ]);
  const ttl = Math.min(bodyTtl, tool.recordDays === undefined ? bodyTtl : tool.recordDays * DAY_MS);
  const write: Write = { key: bodyKey(principal.tenant, version.commit, id), json, ttl };
  return { part: joinParts(commit.part, { set: [write] }), isBinding: commit.isBinding };
}

/** A value whose JSON text was written before; an empty text where it was not. */
interface Written {
  readonly value: unknown;
  readonly text: string;
}

/** Writes a record, which may have megabytes, and of these only what was changed since it was last written. */
function writeRecord(record: BodyRecord, known: readonly Written[]): string {
  const members = Object.entries(record).map(([name, value]: [string, unknown]) => {
    const written = known.find((one) => one.value === value && one.text !== "")?.text;
    if (written === undefined) assertJson(value);
    return `${JSON.stringify(name)}:${written ?? JSON.stringify(value)}`;
  });
  return `{${members.join()}}`;
}

function toTapeError({ name, message, details }: ErrorBody): TapeError {
  return { name, message, ...defined({ details: details as Json | undefined }) };
}

/**
 * All of it as it may be kept: masked at the places that the manifest names, in input and output as in what a handler was
 * answered and wrote, and wherever what stands there turns up again.
 */
export function toMasked<Given extends Body>(tool: Tool, body: Given, redactor: Redactor): Given {
  const { input, output, error, tape } = body;
  const steps = tape?.steps ?? [];
  const values = [input, output, ...steps.flatMap(({ args, answer }) => [answer, ...toWritten(args)])];
  const known = redactor.with(values.flatMap((value) => findRedactedValues(tool, value)));
  const mask = (value: Json) =>
    known.json(tool.redact.reduce<Json>((masked, pointer) => maskAt(masked, readPointer(pointer)), value));
  return {
    ...body,
    input: mask(input),
    ...(output === undefined ? {} : { output: mask(output) }),
    ...(error === undefined ? {} : { error: known.json(error) }),
    ...(tape === undefined ? {} : { tape: { ...tape, ...known.json({ parameters: tape.parameters, steps }) } }),
  };
}

/** The values in a request that have the form of an input, an output or a part of the state. */
function toWritten(args: Json): readonly (Json | undefined)[] {
  return isObject(args) ? [args["value"] as Json | undefined, args["input"] as Json | undefined] : [];
}

function maskAt(value: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined) return MASK;
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (String(index) === name ? maskAt(item, rest) : item));
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: maskAt(value[name] as Json, rest) } as Json;
}
