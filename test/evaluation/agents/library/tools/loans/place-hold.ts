import type { Handler } from "cairn-gitops/host-api";
import { STOCK, digits } from "../_lib/stock.ts";

const placeHold: Handler<{ card: string; record: string }> = async (input, ctx) => {
  if (!STOCK.some(({ record }) => record === input.record)) {
    throw ctx.fail("NOT_FOUND", `There is no record ${input.record}.`);
  }
  const hold = `H-${digits(input.card)}-${input.record}`;
  const waiting = await ctx.state.scan(["queue", input.record]);
  await ctx.state.set(["queue", input.record, hold], input);
  await ctx.state.set(["hold", hold], input);
  return { hold, place: waiting.length + 1 };
};

export default placeHold;
