import type { Tuner } from "../../../capabilities/tuner/api.ts";
import type { AskNamed } from "./guest-work.ts";

/** `ctx.tuner`. */
export function createTuner(ask: AskNamed): Tuner {
  return {
    reward: (conversationId, reward) => ask("tuner.reward", { conversationId, reward }),
    step: ({ experiment, rewards, choose }) => ask("tuner.step", { experiment }, { rewards, choose }),
    iterate: ({ experiment, results, ask: count }) => ask("tuner.iterate", { experiment }, { results, ask: count }),
    fit: ({ experiment, pairs, rankings }) => ask("tuner.fit", { experiment }, { pairs, rankings }),
    promote: ({ experiment, arm, values }) => ask("tuner.promote", { experiment }, { arm, values }),
    revert: (experiment) => ask("tuner.revert", { experiment }),
    propose: (experiment) => ask("tuner.propose", { experiment }),
    state: (experiment) => ask("tuner.state", {}, { experiment }),
  };
}
