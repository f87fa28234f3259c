import type { Handler } from "cairn-gitops/host-api";

const drainMachine: Handler<{ machine: string; reason: string }> = async (input, ctx) => {
  await ctx.state.set(["draining", input.machine], { ...input, retries: ctx.params["recovery"]?.["max_retries"] });
  return { state: "draining" };
};

export default drainMachine;
