import type { Json } from "../../store/store.ts";
import { toPointer } from "../../json/pointer.ts";
import type { Contradiction } from "../edit/merge-values.ts";
import { toLockPath } from "../../imports/import-lock.ts";
import type { RejectPlan } from "../planners/plan.ts";
import { showValue } from "../show-value.ts";
import type { ArchitectContext } from "./context.ts";
import type { FeedbackRecord } from "./feedback-record.ts";
import { findStrays, nameAllowed } from "./find-obligation.ts";
import { type Conflict, type FileChanges, HISTORY_FILE, mergeFiles } from "./merge-files.ts";
import type { Base } from "./repository.ts";
import type { PlannedChange } from "./run.ts";

/** A plan's files as changes of a base, or why they cannot be. */
export type Fit =
  | { readonly kind: "fits"; readonly files: FileChanges }
  /** The base has become something that the plan does not fit. */
  | { readonly kind: "moved"; readonly rejection: RejectPlan }
  | RejectPlan;

export interface FitRequest {
  readonly record: FeedbackRecord;
  readonly planned: PlannedChange;
  readonly base: Base;
  /** Reads a file that the base has, or would have with other changes before this one. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Contradictions that an answer shows. */
const SHOWN = 10;

/** Makes changes of a plan's files for a base; what the base has that the version of the feedback had not stays. */
export async function fitPlan(
  context: Pick<ArchitectContext, "repository" | "filesOf" | "registry">,
  { record, planned, base, read }: FitRequest,
): Promise<Fit> {
  const { repository, filesOf } = context;
  const { plan, from, head } = planned;
  const [original, newest] = await Promise.all([filesOf(from), filesOf(head)]);
  const readOriginal = (path: string) => (path === HISTORY_FILE ? newest : original).readText(path);
  const { files, conflicts } = await mergeFiles(repository.mergeLines, plan.files, readOriginal, read);
  if (conflicts.length > 0) return toConflict(context, record, base, conflicts);
  const strays = findStrays(files.keys()).filter((path) => !isOwnLock(record, path));
  if (strays.length > 0) {
    return reject(
      `${quoteAll(strays)} cannot be changed here.`,
      `Changes of ${nameAllowed()} are; anything else needs a pull request by somebody.`,
    );
  }
  if (files.size === 0) return reject(`\`${base.branch}\` is like that already.`, "Say what else is to change.");
  return { kind: "fits", files };
}

/** Says whether a path is the record of the import that is renewed, which the guard has looked at. */
function isOwnLock({ renewal }: FeedbackRecord, path: string): boolean {
  return renewal?.kind === "openapi" && path === toLockPath(renewal.name);
}

/** Rejects two values for one key as such: planned once more, one of them would silently give way to the other. */
async function toConflict(
  context: Pick<ArchitectContext, "registry">,
  { version }: FeedbackRecord,
  base: Base,
  conflicts: readonly Conflict[],
): Promise<Fit> {
  const { branch } = base;
  const contradictions = conflicts.flatMap(({ path, contradictions: found }) => {
    return found.map((one) => `- ${path} at \`${toPointer(one.path)}\`: ${describe(one)}`);
  });
  if (contradictions.length > 0) {
    const shown = contradictions.slice(0, SHOWN).join("\n");
    const more = contradictions.length > SHOWN ? `\n- and ${contradictions.length - SHOWN} more` : "";
    return reject(
      `This and what \`${branch}\` has by now contradict each other:\n${shown}${more}\n`,
      "Send it again if it is to be so all the same.",
    );
  }
  const paths = conflicts.map(({ path }) => path);
  const rejection = reject(
    `\`${branch}\` has changed ${quoteAll(paths)} since ${version}, in the same places.`,
    await nameAddress(context, base),
  );
  return { kind: "moved", rejection };
}

/** Says where feedback on the branch as it is now goes, which only a commit takes that a served tag leads to. */
async function nameAddress({ registry }: Pick<ArchitectContext, "registry">, { branch, head }: Base): Promise<string> {
  const address = `\`/agent/${head}/architect/chat\``;
  const { state } = (await registry.describe(head)).record;
  if (state === "served") return `Send the same to ${address}, which is where \`${branch}\` is now.`;
  return `Tag \`${head}\`, where \`${branch}\` is now, and send the same to ${address}.`;
}

function describe({ was, ours, theirs }: Contradiction): string {
  return `it was ${show(was)}, is ${show(ours)} now, and would be ${show(theirs)}.`;
}

function show(value: Json | undefined): string {
  return value === undefined ? "not there" : showValue(value);
}

function reject(reason: string, accepted: string): RejectPlan {
  return { kind: "reject", reason, accepted };
}

function quoteAll(paths: readonly string[]): string {
  const named = paths.slice(0, 10).map((path) => `\`${path.slice(0, 200)}\``);
  return paths.length > 10 ? `${named.join(", ")} and ${paths.length - 10} more` : named.join(", ");
}
