import type { Redactor } from "../../log/redact.ts";
import type { RejectPlan } from "../planners/plan.ts";
import { showHidden } from "../../text/find-hidden.ts";
import type { Overreach } from "./overreach.ts";

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
export function showFinding(text: string, redactor: Redactor): string {
  const plain = showHidden(redactor.text(text).replaceAll(/[\n\t]/g, " "));
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS).toWellFormed()}…` : plain;
}
