import type { Handler } from "cairn-gitops/host-api";
import type { Ticket } from "../_lib/ticket.ts";

interface Input {
  query: string;
  status: string;
  order: string;
  limit: number;
}

const searchTickets: Handler<Input> = async ({ query, status, order, limit }, ctx) => {
  const all = await ctx.state.scan<Ticket>(["ticket"], { reverse: order !== "oldest" });
  const word = query.toLowerCase();
  const hits = all
    .map(({ value }) => value)
    .filter((ticket) => status === "any" || ticket.status === status)
    .filter(({ subject, body }) => `${subject} ${body}`.toLowerCase().includes(word));
  return {
    tickets: hits.slice(0, limit).map(({ ticket_id, subject, priority }) => ({ ticket_id, subject, priority })),
  };
};

export default searchTickets;
