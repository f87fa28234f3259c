import type { CairnError } from "../../errors.ts";
import type { Attempt } from "./attempt.ts";
import { toCulpritError, toLoadLossError, unavailable } from "./failures.ts";
import type { Isolate } from "./isolate.ts";
import { ownerOf } from "./offenders.ts";
import { place, type PoolState } from "./placement.ts";
import type { Need } from "./quarantine.ts";
import type { LossReason, Offender } from "./sandbox.ts";
import type { ProcessEnd, SandboxProcess } from "./sandbox-process.ts";
import { findOffender, type FoundOffender, judge, type Loss, narrow } from "./suspects.ts";

/** Retries of a call, or of loading a program, that is not at fault. */
export const MAX_LOSSES = 3;

/** A pool whose incidents somebody hears of. */
export interface LossState extends PoolState {
  readonly onIncident: (incident: string) => void;
  readonly onOffender: (offender: Offender) => void;
}

/**
 * Gives up an isolate that was over its limit by the clock: its modules may be in any state, so it takes no new calls. Those of a
 * direct entry, whose limit is short, run again on a thread of their own.
 */
export function onStopped(
  pool: PoolState,
  process: SandboxProcess,
  isolate: Isolate,
  stopped: readonly Attempt[],
  wasDirect: boolean,
): void {
  const { directory, confinement, overran } = pool;
  if (directory.remove(isolate)) pool.replaced += 1;
  if (wasDirect) overran.set(isolate.program, (overran.get(isolate.program) ?? 0) + 1);
  for (const attempt of stopped) {
    isolate.release(attempt);
    if (wasDirect) repeat(pool, attempt);
    else if (stopped.length === 1) attempt.run.reject(toCulpritError(attempt.run.call, "clock"));
    else repeat(pool, attempt, "isolate");
  }
  if (confinement.has(process)) confinement.lose(process, false);
}

/** Has the guilty of a loss pay for it, and runs everybody else again. `end` is there when the process was lost. */
export function onLoss(pool: LossState, process: SandboxProcess, whole: Loss, end?: ProcessEnd): void {
  const { directory, offenders, confinement, quarantine, fleet, closed } = pool;
  for (const isolate of whole.isolates) {
    directory.remove(isolate);
    offenders.note(isolate.program, isolate.completed());
  }
  const loss = narrow(whole, ({ program }) => offenders.isTrusted(program));
  const isApart = confinement.has(process);
  const isAlone = isApart ? loss.isolates.every(({ attempts }) => attempts.size <= 1) : quarantine.isSolitary(process);
  const verdicts = judge(loss, isAlone);
  if (end !== undefined) {
    if (!fleet.forget(process, end.wasReady && !closed)) return;
    quarantine.forget(process);
  }
  if (closed) return;
  pool.replaced += end === undefined ? loss.isolates.length : 1;
  if (end !== undefined) pool.onIncident(`A sandbox process ended: ${end.words}`);
  const offender = findOffender(loss, verdicts);
  if (offender !== undefined) strike(pool, offender, loss.reason);
  if (isApart) confinement.lose(process, end !== undefined);
  settle(pool, loss, verdicts, end);
  quarantine.serve();
}

/** Ends what the loss has taken, or runs it again: suspects first, so that bystanders wait for none where they take turns. */
function settle(pool: PoolState, loss: Loss, verdicts: ReturnType<typeof judge>, end: ProcessEnd | undefined): void {
  const bystanders: Attempt[] = [];
  for (const isolate of loss.isolates) {
    const attempts = isolate.attempts.all();
    const failure = toLoadFailure(isolate, loss);
    isolate.lose(failure);
    for (const attempt of attempts) {
      const { run } = attempt;
      const verdict = verdicts.get(attempt);
      if (failure !== undefined) run.reject(failure);
      else if (verdict === "culprit") run.reject(toCulpritError(run.call, loss.reason));
      else if (verdict === "bystander") bystanders.push(attempt);
      else repeat(pool, attempt, end === undefined ? "isolate" : "process", end?.words);
    }
  }
  for (const attempt of bystanders) repeat(pool, attempt, undefined, end?.words);
}

/** Confines an offender: calls of the program that have not begun go where they all go from now on. */
function strike(pool: LossState, { program, tool }: FoundOffender, reason: LossReason): void {
  const { directory, offenders } = pool;
  pool.onOffender(offenders.strike(program, tool, reason));
  for (const isolate of directory.all()) {
    if (ownerOf(isolate.program) !== ownerOf(program)) continue;
    directory.remove(isolate);
    for (const run of isolate.withdraw()) place(pool, run);
  }
}

/** Runs a lost call again, where it can do no harm to others if need be, unless something of it cannot be undone. */
function repeat(pool: PoolState, { run, started }: Attempt, needs?: Need, cause?: string): void {
  if (run.isOver()) return;
  run.losses += 1;
  const { tool, program } = run.call;
  if (run.losses > MAX_LOSSES || (started && run.call.isFinal())) {
    run.reject(
      unavailable(`\`${tool.name}\` was interrupted through no fault of its own and cannot run again.`, cause),
    );
    return;
  }
  if (started) run.call.restart();
  const { offenders, quarantine } = pool;
  const isSuspect = needs !== undefined || (run.losses > 1 && !offenders.isTrusted(program));
  if (isSuspect && !offenders.isConfined(program)) {
    quarantine.add(run, run.losses > 1 ? "process" : (needs ?? "isolate"));
  } else {
    place(pool, run);
  }
}

function toLoadFailure(isolate: Isolate, { certain, guilty, reason }: Loss): CairnError | undefined {
  const isCause = certain && guilty.size === 1 && guilty.has(isolate) && isolate.isLoading();
  return isCause ? toLoadLossError(reason) : undefined;
}
