import type { Handler } from "cairn-gitops/host-api";

const refundTicket: Handler<{ ticket_no: string }> = async (input, ctx) => {
  const key = ["ticket", input.ticket_no];
  const ticket = await ctx.state.get<object>(key);
  if (ticket === undefined) throw ctx.fail("NOT_FOUND", `Nobody sold a ticket ${input.ticket_no}.`);
  await ctx.state.set(key, { ...ticket, refund: input });
  return { refunded: true };
};

export default refundTicket;
