import type { Handler } from "cairn-gitops/host-api";
import { PIECES, tail } from "../_lib/museum.ts";

// The whole report is kept as it was given.
const logCondition: Handler<{ inventory_no: string }> = async (input, ctx) => {
  if (!PIECES.some(({ inventory_no }) => inventory_no === input.inventory_no)) {
    throw ctx.fail("NOT_FOUND", `There is no object ${input.inventory_no}.`);
  }
  const earlier = await ctx.state.scan(["condition", input.inventory_no]);
  const report_id = `C-${tail(input.inventory_no)}-${earlier.length + 1}`;
  await ctx.state.set(["condition", input.inventory_no, report_id], input);
  return { report_id };
};

export default logCondition;
