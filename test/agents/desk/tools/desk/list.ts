export default async ({ status, limit }, ctx) => {
  const now = ctx.now();
  const rows = await ctx.state.scan(["tickets"]);
  const tickets = rows
    .map(({ value }) => value)
    .filter((ticket) => ticket.status === status)
    .sort((one, other) => one.due - other.due || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
  return { tickets: tickets.map(({ id, due }) => ({ id, due, late: due <= now })) };
};
