import type { Handler } from "cairn-gitops/host-api";

const requestReturn: Handler<{ order_id: string }> = async (input, ctx) => {
  if ((await ctx.state.get(["order", input.order_id])) === undefined) {
    throw ctx.fail("NOT_FOUND", `There is no order ${input.order_id}.`);
  }
  const return_id = `R-${input.order_id}`;
  await ctx.state.set(["return", return_id], input);
  return { return_id };
};

export default requestReturn;
