import { hash } from "node:crypto";
import { WORKSPACE_LIMITS } from "../../capabilities/workspace/limits.ts";
import { CANDIDATE } from "../../capabilities/work/workflows.ts";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { RejectPlan } from "../planners/plan.ts";
import { toDryRunNotes } from "./describe-change.ts";
import { findObligation, findRenewalObligation, type Obligation } from "./find-obligation.ts";
import { type FileChanges, HISTORY_FILE } from "./merge-files.ts";
import { type Candidate, type Next, type Run, toRejected, type Transition } from "./run.ts";
import { explainBranch } from "./repository.ts";
import type { WorkBook } from "./work-book.ts";

/** Candidate that waits for approval: these files, made from this commit. */
interface Awaiting {
  readonly from: string;
  readonly digest: string;
  /** Digest of its lines; absent in records of older versions, and for a change of which nobody can see all lines. */
  readonly lines?: string;
  /** Reasons why somebody has to approve it. */
  readonly reasons?: readonly string[];
  /** People who may not approve it. */
  readonly authors?: readonly string[];
}

/** Has the gate of the run judge the candidate: it may be proposed, or somebody has to approve it first. */
export async function approve(
  { record, book }: Run,
  { candidate }: Extract<Next, { readonly step: "approve" }>,
): Promise<Transition> {
  const { plan, base, files, semver, verification } = candidate;
  const { required, concerns } = verification;
  const { doubts = [], by = [] } = plan;
  const paths = [...files.keys()];
  const obligation = findObligation(candidate.baseVersion.policies, required, paths, { concerns, doubts });
  // Of a renewal, a person looks at the pull request itself.
  const isGated = obligation.reasons.length > 0 && record.renewal === undefined;
  const gate = await book.judge(paths, isGated ? "high" : "low");
  if (gate.status === "failed") {
    throw new CairnError("INTERNAL_ERROR", gate.checks.flatMap(({ message }) => message ?? []).join(" "));
  }
  if (record.dry_run) {
    const notes = toDryRunNotes(
      candidate,
      gate,
      obligation.reasons,
      explainBranch(record.version, base, candidate.before),
    );
    const version = semver === candidate.before ? {} : toNewVersion(semver);
    const answer = { result: "committed", ...version, notes } as const;
    return { record, next: { step: "end", answer, isOpen: gate.status === "blocked" } };
  }
  if (gate.status === "blocked") {
    const authors = obligation.isStrict || !obligation.allowsSelf ? [record.actor, ...by] : [];
    const { reasons } = obligation;
    const about = { from: base.head, digest: digestOf(files), reasons, authors: [...new Set(authors)] };
    const awaiting: Awaiting = { ...about, ...defined({ lines: digestLines(candidate) }) };
    await book.write(CANDIDATE, JSON.stringify(awaiting));
    return { record: { ...record, stage: "approval" }, next: { step: "wait", reasons: obligation.reasons } };
  }
  if (record.renewal !== undefined) {
    const landsByPeople = findRenewalObligation(candidate.baseVersion.policies, required, obligation);
    return { record, next: { step: "propose", approved: { candidate, gate, landsByPeople } } };
  }
  const denied = await findApprovalFault(book, [record.actor, ...by], candidate, obligation);
  if (denied !== undefined) return toRejected(record, denied);
  return { record, next: { step: "propose", approved: { candidate, gate } } };
}

/** Finds the commit that an approved change is made from; undefined where nothing was approved. */
export async function findApprovedBase(book: WorkBook): Promise<string | undefined> {
  return book.isApproved ? (await readAwaiting(book))?.from : undefined;
}

/** SHA-256 of files with their paths, whatever their order. */
export function digestOf(files: FileChanges): string {
  return hash("sha256", JSON.stringify([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/**
 * Makes a digest of the lines that a change takes away and adds, but for the list of versions, which the service writes. It stays
 * where the change is made again on a base that others have changed elsewhere. Undefined where lines are cut off.
 */
function digestLines({ diff, files }: Pick<Candidate, "diff" | "files">): string | undefined {
  if (Buffer.byteLength(diff) >= WORKSPACE_LIMITS.diffBytes) return undefined;
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => !part.startsWith(HISTORY_HEADER));
  const lines = parts.flatMap((part) =>
    part.split("\n").filter((line) => /^(?:diff --git |[+-]|Binary|.* mode )/.test(line)),
  );
  return hash("sha256", JSON.stringify([[...files.keys()].toSorted(), lines]));
}

const HISTORY_HEADER = `diff --git a/${HISTORY_FILE} b/${HISTORY_FILE}`;

/** The new version as an answer has it, which has no place for pre-releases. */
export function toNewVersion(semver: string | undefined): { readonly new_version?: string } {
  return semver !== undefined && /^\d+\.\d+\.\d+$/.test(semver) ? { new_version: semver } : {};
}

/** Finds why what was approved may not be taken for an approval of these files. */
async function findApprovalFault(
  book: WorkBook,
  authors: readonly string[],
  candidate: Candidate,
  { reasons, isStrict, allowsSelf }: Obligation,
): Promise<RejectPlan | undefined> {
  if (reasons.length === 0) return undefined;
  const approver = await readApprover(book);
  // An approval of which nobody knows the giver could be the sender's own.
  if ((isStrict || !allowsSelf) && (approver === undefined || authors.includes(approver))) {
    const reason =
      approver === undefined
        ? "Its approval does not say who has given it."
        : "It was approved by somebody who asked for it or made it.";
    return { kind: "reject", reason, accepted: "Send it again, and have somebody else approve it." };
  }
  const awaiting = await readAwaiting(book);
  if (awaiting?.digest === digestOf(candidate.files)) return undefined;
  // On a base that has moved its number is another one. For that nobody has to look again, but for each new reason.
  const isAlike = awaiting?.lines !== undefined && awaiting.lines === digestLines(candidate);
  if (isAlike && reasons.every((reason) => awaiting.reasons?.includes(reason) === true)) return undefined;
  const reason = "Since it was approved, what would be changed has become something else.";
  return { kind: "reject", reason, accepted: "Send it again, and have that approved." };
}

/** Reads whose credentials approved a run; undefined where nobody has. */
export async function readApprover(book: WorkBook): Promise<string | undefined> {
  const approval = readJson((await book.read("approval.json")) ?? "null");
  const approver = isObject(approval) ? approval["approved_by"] : undefined;
  return typeof approver === "string" ? approver : undefined;
}

async function readAwaiting(book: WorkBook): Promise<Awaiting | undefined> {
  const value = readJson((await book.read(CANDIDATE)) ?? "null");
  if (!isObject(value)) return undefined;
  const { from, digest, lines, reasons } = value;
  if (typeof from !== "string" || typeof digest !== "string") return undefined;
  const more = typeof lines === "string" && Array.isArray(reasons) ? { lines, reasons: reasons.map(String) } : {};
  return { from, digest, ...more };
}
