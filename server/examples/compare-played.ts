import { canonicalJson } from "../json/canonical-json.ts";
import { defined } from "../json/defined.ts";
import { toMasked } from "../kernel/stages/body.ts";
import type { TapeError, TapeStep } from "../kernel/tape/tape.ts";
import { SHAPES_ONLY } from "../log/redact.ts";
import type { Json } from "../store/store.ts";
import type { Tool } from "../versions/version.ts";
import { type Difference, diffValues, hideActual } from "./diff-values.ts";
import { toComparable } from "./judge-example.ts";
import type { Played } from "./playback/create-play.ts";
import { SESSION } from "./playback/create-player.ts";
import type { Recorded } from "./recorded-calls.ts";

/** A recorded call and its playback. */
export interface Comparison {
  readonly recorded: Recorded;
  readonly old: Tool;
  readonly young: Tool;
  readonly played: Played;
  /** True where nothing may be shown of what was played. */
  readonly isHidden: boolean;
}

/** Errors whose messages are not the handler's, and differ from call to call. */
const UNTOLD: ReadonlySet<string> = new Set(["HANDLER_ERROR", "INTERNAL_ERROR"]);

/** Finds what a playback has answered, or done, otherwise than its recording. */
export function comparePlayed(comparison: Comparison): readonly Difference[] {
  const { recorded, played, isHidden } = comparison;
  const { output, error } = recorded;
  const outside = played.deviations.flatMap(({ name, expected, actual }) =>
    compareAt(name, expected, actual, isHidden),
  );
  // Where it did something else, it got no answer, and its end says nothing.
  if (played.deviations.some(({ actual }) => actual !== undefined)) return outside;
  if (error === undefined && played.end.ok) {
    return [...compareOutputs(comparison, output ?? null, played.end.output), ...outside, ...compareWrites(comparison)];
  }
  const before = error && toTold(error);
  const now = played.end.ok ? undefined : toTold(played.end.error as TapeError);
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return outside;
  const shown = isHidden && now !== undefined ? hideMessage(now) : now;
  return [{ at: "error", path: "", ...defined({ expected: before, actual: shown }) }, ...outside];
}

function compareOutputs(
  { recorded, old, young, isHidden }: Comparison,
  before: Json,
  now: Json,
): readonly Difference[] {
  const masked = toMasked(old, { input: recorded.input, output: now }, SHAPES_ONLY).output;
  const found = diffValues(toComparable(old, before), toComparable(young, masked));
  return isHidden ? hideActual(found) : found;
}

/** Compares what both would have left in the state; the way there says nothing. */
function compareWrites({ recorded, old, played, isHidden }: Comparison): readonly Difference[] {
  const before = toWrites(recorded.tape?.steps ?? []);
  const steps = [...played.writes].map(([key, value]) => toStep(key, value));
  const body = { input: recorded.input, ...(played.end.ok ? { output: played.end.output } : {}) };
  const { tape } = recorded;
  const masked =
    tape === undefined ? steps : toMasked(old, { ...body, tape: { ...tape, steps } }, SHAPES_ONLY).tape.steps;
  const now = toWrites(masked);
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), now.get(key)];
    if (was === undefined && isHidden) return [{ at: "state", path: "", hidden: "something more" }];
    if (key === SESSION) return compareAt("session", was, is, isHidden);
    return compareAt("state", was, is, isHidden).map((one) => {
      return { ...one, key: JSON.parse(key) as Json, path: one.path.replace(/^\/value/, "") };
    });
  });
}

function compareAt(at: string, before: Json | undefined, now: Json | undefined, isHidden: boolean): Difference[] {
  if (before === undefined || now === undefined) {
    const shown = now !== undefined && isHidden ? { hidden: "something more" } : defined({ actual: now });
    return [{ at, path: "", ...defined({ expected: before }), ...shown }];
  }
  const found = diffValues(before, now);
  return (isHidden ? hideActual(found) : found).map((one) => ({ at, ...one }));
}

/** Collects what a call leaves behind, by the JSON of the key; `{ deleted: true }` where it takes something away. */
function toWrites(steps: readonly TapeStep[]): ReadonlyMap<string, Json> {
  const writes = new Map<string, Json>();
  for (const { name, args, error } of steps) {
    const { key = null, value = null } = args as { readonly key?: Json; readonly value?: Json };
    if (error !== undefined) continue;
    if (name === "state.set") writes.set(canonicalJson(key), { value });
    else if (name === "state.delete") writes.set(canonicalJson(key), { deleted: true });
    else if (name === "session.set") writes.set(SESSION, { value });
  }
  return writes;
}

function toStep(key: string, value: Json | undefined): TapeStep {
  if (key === SESSION) return { name: "session.set", args: { value: value ?? null } };
  const parts = JSON.parse(key) as Json;
  if (value === undefined) return { name: "state.delete", args: { key: parts } };
  return { name: "state.set", args: { key: parts, value } };
}

/** An error as far as its handler has chosen it. */
function toTold({ name, message, details }: TapeError): TapeError & { readonly [member: string]: Json } {
  return { name, ...(UNTOLD.has(name) ? { message: "" } : { message, ...defined({ details }) }) };
}

function hideMessage({ name }: TapeError): { readonly name: string } {
  return { name };
}
