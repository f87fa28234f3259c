import type { Context, Handler } from "../../server/host-api.ts";

interface Input {
  readonly experiment: string;
  readonly pairs: NonNullable<Parameters<Context["tuner"]["fit"]>[0]["pairs"]>;
  readonly rankings: readonly (readonly string[])[];
}

/** Fits the experiment's preference model to what is given. */
const prefFit: Handler<Input> = async ({ experiment, pairs, rankings }, ctx) => {
  const { fit, logLikelihood, separable, heldOut, threshold, loss } = await ctx.tuner.fit({
    experiment,
    pairs,
    rankings,
  });
  return {
    comparisons: fit.count,
    estimates: Object.fromEntries(
      Object.entries(fit.estimates).map(([name, { value, standardError }]) => [
        name,
        { value, standard_error: standardError },
      ]),
    ),
    values: fit.values,
    log_likelihood: logLikelihood,
    separable,
    held_out: heldOut,
    threshold: threshold && {
      margin: threshold.threshold,
      precision: threshold.precision,
      interval: [threshold.interval.low, threshold.interval.high],
      coverage: threshold.coverage,
    },
    loss: loss && { brier: loss.brier, log_loss: loss.logLoss },
  };
};

export default prefFit;
