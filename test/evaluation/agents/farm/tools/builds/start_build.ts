import type { Handler } from "cairn-gitops/host-api";

// The whole request is kept: machines read from it what they know.
const startBuild: Handler<Record<string, unknown>> = async (input, ctx) => {
  const build_id = `b-${String(Math.floor(ctx.random() * 1_000_000)).padStart(6, "0")}`;
  const packing = ctx.params["scheduler"]?.["packing"] ?? "spread";
  await ctx.state.set(["build", build_id], { ...input, build_id, packing, state: "queued" });
  return { build_id, state: "queued" };
};

export default startBuild;
