import { createWatch, type Active, type TuningState } from "./tuning-state.ts";

/** Former values that can be gone back to. */
const FORMER_LIMIT = 16;

/** Makes other values active; what is watched of them begins anew. */
export function activate(state: TuningState, next: Omit<Active, "since">): TuningState {
  const { breach, barred, baseline } = state.guard;
  return {
    ...state,
    active: { ...next, since: state.seq },
    former: [...state.former, state.active].slice(-FORMER_LIMIT),
    guard: { ...createWatch(baseline.alpha), baseline, breach, barred },
  };
}

/** Makes active again what was before; nothing happens when nothing was. */
export function goBack(state: TuningState, why: Pick<Active, "why" | "by">): TuningState {
  const last = state.former.at(-1);
  if (last === undefined) return state;
  const { values, arm } = last;
  const back = activate(state, { values, ...(arm === undefined ? {} : { arm }), ...why });
  return { ...back, former: state.former.slice(0, -1) };
}
