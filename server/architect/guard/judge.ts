import type { Redactor } from "../../log/redact.ts";
import { showHidden } from "../../text/find-hidden.ts";
import type { ChangePlan, RejectPlan, TunePlan } from "../planners/plan.ts";
import { GUARDS } from "./guards.ts";
import type { Overreach } from "./overreach.ts";

/** Findings that somebody is shown who is to approve a plan. */
const DOUBTS = 20;

/** Gives a plan of somebody else than the sender the verdict of its findings. */
export function judge<Judged extends ChangePlan | TunePlan>(
  plan: Judged,
  findings: readonly Overreach[],
  redactor: Redactor,
): Judged | RejectPlan {
  const isRefused = ({ rule }: Overreach) => GUARDS[rule].verdict === "refuse";
  const refused = findings.filter(isRefused);
  const others = findings.filter((finding) => !isRefused(finding));
  if (refused.length > 0) return refuseOverreach(refused, redactor, others);
  const shown = [...new Set(others.map(({ message }) => showFinding(message, redactor)))];
  if (shown.length === 0) return plan;
  const more = shown.length > DOUBTS ? [`There are ${shown.length - DOUBTS} more findings.`] : [];
  return { ...plan, doubts: [...shown.slice(0, DOUBTS), ...more] };
}

const MAX_TOLD = 10;
/** Names in a finding come from the plan, and may be long. */
const MAX_CHARACTERS = 400;

/**
 * Makes a rejection that names each finding, and says what the message would have to say. `others` are findings that would need
 * approval if it were not for the rest.
 */
export function refuseOverreach(
  findings: readonly Overreach[],
  redactor: Redactor,
  others: readonly Overreach[] = [],
): RejectPlan {
  const show = (text: string) => showFinding(text, redactor);
  const told = [...new Set([...findings, ...others].map(({ message }) => show(message)))];
  const asks = [...new Set(findings.flatMap(({ ask }) => (ask === undefined ? [] : [`“${show(ask.sentence)}”`])))];
  const more = told.length > MAX_TOLD ? ` There are ${told.length - MAX_TOLD} more findings.` : "";
  const accepted = [
    ...(asks.length === 0
      ? []
      : [`If that is wanted, say so in the message, each in a line of its own: ${asks.slice(0, MAX_TOLD).join(" ")}`]),
    ...(findings.every(({ ask }) => ask !== undefined)
      ? []
      : ["What no message allows, a person can propose as a pull request."]),
  ];
  const what =
    asks.length > 0 ? "The plan goes beyond what the message asks for." : "No feedback may bring this about.";
  return {
    kind: "reject",
    reason: `${what} ${told.slice(0, MAX_TOLD).join(" ")}${more}`,
    accepted: accepted.join(" "),
  };
}

/** A finding as people may see it: on one line, short, with nothing hidden or secret in it. */
function showFinding(text: string, redactor: Redactor): string {
  const plain = showHidden(redactor.text(text).replaceAll(/[\n\t]/g, " "));
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS).toWellFormed()}…` : plain;
}
