import type { Change, ChangeStatus, Forge } from "../forge/forge.ts";
import type { ArchitectContext } from "./context.ts";
import { toFindings } from "./describe-change.ts";
import type { Ending, FeedbackRecord, Proposed } from "./feedback-record.ts";
import type { Verification } from "./verify/verification.ts";

/** How a proposal ended: on its base, or not, which is for the caller to carry out. */
export type Landed =
  | { readonly kind: "landed"; readonly oid: string }
  /** It is to be taken back. */
  | { readonly kind: "ending"; readonly ending: Ending }
  /** It is closed, or somebody else's now. */
  | { readonly kind: "left"; readonly reason: string };

export interface LandRequest {
  readonly record: FeedbackRecord;
  readonly proposal: Proposed & { readonly change: Change; readonly head: string };
  /** Verifies a commit that the branch of the change has come to, against where its base is now. */
  readonly verifyHead: (head: string) => Promise<Verification>;
  /** Keeps that another commit may land. */
  readonly saveHead: (head: string) => Promise<void>;
}

/** How long others' checks and reviews are waited for: less than the lease of a run. */
const PATIENCE_MS = 6 * 24 * 60 * 60_000;
const SUMMARY_LENGTH = 8_000;

/**
 * Reports what was verified, and lands exactly that once everything the forge requires is green: a moved base is brought
 * in and verified anew; what somebody else has pushed is verified, too.
 */
export async function landChange(
  context: ArchitectContext & { readonly forge: Forge },
  request: LandRequest,
): Promise<Landed> {
  const { forge, checkName, tell, pause, now, signal } = context;
  const { record, proposal, verifyHead, saveHead } = request;
  const { change } = proposal;
  let head = proposal.head;
  await reportGreen(head, "Verified before it was proposed.");
  let told = "";
  while (now() < Date.parse(proposal.at) + PATIENCE_MS) {
    signal.throwIfAborted();
    const status = await forge.status(change);
    if (status.merged !== undefined) {
      // Whoever has landed it may have left its branch.
      await forge.land(change, { expectHead: status.head, mode: "now" });
      return { kind: "landed", oid: status.merged };
    }
    if (status.state === "closed") return { kind: "left", reason: "Somebody has closed its pull request." };
    if (status.head !== head) {
      const verification = await verifyHead(status.head);
      if (verification.status === "failed") return leaveToOthers(status.head, verification);
      head = await adopt(status.head, "Verified after somebody has pushed to it.");
      continue;
    }
    if (status.checks === "red") return end(`A check of it is red: ${nameChecks(status)}.`, false);
    const landing = await forge.land(change, { expectHead: head, mode: "when-green" });
    if (landing.outcome === "merged") return { kind: "landed", oid: landing.oid };
    if (landing.outcome === "conflict") return end(landing.reason, true);
    if (landing.outcome === "behind") {
      tell(record, "land", landing.reason);
      const refreshed = await forge.refresh(change);
      if (refreshed.outcome === "conflict") return end(landing.reason, true);
      if (refreshed.head === head) continue;
      const verification = await verifyHead(refreshed.head);
      if (verification.status === "failed") return end("It does not hold where its base is now.", true);
      head = await adopt(refreshed.head, "Verified with what its base has now.");
      continue;
    }
    if (landing.outcome === "stale") continue;
    if (landing.reason !== told) tell(record, "checks", landing.reason);
    told = landing.reason;
    await pause(record, signal);
  }
  return end("Its checks and reviews took longer than six days.", false);

  async function adopt(oid: string, how: string): Promise<string> {
    await saveHead(oid);
    await reportGreen(oid, how);
    return oid;
  }

  async function reportGreen(oid: string, summary: string): Promise<void> {
    await forge.report(oid, checkName, { status: "completed", conclusion: "success", summary });
  }

  async function leaveToOthers(oid: string, verification: Verification): Promise<Landed> {
    const summary = toFindings(verification).slice(0, SUMMARY_LENGTH).toWellFormed();
    await forge.report(oid, checkName, { status: "completed", conclusion: "failure", summary });
    const where = change.url ?? `the branch \`${change.branch}\``;
    return {
      kind: "left",
      reason: `Somebody has pushed to it what does not pass; ${where} is left to them.\n${summary}`,
    };
  }
}

function end(reason: string, again: boolean): Landed {
  return { kind: "ending", ending: { again, reason } };
}

function nameChecks({ runs }: ChangeStatus): string {
  return runs
    .filter(({ status }) => status === "failure")
    .map(({ name, url }) => (url === undefined ? `\`${name}\`` : `\`${name}\` (${url})`))
    .join(", ");
}
