export default async ({ id, reason }, ctx) => {
  const { count } = await ctx.tools.call("desk.comment", { id, text: reason ?? "Done." });
  const ticket = await ctx.state.get(["tickets", id]);
  const solved = (await ctx.state.get(["solved"])) ?? 0;
  await ctx.state.set(["tickets", id], { ...ticket, status: "closed" });
  await ctx.state.set(["solved"], solved + 1);
  const { status } = await ctx.state.get(["tickets", id]);
  const hours = Math.round((ctx.now() - ticket.opened) / 360_000) / 10;
  return { id, status, hours, comments: count };
};
