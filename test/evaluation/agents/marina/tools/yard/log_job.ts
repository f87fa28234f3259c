import type { Handler } from "cairn-gitops/host-api";

const logJob: Handler<{ boat_name: string }> = async (input, ctx) => {
  const boat = input.boat_name.toLowerCase().replaceAll(" ", "-");
  const earlier = await ctx.state.scan(["job", boat]);
  const entry_no = `J-${boat}-${earlier.length + 1}`;
  await ctx.state.set(["job", boat, entry_no], input);
  return { entry_no };
};

export default logJob;
