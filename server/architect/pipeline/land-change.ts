import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Change, ChangeStatus, Forge } from "../../forge/forge.ts";
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
  /** Judges a commit that the branch of the change has come to after `was`, which could land. */
  readonly judgeHead: (head: string, was: string) => Promise<Judged>;
  /** Judges what its base has of it, where that is not what was verified. */
  readonly judgeLanded: (oid: string) => Promise<Verification>;
  /** Keeps that another commit may land. */
  readonly saveHead: (head: string) => Promise<void>;
}

export interface Judged {
  readonly verification: Verification;
  /** Whether somebody has changed more than where it is made from. */
  readonly isOthers: boolean;
  /** Why somebody has to approve what others have made of it, which nobody has. */
  readonly reasons: readonly string[];
}

/** How long others' checks and reviews are waited for: less than the lease of a run. */
export const PATIENCE_MS = 6 * 24 * 60 * 60_000;
const SUMMARY_LENGTH = 8_000;
const MAX_NAMED = 10;

/**
 * Reports what was verified, and lands exactly that once everything the forge requires is green: a moved base is brought
 * in and verified anew; what somebody else has pushed is verified, too.
 */
export async function landChange(
  context: ArchitectContext & { readonly forge: Forge },
  request: LandRequest,
): Promise<Landed> {
  const { forge, checkName, landsAtOnce, tell, watchForge, now, signal } = context;
  const { record, proposal, judgeHead, judgeLanded, saveHead } = request;
  const { change } = proposal;
  const where = change.url ?? `the branch \`${change.branch}\``;
  let head = proposal.head;
  const lookout = watchForge(
    ({ branch, commit, number }) =>
      commit === head || branch === change.branch || branch === change.base || (number ?? NaN) === change.number,
  );
  try {
    await reportGreen(head, "Verified before it was proposed.");
    let told = "";
    while (now() < Date.parse(proposal.at) + PATIENCE_MS) {
      signal.throwIfAborted();
      const landed = await look((reason) => {
        if (reason !== told) tell(record, "checks", reason);
        told = reason;
      });
      if (landed !== undefined) return landed;
    }
    return end("Its checks and reviews took longer than six days.", false);
  } finally {
    lookout.close();
  }

  /** What has become of it; undefined: it is to be looked at again. */
  async function look(wait: (reason: string) => void): Promise<Landed | undefined> {
    const status = await forge.status(change);
    if (status.merged !== undefined) return findLanded(status.merged, status.head);
    if (status.state === "closed") {
      // Where others have gone on, the branch is theirs.
      if (status.head === head) await forge.abandon(change, CLOSED);
      return { kind: "left", reason: CLOSED };
    }
    if (status.head !== head) return adopt(status.head, "Verified after somebody has pushed to it.");
    if (status.checks === "red") return end(`A check of it is red: ${nameRed(status)}.`, false);
    const landing = await forge.land(change, { expectHead: head, mode: "when-green" }).catch(toDifference);
    // Its status says as what.
    if (landing.outcome === "different") return undefined;
    if (landing.outcome === "merged") return { kind: "landed", oid: landing.oid };
    if (landing.outcome === "conflict") return end(landing.reason, true);
    if (landing.outcome === "behind") {
      tell(record, "land", landing.reason);
      const refreshed = await forge.refresh(change);
      if (refreshed.outcome === "conflict") return end(toConflict(change, refreshed.paths), true);
      if (refreshed.head !== head) return adopt(refreshed.head, "Verified with what its base has now.");
    }
    // A checkout is in the way, which somebody has to leave, and others' changes wait behind this one.
    if (landing.outcome === "blocked" && landsAtOnce && status.checks === "green") return end(landing.reason, false);
    wait(landing.reason);
    await lookout.pause();
    return undefined;
  }

  async function adopt(oid: string, how: string): Promise<Landed | undefined> {
    const { verification, isOthers, reasons } = await judgeHead(oid, head);
    if (verification.status === "failed") {
      if (!isOthers) return end("It does not hold where its base is now.", true);
      return leaveToOthers(oid, `Somebody has pushed to it what does not pass.`, toFindings(verification));
    }
    if (reasons.length > 0) {
      return leaveToOthers(oid, "Somebody has pushed to it what needs an approval.", reasons.join(" "));
    }
    await saveHead(oid);
    head = oid;
    await reportGreen(oid, how);
    return undefined;
  }

  /** Somebody else may have landed it, by hand and with more than was verified. */
  async function findLanded(oid: string, last: string): Promise<Landed> {
    const found = await forge.land(change, { expectHead: last, mode: "now" }).catch(toDifference);
    if (last === head && found.outcome === "merged") return { kind: "landed", oid };
    const verification = await judgeLanded(oid);
    if (verification.status === "passed") return { kind: "landed", oid };
    const reason = `\`${oid}\` has landed of it, which is not what was verified and does not pass, and was not tagged:`;
    return { kind: "left", reason: `${reason}\n${toFindings(verification)}\n` };
  }

  async function reportGreen(oid: string, summary: string): Promise<void> {
    await forge.report(oid, checkName, { status: "completed", conclusion: "success", summary });
  }

  async function leaveToOthers(oid: string, reason: string, findings: string): Promise<Landed> {
    const summary = `${reason}\n${findings}`.slice(0, SUMMARY_LENGTH).toWellFormed();
    await forge.report(oid, checkName, { status: "completed", conclusion: "failure", summary });
    return { kind: "left", reason: `${reason} It is left to them: ${where}\n${findings}\n` };
  }
}

const CLOSED = "Somebody has closed its pull request.";

/** What has landed is not what was to land: its base moved in that very moment, or somebody was first. */
function toDifference(error: unknown): { readonly outcome: "different" } {
  if (error instanceof CairnError && isObject(error.details) && "landed" in error.details)
    return { outcome: "different" };
  throw error;
}

function end(reason: string, again: boolean): Landed {
  return { kind: "ending", ending: { again, reason } };
}

function toConflict({ base }: Change, paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map((path) => `\`${path.slice(0, 200)}\``);
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : "";
  return `The branch \`${base}\` has other changes in ${named.join(", ")}${more}.`;
}

function nameRed({ runs, required }: ChangeStatus): string {
  return runs
    .filter(({ name, status }) => status === "failure" && required.includes(name))
    .map(({ name, url }) => (url === undefined ? `\`${name}\`` : `\`${name}\` (${url})`))
    .join(", ");
}
