import type { Comment } from "../_lib/ticket.ts";

export default async ({ id, text }, ctx) => {
  const ticket = await ctx.state.get(["tickets", id]);
  if (ticket === undefined) throw ctx.fail("NOT_FOUND", `There is no ticket ${id}.`);
  const comments: Comment[] = (await ctx.state.get(["comments", id])) ?? [];
  comments.push({ text, at: ctx.now() });
  await ctx.state.set(["comments", id], comments);
  const isSent = ticket.owner !== undefined;
  if (isSent) {
    await ctx.fetch("https://mail.example/send", {
      method: "POST",
      body: JSON.stringify({ to: ticket.owner, subject: `Re: ${ticket.title}`, text }),
    });
  }
  return { count: comments.length, sent: isSent };
};
