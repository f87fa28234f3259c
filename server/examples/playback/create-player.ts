import { findMisfit } from "../../capabilities/state/find-misfit.ts";
import { CairnError, isErrorName } from "../../errors.ts";
import type { StateKey } from "../../host-api.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { isObject } from "../../json/is-object.ts";
import { isWithinCall } from "../../kernel/tape/record-tape.ts";
import type { TapeHead } from "../../kernel/tape/tape.ts";
import { MASK } from "../../log/redact.ts";
import type { Json } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import { isOutsideEffect, type PlayerOptions, type Recorded, toSteps, toText } from "./recorded-steps.ts";
import { createPlayedState, type PlayedState } from "./played-state.ts";

/** Something that a call did outside, or did not, other than its recording. */
export interface Deviation {
  /** Name of the syscall. */
  readonly name: string;
  /** Arguments of the recording; absent where it did nothing of the kind. */
  readonly expected?: Json;
  readonly actual?: Json;
}

/** Answers one call out of a tape, and keeps what it would have done. */
export interface Player extends TapeHead {
  /** Answers the call of another tool; undefined where that is to be run. */
  answerTool(tool: Tool, input: Json): Json | undefined;
  /** Reason why the call cannot be compared: it asked for something of which the tape knows nothing. */
  missed(): string | undefined;
  /** Effects outside that are others than recorded, those that are missing included. */
  deviations(): readonly Deviation[];
  /** Writes of the call, by the JSON of the key; the session is under `SESSION`. */
  writes(): ReadonlyMap<string, Json | undefined>;
}

/** Key of the session among the writes of a call. */
export const SESSION = "session";

/** Requests that are carried out again, because their answers are made of nothing but their arguments. */
const PURE = /^(?:schema\b|log$|progress$)/;
/** Requests whose answers are of the version itself, which is another one now. */
const OF_VERSION = /^repository\b/;

export function createPlayer(options: PlayerOptions): Player {
  let playing = begin(options);
  return {
    async ask(name, args, carryOut) {
      const own = playing;
      if (own.isOver) throw ended();
      // Without the state behind it: what it may ask for is checked as ever.
      const done = await carryOut();
      if (PURE.test(name) || name === "tools.call") return done;
      return answer(options, own, name, args);
    },
    answerTool: (tool, input) => answerTool(options, playing, tool, input),
    time: () => playing.time,
    restart: () => void (playing = begin(options)),
    missed: () => playing.missed,
    deviations: () => listDeviations(playing),
    writes: () => playing.state.writes,
  };
}

interface Playing {
  readonly steps: readonly Recorded[];
  readonly state: PlayedState;
  readonly deviations: Deviation[];
  time: number;
  /** Milliseconds that the handler would have slept. */
  slept: number;
  epoch: number;
  missed: string | undefined;
  isOver: boolean;
}

function begin(options: PlayerOptions): Playing {
  const steps = toSteps(options);
  return {
    steps,
    state: createPlayedState(steps),
    deviations: [],
    time: options.tape?.startedAt ?? 0,
    slept: 0,
    epoch: 0,
    missed: undefined,
    isOver: false,
  };
}

function answer(options: PlayerOptions, playing: Playing, name: string, args: Json): Json | undefined {
  const text = toText(name, args);
  const failed = isWithinCall(name) ? playing.steps.find((one) => one.text === text && isFailed(one)) : undefined;
  if (failed !== undefined) return give(playing, failed);
  const own = answerWithin(playing, name, args);
  if (own !== undefined) {
    assertReadable(options, name, args, own.value);
    return own.value;
  }
  return answerOutside(options, playing, name, args);
}

/** Checks that a request failed for itself: what a version's schemas for the state refuse, another version may take. */
function isFailed({ step: { name, error } }: Recorded): boolean {
  return error !== undefined && error.name !== "INVARIANT_VIOLATION" && !/^state\.(?:set|delete)$/.test(name);
}

/** Answers what is within the call's own transaction. @throws where the recording did not read it. */
function answerWithin(playing: Playing, name: string, args: Json): { readonly value: Json | undefined } | undefined {
  const { state, epoch } = playing;
  const { key = null, value = null } = (isObject(args) ? args : {}) as { readonly [member: string]: Json };
  switch (name) {
    case "state.set":
      state.set(key, value);
      return { value: undefined };
    case "state.delete":
      state.delete(key);
      return { value: undefined };
    case "session.set":
      state.writes.set(SESSION, value);
      return { value: undefined };
    case "session.get":
      if (state.writes.has(SESSION)) return { value: state.writes.get(SESSION) };
      return giveFirst(playing, name, "session.set");
    case "principal":
      return giveFirst(playing, name);
    case "state.get":
    case "state.scan": {
      const found = name === "state.get" ? state.get(key, epoch) : state.scan(args, epoch);
      if (found === undefined) {
        throw miss(playing, `asked \`${name}\` for what the recording did not read`);
      }
      return { value: checkMask(playing, name, found.value) };
    }
    default:
      return undefined;
  }
}

