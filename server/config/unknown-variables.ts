import { suggest } from "../text/suggest.ts";
import { CONFIG_VARIABLES, type Environment } from "./config.ts";

/** Variables of the command line. */
const CLIENT_VARIABLES = ["CAIRN_TOKEN", "CAIRN_URL"];
/** Variables that the workflows of `cairn init` set for themselves. */
const WORKFLOW_VARIABLES = ["CAIRN_REPORT", "CAIRN_NOTES", "CAIRN_ROOT"];
/** Variables that Kubernetes sets in every container for a service named `cairn`. */
const OF_KUBERNETES = /^CAIRN_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** Sentences about variables that begin like Cairn's and are none: a misspelt one would silently leave its default. */
export function findUnknownVariables(environment: Environment): readonly string[] {
  const settable = [...Object.keys(CONFIG_VARIABLES), ...CLIENT_VARIABLES];
  const known = new Set([...settable, ...WORKFLOW_VARIABLES]);
  // Without the prefix, which makes any two short names look alike.
  const byBareName = new Map(settable.map((one) => [one.replace(/^CAIRN_/, ""), one]));
  // Secrets may be called as their owner likes.
  const named = new Set(Object.values(environment).map((value) => /^env:(\w+)$/.exec(value?.trim() ?? "")?.[1]));
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith("CAIRN_") || known.has(name) || named.has(name)) return [];
    if (OF_KUBERNETES.test(name) && (name !== "CAIRN_PORT" || value?.includes("://"))) return [];
    const meant = byBareName.get(suggest(name.slice("CAIRN_".length), [...byBareName.keys()]) ?? "");
    return `${name} is set, and Cairn has no such variable${meant === undefined ? "" : `; did you mean ${meant}?`}`;
  });
}
