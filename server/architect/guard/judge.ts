import type { Redactor } from "../../log/redact.ts";
import type { ChangePlan, RejectPlan, TunePlan } from "../planners/plan.ts";
import { GUARDS } from "./guards.ts";
import type { Overreach } from "./overreach.ts";
import { refuseOverreach, showFinding } from "./refuse-overreach.ts";

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
