import type { Ticket } from "../_lib/ticket.ts";

export default async (input, ctx) => {
  const opened = ctx.now();
  const id = `T-${Math.floor(ctx.random() * 1e6)}`;
  const { due } = await ctx.tools.call("desk.due", { opened, priority: input.priority });
  const ticket: Ticket = { id, title: input.title.trim(), priority: input.priority, status: "open", opened, due };
  await ctx.state.set(["tickets", id], ticket);
  return { ticket };
};
