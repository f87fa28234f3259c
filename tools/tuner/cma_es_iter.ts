import type { Context, Handler } from "../../server/host-api.ts";

interface Input {
  readonly experiment: string;
  readonly results: NonNullable<Parameters<Context["tuner"]["iterate"]>[0]["results"]>;
  readonly ask: number;
}

/** Results first, then candidates. */
const cmaEsIter: Handler<Input> = async ({ experiment, results, ask }, ctx) => {
  const { told, candidates, state } = await ctx.tuner.iterate({ experiment, results, ask });
  return { told, candidates: candidates.map(({ candidate, values }) => ({ candidate, values })), state };
};

export default cmaEsIter;
