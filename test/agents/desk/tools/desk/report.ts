export default async (_input, ctx) => {
  const now = ctx.now();
  const rows = await ctx.state.scan(["tickets"]);
  const { tickets: pressing } = await ctx.tools.call("desk.list", { status: "open", limit: 100 });
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", dateStyle: "short" });
  const days: Record<string, number> = {};
  for (const { value } of rows) {
    const name = day.format(value.opened);
    days[name] = (days[name] ?? 0) + 1;
  }
  const open = rows.filter(({ value }) => value.status === "open").map(({ value }) => now - value.opened);
  const sum = open.reduce((total, age) => total + age, 0);
  const hours = open.length === 0 ? 0 : Math.round(sum / open.length / 3_600_000);
  return { days, hours, total: pressing.length };
};
