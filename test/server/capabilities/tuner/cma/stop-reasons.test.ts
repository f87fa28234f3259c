import { describe, expect, test } from "vitest";
import type {
  CmaRun,
  CmaSearch,
  StopReason,
  StopReasons,
} from "../../../../../server/capabilities/tuner/cma/search.ts";
import { startDistribution } from "../../../../../server/capabilities/tuner/cma/distribution.ts";
import { startHistory } from "../../../../../server/capabilities/tuner/cma/history.ts";
import { toSettings, type CmaLimits } from "../../../../../server/capabilities/tuner/cma/settings.ts";
import { stopReasons } from "../../../../../server/capabilities/tuner/cma/stop-reasons.ts";
import { toSpectrum } from "../../../../../server/capabilities/tuner/cma/covariance.ts";
import { ask } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import { tell } from "../../../../../server/capabilities/tuner/cma/tell.ts";
import { drive, floats, random, startSearch, type Objective } from "./drive.ts";

const sphere: Objective = (x) => x.reduce((total, value) => total + (value - 0.3) * (value - 0.3), 0);

/** No reason but the given ones. */
const NONE: Partial<CmaLimits> = {
  maxGenerations: 400,
  tolFun: 0,
  tolFunHist: 0,
  tolX: 0,
  tolFacUpX: 1e300,
  tolUpSigma: 1e300,
  conditionCov: 1e300,
  flatGenerations: 1e9,
  tolXStagnation: 0,
};

function reasonsOf({ stopped }: CmaSearch): string[] {
  return Object.keys(stopped ?? {});
}

const quiet: CmaRun = {
  index: 0,
  regime: "first",
  lambda: 6,
  sigma0: 0.25,
  maxEvaluations: null,
  evaluations: 6,
  generation: 1,
  distribution: startDistribution([0.5, 0.5], 0.25),
  history: startHistory([0.5, 0.5]),
  best: null,
  noise: null,
};

function reasonsFor(run: CmaRun): StopReasons {
  const settings = toSettings({ seed: "s", parameters: floats(2), limits: { tolFunHist: 0, tolFun: 0 } });
  const spectrum = toSpectrum(run.distribution.covariance, 2);
  return stopReasons(settings, run, { best: null, evaluations: 6, costs: [1, 2, 3, 4, 5, 6], spectrum });
}

describe("a run stops", () => {
  test.each<[StopReason, Partial<CmaLimits>, Objective]>([
    ["target", { target: 0.01 }, sphere],
    ["maxevaluations", { maxEvaluations: 60 }, sphere],
    ["maxgenerations", { maxGenerations: 7 }, sphere],
    ["tolfun", { tolFun: 1e-6 }, sphere],
    ["tolfunhist", { tolFunHist: 1e-6 }, sphere],
    ["tolx", { tolX: 1e-6 }, sphere],
    ["flatfitness", { flatGenerations: 1 }, () => 1],
    ["conditioncov", { conditionCov: 1e6 }, ([x = 0, y = 0]) => 1e9 * (x - 0.4) * (x - 0.4) + (y - 0.6) * (y - 0.6)],
    ["xstagnation", { tolXStagnation: 1e-3 }, sphere],
  ])("for %s", (reason, limits, objective) => {
    const { stopped, finished } = drive(startSearch({ limits: { ...NONE, ...limits } }), objective);
    expect(Object.keys(stopped ?? {})).toEqual([reason]);
    expect(finished.map(({ reasons }) => reasons)).toEqual([stopped]);
    expect(Number.isFinite(stopped?.[reason])).toBe(true);
  });

  test("for stagnation, when what it sees no longer gets better", () => {
    const noise: Objective = (x) => (Math.abs(x.reduce((total, value) => total + value * 1e9, 0)) % 1) + 1;
    const limits = { ...NONE, maxGenerations: 2_000 };
    expect(reasonsOf(drive(startSearch({ limits }), noise))).toEqual(["stagnation"]);
  });

  test("for tolfacupx, when it grows far beyond its first step size", () => {
    const limits = { ...NONE, tolFacUpX: 1e3 };
    const slope: Objective = ([x = 0]) => -x;
    expect(reasonsOf(drive(startSearch({ sigma0: 1e-5, limits }), slope))).toEqual(["tolfacupx"]);
  });

  test("for stagnation only when neither the best nor the median got better", () => {
    const same = Array.from({ length: 130 }, () => 1);
    const falling = same.map((_, i) => 130 - i);
    const stagnates = (bests: readonly number[], medians: readonly number[]) =>
      "stagnation" in reasonsFor({ ...quiet, history: { ...quiet.history, bests, medians } });
    expect([stagnates(same, same), stagnates(falling, same), stagnates(same, falling)]).toEqual([true, false, false]);
    expect(stagnates(same.slice(1), same.slice(1))).toBe(false);
  });

  test("for tolupsigma, when the step size grows while the axes shrink", () => {
    const distribution = { ...startDistribution([0.5, 0.5], 1e25), covariance: [1e-52, 0, 1e-52] };
    expect(reasonsFor({ ...quiet, distribution })).toEqual({ tolupsigma: expect.closeTo(4e51, -46) });
  });

  test("for all the reasons that hold", () => {
    const limits = { ...NONE, maxEvaluations: 60, maxGenerations: 10 };
    expect(drive(startSearch({ limits }), sphere).stopped).toEqual({ maxevaluations: 60, maxgenerations: 10 });
  });

  test("after its generations when every evaluation fails", () => {
    let search = startSearch({ limits: { maxGenerations: 3 } });
    while (search.stopped === null) {
      const asked = ask(search, 100, random);
      search = asked.candidates.reduce((state, { id }) => tell(state, id, { failed: true }), asked.search);
    }
    expect(search).toMatchObject({ stopped: { maxgenerations: 3 }, evaluations: 18, best: null });
  });
});
