import { queryOptions } from "@tanstack/react-query";
import { readResource, loadPicture } from "./resources.ts";
import { callTool } from "./tools.ts";

export type Values = Readonly<Record<string, string | number | boolean>>;
export type Interval = readonly [low: number, high: number];

/** One arm of a bandit, as `state://staging` shows it. */
export interface Arm {
  readonly arm: string;
  readonly values: Values;
  readonly rewards: number;
  readonly pending: number;
  readonly mean: number | null;
  readonly interval: Interval | null;
  readonly probability: number;
}

/** One experiment of `state://staging`: the members that the page shows. */
export interface Experiment {
  readonly experiment: string;
  readonly strategy: string;
  readonly seq: number;
  readonly active: { readonly values: Values; readonly arm?: string; readonly why: string; readonly by?: string };
  readonly staging: {
    readonly arms?: readonly Arm[];
    readonly search?: {
      readonly generation: number | null;
      readonly sigma: number | null;
      readonly evaluations: number;
      readonly best: { readonly values: Values; readonly reward: number } | null;
    };
    readonly fit?: {
      readonly count: number;
      readonly estimates: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
    } | null;
    /** Values that a promotion would make active; absent while nothing is known. */
    readonly suggested?: { readonly values: Values; readonly arm?: string };
  };
  readonly counts: Readonly<Record<"assigned" | "rewarded" | "failed" | "expired" | "waiting", number>>;
  readonly stop: {
    readonly stopped: { readonly reason: string } | null;
    readonly reason?: string;
    readonly threshold?: number;
    readonly leads?: readonly ({
      readonly leader: string;
      readonly over: string;
      readonly by: number;
      readonly interval: Interval;
    } | null)[];
  };
}

/** A change of the defaults, as `tuner.propose` gathers it. */
export interface Proposal {
  readonly file?: string;
  readonly values: Values;
  readonly isActive?: boolean;
  readonly changes: readonly {
    readonly parameter: string;
    readonly from: Values[string] | null;
    readonly to: Values[string] | null;
  }[];
  readonly patch?: string;
  readonly feedback?: string;
}

/** Name of the server that shows the experiments of a version. */
export const TUNER = "tuner";

/** The experiments of a version, with what each has learned. */
export function experiments(version: string) {
  return queryOptions({
    queryKey: ["tuning", version],
    queryFn: async ({ signal }) => {
      const text = await readResource(version, TUNER, "state://staging", { signal });
      return (JSON.parse(text) as { readonly experiments: readonly Experiment[] }).experiments;
    },
  });
}

/** A picture of an experiment, as an address that an image can have. `seq`: the event up to which it is drawn. */
export function picture(version: string, name: string, seq: number) {
  return queryOptions({
    queryKey: ["picture", version, name, seq],
    queryFn: ({ signal }) => loadPicture(version, name, { signal }),
  });
}

export async function propose(version: string, experiment: string): Promise<Proposal> {
  const { proposal } = await callTool<{ readonly proposal: Proposal }>(version, "tuner.propose", { experiment });
  return proposal;
}

/** Makes values active: those named, or the ones before. `arm` absent: what is best in staging. */
export function changeActive(version: string, tool: "tuner.promote" | "tuner.revert", input: object): Promise<unknown> {
  return callTool(version, tool, input);
}
