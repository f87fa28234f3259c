export default async ({ id, team }, ctx) => {
  const ticket = await ctx.state.get(["tickets", id]);
  const response = await ctx.fetch(`https://rota.example/on-call?team=${encodeURIComponent(team)}`);
  if (ticket === undefined) throw ctx.fail("NOT_FOUND", `There is no ticket ${id}.`);
  if (!response.ok) throw ctx.fail("UPSTREAM_ERROR", `The rota answers ${response.status}.`);
  const people = response.json();
  const owner = people[Math.floor(ctx.random() * people.length)];
  const load = (await ctx.state.get(["load", owner])) ?? 0;
  await ctx.state.set(["load", owner], load + 1);
  await ctx.state.set(["tickets", id], { ...ticket, owner });
  return { owner };
};
