import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import type { LossReason, Returned } from "./sandbox.ts";
import { findDeclaration } from "../../capabilities/declarations.ts";
import { readJson } from "../../json/read-json.ts";

/**
 * To the host: open an isolate (`number` is its megabytes), enter it (`number` is the milliseconds of processor time that
 * the entry may take), enter it on the host's own thread, which `DIRECT_LIMIT` is for, close it.
 */
export type ToHost = "open" | "enter" | "direct" | "close";

/**
 * To the main process. `left` and `stopped` end an entry, the latter because it was over its limit by the clock; `gone` says
 * that an isolate is no more (`number` is 1 when the reason is an estimate), `fatal` that the process is about to end, `alive`
 * that something still runs.
 */
export type ToMain = "ready" | "opened" | "refused" | "left" | "stopped" | "gone" | "fatal" | "alive";

/** Causes that are read of one error. */
const MAX_CAUSES = 3;

/** Factor by which the wall time of entries may exceed their processor time, and the least wall time of any. */
const WALL_FACTOR = 10;
const LEAST_WALL = 10_000;
/** Milliseconds by the clock that a whole program may take to load. */
export const OPEN_LIMIT = 60_000;

/**
 * Milliseconds by the clock after which a direct entry is stopped: all others of its host wait for it, so what takes longer
 * begins anew on a thread of its own.
 */
export const DIRECT_LIMIT = 100;

/** Milliseconds by the clock that work may take which may take `cpu` of the processor: only a machine too busy gets there. */
export function toWallLimit(cpu: number): number {
  return Math.max(LEAST_WALL, cpu * WALL_FACTOR);
}

/** One line, `verb isolate number body`. A body is passed on as it is where nobody has to look into it. */
export interface Frame {
  readonly verb: string;
  readonly isolate: number;
  readonly number: number;
  readonly body: string;
}

/** An event of an entry. Comes from next to the handler's code, so it is believed only as far as it is checked. */
export type GuestEvent =
  | { readonly kind: "done"; readonly call: number; readonly value: Returned }
  | { readonly kind: "fail"; readonly call: number; readonly failure: GuestFailure }
  | {
      readonly kind: "ask";
      readonly call: number;
      readonly syscall: number;
      readonly name: string;
      readonly args: Json;
    }
  | Said<"tell">
  | Said<"stage">;

/** A note, or a write that needs no answer. */
export interface Said<Kind extends "tell" | "stage"> {
  readonly kind: Kind;
  readonly call: number;
  readonly name: string;
  readonly args: Json;
}

export type GuestFailure =
  | { readonly kind: "raised"; readonly name: string; readonly message: string; readonly details: Json | undefined }
  | { readonly kind: "refused"; readonly message: string; readonly stack: string }
  | { readonly kind: "syscall"; readonly syscall: number; readonly stack: string }
  /** `causes`: outermost first. */
  | { readonly kind: "thrown"; readonly text: string; readonly causes: readonly string[] }
  | { readonly kind: "unwritable" | "memory"; readonly text: string }
  | { readonly kind: "large" };

export function toLine(verb: ToHost | ToMain, isolate: number, number = 0, body = ""): string {
  return `${verb} ${isolate} ${number} ${body}\n`;
}

export function readFrame(line: string): Frame {
  const first = line.indexOf(" ");
  const second = line.indexOf(" ", first + 1);
  const third = line.indexOf(" ", second + 1);
  const isolate = Number(line.slice(first + 1, second));
  const number = Number(line.slice(second + 1, third));
  if (first < 1 || third < 0 || !Number.isSafeInteger(isolate) || !Number.isFinite(number)) throw malformed(line);
  return { verb: line.slice(0, first), isolate, number, body: line.slice(third + 1) };
}

/** Cuts a stream of text into lines; one longer than `limit` characters throws. */
export function createLineReader(limit: number, onLine: (line: string) => void): (chunk: string) => void {
  let parts: string[] = [];
  let length = 0;
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf("\n"); to >= 0; to = chunk.indexOf("\n", from)) {
      const rest = chunk.slice(from, to);
      const line = parts.length === 0 ? rest : parts.join("") + rest;
      parts = [];
      length = 0;
      from = to + 1;
      onLine(line);
    }
    if (from === chunk.length) return;
    parts.push(chunk.slice(from));
    length += chunk.length - from;
    if (length > limit) throw malformed(chunk);
  };
}

/** The events of an entry, as the isolate wrote them: each after a comma. */
export function readEvents(body: string): readonly GuestEvent[] {
  const events = readJson(`[${body.slice(1)}]`);
  if (!Array.isArray(events)) throw malformed(body);
  return events.map((event) => {
    const read = Array.isArray(event) ? readEvent(event) : undefined;
    if (read === undefined) throw malformed(JSON.stringify(event));
    return read;
  });
}

/** The isolates that `fatal` names, and its reason. */
export function readFatal(body: string): { readonly reason: LossReason; readonly isolates: ReadonlySet<number> } {
  const [reason, ...isolates] = body.split(" ");
  return {
    reason: reason === "cpu" || reason === "memory" ? reason : "crash",
    isolates: new Set(isolates.map(Number)),
  };
}

/** By index, and not by destructuring, which would make a copy of every event. */
function readEvent(event: readonly Json[]): GuestEvent | undefined {
  const kind = event[0];
  const call = event[1];
  if (typeof call !== "number") return undefined;
  if (kind === "done") {
    const output = event[2];
    const content = event[3];
    return { kind, call, value: content === undefined ? { output } : { output, content } };
  }
  if (kind === "fail") {
    const failure = readFailure(event.slice(2));
    return failure && { kind, call, failure };
  }
  if (kind === "ask") {
    const [, , syscall, name, args] = event;
    const asked = findDeclaration(name);
    if (typeof syscall !== "number" || asked === undefined || args === undefined) return undefined;
    return asked.isNote === true ? undefined : { kind, call, syscall, name: asked.name, args };
  }
  const [, , name, args] = event;
  if ((kind !== "tell" && kind !== "stage") || args === undefined) return undefined;
  const said = findDeclaration(name);
  const isMeant = kind === "tell" ? said?.isNote : said?.isStaged;
  return said !== undefined && isMeant === true ? { kind, call, name: said.name, args } : undefined;
}

function readFailure([kind, first, second, details, ...rest]: readonly Json[]): GuestFailure | undefined {
  if (kind === "large") return { kind };
  const stack = typeof second === "string" ? second : "";
  if (kind === "syscall" && typeof first === "number") return { kind, syscall: first, stack };
  if (typeof first !== "string") return undefined;
  if (kind === "refused") return { kind, message: first, stack };
  if (kind === "raised" && typeof second === "string") return { kind, name: first, message: second, details };
  if (kind === "thrown") {
    const causes = [second, details, ...rest].filter((cause) => typeof cause === "string");
    return { kind, text: first, causes: causes.slice(0, MAX_CAUSES) };
  }
  return kind === "unwritable" || kind === "memory" ? { kind, text: first } : undefined;
}

function malformed(what: string): CairnError {
  return new CairnError("INTERNAL_ERROR", `The sandbox host said something it cannot mean: \`${what.slice(0, 200)}\`.`);
}
