export default async ({ id }, ctx) => {
  const ticket = await ctx.state.get(["tickets", id]);
  const comments = await ctx.state.get(["comments", id]);
  if (ticket === undefined) throw ctx.fail("NOT_FOUND", `There is no ticket ${id}.`);
  const { title, priority, status, owner } = ticket;
  return { id, title, priority, status, owner, comments: comments?.length ?? 0 };
};
