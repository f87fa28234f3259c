import type { Handler } from "cairn-gitops/host-api";

const reportMachine: Handler<{ machine: string }> = async (input, ctx) => {
  const earlier = await ctx.state.scan(["ticket", input.machine]);
  const ticket_no = `T-${input.machine}-${earlier.length + 1}`;
  await ctx.state.set(["ticket", input.machine, ticket_no], input);
  return { ticket_no };
};

export default reportMachine;
