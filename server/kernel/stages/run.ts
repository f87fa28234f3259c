import { CairnError } from "../../errors.ts";
import type { Call, Effects, Invoke } from "../call.ts";
import { pauseAfterLarge } from "../../json/pause-after-large.ts";
import { createQueues } from "../../serial.ts";
import { ATTEMPT_LIMIT, repeatStale } from "../transaction.ts";
import { type Body, type BodyOptions, withBody } from "./body.ts";
import { toCallCommit } from "./call-commit.ts";
import type { CallState } from "./call-state.ts";
import { save, type SaveOptions } from "./save.ts";
import { toRecord } from "./to-record.ts";
import { type HandlerOptions, NOBODY, type Ran, runHandler } from "./run-handler.ts";
import { createTapeRecorder, type TapeRecorder } from "../tape/record-tape.ts";

export interface RunOptions extends Omit<HandlerOptions, "journal">, SaveOptions, BodyOptions {}

/** A run that is not written, because what it had read was changed meanwhile. */
interface Stale {
  readonly ok: "stale";
  readonly effects: Effects | undefined;
}

/** The stage that runs the handler and commits what comes of it, until what it read holds still. Does not reject for it. */
export function createRun(options: RunOptions, invoke: Invoke): (state: CallState) => Promise<Ran> {
  const { now, bodyTtl = 0 } = options;
  const contended = createQueues();

  /** Runs the handler once and writes what comes of it. */
  async function attempt(state: CallState): Promise<Ran | Stale> {
    const { call } = state;
    const recorder = call.tool.tape && bodyTtl > 0 ? toRecorder(options, state) : undefined;
    const ran = await runHandler(options, invoke, state, recorder);
    if (!ran.ok) return { ...ran, ...toTaped(recorder) };
    const pause = pauseAfterLarge(ran.json.plain.length);
    if (pause !== undefined) await pause;
    const { output, effects } = ran;
    const failed = (error: unknown) => ({ ok: false, error, effects, questions: [] }) as const;
    try {
      const record = toRecord(state, effects, now(), "ok", ran.json.canonical);
      const commit = toCallCommit(state, ran);
      const end = { output, outputText: ran.json.plain, ...toTaped(recorder) };
      const saved = save(options, record, withBody(commit, state, end, options));
      if (saved === true || (await saved)) return ran;
    } catch (error) {
      return failed(error);
    }
    const isFinal = effects?.isIrreversible() === true;
    return isFinal ? failed(conflict(call, "and what it did outside cannot be undone")) : { ok: "stale", effects };
  }

  /**
   * Calls that meet contention queue up, so that one of them gets through. A call that writes nothing is in no other's way,
   * and tries at once. None begins anew once its time is over.
   */
  async function runToCommit(state: CallState): Promise<Ran> {
    const { principal, tool } = state.call;
    const scope = `${principal.tenant}\n${tool.server}`;
    const waits = tool.sideEffect && contended.busy(scope);
    const first = waits ? undefined : await attempt(state);
    if (first !== undefined && first.ok !== "stale") return first;
    return contended.run(scope, async () => {
      const isLate = () => now() >= state.deadline;
      if (isLate()) return { ok: false, error: waitedTooLong(state.call), effects: first?.effects, questions: [] };
      const ran = await repeatStale(
        () => attempt(state),
        ({ ok }) => ok === "stale" && !isLate(),
      );
      if (ran.ok !== "stale") return ran;
      const why = isLate() ? "until its time was over" : `${ATTEMPT_LIMIT} times in a row`;
      return { ok: false, error: conflict(state.call, why), effects: ran.effects, questions: [] };
    });
  }

  return async (state) => {
    const { uses, session } = state.call.tool;
    // Only what a call has read of the state can change under it.
    const isAlone = session === "stateless" && !uses.has("state.read") && !uses.has("state.write");
    const ran = isAlone ? await attempt(state) : undefined;
    return ran === undefined || ran.ok === "stale" ? runToCommit(state) : ran;
  };
}

function toRecorder(
  { now, modelAvailable }: RunOptions,
  { call, seed, conversationId, assigned: { parameters } }: CallState,
): TapeRecorder {
  const client = call.interaction?.client ?? NOBODY;
  const secrets = call.tool.secrets.map(({ name }) => name);
  return createTapeRecorder({ seed, conversationId, client, model: modelAvailable, parameters, secrets }, now);
}

function toTaped(recorder: TapeRecorder | undefined): Pick<Body, "tape"> {
  return recorder === undefined ? {} : { tape: recorder.toTape() };
}

function waitedTooLong({ tool }: Call): CairnError {
  const message = `\`${tool.name}\` waited behind other calls that change the same data until its time was over; try again.`;
  return new CairnError("UNAVAILABLE", message);
}

function conflict({ tool }: Call, why: string): CairnError {
  return new CairnError(
    "CONFLICT",
    `What \`${tool.name}\` read was changed by other calls meanwhile, ${why}; try again.`,
  );
}
