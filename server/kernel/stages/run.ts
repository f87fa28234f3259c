import { CairnError } from "../../errors.ts";
import type { Call, Effects, Invoke } from "../call.ts";
import { createQueues } from "../../serial.ts";
import { ATTEMPT_LIMIT, repeatStale } from "../transaction.ts";
import { withBody } from "./body.ts";
import { toCallCommit } from "./call-commit.ts";
import type { CallState } from "./call-state.ts";
import { save, type SaveOptions } from "./save.ts";
import { toRecord } from "./to-record.ts";
import { type HandlerOptions, type Ran, runHandler } from "./run-handler.ts";

export interface RunOptions extends HandlerOptions, SaveOptions {
  /** Milliseconds that bodies are kept of tools whose manifest allows it; absent or 0: nothing is kept. */
  readonly bodyTtl?: number;
}

/** A run that is not written, because what it had read was changed meanwhile. */
interface Stale {
  readonly ok: "stale";
  readonly effects: Effects | undefined;
}

/** The stage that runs the handler and commits what comes of it, until what it read holds still. Does not reject for it. */
export function createRun(options: RunOptions, invoke: Invoke): (state: CallState) => Promise<Ran> {
  const { now, bodyTtl = 0 } = options;
  const contended = createQueues();

  /** Calls that handlers make happen again when the call that made them is replayed. */
  const isRecorded = ({ tool, parent }: Call) => tool.record && bodyTtl > 0 && parent === undefined;

  /** Runs the handler once and writes what comes of it. */
  async function attempt(state: CallState): Promise<Ran | Stale> {
    const { call, id, input, redactor } = state;
    const ran = await runHandler(options, invoke, state);
    if (!ran.ok) return ran;
    const { output, effects } = ran;
    const failed = (error: unknown) => ({ ok: false, error, effects, questions: [] }) as const;
    try {
      const record = toRecord(state, effects, now(), "ok", ran.json.canonical);
      const commit = toCallCommit(state, ran);
      const body = { id, input, output, at: now(), redactor };
      const saved = save(options, record, isRecorded(call) ? withBody(commit, call, body, bodyTtl) : commit);
      if (saved === true || (await saved)) return ran;
    } catch (error) {
      return failed(error);
    }
    const isFinal = effects?.isIrreversible() === true;
    return isFinal ? failed(conflict(call, "and what it did outside cannot be undone")) : { ok: "stale", effects };
  }

  /**
   * Calls that meet contention queue up, so that one of them gets through. A call that writes nothing is in no other's way,
   * and tries at once.
   */
  async function runToCommit(state: CallState): Promise<Ran> {
    const { principal, tool } = state.call;
    const scope = `${principal.tenant}\n${tool.server}`;
    const waits = tool.sideEffect && contended.busy(scope);
    const first = waits ? undefined : await attempt(state);
    if (first !== undefined && first.ok !== "stale") return first;
    return contended.run(scope, async () => {
      const ran = await repeatStale(
        () => attempt(state),
        ({ ok }) => ok === "stale",
      );
      if (ran.ok !== "stale") return ran;
      const error = conflict(state.call, `${ATTEMPT_LIMIT} times in a row`);
      return { ok: false, error, effects: ran.effects, questions: [] };
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

function conflict({ tool }: Call, why: string): CairnError {
  return new CairnError(
    "CONFLICT",
    `What \`${tool.name}\` read was changed by other calls meanwhile, ${why}; try again.`,
  );
}
