import type { Handler } from "cairn-gitops/host-api";

const countStock: Handler<{ item: string }> = async (input, ctx) => {
  const name = input.item.toLowerCase().replaceAll(" ", "-");
  const earlier = await ctx.state.scan(["stock", name]);
  const count_no = `S-${name}-${earlier.length + 1}`;
  await ctx.state.set(["stock", name, count_no], input);
  return { count_no };
};

export default countStock;
