import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { ParameterSet, Version } from "../../versions/version.ts";
import { askService, type ServiceAccess } from "../client/service-url.ts";

type Value = string | number | boolean;

/** An experiment whose calls run with other values than the tree's defaults. */
export interface Running {
  readonly set: ParameterSet;
  /** All values that calls run with. */
  readonly values: Readonly<Record<string, Value>>;
  /** Parameters whose default in the tree is another. */
  readonly differs: readonly { readonly name: string; readonly from: Value; readonly to: Value }[];
  /** A sentence without its end: why calls run with them. */
  readonly reason: string;
}

/** Loads from a service which experiments of a tree run with other values than its defaults; `served` answers for them. */
export async function loadRunning(
  service: ServiceAccess,
  served: string,
  { parameters }: Version,
): Promise<readonly Running[]> {
  const sets = [...parameters.values()].filter(({ experiment }) => experiment !== undefined);
  const found = await Promise.all(sets.map((set) => findRunning(service, served, set)));
  return found.filter((running) => running !== undefined);
}

async function findRunning(service: ServiceAccess, served: string, set: ParameterSet): Promise<Running | undefined> {
  const path = `/agent/${encodeURIComponent(served)}/api/tools/tuner.propose`;
  const answer = await askService(service, path, { experiment: set.name }).catch((error: unknown) => {
    // It has no such experiment or no tuner, or knows nothing yet: then its calls run with what its manifest says.
    if (error instanceof CairnError && ["NOT_FOUND", "CONFLICT"].includes(error.name)) return undefined;
    throw error;
  });
  const evidence = at(at(answer, "proposal"), "evidence");
  const state = at(evidence, "state");
  const active = at(state, "active");
  const values = at(active, "values") as Readonly<Record<string, Value>> | undefined;
  if (values === undefined) return undefined;
  const differs = [...set.parameters].flatMap(([name, { default: from }]) => {
    const to = values[name];
    return to === undefined || to === from ? [] : [{ name, from, to }];
  });
  if (differs.length === 0) return undefined;
  return { set, values, differs, reason: toReason(active, at(state, "stop"), at(evidence, "events")) };
}

function toReason(active: unknown, stop: unknown, events: unknown): string {
  const ratios = (at(stop, "ratios") as readonly (number | null)[] | undefined) ?? [];
  const known = ratios.filter((ratio) => ratio !== null);
  const threshold = at(stop, "threshold");
  const decided =
    known.length > 0 && typeof threshold === "number" && at(active, "why") === "stop rule"
      ? `, smallest likelihood ratio ${round(Math.min(...known))} against a threshold of ${round(threshold)}`
      : "";
  const digest = String(at(events, "digest") ?? "").slice(0, 12);
  return `${String(at(active, "why"))} at event ${String(at(active, "since"))}${decided}, log ${digest}`;
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}
