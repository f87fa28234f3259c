import type { Handler } from "../../server/host-api.ts";
import type { Report } from "../_lib/decisions/decision.ts";

/** The report that `decide_evaluate` kept under an id; other tenants' reports are as absent as those that never were. */
const findById: Handler<{ readonly id: string }, Report> = async ({ id }, ctx) => {
  const report = await ctx.state.get<Report>(["report", id]);
  if (report === undefined) throw ctx.fail("NOT_FOUND", `There is no decision report \`${id}\`.`);
  return report;
};

export default findById;
