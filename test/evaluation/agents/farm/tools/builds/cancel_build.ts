import type { Handler } from "cairn-gitops/host-api";
import { loadBuild } from "../_lib/build.ts";

const cancelBuild: Handler<{ build_id: string; reason?: string }> = async ({ build_id, reason = "" }, ctx) => {
  const build = await loadBuild(ctx, build_id);
  await ctx.state.set(["build", build_id], { ...build, reason, state: "cancelled" });
  return { state: "cancelled" };
};

export default cancelBuild;
