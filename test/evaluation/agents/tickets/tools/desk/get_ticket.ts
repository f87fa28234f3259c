import type { Handler } from "cairn-gitops/host-api";
import { loadTicket } from "../_lib/ticket.ts";

interface Input {
  ticket_id: string;
  max_comments: number;
  include_internal: boolean;
}

const getTicket: Handler<Input> = async ({ ticket_id, max_comments, include_internal }, ctx) => {
  const ticket = await loadTicket(ctx, ticket_id);
  const comments = ticket.comments.filter(({ visibility }) => include_internal || visibility !== "internal");
  return { ticket: { ...ticket, comments: comments.slice(0, max_comments) } };
};

export default getTicket;
