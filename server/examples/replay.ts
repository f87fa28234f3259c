import { canonicalJson } from "../json/canonical-json.ts";
import { defined } from "../json/defined.ts";
import { toMasked } from "../kernel/stages/body.ts";
import type { TapeError } from "../kernel/tape/tape.ts";
import { MASK, SHAPES_ONLY } from "../log/redact.ts";
import { createReach } from "../semver/declared/handler-reach.ts";
import type { Json } from "../store/store.ts";
import { forEachConcurrently } from "../versions/registry/for-each-concurrently.ts";
import type { Tool, Version } from "../versions/version.ts";
import { comparePlayed, type Comparison } from "./compare-played.ts";
import { type Difference, showDifference } from "./diff-values.ts";
import { toComparable } from "./judge-example.ts";
import type { Trial } from "./open-trial.ts";
import type { Recorded } from "./recorded-calls.ts";

/** Result of a recorded call with another version. */
export interface Replayed {
  readonly id: string;
  readonly tool: string;
  /** `not_compared`: nothing can be said, as the reasons tell. */
  readonly outcome: "same" | "different" | "not_compared";
  readonly reasons: readonly string[];
  readonly differences: readonly Difference[];
  /** Both ends of a call that differs. */
  readonly ends?: Ends;
  /** True if a time limit ended it, which a busy machine reaches sooner. */
  readonly isLate: boolean;
}

/** A call's input, and how it ended before and now. */
export interface Ends {
  readonly input: Json;
  readonly before: End;
  /** Absent where it must not be shown. */
  readonly now?: End;
}

export type End = { readonly output: Json } | { readonly error: TapeError };

/** Replays one recorded call of a tenant. */
export type Replay = (recorded: Recorded, tenant?: string) => Promise<Replayed>;

/**
 * Runs recorded calls of `from` with `candidate`. A call with a tape is answered out of that; one without is compared only
 * where both versions of its tool are deterministic. What cannot be compared honestly is never the same.
 *
 * Where something of a call was masked, nothing of what the candidate answers is shown: it may have the masked value at
 * another place, and which value that is nobody knows any more.
 */
export function createReplay(from: Version, candidate: Version, trial: Pick<Trial, "play">): Replay {
  const changed = findChanged(from, candidate);

  return async (recorded, tenant = "replay") => {
    const { id, tool: name, input, tape } = recorded;
    const is = (
      outcome: Replayed["outcome"],
      reasons: readonly string[] = [],
      more: Partial<Replayed> = {},
    ): Replayed => {
      const { differences = [], isLate = false, ends } = more;
      return { id, tool: name, outcome, reasons, differences, isLate, ...defined({ ends }) };
    };
    const [old, young] = [from.tools.get(name), candidate.tools.get(name)];
    if (young === undefined) return is("different", [GONE]);
    const obstacle = findObstacle(recorded, old, young);
    if (old === undefined || obstacle !== undefined) return is("not_compared", [obstacle ?? UNKNOWN]);
    const request = { from, tenant, input, ...defined({ tape }) };
    const played = await trial.play({ ...request, candidate, tool: young, changed });
    const { isLate } = played;
    if (played.missed !== undefined) return is("not_compared", [played.missed], { isLate });
    const isHidden = hasMask(recorded) || (played.end.ok && hasMask(mask(young, input, played.end.output)));
    const differences = comparePlayed({ recorded, old, young, played, isHidden });
    if (differences.length === 0) return is("same", [], { isLate });
    // A call that its own version does not repeat depends on something that is not on tape.
    const control = await trial.play({ ...request, candidate: from, tool: old, changed: NONE });
    const own = control.missed ?? comparePlayed({ recorded, old, young: old, played: control, isHidden })[0];
    if (own !== undefined) return is("not_compared", [control.isLate ? SLOW : UNREPEATED], control);
    const reasons = differences.map(showDifference);
    return is("different", reasons, { differences, isLate, ends: toEnds({ recorded, old, young, played, isHidden }) });
  };
}

