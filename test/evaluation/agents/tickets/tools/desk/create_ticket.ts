import type { Handler } from "cairn-gitops/host-api";
import type { Ticket } from "../_lib/ticket.ts";

type Input = Omit<Ticket, "ticket_id" | "status" | "comments">;

// Whatever the manifest lets in is kept, so that a further field needs no code.
const createTicket: Handler<Input> = async (input, ctx) => {
  const ticket_id = `T-${String(Math.floor(ctx.random() * 100_000)).padStart(5, "0")}`;
  const ticket: Ticket = { ...input, ticket_id, status: "open", comments: [] };
  await ctx.state.set(["ticket", ticket_id], ticket);
  return { ticket_id };
};

export default createTicket;
