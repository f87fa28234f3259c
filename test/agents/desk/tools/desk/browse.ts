const PAGE = 3;

export default async (_input, ctx) => {
  const { after, page } = (await ctx.session.get()) ?? { page: 0 };
  const rows = await ctx.state.scan(["tickets"], { limit: PAGE, ...(after === undefined ? {} : { after }) });
  const last = rows.at(-1)?.key ?? after;
  await ctx.session.set({ after: last, page: page + 1 });
  return { titles: rows.map(({ value }) => value.title), page: page + 1 };
};
