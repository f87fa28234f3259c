import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import type { Adjustment, Plan } from "../server/architect/planners/plan.ts";
import type { Ground } from "../server/architect/planners/planner.ts";
import { type Check, type FeedbackMessage, type FileCheck, holds, walk } from "../test/evaluation/checks.ts";
import { type Edit, toMessages } from "../test/evaluation/edits/edits.ts";
import { createGround } from "../test/helpers/plan-ground.ts";

/** Verdict on an answer to a message. */
export type Verdict = "right" | "asked" | "missed" | "wrong";

/** The YAML files of an agent, by path. */
export type Documents = ReadonlyMap<string, unknown>;

/** Folder of the messages and of the agents that they are sent to. */
export const EVALUATION = join(import.meta.dirname, "../test/evaluation");

/** Sets whose half for reports was opened once later sets could stand in for it; it is for development since. */
export const OPENED: ReadonlySet<string> = new Set([
  "plain",
  "neighbours",
  "guests",
  "travellers",
  "lodgers",
  "boarders",
  "regulars",
  "latecomers",
  "arrivals",
  "callers",
  "passengers",
  "settlers",
  "wayfarers",
  "pilgrims",
  "nomads",
  "pioneers",
  "ramblers",
  "drifters",
  "twins",
  "voyagers",
  "rovers",
  "tenants",
  "villagers",
  "sojourners",
  "heralds",
  "envoys",
]);

/** Returns where an agent is; the example agent is this repository. */
export function folderOf(agent: string): string {
  return agent === "example" ? join(import.meta.dirname, "..") : join(EVALUATION, "agents", agent);
}

/** Loads an agent from its folder, with its files as they are parsed. */
export async function loadAgent(folder: string): Promise<{ readonly ground: Ground; readonly before: Documents }> {
  const paths = globSync("{manifests,tools,schemas,test/tools}/**/*.*", { cwd: folder }).sort();
  const files = new Map([...paths, "versions.yaml"].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const before = new Map(
    [...files].map(([path, text]) => [path, /\.ya?ml$/.test(path) ? (parse(text) as unknown) : text]),
  );
  return { ground: await createGround(files), before };
}

/** Reads the messages of a file, or those of its edits. */
export function readMessages(file: string): readonly FeedbackMessage[] {
  const { messages = [], edits = [] }: { messages?: FeedbackMessage[]; edits?: Edit[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return [...messages, ...toMessages(basename(file, ".json"), edits)];
}

/** Judges an answer; `asked` means that nothing was done yet, and that the wanted change is among those offered. */
export function judge(plan: Plan | undefined, message: FeedbackMessage, before: Documents): Verdict {
  const outcomes = new Set([message.expected, ...message.accept]);
  const mayChange = outcomes.has("change") || outcomes.has("approve");
  if (plan?.kind === "change")
    return mayChange && isAsWanted(plan.files, message.checks, message, before) ? "right" : "wrong";
  if (plan?.kind === "tune")
    return outcomes.has("tune") && isTunedAsWanted(plan.adjustments, message.checks) ? "right" : "wrong";
  const readings = plan?.readings ?? [];
  if (readings.length > 0) {
    const isOffered = (checks: readonly Check[]) =>
      readings.some((reading) =>
        reading.files === undefined
          ? isTunedAsWanted(reading.adjustments ?? [], checks)
          : isAsWanted(new Map(Object.entries(reading.files)), checks, message, before),
      );
    const fits = isOffered(message.checks) || (message.others ?? []).some(isOffered);
    if (outcomes.has("ask")) return message.checks.length === 0 || fits ? "right" : "missed";
    return message.expected !== "reject" && fits ? "asked" : outcomes.has("reject") ? "asked" : "missed";
  }
  if (outcomes.has("reject")) return "right";
  const asksBack =
    outcomes.has("ask") && message.checks.length === 0 && plan !== undefined && plan.accepted.includes("?");
  return asksBack ? "right" : "missed";
}

function isTunedAsWanted(adjustments: readonly Adjustment[], checks: readonly Check[]): boolean {
  const wanted = checks.flatMap((check) => ("tune" in check ? [check.tune] : []));
  return (
    wanted.length > 0 &&
    wanted.every(({ experiment, arm }) =>
      adjustments.some(
        (one) =>
          one.kind === "promote" &&
          one.experiment === experiment &&
          (one.arm === arm || Object.values(one.values ?? {}).some((value) => String(value) === arm)),
      ),
    )
  );
}

function isAsWanted(
  files: ReadonlyMap<string, string | null>,
  checks: readonly Check[],
  { also = [] }: FeedbackMessage,
  before: Documents,
): boolean {
  const wanted = checks.filter((check): check is FileCheck => "file" in check);
  if (wanted.length === 0) return false;
  const after = new Map(before);
  for (const [path, text] of files)
    if (text === null) after.delete(path);
    else after.set(path, /\.ya?ml$/.test(path) ? parse(text) : text);
  if (!wanted.every((check) => holds(after.get(check.file), check))) return false;
  return [...files.keys()].every((path) => isOnlyThere(path, before.get(path), after.get(path), wanted, also));
}

/** Checks that a file changed at the named places only. */
function isOnlyThere(
  path: string,
  before: unknown,
  after: unknown,
  wanted: readonly FileCheck[],
  also: readonly string[],
): boolean {
  if (also.includes(path)) return true;
  const named = [
    ...wanted.filter(({ file }) => file === path).map((check) => check.path),
    ...also.flatMap((one) => (one.startsWith(`${path}#`) ? [one.slice(path.length + 1)] : [])),
    ...listMoved(
      before,
      wanted.filter(({ file }) => file === path),
    ),
  ];
  // The file of a tool that gets another name is new, with all that it had.
  if (before === undefined && wanted.some(({ file }) => file === path)) return true;
  if (named.length === 0)
    return path.startsWith("tools/") || path.startsWith("test/")
      ? wanted.some((check) => check.op === "absent" && check.path === "")
      : false;
  if (named.includes("")) return true;
  const bare = (document: unknown) =>
    named.reduce((rest: unknown, pointer) => without(rest, pointer.split("/").slice(1)), structuredClone(document));
  return isDeepStrictEqual(bare(before), bare(after));
}

/** The new members beside those that go: a field that gets another name takes all that it had along, and its place among the required. */
function listMoved(before: unknown, checks: readonly FileCheck[]): readonly string[] {
  const gone = new Set(checks.flatMap(({ op, path }) => (op === "absent" ? [toParent(path)] : [])));
  return checks.flatMap(({ path }) => {
    const keys = path.split("/");
    const at = keys.findIndex(
      (_, end) => end > 0 && walk(before, keys.slice(0, end + 1).join("/")).at(-1) === undefined,
    );
    const moved = keys.slice(0, at + 1).join("/");
    const parent = toParent(moved);
    if (at < 1 || !gone.has(parent)) return [];
    return parent.endsWith("/properties") ? [moved, `${toParent(parent)}/required`] : [moved];
  });
}

function toParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A document without what is at a place; a mapping or list that is empty then counts as not there. */
function without(document: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (typeof document !== "object" || document === null) return document;
  const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
  const entries = Object.entries(document).flatMap(([own, value]): readonly (readonly [string, unknown])[] => {
    if (own !== name) return [[own, value]];
    const inner = rest.length === 0 ? undefined : without(value, rest);
    return inner === undefined || (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0)
      ? []
      : [[own, inner]];
  });
  return Object.fromEntries(entries);
}