const NONE: ReadonlySet<string> = new Set();
const GONE = "the candidate has no such tool";
const UNKNOWN = "its own version has no such tool";
const SLOW = "a time limit ends its own version here as well";
const UNREPEATED = "its own version does not repeat it either, so it depends on something that was not recorded";

/** Finds the reason why a call cannot be compared. */
function findObstacle({ input, tape }: Recorded, old: Tool | undefined, young: Tool): string | undefined {
  if (old === undefined) return UNKNOWN;
  if (hasMask(input)) return "its input was redacted";
  if (tape === undefined) {
    const isFixed = old.deterministic && young.deterministic;
    return isFixed ? undefined : "its answer is not deterministic, and it has no tape";
  }
  if (tape.incomplete !== undefined) return `its tape is incomplete: ${tape.incomplete}`;
  if (hasMask(tape.parameters)) return "its parameters were redacted";
  const missing = young.secrets.find(({ name }) => !tape.secrets.includes(name));
  return missing && `it needs the secret \`${missing.name}\`, of which the recording knows nothing`;
}

function mask(tool: Tool, input: Json, output: Json): Json {
  return toMasked(tool, { input, output }, SHAPES_ONLY).output;
}

function hasMask(value: unknown): boolean {
  return canonicalJson(value).includes(MASK);
}

function toEnds({ recorded, old, young, played: { end }, isHidden }: Comparison): Ends {
  const { input, output, error } = recorded;
  const before = error === undefined ? { output: toComparable(old, output ?? null) } : { error };
  if (isHidden) return { input, before };
  const now = end.ok ? { output: toComparable(young, end.output) } : { error: toError(end.error) };
  return { input, before, now };
}

function toError({ name, message }: Pick<TapeError, "name" | "message">): TapeError {
  return { name, message };
}

/**
 * Finds tools that may answer otherwise in the candidate: those whose manifest, parameters or code are others, those of one
 * version only, and those that call one of them of which nothing is on tape.
 */
function findChanged(from: Version, candidate: Version): ReadonlySet<string> {
  const [before, after] = [createText(from), createText(candidate)];
  const names = new Set([...from.tools.keys(), ...candidate.tools.keys()]);
  const changed = new Set([...names].filter((name) => before(name) !== after(name)));
  const isHeard = (name: string) => from.tools.get(name)?.tape === true && candidate.tools.has(name);
  if ([...changed].every(isHeard)) return changed;
  const callers = [...names].filter((name) => candidate.tools.get(name)?.uses.has("tools.call") === true);
  return new Set([...changed, ...callers]);
}

/** All that decides what a tool of a version answers, as one text. */
function createText(version: Version): (name: string) => string {
  const reach = createReach(version.program);
  const { modules } = version.program;
  return (name) => {
    const tool = version.tools.get(name);
    if (tool === undefined) return "";
    const code = [...reach(tool.handler)].sort().map((path) => [path, modules.get(path) ?? ""]);
    const sets = tool.parameters.map((set) => version.parameters.get(set) ?? null);
    const { state, values } = version.servers.get(tool.server) ?? {};
    return JSON.stringify([toPlain(tool), sets, state, values, code], (_key, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
  };
}

/** Picks what callers and handlers see of a tool: not its number, its texts or what is kept of its calls. */
function toPlain(tool: Tool): Partial<Tool> {
  const { version: _version, record: _record, tape: _tape, recordDays: _days, file: _file, ...rest } = tool;
  return rest;
}

/** Calls that are replayed side by side: they enter their isolates together. */
const AT_ONCE = 32;

/**
 * Replays calls of one tenant, and returns the results in their order. A call that a time limit has ended beside others is
 * made once more by itself.
 */
export async function replayCalls(
  replay: Replay,
  calls: readonly Recorded[],
  tenant: string,
): Promise<readonly (readonly [Recorded, Replayed])[]> {
  const results = new Map<Recorded, Replayed>();
  await forEachConcurrently(calls, AT_ONCE, async (call) => void results.set(call, await replay(call, tenant)));
  for (const [call, { isLate }] of results) if (isLate) results.set(call, await replay(call, tenant));
  return calls.flatMap((call) => {
    const replayed = results.get(call);
    return replayed === undefined ? [] : [[call, replayed] as const];
  });
}
