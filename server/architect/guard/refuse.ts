import { CairnError } from "../../errors.ts";
import type { RejectPlan } from "../planners/plan.ts";

/** Ends the making of a plan: `reason` says why, `accepted` what would be accepted or which question to answer. */
export function refuse(reason: string, accepted: string): CairnError {
  return new CairnError("BAD_REQUEST", reason, { details: { accepted } });
}

/** The plan that says so; rethrows what is a failure of ours, and no answer to the one who asked. */
export function toRejection(error: unknown): RejectPlan {
  if (!(error instanceof CairnError) || !ANSWERS.has(error.name)) throw error;
  return { kind: "reject", reason: error.message, accepted: readAccepted(error.details) ?? USUAL };
}

const ANSWERS: ReadonlySet<string> = new Set(["BAD_REQUEST", "CONFLICT", "NOT_FOUND", "PAYLOAD_TOO_LARGE"]);
const USUAL = "Attach a unified diff of the change, or say it in one of the sentences of docs/architect.md.";

function readAccepted(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null || !("accepted" in details)) return undefined;
  return typeof details.accepted === "string" ? details.accepted : undefined;
}

const LISTED = 12;

/** `a`, `b` and `c`; of very many the first. */
export function toList(names: readonly string[], conjunction = "and"): string {
  const shown = names.slice(0, names.length > LISTED + 1 ? LISTED : names.length);
  const quoted = shown.map((name) => `\`${name}\``);
  if (shown.length < names.length) return `${quoted.join(", ")} ${conjunction} ${names.length - shown.length} others`;
  if (quoted.length < 2) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} ${conjunction} ${quoted.at(-1)}`;
}
