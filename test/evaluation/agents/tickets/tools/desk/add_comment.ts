import type { Handler } from "cairn-gitops/host-api";
import { loadTicket } from "../_lib/ticket.ts";

const addComment: Handler<{ ticket_id: string; text: string; visibility: string }> = async (input, ctx) => {
  const { ticket_id, ...comment } = input;
  const ticket = await loadTicket(ctx, ticket_id);
  const comments = [comment, ...ticket.comments];
  await ctx.state.set(["ticket", ticket_id], { ...ticket, comments });
  return { comments: comments.length };
};

export default addComment;
