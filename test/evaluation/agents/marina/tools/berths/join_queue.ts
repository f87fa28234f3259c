import type { Handler } from "cairn-gitops/host-api";

const joinQueue: Handler<{ size: string }> = async (input, ctx) => {
  const ahead = await ctx.state.scan(["queue", input.size]);
  await ctx.state.set(["queue", input.size, String(ahead.length + 1).padStart(4, "0")], input);
  return { place: ahead.length + 1 };
};

export default joinQueue;
