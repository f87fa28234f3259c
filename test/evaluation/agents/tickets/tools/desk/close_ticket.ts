import type { Handler } from "cairn-gitops/host-api";
import { loadTicket } from "../_lib/ticket.ts";

const closeTicket: Handler<{ ticket_id: string; resolution: string }> = async (input, ctx) => {
  const { ticket_id, ...end } = input;
  const ticket = await loadTicket(ctx, ticket_id);
  const reopen_days = ctx.params["triage"]?.["reopen_days"];
  await ctx.state.set(["ticket", ticket_id], { ...ticket, ...end, reopen_days, status: "closed" });
  return { status: "closed" };
};

export default closeTicket;
