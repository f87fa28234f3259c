import type { Handler } from "../../server/host-api.ts";
import type { Question, Report } from "../_lib/decisions/decision.ts";
import { evaluate } from "../_lib/decisions/evaluate.ts";
import { findProblem } from "../_lib/decisions/payoff-table.ts";

/** Evaluates a payoff table by every criterion, and keeps the report for `datastore_decision_findById`. */
const decideEvaluate: Handler<Question, Report> = async (question, ctx) => {
  const problem = findProblem(question);
  if (problem !== undefined) throw ctx.fail("BAD_REQUEST", problem);
  const report = evaluate(question);
  await ctx.state.set(["report", report.id], report);
  return report;
};

export default decideEvaluate;
