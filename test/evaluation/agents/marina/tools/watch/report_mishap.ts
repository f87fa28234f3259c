import type { Handler } from "cairn-gitops/host-api";

const reportMishap: Handler<{ kind: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["mishap", input.kind]);
  const mishap_no = `M-${input.kind}-${earlier.length + 1}`;
  await ctx.state.set(["mishap", input.kind, mishap_no], input);
  return { mishap_no };
};

export default reportMishap;
