import type { Adjustment, Plan } from "../../server/architect/planners/plan.ts";

/** What comes of a message, in one line, as docs/architect.md has it. */
export function describePlan(plan: Plan | undefined): string {
  if (plan === undefined) return "left to others";
  if (plan.kind === "reject") return `Rejected: ${plan.reason}`;
  if (plan.kind === "tune") return `Tuned: ${plan.adjustments.map(describeAdjustment).join(", ")}.`;
  return `A ${plan.bump === undefined ? "" : `${plan.bump} `}change: ${plan.changes.join(" ")}`;
}

function describeAdjustment(adjustment: Adjustment): string {
  switch (adjustment.kind) {
    case "promote": {
      const { arm, values, experiment } = adjustment;
      return `\`${experiment}\` runs with ${arm === undefined ? (values === undefined ? "what is best by now" : `\`${JSON.stringify(values)}\``) : `\`${arm}\``}`;
    }
    case "revert":
      return `\`${adjustment.experiment}\` runs with what it had before`;
    case "reset":
      return `\`${adjustment.experiment}\` runs with its defaults`;
    case "session":
      return adjustment.value === null ? "the session ends" : "the session is another";
    case "state":
      return `the state of \`${adjustment.server}\` at \`${JSON.stringify(adjustment.key)}\` is \`${JSON.stringify(adjustment.value)}\``;
    case "undo":
      return "what the feedback of that number has tuned is taken back";
  }
}
