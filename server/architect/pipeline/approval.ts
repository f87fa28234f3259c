import { hash } from "node:crypto";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import type { Obligation } from "./find-obligation.ts";
import type { FileChanges } from "./merge-files.ts";
import type { RejectPlan } from "../planners/plan.ts";
import type { WorkBook } from "./work-book.ts";

/** Where what waits for approval is remembered, so that nothing else is proposed afterwards. */
const CANDIDATE = "candidate.json";

/** What somebody is asked to approve: these files, made from this commit. */
interface Awaiting {
  readonly from: string;
  readonly digest: string;
}

/** Lets go of the run until somebody has decided. */
export async function awaitApproval(
  book: WorkBook,
  { reasons }: Obligation,
  candidate: { readonly from: string; readonly files: FileChanges },
): Promise<void> {
  const awaiting: Awaiting = { from: candidate.from, digest: digestOf(candidate.files) };
  await book.write(CANDIDATE, JSON.stringify(awaiting));
  await book.block("gate", reasons.join(" "));
}

/** The commit that what was approved is made from; undefined where nothing was. */
export async function findApprovedBase(book: WorkBook): Promise<string | undefined> {
  return book.isApproved ? (await readAwaiting(book))?.from : undefined;
}

/** Why what was approved may not be taken for an approval of this. */
export async function findApprovalFault(
  book: WorkBook,
  authors: readonly string[],
  files: FileChanges,
  { reasons, isStrict, allowsSelf }: Obligation,
): Promise<RejectPlan | undefined> {
  if (reasons.length === 0) return undefined;
  const approval = readJson((await book.read("approval.json")) ?? "null");
  const approver = isObject(approval) ? approval["approved_by"] : undefined;
  if ((isStrict || !allowsSelf) && authors.some((author) => author === approver)) {
    const reason = "It was approved by somebody who asked for it or made it.";
    return { kind: "reject", reason, accepted: "Send it again, and have somebody else approve it." };
  }
  if ((await readAwaiting(book))?.digest === digestOf(files)) return undefined;
  const reason = "Since it was approved, what would be changed has become something else.";
  return { kind: "reject", reason, accepted: "Send it again, and have that approved." };
}

async function readAwaiting(book: WorkBook): Promise<Awaiting | undefined> {
  const value = readJson((await book.read(CANDIDATE)) ?? "null");
  if (!isObject(value)) return undefined;
  const { from, digest } = value;
  return typeof from === "string" && typeof digest === "string" ? { from, digest } : undefined;
}

/** SHA-256 of files with their paths, whatever their order. */
export function digestOf(files: FileChanges): string {
  return hash("sha256", JSON.stringify([...files].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
