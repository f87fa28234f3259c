import type { Handler } from "cairn-gitops/host-api";
import { loadTicket } from "../_lib/ticket.ts";

const assignTicket: Handler<{ ticket_id: string; team: string; assignee?: string }> = async (input, ctx) => {
  const ticket = await loadTicket(ctx, input.ticket_id);
  const { ticket_id, team, assignee } = input;
  await ctx.state.set(["ticket", ticket_id], { ...ticket, team, assignee: assignee ?? null });
  return assignee === undefined ? { team } : { team, assignee };
};

export default assignTicket;
