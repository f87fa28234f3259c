import type { Handler } from "cairn-gitops/host-api";
import { loadBuild } from "../_lib/build.ts";

const buildStatus: Handler<{ build_id: string }> = async ({ build_id }, ctx) => ({
  state: (await loadBuild(ctx, build_id)).state,
});

export default buildStatus;