/** Refuses stored values as the candidate's own state would. @throws INVARIANT_VIOLATION. */
function assertReadable({ candidate, tool }: PlayerOptions, name: string, args: Json, value: Json | undefined): void {
  if (value === undefined || (name !== "state.get" && name !== "state.scan")) return;
  const { key } = args as { readonly key: StateKey };
  const rows =
    name === "state.get" ? [{ key, value }] : (value as unknown as readonly { key: StateKey; value: Json }[]);
  const server = candidate.servers.get(tool.server);
  for (const row of rows) {
    const wrong = findMisfit(server, row.key, row.value);
    if (wrong !== undefined) throw new CairnError("INVARIANT_VIOLATION", `${wrong} It was written elsewhere.`);
  }
}

/** Answers what is the same throughout a call, until it changes that itself. */
function giveFirst(playing: Playing, name: string, until?: string) {
  const recorded = playing.steps.find(({ step }) => step.name === name || step.name === until);
  if (recorded?.step.name !== name) throw miss(playing, `asked \`${name}\`, which the recording did not ask`);
  return { value: give(playing, recorded) };
}

function answerOutside(options: PlayerOptions, playing: Playing, name: string, args: Json): Json | undefined {
  if (OF_VERSION.test(name)) throw miss(playing, `asked \`${name}\`, which reads the version itself`);
  if (name === "tools.list" && options.changed.size > 0) {
    throw miss(playing, "asked which tools there are, and some have changed");
  }
  const found = find(options, playing, name, args);
  if (name === "sleep") passTime(options, playing, Number((args as { readonly milliseconds?: number }).milliseconds));
  if (found !== undefined) return give(playing, found);
  if (name !== "sleep") throw miss(playing, `asked \`${name}\` for what the recording did not ask, or not then`);
  return undefined;
}

/** Counts sleep, for which no replay waits, towards the limit of time. @throws TIME_LIMIT. */
function passTime({ tool }: PlayerOptions, playing: Playing, milliseconds: number): void {
  playing.time += milliseconds;
  playing.slept += milliseconds;
  if (playing.slept < tool.limits.time) return;
  throw new CairnError(
    "TIME_LIMIT",
    `\`${tool.name}\` would sleep longer than its time limit of ${tool.limits.time} ms.`,
  );
}

function answerTool(options: PlayerOptions, playing: Playing, tool: Tool, input: Json): Json | undefined {
  if (playing.isOver) throw ended();
  const { from, candidate, changed } = options;
  const args = { name: tool.name, input };
  const isRun = tool.deterministic && from.tools.get(tool.name)?.deterministic === true;
  const recorded = isRun ? undefined : find(options, playing, "tools.call", args);
  if (isRun) return undefined;
  if (recorded === undefined) {
    throw miss(playing, `called \`${tool.name}\` as the recording did not, or not then`);
  }
  const isCompared = from.tools.get(tool.name)?.tape === true && candidate.tools.has(tool.name);
  if (changed.has(tool.name) && !isCompared) {
    throw miss(playing, `called \`${tool.name}\`, which has changed and has no tapes of its own`);
  }
  return give(playing, recorded) ?? null;
}

/** Finds the recorded step that a request is: of effects the next one, of other requests any that no effect divides from it. */
function find(options: PlayerOptions, playing: Playing, name: string, args: Json): Recorded | undefined {
  const text = toText(name, args);
  const { steps, epoch } = playing;
  if (!isOutsideEffect(options, name, args)) {
    return steps.find((one) => !one.isUsed && !one.isEffect && one.text === text && one.epoch === epoch);
  }
  const next = steps.find((one) => one.isEffect && !one.isUsed);
  if (next?.text !== text) {
    playing.isOver = true;
    const isHidden = next !== undefined && next.text.includes(MASK);
    if (isHidden) throw miss(playing, `asked \`${name}\`, of which the tape is masked`);
    playing.deviations.push({ name, actual: args, ...(next?.step.name === name ? { expected: next.step.args } : {}) });
    throw ended();
  }
  playing.epoch += 1;
  return next;
}

function give(playing: Playing, recorded: Recorded): Json | undefined {
  const { step } = recorded;
  recorded.isUsed = true;
  playing.time = Math.max(playing.time, step.at ?? 0);
  const { error } = step;
  if (step.at === undefined) throw miss(playing, `asked \`${step.name}\`, to which the recording has no answer`);
  if (error === undefined) return checkMask(playing, step.name, step.answer);
  const { name, message, details } = error;
  throw new CairnError(isErrorName(name) ? name : "INTERNAL_ERROR", message, { details });
}

/** Notes that the handler is given a mask in place of what it was given: nobody knows what it would make of that. */
function checkMask(playing: Playing, name: string, value: Json | undefined): Json | undefined {
  if (value !== undefined && canonicalJson(value).includes(MASK)) {
    throw miss(playing, `was answered by \`${name}\` with something that is masked on the tape`);
  }
  return value;
}

function miss(playing: Playing, why: string): CairnError {
  playing.missed ??= `it ${why}`;
  playing.isOver = true;
  return ended();
}

function ended(): CairnError {
  return new CairnError("UNAVAILABLE", "The recording has no answer to this.");
}

function listDeviations({ steps, deviations }: Playing): readonly Deviation[] {
  if (deviations.length > 0) return deviations;
  const left = steps.filter(({ isEffect, isUsed }) => isEffect && !isUsed);
  return left.map(({ step }) => ({ name: step.name, expected: step.args }));
}
