import { openCandidates } from "./candidates.ts";
import { changePending, closeLate } from "./learn.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { TuningState, Waiting } from "./tuning-state.ts";

/** Slices of the time until the deadline in which pulls that wait for a reward are counted together. */
const SLICES = 16;

interface Given {
  readonly arm?: string;
  readonly candidate?: string;
}

/** One more conversation with this arm or candidate waits for its reward. */
export function waitForReward(set: TunedSet, state: TuningState, event: Given & { readonly at: number }): TuningState {
  const key = keyOf(event);
  if (key === undefined) return state;
  const from = sliceOf(set, event.at);
  const known = state.waiting.find((slice) => slice.from === from);
  const pulls = { ...known?.pulls, [key]: (known?.pulls[key] ?? 0) + 1 };
  const others = state.waiting.filter((slice) => slice.from !== from);
  const waiting = [...others, { from, pulls }].toSorted((a, b) => a.from - b.from);
  return withPending({ ...state, waiting }, event.arm, 1);
}

/** Its reward has come. One that was given up before changes nothing here. */
export function takePull(
  set: TunedSet,
  state: TuningState,
  event: Given & { readonly assignedAt: number },
): TuningState {
  const key = keyOf(event);
  const from = sliceOf(set, event.assignedAt);
  const slice = state.waiting.find((one) => one.from === from);
  const left = key === undefined ? 0 : (slice?.pulls[key] ?? 0);
  if (key === undefined || slice === undefined || left === 0) return state;
  const { [key]: _taken, ...others } = slice.pulls;
  const pulls = left === 1 ? others : { ...others, [key]: left - 1 };
  const waiting = state.waiting.map((one) => (one === slice ? { from, pulls } : one));
  return withPending({ ...state, waiting }, event.arm, -1);
}

/** Forgets candidates that have their result, or whose generation is over. */
export function forgetCandidates(state: TuningState): TuningState {
  const { learner, waiting } = state;
  if (learner.kind !== "evolution" || waiting.length === 0) return state;
  const { current, late } = openCandidates(learner.search);
  const open = new Set([...current, ...late].map(({ id }) => id));
  const left = waiting.map(({ from, pulls }) => ({
    from,
    pulls: Object.fromEntries(Object.entries(pulls).filter(([id]) => open.has(id))),
  }));
  return { ...state, waiting: left.filter(({ pulls }) => Object.keys(pulls).length > 0) };
}

/** Gives up pulls whose deadline is over, and a generation that waits for what will not come. */
export function expirePulls(set: TunedSet, state: TuningState): TuningState {
  const deadline = set.experiment.reward.deadline * 1000;
  const learner = closeLate(state.learner, deadline, state.clock);
  const isOver = ({ from }: Waiting) => from + widthOf(set) + deadline <= state.clock;
  const [oldest] = state.waiting;
  if (oldest === undefined || !isOver(oldest)) return learner === state.learner ? state : { ...state, learner };
  let result: TuningState = { ...state, learner, waiting: state.waiting.filter((slice) => !isOver(slice)) };
  for (const { pulls } of state.waiting.filter(isOver)) {
    for (const [key, pending] of Object.entries(pulls)) {
      const counts = { ...result.counts, expired: result.counts.expired + pending };
      result = withPending({ ...result, counts }, key, -pending);
    }
  }
  return result;
}

/** Counts the waiting conversations of each arm or candidate. */
export function countWaiting(waiting: readonly Waiting[]): Readonly<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const { pulls } of waiting)
    for (const [key, count] of Object.entries(pulls)) total[key] = (total[key] ?? 0) + count;
  return total;
}

function withPending(state: TuningState, arm: string | undefined, by: number): TuningState {
  const { learner } = state;
  if (arm === undefined || learner.kind !== "bandit") return state;
  return { ...state, learner: { kind: "bandit", bandit: changePending(learner.bandit, arm, by) } };
}

function keyOf({ arm, candidate }: Given): string | undefined {
  return arm ?? candidate;
}

function widthOf({ experiment }: TunedSet): number {
  return Math.max(1, Math.ceil((experiment.reward.deadline * 1000) / SLICES));
}

function sliceOf(set: TunedSet, at: number): number {
  return Math.floor(at / widthOf(set)) * widthOf(set);
}
